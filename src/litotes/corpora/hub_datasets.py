"""Datasets of the Hugging Face hub or of a folder, read with the package `datasets`."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import is_folder

_SAVED_DATASET_FILES = ("dataset_dict.json", "dataset_info.json", "state.json")
_SPEC = re.compile(r"(?P<name>.+?)(?::(?P<split>[\w.-]+))?")


@dataclass(frozen=True)
class HubDatasetName:
    """A parsed `[owner/]name[/config][:split]`; a configuration requires an owner."""

    name: str
    config: str | None = None
    split: str | None = None

    @property
    def label(self) -> str:
        """The name in record ids, without the split; for a folder only its last part."""
        name = Path(self.name).absolute().name if is_folder(Path(self.name)) else self.name
        return f"hf:{name}" + (f"/{self.config}" if self.config else "")


def parse_hub_name(spec: str) -> HubDatasetName:
    """Parse the name of a dataset.

    >>> parse_hub_name("owner/pairs/en:train")
    HubDatasetName(name='owner/pairs', config='en', split='train')
    """
    match = _SPEC.fullmatch(spec)
    name, split = (match["name"], match["split"]) if match else (spec, None)
    if is_folder(Path(name)):
        return HubDatasetName(name, None, split)
    owner, _, rest = name.partition("/")
    base, _, config = rest.partition("/")
    return HubDatasetName(f"{owner}/{base}" if base else owner, config or None, split)


def hub_rows(spec: str) -> Iterator[tuple[str, Iterator[tuple[int, dict[str, Any]]]]]:
    """Yield the name of each split with its numbered rows, which are streamed."""
    if importlib.util.find_spec("datasets") is None:
        raise LitotesError(
            "L103", "the package datasets is not installed", hint="install it with: pip install datasets"
        )
    name = parse_hub_name(spec)
    loaded = _load(name)
    splits = loaded.items() if hasattr(loaded, "items") else [(name.split or "all", loaded)]
    for split, dataset in splits:
        yield str(split), _numbered_rows(dataset, name)


def _load(name: HubDatasetName) -> Any:
    package: Any = importlib.import_module("datasets")
    folder = Path(name.name)
    try:
        if is_folder(folder) and any((folder / file).is_file() for file in _SAVED_DATASET_FILES):
            saved = package.load_from_disk(str(folder))
            return saved[name.split] if name.split and hasattr(saved, "items") else saved
        try:
            return package.load_dataset(name.name, name.config, split=name.split, streaming=True)
        except FileNotFoundError:
            base, _, config = name.name.partition("/")
            if name.config or not config or is_folder(folder):
                raise
            # Old datasets have no owner: glue/mrpc is the configuration mrpc of the dataset glue.
            return package.load_dataset(base, config, split=name.split, streaming=True)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise _load_error(name, error) from error


def _numbered_rows(dataset: Any, name: HubDatasetName) -> Iterator[tuple[int, dict[str, Any]]]:
    features = getattr(dataset, "features", None) or {}
    class_names = {key: feature.names for key, feature in features.items() if getattr(feature, "names", None)}
    rows = enumerate(dataset, 1)
    while True:
        try:
            number, row = next(rows)
        except StopIteration:
            return
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise _load_error(name, error) from error
        for key, names in class_names.items():  # labels are stored as indices of their names
            value = row.get(key)
            if isinstance(value, int) and 0 <= value < len(names):
                row[key] = names[value]
        yield number, row


def _load_error(name: HubDatasetName, error: Exception) -> LitotesError:
    code = "L501" if isinstance(error, ConnectionError) else "L201"
    return LitotesError(
        code,
        f"{name.label}: cannot be loaded ({str(error)[:300]})",
        hint="check the name, the configuration and the split",
    )
