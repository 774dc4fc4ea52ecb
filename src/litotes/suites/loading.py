"""From a name or a path to a suite, or to several."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, is_folder
from litotes.core.registry import Registry, unknown_name
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder
from litotes.suites.official_files import SOURCES, find_data

_TRIPLETS = (
    "negation-detection-mini",
    "negation-variants-mini",
    "clause-relatedness-mini",
    "argument-sensitivity-mini",
    "fixed-point-reorder-mini",
)
_LABELLED = ("developmental-mini",)
_OURS = ("semantoneg-mini", "heros-mini", *_TRIPLETS, *_LABELLED)
_BUILT_IN_FOLDER = files("litotes.suites") / "builtin"

BUILT_IN = tuple(name for name in _OURS if (_BUILT_IN_FOLDER / name).is_dir())
"""Suites that come with the package; `litotes run` puts every model through those that fit it."""

FOR_LABELS = tuple(name for name in BUILT_IN if name in _LABELLED)
"""Of these the ones that ask for a label: only NLI models can be asked."""

_NAMED_TOGETHER = {"triplets-mini": _TRIPLETS}
FAMILIES = {
    family: there
    for family, names in _NAMED_TOGETHER.items()
    if (there := tuple(name for name in names if name in BUILT_IN))
}
"""Names that stand for several built-in suites."""

_OFFICIAL = {
    "semantoneg": "litotes.suites.semantoneg:load_official",
    "heros": "litotes.suites.heros:load_official",
    "developmental": "litotes.suites.developmental:load_official",
}
_READERS = Registry("suite", _OFFICIAL, group="litotes.suites")


def list_suites() -> list[str]:
    """The names that `load_suite` knows.

    >>> "semantoneg-mini" in list_suites()
    True
    """
    return [*BUILT_IN, *_READERS.names()]


def load_suites(name: str, *, path: str | Path | None = None) -> list[Suite]:
    """All the suites that a name or a path stands for: a family, a folder of suite folders, or one suite.

    >>> [suite.name for suite in load_suites("semantoneg-mini")]
    ['semantoneg-mini']
    """
    if path is None:
        if name in FAMILIES:
            return [load_suite(one) for one in FAMILIES[name]]
        if name not in list_suites() and (folders := _suite_folders(name)):
            return [load_folder(folder) for folder in folders]
    return [load_suite(name, path=path)]


def load_suite(name: str, *, path: str | Path | None = None) -> Suite:
    """A suite by name, or the one in a folder.

    `path` names the official file of a published suite; without it the file is looked for in LITOTES_DATA and
    in the user's data folder.

    >>> load_suite("semantoneg-mini").kind.roles
    ('input', 'antonym', 'polarity', 'both')
    """
    if name in BUILT_IN:
        if path is not None:
            raise UsageError("L102", f'suite "{name}" comes with the package and takes no data file')
        with as_file(_BUILT_IN_FOLDER / name) as folder:
            return load_folder(folder)
    if name in _READERS:
        return _read(name, expand_user(path) if path is not None else _official_file(name))
    if name in FAMILIES:
        raise UsageError("L102", f'"{name}": stands for several suites', hint=f"name one: {', '.join(FAMILIES[name])}")
    if path is not None:
        raise unknown_name("suite", name, list_suites())
    return _load_from_path(name)


def _read(name: str, path: Path | None) -> Suite:
    """What the reader of that name makes of its file; a suite of another package may do without one."""
    suite = _READERS.get(name)(path)
    if not isinstance(suite, Suite):
        raise LitotesError(
            "L203",
            f'the package that brings suite "{name}" gave {type(suite).__name__}, not a suite',
            hint="update it",
        )
    return suite


def _official_file(name: str) -> Path | None:
    if name not in SOURCES:
        return None
    found = find_data(name)
    if found is None:
        raise LitotesError("L201", f'the data of suite "{name}" is not on this machine', hint=SOURCES[name].how_to_get)
    return found


def _load_from_path(name: str) -> Suite:
    path = expand_user(name)
    if name and is_folder(path):
        if folders := _suite_folders(name):
            hint = f"name one: {', '.join(str(folder) for folder in folders)}"
            raise UsageError("L102", f"{name}: holds several suites", hint=hint)
        return load_folder(path)
    if is_file(path):
        if path.name == "suite.json":
            return load_folder(path.parent)
        official = " or ".join(f"--suite {known} --data {known}={name}" for known in SOURCES)
        raise LitotesError(
            "L202", f"{name}: is a file, a suite is a folder", hint=f"an official file is given by {official}"
        )
    if "/" in name or "\\" in name:
        raise LitotesError("L201", f"{name}: no such folder", hint="check the path; litotes suites lists the names")
    raise unknown_name("suite", name, [*list_suites(), *FAMILIES])


def _suite_folders(name: str) -> list[Path]:
    """The suite folders in a folder that is none itself, in order."""
    path = expand_user(name)
    if not name or not is_folder(path) or is_file(path / "suite.json"):
        return []
    return sorted(below for below in path.iterdir() if is_file(below / "suite.json"))
