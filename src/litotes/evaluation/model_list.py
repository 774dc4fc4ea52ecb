"""Lists of models to run: TOML files of users, and the ready ones that come with the package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file
from litotes.core.registry import unknown_name
from litotes.core.secrets import refuse_secret_option, refuse_secrets
from litotes.core.settings import read_toml
from litotes.models.access import Access
from litotes.models.loading import check_name, list_models
from litotes.models.names import ModelName, parse_name, shorten
from litotes.models.servers.client import server_address

_READY = files("litotes.evaluation") / "model_lists"
_SUFFIX = ".toml"
_KEYS = ("title", "source", "defaults", "models")
_ENTRY_KEYS = ("name", "label", "group", "options")
_ON_THE_COMMAND_LINE = Access.__struct_fields__
_HEADING = re.compile(r"^[ \t]*\[\[[ \t]*models[ \t]*\]\]", re.MULTILINE)
_SCHEME = re.compile(r"([a-z][a-z0-9_]+:)?(.*)", re.DOTALL)
_SEVERAL = re.compile(r"([,+])")
"""What stands between the files of a name that has several of them."""


@dataclass(frozen=True)
class ModelEntry:
    """One model to run."""

    name: str
    """As it is written in the list or on the command line."""
    label: str
    """What it is called in tables; its results are kept by it."""
    group: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    """Beside those that stand in the name."""
    folder: Path | None = None
    """Where relative paths are looked for first."""

    @property
    def key(self) -> dict[str, Any]:
        """What a result must have been made of to be this entry's; no path of the machine is in it."""
        key = {"name": self.name, "options": dict(sorted(self.options.items()))}
        server = server_address(parse_name(self.name_here))
        return {**key, "server": server} if server else key

    @property
    def name_here(self) -> str:
        """The name with the paths that lie beside the list, as it is loaded."""
        scheme, rest = _split_scheme(self.name)
        place, mark, query = rest.partition("?")
        return scheme + _beside(place, self.folder) + mark + query

    @property
    def options_here(self) -> dict[str, str]:
        """The options with the paths that lie beside the list."""
        return {key: _beside(value, self.folder) for key, value in self.options.items()}

    def paths(self) -> list[Path]:
        """The files and folders of this machine that the name and the options mean."""
        rest = parse_name(self.name_here).rest
        parts = [rest, *_SEVERAL.split(rest)]
        # A setting that is a bare word, such as cpu, is no folder that happens to be called so.
        settings = [value for value in self.options_here.values() if "/" in value or is_file(expand_user(value))]
        return list(dict.fromkeys(path for part in (*parts, *settings) if (path := _existing(part)) is not None))


@dataclass(frozen=True)
class ModelList:
    """What a list says."""

    entries: Sequence[ModelEntry]
    title: str = ""
    source: str = ""


def entry_of(name: str) -> ModelEntry:
    """The entry of a model that is named on the command line.

    >>> entry_of("overlap:words?label=common words").label
    'common words'
    """
    named = check_name(name)
    return ModelEntry(name, named.options.get("label") or named.text)


def list_model_lists() -> list[str]:
    """The names of the lists that come with the package."""
    if not _READY.is_dir():
        return []
    return sorted(one.name.removesuffix(_SUFFIX) for one in _READY.iterdir() if one.name.endswith(_SUFFIX))


def load_model_list(where: str) -> ModelList:
    """The list in a file, or the ready one of that name; a file of that name comes first."""
    path = expand_user(where)
    if not is_file(path):
        if where in list_model_lists():
            with as_file(_READY / f"{where}{_SUFFIX}") as ready:
                return read_model_list(ready)
        if "/" not in where and "\\" not in where and not where.endswith(_SUFFIX):
            raise unknown_name("list of models", shorten(where), [*list_model_lists(), "a TOML file"])
    return read_model_list(path)


def read_model_list(path: Path) -> ModelList:
    """The list in a TOML file, every key known, every value of its type, every name possible."""
    return _Reader(path).read()


class _Reader:
    """Reads one file; knows where in it the entries stand."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tables = read_toml(path)
        for number, line in enumerate(self._text_of_file().splitlines(), 1):
            refuse_secrets(line, f"{path}:{number}:")
        self._lines: list[int] = []
        self._schemes = list_models()  # asked once: it looks through all installed packages

    def read(self) -> ModelList:
        self._check_keys(self._tables, _KEYS, str(self._path))
        found = self._tables.get("models")
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise self._wrong(str(self._path), "there are no models", "each begins with [[models]]")
        if not found:
            raise UsageError("L204", f"{self._path}: holds no models", hint="each begins with [[models]]")
        self._lines = self._heading_lines(len(found))
        defaults = self._tables.get("defaults", {})
        if not isinstance(defaults, dict):
            raise self._wrong(f"{self._path}: defaults", "is no table", "write [defaults] and options below it")
        by_scheme = {key: table for key, table in defaults.items() if isinstance(table, dict)}
        for scheme in by_scheme:
            if scheme not in self._schemes:
                raise self._told(f"{self._path}: defaults", unknown_name("scheme", scheme, self._schemes))
        of_all = self._options({k: v for k, v in defaults.items() if k not in by_scheme}, f"{self._path}: defaults")
        of_some = {key: self._options(table, f"{self._path}: defaults.{key}") for key, table in by_scheme.items()}
        entries: dict[str, ModelEntry] = {}
        for number, table in enumerate(found, 1):
            where = self._where(number)
            entry = self._entry(table, where, of_all, of_some)
            if entry.label in entries:
                before = list(entries).index(entry.label) + 1
                hint = "give one of them a label"
                raise UsageError("L205", f'{where}: model {before} is called "{entry.label}" too', hint=hint)
            entries[entry.label] = entry
        title, source = (self._text(self._tables, key, str(self._path)) for key in ("title", "source"))
        return ModelList(list(entries.values()), title, source)

    def _entry(
        self,
        table: Mapping[str, Any],
        where: str,
        of_all: Mapping[str, str],
        of_some: Mapping[str, Mapping[str, str]],
    ) -> ModelEntry:
        self._check_keys(table, _ENTRY_KEYS, where)
        if "name" not in table:
            raise self._wrong(where, "has no name", 'write name = "…"')
        name = self._text(table, "name", where)
        own = table.get("options", {})
        if not isinstance(own, dict):
            raise self._wrong(f"{where}: options", "is no table", "write options = { max_length = 128 }")
        options = self._options(own, f"{where}: options")
        draft = ModelEntry(name, name, folder=self._path.parent)
        named = self._named(draft, where)
        twice = [key for key in options if key in named.options]
        if twice:
            raise self._wrong(where, f"{twice[0]} stands in the name and among the options", "leave one out")
        label = self._text(table, "label", where)
        if label and "label" in named.options:
            raise self._wrong(where, "has a label in the name and another beside it", "leave one out")
        # The scheme by which it is loaded: that of a published model may be another than its bare name says.
        for_all = {**of_all, **(of_some.get(check_name(draft.name_here).scheme, {}) if of_some else {})}
        return ModelEntry(
            name,
            label or named.options.get("label") or self._plain(name, named, draft),
            self._text(table, "group", where),
            {**{key: value for key, value in for_all.items() if key not in named.options}, **options},
            self._path.parent,
        )

    def _named(self, entry: ModelEntry, where: str) -> ModelName:
        try:
            named = parse_name(entry.name_here)
            if named.scheme not in self._schemes:
                raise unknown_name("scheme", named.scheme, self._schemes)
        except LitotesError as error:
            raise self._told(where, error) from error
        return named

    @staticmethod
    def _plain(name: str, named: ModelName, entry: ModelEntry) -> str:
        """The name itself, a bare scheme with what it means; never with a path of this machine."""
        return named.text if entry.name_here == name else name

    def _options(self, table: Mapping[str, Any], where: str) -> dict[str, str]:
        if "label" in table:
            raise self._wrong(where, "label is no setting of a model", 'write label = "…" beside the name')
        for key in table:
            if key in _ON_THE_COMMAND_LINE:
                # A list that somebody else wrote must not allow itself what a user did not.
                hint = f"--{key.replace('_', '-')} on the command line is for all models"
                raise self._wrong(where, f"{key} is no setting of a model", hint)
        options = {key: self._option(value, f"{where}: {shorten(key)}") for key, value in table.items()}
        for key, value in options.items():
            try:
                refuse_secret_option(key, value)
            except UsageError as error:
                raise self._told(where, error) from error
        return options

    def _option(self, value: Any, where: str) -> str:
        """As it would stand in a name."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (str, int, float)):
            return str(value)
        raise self._wrong(where, "a text, a number, true or false is needed")

    def _text(self, table: Mapping[str, Any], key: str, where: str) -> str:
        value = table.get(key, "")
        if not isinstance(value, str) or (key in table and not value.strip()):
            raise self._wrong(where, f"{key} must be a text that is not empty")
        if not value.isprintable():  # a terminal would obey some signs instead of showing them
            raise self._wrong(where, f"{key} has a line break or a sign in it that cannot be shown")
        return value.strip()

    @staticmethod
    def _check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
        for key in table:
            if key not in known:
                raise _Reader._told(where, unknown_name("key", shorten(key), known))

    @staticmethod
    def _told(where: str, error: LitotesError) -> UsageError:
        return UsageError(error.code, f"{where}: {error.message}", hint=error.hint)

    @staticmethod
    def _wrong(where: str, what: str, hint: str = "") -> UsageError:
        return UsageError("L203", f"{where}: {what}", hint=hint)

    def _heading_lines(self, count: int) -> list[int]:
        """The line of each entry's heading; none where they cannot be told from other text."""
        text = self._text_of_file()
        lines = [text.count("\n", 0, heading.start()) + 1 for heading in _HEADING.finditer(text)]
        return lines if len(lines) == count else []

    def _text_of_file(self) -> str:
        return self._path.read_bytes().decode("utf-8-sig")

    def _where(self, number: int) -> str:
        line = f":{self._lines[number - 1]}" if self._lines else ""
        return f"{self._path}{line}: model {number}"


def merge_entries(lists: Iterable[Sequence[ModelEntry]]) -> list[ModelEntry]:
    """The entries of several lists, what stands in two of them once, by the first.

    >>> [entry.label for entry in merge_entries([[entry_of("overlap:words")], [entry_of("overlap:words")]])]
    ['overlap:words']
    """
    found: dict[str, ModelEntry] = {}
    for entry in (entry for entries in lists for entry in entries):
        before = found.setdefault(entry.label, entry)
        if (before.key, before.name_here) == (entry.key, entry.name_here):
            found[entry.label] = before if before.group else entry
        else:
            # Results are kept by the label: the second would take the place of the first.
            hint = "give one of them a label"
            raise UsageError(
                "L102", f'{entry.name}: another model that is run is called "{entry.label}" too', hint=hint
            )
    return list(found.values())


def of_groups(entries: Sequence[ModelEntry], groups: Sequence[str]) -> list[ModelEntry]:
    """The entries of those groups; raises for a group that none is in."""
    known = list(dict.fromkeys(entry.group for entry in entries if entry.group))
    for group in groups:
        if group not in known:
            raise unknown_name("group", shorten(group), known or ["none, the lists have no groups"])
    return [entry for entry in entries if entry.group in groups]


def _split_scheme(name: str) -> tuple[str, str]:
    match = _SCHEME.fullmatch(name)
    return (match.group(1) or "", match.group(2)) if match else ("", name)


def _beside(text: str, folder: Path | None) -> str:
    """The text with the relative paths that lie in the folder as whole paths.

    A bare word is only taken for a file: a folder of that name may be where the results of a model are kept.
    """
    if folder is None:
        return text
    whole = _path_beside(text, folder)
    return whole or "".join(_path_beside(part, folder) or part for part in _SEVERAL.split(text))


def _path_beside(part: str, folder: Path) -> str:
    if not part or part.startswith(("/", "~")):
        return ""
    path = folder / part
    try:
        there = path.is_file() or ("/" in part and path.exists())
    except (OSError, ValueError):  # too long for a path, or with a NUL: then it is no path
        return ""
    return str(path.absolute()) if there else ""


def _existing(text: str) -> Path | None:
    path = expand_user(text)
    try:
        return path if text and path.exists() else None
    except (OSError, ValueError):
        return None
