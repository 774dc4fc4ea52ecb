"""Loading suites by name or path."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, is_folder
from litotes.core.registry import Registry, unknown_name
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder
from litotes.suites.official_files import OFFICIAL_FILES, find_data

_TRIPLETS = (
    "negation-detection-mini",
    "negation-variants-mini",
    "clause-relatedness-mini",
    "argument-sensitivity-mini",
    "fixed-point-reorder-mini",
)
_LABEL_SUITES = ("developmental-mini",)
_PACKAGED = ("semantoneg-mini", "heros-mini", *_TRIPLETS, *_LABEL_SUITES)
_BUILT_IN_FOLDER = files("litotes.suites") / "builtin"

BUILT_IN = tuple(name for name in _PACKAGED if (_BUILT_IN_FOLDER / name).is_dir())
"""The suites in the package; `litotes run` evaluates models on them by default."""

LABEL_SUITES = tuple(name for name in BUILT_IN if name in _LABEL_SUITES)
"""The built-in suites that only models with labels, such as NLI models, can be evaluated on."""

_FAMILIES = {"triplets-mini": _TRIPLETS}
FAMILIES = {
    family: available
    for family, names in _FAMILIES.items()
    if (available := tuple(name for name in names if name in BUILT_IN))
}
"""Names of several built-in suites."""

_OFFICIAL_LOADERS = {
    "semantoneg": "litotes.suites.semantoneg:load_official",
    "heros": "litotes.suites.heros:load_official",
    "developmental": "litotes.suites.developmental:load_official",
}
_LOADERS = Registry("suite", _OFFICIAL_LOADERS, group="litotes.suites")


def list_suites() -> list[str]:
    """Return the names of all suites.

    >>> "semantoneg-mini" in list_suites()
    True
    """
    return [*BUILT_IN, *_LOADERS.names()]


def load_suites(name: str, *, path: str | Path | None = None) -> list[Suite]:
    """Load all suites of a family or of a folder with several suites, or a single suite.

    >>> [suite.name for suite in load_suites("semantoneg-mini")]
    ['semantoneg-mini']
    """
    if path is None:
        if name in FAMILIES:
            return [load_suite(suite) for suite in FAMILIES[name]]
        if name not in list_suites() and (folders := _suite_folders(name)):
            return [load_folder(folder) for folder in folders]
    return [load_suite(name, path=path)]


def load_suite(name: str, *, path: str | Path | None = None) -> Suite:
    """Load a suite by its name or from its folder.

    `path` is the official file of a published suite; by default it is searched for in LITOTES_DATA and in the user's
    data folder.

    >>> load_suite("semantoneg-mini").kind.roles
    ('input', 'antonym', 'polarity', 'both')
    """
    if name in BUILT_IN:
        if path is not None:
            raise UsageError("L102", f'suite "{name}" is built in and has no data file')
        with as_file(_BUILT_IN_FOLDER / name) as folder:
            return load_folder(folder)
    if name in _LOADERS:
        return _load_official(name, expand_user(path) if path is not None else _find_official_file(name))
    if name in FAMILIES:
        raise UsageError(
            "L102", f'"{name}" is the name of several suites', hint=f"choose one: {', '.join(FAMILIES[name])}"
        )
    if path is not None:
        raise unknown_name("suite", name, list_suites())
    return _load_from_path(name)


def _load_official(name: str, path: Path | None) -> Suite:
    """Call the loader of an official suite, or of a suite of another package, which may not need a file."""
    suite = _LOADERS.get(name)(path)
    if not isinstance(suite, Suite):
        raise LitotesError(
            "L203",
            f'suite "{name}": its package returned {type(suite).__name__} instead of a suite',
            hint="update the package",
        )
    return suite


def _find_official_file(name: str) -> Path | None:
    if name not in OFFICIAL_FILES:
        return None
    path = find_data(name)
    if path is None:
        raise LitotesError(
            "L201", f'the data of suite "{name}" is not on this machine', hint=OFFICIAL_FILES[name].how_to_get
        )
    return path


def _load_from_path(name: str) -> Suite:
    path = expand_user(name)
    if name and is_folder(path):
        if folders := _suite_folders(name):
            hint = f"choose one: {', '.join(str(folder) for folder in folders)}"
            raise UsageError("L102", f"{name}: contains several suites", hint=hint)
        return load_folder(path)
    if is_file(path):
        if path.name == "suite.json":
            return load_folder(path.parent)
        official = " or ".join(f"--suite {known} --data {known}={name}" for known in OFFICIAL_FILES)
        raise LitotesError(
            "L202", f"{name}: is a file, but a suite is a folder", hint=f"use {official} for an official file"
        )
    if "/" in name or "\\" in name:
        raise LitotesError("L201", f"{name}: no such folder", hint="check the path; litotes suites lists the names")
    raise unknown_name("suite", name, [*list_suites(), *FAMILIES])


def _suite_folders(name: str) -> list[Path]:
    """Return the suite folders in a folder, which is not a suite itself, sorted by name."""
    path = expand_user(name)
    if not name or not is_folder(path) or is_file(path / "suite.json"):
        return []
    return sorted(folder for folder in path.iterdir() if is_file(folder / "suite.json"))
