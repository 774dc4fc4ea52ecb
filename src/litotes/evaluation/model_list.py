"""Lists of models to run: TOML files of users, and the lists that come with the package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import msgspec

from litotes.core.errors import LitotesError, UsageError, shorten
from litotes.core.files import expand_user, is_file, read_small_text
from litotes.core.registry import unknown_name
from litotes.core.secrets import is_secret_option, refuse_secrets
from litotes.core.settings import convert, read_toml
from litotes.models.access import Access
from litotes.models.base import Model, PairClassifier
from litotes.models.loading import (
    check_name,
    check_received_name,
    list_models,
    load_model,
    load_received_model,
    predicts_labels,
)
from litotes.models.names import parse_name
from litotes.models.prompts import ALL, list_prompts
from litotes.models.servers.openai_client import server_address
from litotes.models.transformers.torch_model import count_layers

_BUILT_IN = files("litotes.evaluation") / "model_lists"
_SUFFIX = ".toml"
_PROMPTED_SCHEMES = ("chat", "lm")
_LAYERED_SCHEMES = ("st", "hf")
_HEADING = re.compile(r"^[ \t]*\[\[[ \t]*models[ \t]*\]\]", re.MULTILINE)
_SCHEME = re.compile(r"([a-z][a-z0-9_]+:)?(.*)", re.DOTALL)
_FILE_SEPARATOR = re.compile(r"([,+])")
"""Separates the files in the name of a model that has several."""


@dataclass(frozen=True)
class ModelEntry:
    """One model to run."""

    name: str
    """As written in the list or on the command line."""
    label: str
    """The name in tables and of the folder of results."""
    group: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options in addition to those in the name."""
    folder: Path | None = None
    """Relative paths are looked up here first."""
    model: Model | None = None
    """The model itself, if it is loaded already."""
    is_received: bool = False
    """Whether a file names it, which may come from others: such a model reaches no server and nothing is downloaded."""

    @property
    def key(self) -> dict[str, Any]:
        """What identifies the model in results; it contains no path of this machine."""
        if self.model is not None:
            return {"name": self.name, "fingerprint": self.model.fingerprint.key()}
        key = {"name": self.name, "options": dict(sorted(self.options.items()))}
        server = server_address(parse_name(self.resolved_name))
        return {**key, "server": server} if server else key

    @property
    def resolved_name(self) -> str:
        """The name to load, in which paths relative to the list are absolute."""
        scheme, rest = _split_scheme(self.name)
        path, mark, query = rest.partition("?")
        return scheme + _resolve_paths(path, self.folder) + mark + query

    @property
    def resolved_options(self) -> dict[str, str]:
        """The options, in which paths relative to the list are absolute."""
        return {key: _resolve_paths(value, self.folder) for key, value in self.options.items()}

    def paths(self) -> list[Path]:
        """Return the existing files and folders to which the name and the options refer."""
        if self.model is not None:
            return []
        rest = parse_name(self.resolved_name).rest
        parts = [rest, *_FILE_SEPARATOR.split(rest)]
        # An option without a slash, such as device=cpu, is not a folder that happens to have that name.
        options = [value for value in self.resolved_options.values() if "/" in value or is_file(expand_user(value))]
        return list(dict.fromkeys(path for part in (*parts, *options) if (path := _existing_path(part)) is not None))

    def predicts_labels(self) -> bool | None:
        """Return whether the model predicts NLI labels, or None if that is unknown until it is loaded."""
        return _predicts_labels(self.resolved_name) if self.model is None else isinstance(self.model, PairClassifier)

    def load(self, access: Access) -> Model:
        """Load the model, unless it is loaded already."""
        if self.model is not None:
            return self.model
        options: dict[str, Any] = {**self.resolved_options, "label": self.label}
        if self.is_received:
            return load_received_model(self.resolved_name, access, options)
        return load_model(self.resolved_name, **access.to_dict(), **options)

    def check_permitted(self, access: Access) -> None:
        """Raise if a file names the model, and loading it would send sentences or keys to a server."""
        if self.is_received and self.model is None:
            check_received_name(self.resolved_name, self.options, access)


_predicts_labels = lru_cache(maxsize=1024)(predicts_labels)  # looks through all installed packages


@dataclass(frozen=True)
class ModelList:
    """The content of a list."""

    entries: Sequence[ModelEntry]
    title: str = ""
    source: str = ""


def model_entry(name: str) -> ModelEntry:
    """Return the entry of a model that is given by its name alone.

    >>> model_entry("overlap:words?label=common words").label
    'common words'
    """
    parsed = check_name(name)
    return ModelEntry(name, parsed.options.get("label") or parsed.text)


def list_model_lists() -> list[str]:
    """Return the names of the lists that come with the package."""
    if not _BUILT_IN.is_dir():
        return []
    return sorted(file.name.removesuffix(_SUFFIX) for file in _BUILT_IN.iterdir() if file.name.endswith(_SUFFIX))


def load_model_list(name_or_path: str) -> ModelList:
    """Load a list from a file, or the built-in one of that name if the file does not exist."""
    path = expand_user(name_or_path)
    if not is_file(path):
        if name_or_path in list_model_lists():
            with as_file(_BUILT_IN / f"{name_or_path}{_SUFFIX}") as built_in:
                listed = read_model_list(built_in)
            return replace(listed, entries=[replace(entry, is_received=False) for entry in listed.entries])
        if not re.search(r"[/\\]", name_or_path) and not name_or_path.endswith(_SUFFIX):
            raise unknown_name("list of models", shorten(name_or_path), [*list_model_lists(), "a TOML file"])
    return read_model_list(path)


# The TOML file


class _ListTable(msgspec.Struct, forbid_unknown_fields=True):
    title: str = ""
    source: str = ""
    defaults: dict[str, Any] = {}
    """Options of all models, and tables with options of the models of one scheme."""
    models: list[dict[str, Any]] = []


class _ModelTable(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    label: str | None = None
    group: str | None = None
    options: dict[str, Any] = {}


@dataclass(frozen=True)
class _Defaults:
    """Default options of a list."""

    schemes: Sequence[str]
    """All known schemes."""
    common: Mapping[str, str]
    by_scheme: Mapping[str, Mapping[str, str]]

    def options_of(self, entry: ModelEntry) -> dict[str, str]:
        # For a published model, the scheme that loads it may differ from that of its bare name.
        specific = self.by_scheme.get(check_name(entry.resolved_name).scheme, {}) if self.by_scheme else {}
        return {**self.common, **specific}


def read_model_list(path: Path) -> ModelList:
    """Read a list from a TOML file; raise an error with the position of the first mistake."""
    tables = read_toml(path)
    text = read_small_text(path)
    for number, line in enumerate(text.splitlines(), 1):
        refuse_secrets(line, f"{path}:{number}:")
    table = convert(tables, _ListTable, where=str(path), code="L203")
    if not table.models:
        raise UsageError("L204", f"{path}: contains no models", hint="each begins with [[models]]")
    defaults = _read_defaults(table, f"{path}: defaults")
    entries: dict[str, ModelEntry] = {}
    for position, model in zip(_positions(path, text, len(table.models)), table.models, strict=True):
        entry = _read_entry(model, position, defaults, path.parent)
        if entry.label in entries:
            earlier = list(entries).index(entry.label) + 1
            message = f'{position}: model {earlier} is called "{entry.label}" too'
            raise UsageError("L205", message, hint="give one of them a label")
        entries[entry.label] = entry
    _check_text(table.title, f"{path}: title")
    _check_text(table.source, f"{path}: source")
    return ModelList(list(entries.values()), table.title.strip(), table.source.strip())


def _positions(path: Path, text: str, count: int) -> list[str]:
    """Return the position of each model for error messages, with the line if the headings can be located."""
    lines = [text.count("\n", 0, heading.start()) + 1 for heading in _HEADING.finditer(text)]
    numbers = [f":{line}" for line in lines] if len(lines) == count else [""] * count
    return [f"{path}{number}: model {index}" for index, number in enumerate(numbers, 1)]


def _read_defaults(table: _ListTable, where: str) -> _Defaults:
    schemes = list_models()
    by_scheme = {key: options for key, options in table.defaults.items() if isinstance(options, dict)}
    for scheme in by_scheme:
        if scheme not in schemes:
            raise _located(where, unknown_name("scheme", scheme, schemes))
    common = {key: value for key, value in table.defaults.items() if not isinstance(value, dict)}
    return _Defaults(
        schemes,
        _option_texts(common, where),
        {scheme: _option_texts(options, f"{where}.{scheme}") for scheme, options in by_scheme.items()},
    )


def _read_entry(table: Mapping[str, Any], where: str, defaults: _Defaults, folder: Path) -> ModelEntry:
    model = convert(table, _ModelTable, where=where, code="L203")
    for key, text in (("name", model.name), ("label", model.label), ("group", model.group)):
        if text is not None:
            _check_text(text, f"{where}: {key}", required=True)
    name, label = model.name.strip(), (model.label or "").strip()
    options = _option_texts(model.options, f"{where}: options")
    entry = ModelEntry(name, name, (model.group or "").strip(), options, folder, is_received=True)
    try:
        parsed = parse_name(entry.resolved_name)
        if parsed.scheme not in defaults.schemes:
            raise unknown_name("scheme", parsed.scheme, defaults.schemes)
    except LitotesError as error:
        raise _located(where, error) from error
    if duplicates := [key for key in options if key in parsed.options]:
        raise UsageError("L203", f"{where}: {duplicates[0]} is in the name and among the options", hint="remove one")
    if label and "label" in parsed.options:
        raise UsageError("L203", f"{where}: has a label in the name and another one", hint="remove one")
    inherited = {key: value for key, value in defaults.options_of(entry).items() if key not in parsed.options}
    # The parsed name completes a bare scheme, but it must not bring a path of this machine into the label.
    default_label = parsed.text if entry.resolved_name == name else name
    return replace(entry, label=label or parsed.options.get("label") or default_label, options={**inherited, **options})


def _check_text(text: str, where: str, *, required: bool = False) -> None:
    if required and not text.strip():
        raise UsageError("L203", f"{where}: is empty")
    if not text.isprintable():  # a terminal would execute some control characters instead of showing them
        raise UsageError("L203", f"{where}: contains a line break or another control character")


def _option_texts(table: Mapping[str, Any], where: str) -> dict[str, str]:
    """Return options as they would be written in a name."""
    if "label" in table:
        message = f"{where}: label is not an option of a model"
        raise UsageError("L203", message, hint='write label = "…" next to the name')
    for key in table:
        if key in Access.__struct_fields__:
            # A list written by others must not grant itself permissions.
            hint = f"--{key.replace('_', '-')} on the command line applies to all models"
            raise UsageError("L203", f"{where}: {key} is not an option of a model", hint=hint)
    options: dict[str, str] = {}
    for key, value in table.items():
        if not isinstance(value, (str, int, float)):
            raise UsageError("L203", f"{where}: {shorten(key)}: must be a string, a number, true or false")
        options[key] = str(value).lower() if isinstance(value, bool) else str(value)
        if is_secret_option(key):
            hint = "name the model with its key on the command line"
            raise UsageError("L102", f"{where}: a list may not name a key ({key})", hint=hint)
    return options


def _located(where: str, error: LitotesError) -> UsageError:
    return UsageError(error.code, f"{where}: {error.message}", hint=error.hint)


# Selecting entries


def merge_entries(lists: Iterable[Sequence[ModelEntry]]) -> list[ModelEntry]:
    """Return the entries of several lists without duplicates; raise an error if two models share a label.

    >>> [entry.label for entry in merge_entries([[model_entry("overlap:words")], [model_entry("overlap:words")]])]
    ['overlap:words']
    """
    merged: dict[str, ModelEntry] = {}
    for entry in (entry for entries in lists for entry in entries):
        existing = merged.setdefault(entry.label, entry)
        if (existing.key, existing.resolved_name) != (entry.key, entry.resolved_name):
            # Results are stored by label: the second would overwrite the first.
            message = f'{entry.name}: another of the models is called "{entry.label}" too'
            raise UsageError("L102", message, hint="give one of them a label")
        merged[entry.label] = existing if existing.group else entry
    return list(merged.values())


def filter_groups(entries: Sequence[ModelEntry], groups: Sequence[str]) -> list[ModelEntry]:
    """Return the entries of some groups; raise an error for a group without entries."""
    known = list(dict.fromkeys(entry.group for entry in entries if entry.group))
    for group in groups:
        if group not in known:
            raise unknown_name("group", shorten(group), known or ["none, the lists have no groups"])
    return [entry for entry in entries if entry.group in groups]


# Models with several variants


def expand_entries(entries: Iterable[ModelEntry], prompts: Sequence[str], access: Access) -> list[ModelEntry]:
    """Return one entry per layer of a model with `layer=all`, and one per prompt of a prompted model.

    Args:
        entries: The models.
        prompts: The prompts of those prompted models that name none themselves.
        access: The permissions to find a model, whose configuration has the number of its layers.

    >>> prompted = expand_entries([model_entry("lm:folder")], ["plain", "truth"], Access())
    >>> [entry.label for entry in prompted]
    ['lm:folder?prompt=plain', 'lm:folder?prompt=truth']
    """
    entries = list(entries)
    if prompts and not any(_scheme(entry) in _PROMPTED_SCHEMES for entry in entries):
        hint = "their names begin with chat: or lm:"
        raise UsageError("L102", "a prompt needs a prompted language model, and none is among the models", hint=hint)
    return merge_entries([_entry_variants(entry, prompts, access) for entry in entries])


def _scheme(entry: ModelEntry) -> str:
    return "" if entry.model is not None else check_name(entry.resolved_name).scheme


def _entry_variants(entry: ModelEntry, prompts: Sequence[str], access: Access) -> list[ModelEntry]:
    """Return one entry per value of the option, which takes precedence over that in the name."""
    if entry.model is not None:
        return [entry]
    name = check_name(entry.resolved_name)
    options = {**name.options, **entry.options}
    key, values = "", []
    if name.scheme in _PROMPTED_SCHEMES and options.get("prompt", ALL) == ALL:
        key, chosen = "prompt", [options["prompt"]] if "prompt" in options else prompts
        values = [value for prompt in chosen for value in (list_prompts() if prompt == ALL else [prompt])]
    elif name.scheme in _LAYERED_SCHEMES and options.get("layer") == ALL:
        permitted = access.for_received_names() if entry.is_received else access
        key, values = "layer", [str(layer) for layer in range(1, count_layers(name, permitted) + 1)]
    variants = [
        replace(entry, options={**entry.options, key: value}, label=_variant_label(entry, key, value))
        for value in dict.fromkeys(values)
    ]
    return variants or [entry]


def _variant_label(entry: ModelEntry, key: str, value: str) -> str:
    label, count = re.subn(rf"(?<=[?&]){key}={ALL}(?=&|$)", lambda _: f"{key}={value}", entry.label)
    return label if count else f"{label}{'&' if '?' in label else '?'}{key}={value}"


# Paths relative to a list


def _split_scheme(name: str) -> tuple[str, str]:
    match = _SCHEME.fullmatch(name)
    return (match.group(1) or "", match.group(2)) if match else ("", name)


def _resolve_paths(text: str, folder: Path | None) -> str:
    """Return the text with absolute paths instead of those that exist relative to the folder.

    A part without a slash is only taken for a file: a folder of that name may contain the results of a model.
    """
    if folder is None:
        return text
    whole = _resolve_path(text, folder)
    return whole or "".join(_resolve_path(part, folder) or part for part in _FILE_SEPARATOR.split(text))


def _resolve_path(part: str, folder: Path) -> str:
    if not part or part.startswith(("/", "~")):
        return ""
    path = folder / part
    try:
        exists = path.is_file() or ("/" in part and path.exists())
    except (OSError, ValueError):  # too long for a path, or with a NUL character
        return ""
    return str(path.absolute()) if exists else ""


def _existing_path(text: str) -> Path | None:
    path = expand_user(text)
    try:
        return path if text and path.exists() else None
    except (OSError, ValueError):
        return None
