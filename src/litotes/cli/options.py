"""Options that several commands have, said once: what models may do, and how the answer is printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from litotes.rewrites.options import HasOptions
    from litotes.suites.base import Suite


Offline = Annotated[bool, typer.Option("--offline", help="Never touch the network.")]
AllowPickle = Annotated[bool, typer.Option("--allow-pickle", help="Read models that have nothing but pickled weights.")]
TrustRemoteCode = Annotated[bool, typer.Option("--trust-remote-code", help="Run the code that a model brings along.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def named_options(thing: HasOptions, entries: list[str], *, see: str) -> dict[str, Any]:
    """The options of a rule or builder; `see` is the command that lists them."""
    from litotes.core.errors import UsageError
    from litotes.rewrites.options import from_words

    given: dict[str, str] = {}
    for entry in entries:
        name, separator, value = entry.partition("=")
        if not separator:
            raise UsageError("L102", f"--option {entry}: is written NAME=VALUE", hint=f"{see} shows what there is")
        if name in given:
            raise UsageError("L102", f"--option {entry}: {name} was already given", hint="give it once")
        given[name] = value
    return from_words(thing, given)


def option_lines(thing: HasOptions) -> list[tuple[str, str]]:
    """Name and what may be given, for people."""
    from litotes.rewrites.options import options_of

    return [
        (name, f"{one.values} (if none is given: {_as_word(one.default)})") for name, one in options_of(thing).items()
    ]


def _as_word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


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
