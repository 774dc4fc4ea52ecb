"""From a name or a path to a suite."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from litotes.core.errors import LitotesError, UsageError
from litotes.core.registry import Registry, unknown_name
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder
from litotes.suites.sources import SOURCES, find_data

BUILT_IN = ("semantoneg-mini",)
"""Suites that come with the package; `litotes run` runs them all."""

_OFFICIAL = {"semantoneg": "litotes.suites.semantoneg:load_official"}
_READERS = Registry("suite", _OFFICIAL, group="litotes.suites")


def list_suites() -> list[str]:
    """The names that `load_suite` knows.

    >>> "semantoneg-mini" in list_suites()
    True
    """
    return [*BUILT_IN, *_READERS.names()]


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
        with as_file(files("litotes.suites") / "builtin" / name) as folder:
            return load_folder(folder)
    if name in _READERS:
        suite = _READERS.get(name)(Path(path).expanduser() if path is not None else _official_file(name))
        assert isinstance(suite, Suite)  # noqa: S101  (an entry point of another package could return anything)
        return suite
    if path is not None:
        raise unknown_name("suite", name, list_suites())
    return _load_from_path(name)


def _official_file(name: str) -> Path:
    found = find_data(name) if name in SOURCES else None
    if found is None:
        raise LitotesError(
            "L201",
            f'the data of suite "{name}" is not on this machine',
            hint=f"litotes fetch {name} brings it, or give the file by --data {name}=PATH",
        )
    return found


def _load_from_path(name: str) -> Suite:
    folder = Path(name).expanduser()
    if folder.is_dir():
        return load_folder(folder)
    if folder.is_file() and folder.name == "suite.json":
        return load_folder(folder.parent)
    if folder.is_file():
        official = " or ".join(f"--suite {known} --data {known}={name}" for known in SOURCES)
        raise LitotesError(
            "L202", f"{name}: is a file, a suite is a folder", hint=f"an official file is given by {official}"
        )
    if "/" in name or "\\" in name:
        raise LitotesError("L201", f"{name}: no such folder")
    raise unknown_name("suite", name, list_suites())
