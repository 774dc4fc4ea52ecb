"""From a name or a path to a suite."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, is_folder
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
        return _read(name, expand_user(path) if path is not None else _official_file(name))
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
        raise LitotesError(
            "L201",
            f'the data of suite "{name}" is not on this machine',
            hint=f"litotes fetch {name} brings it, or give the file by --data {name}=PATH",
        )
    return found


def _load_from_path(name: str) -> Suite:
    path = expand_user(name)
    if name and is_folder(path):
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
    raise unknown_name("suite", name, list_suites())
