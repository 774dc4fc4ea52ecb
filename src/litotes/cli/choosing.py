"""Which suites a command is about: names, folders, families, official files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litotes.suites.base import Suite


def choose_suites(names: Sequence[str] | None, data: Sequence[str] | None) -> list[Suite]:
    """The suites of those names and folders; without any those whose files are given, else the built-in ones."""
    from litotes.core.errors import UsageError
    from litotes.suites.loading import BUILT_IN, FAMILIES, load_suites

    files = _data_files(data or [])
    # A data file that is given is meant to be used.
    chosen = list(dict.fromkeys(names or files or BUILT_IN))
    unused = [name for name in files if name not in chosen]
    if unused:
        raise UsageError("L102", f"--data {unused[0]}=…: that suite is not run", hint=f"add --suite {unused[0]}")
    found: dict[str, Suite] = {}
    # A family may be named beside one of its own.
    members = dict.fromkeys(member for one in chosen for member in FAMILIES.get(one, (one,)))
    for name in members:
        for suite in load_suites(name, path=files.get(name)):
            if suite.name in found:
                # Results are kept by the suite's name: the second would take the place of the first.
                raise UsageError("L102", f'--suite {name}: another suite that is run is called "{suite.name}" too')
            found[suite.name] = suite
    return list(found.values())


def _data_files(entries: Sequence[str]) -> dict[str, Path]:
    from litotes.core.errors import UsageError
    from litotes.core.registry import unknown_name
    from litotes.suites.loading import list_suites

    files: dict[str, Path] = {}
    for entry in entries:
        name, separator, path = entry.partition("=")
        if not separator or not path:
            raise UsageError("L102", f"--data {entry}: is written NAME=PATH", hint="semantoneg=FILE, for example")
        if name not in list_suites():
            raise unknown_name("suite", name, list_suites())
        if name in files:
            raise UsageError("L102", f"--data {entry}: a file was already given for {name}", hint="give one")
        files[name] = Path(path)
    return files
