"""Datasets of the Hugging Face hub, by name or from a folder, where the package `datasets` is installed."""

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

_SAVED = ("dataset_dict.json", "dataset_info.json", "state.json")
_SPEC = re.compile(r"(?P<name>.+?)(?::(?P<split>[\w.-]+))?")


@dataclass(frozen=True)
class HubName:
    """What `name[/config][:split]` means: two parts are an owner and a name, three have a configuration."""

    name: str
    config: str | None = None
    split: str | None = None

    @property
    def shown(self) -> str:
        """The name for people and files, without the split; of a folder only its last part."""
        name = Path(self.name).absolute().name if is_folder(Path(self.name)) else self.name
        return f"hf:{name}" + (f"/{self.config}" if self.config else "")


def hub_name(spec: str) -> HubName:
    """The parts of a name.

    >>> hub_name("owner/pairs/en:train")
    HubName(name='owner/pairs', config='en', split='train')
    """
    found = _SPEC.fullmatch(spec)
    name, split = (found["name"], found["split"]) if found else (spec, None)
    if is_folder(Path(name)):
        return HubName(name, None, split)
    owner, _, rest = name.partition("/")
    base, _, config = rest.partition("/")
    return HubName(f"{owner}/{base}" if base else owner, config or None, split)


def hub_rows(spec: str) -> Iterator[tuple[str, Iterator[tuple[int, dict[str, Any]]]]]:
    """For each split its name and its rows with their numbers, streamed."""
    if importlib.util.find_spec("datasets") is None:
        raise LitotesError("L103", "the package datasets is not installed", hint="pip install datasets brings it")
    wanted = hub_name(spec)
    loaded = _loaded(wanted)
    splits = loaded.items() if hasattr(loaded, "items") else [(wanted.split or "all", loaded)]
    for split, dataset in splits:
        yield str(split), _numbered(dataset, wanted)


def _loaded(wanted: HubName) -> Any:
    package: Any = importlib.import_module("datasets")
    folder = Path(wanted.name)
    try:
        if is_folder(folder) and any((folder / name).is_file() for name in _SAVED):
            saved = package.load_from_disk(str(folder))
            return saved[wanted.split] if wanted.split and hasattr(saved, "items") else saved
        try:
            return package.load_dataset(wanted.name, wanted.config, split=wanted.split, streaming=True)
        except FileNotFoundError:
            base, _, config = wanted.name.partition("/")
            if wanted.config or not config or is_folder(folder):
                raise
            # Old datasets have no owner: glue/mrpc is the configuration mrpc of glue.
            return package.load_dataset(base, config, split=wanted.split, streaming=True)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise _failed(wanted, error) from error


def _numbered(dataset: Any, wanted: HubName) -> Iterator[tuple[int, dict[str, Any]]]:
    features = getattr(dataset, "features", None) or {}
    names = {key: feature.names for key, feature in features.items() if getattr(feature, "names", None)}
    rows = enumerate(dataset, 1)
    while True:
        try:
            number, row = next(rows)
        except StopIteration:
            return
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise _failed(wanted, error) from error
        for key, known in names.items():  # a label is kept as a number; its name says what it is
            value = row.get(key)
            if isinstance(value, int) and 0 <= value < len(known):
                row[key] = known[value]
        yield number, row


def _failed(wanted: HubName, error: Exception) -> LitotesError:
    code = "L501" if isinstance(error, ConnectionError) else "L201"
    return LitotesError(
        code,
        f"{wanted.shown}: cannot be loaded ({str(error)[:300]})",
        hint="check the name, the configuration and the split",
    )
