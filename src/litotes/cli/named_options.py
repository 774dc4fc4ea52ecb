"""`--option NAME=VALUE`, as several commands have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litotes.rewrites.options import HasOptions


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
