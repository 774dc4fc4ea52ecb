"""Names for things that are loaded only when they are asked for, with “did you mean”."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Any

from litotes.core.errors import LitotesError, UsageError


class Registry:
    """Names and the `module:attribute` behind each; other packages add theirs by entry point.

    >>> joiner = Registry("joiner", {"join": "posixpath:join"}, group="litotes.doctest")
    >>> joiner.get("join")("a", "b")
    'a/b'
    >>> joiner.get("jion")
    Traceback (most recent call last):
    ...
    litotes.core.errors.UsageError: [L101] unknown joiner "jion"; did you mean join?
    """

    def __init__(self, thing: str, built_in: Mapping[str, str], *, group: str) -> None:
        self._thing = thing
        self._built_in = dict(built_in)
        self._group = group

    def names(self) -> list[str]:
        """Every name, ours first."""
        others = sorted(point.name for point in entry_points(group=self._group))
        return [*self._built_in, *(name for name in others if name not in self._built_in)]

    def __contains__(self, name: str) -> bool:
        return name in self._built_in or name in self.names()

    def get(self, name: str) -> Any:
        """The thing of that name, imported now."""
        if name in self._built_in:
            module, _, attribute = self._built_in[name].partition(":")
            return getattr(importlib.import_module(module), attribute)
        for point in entry_points(group=self._group, name=name):
            try:
                return point.load()
            except (ImportError, AttributeError) as error:
                raise LitotesError(
                    "L103",
                    f'{self._thing} "{name}" comes from {point.value}, which cannot be imported ({error})',
                ) from error
        raise unknown_name(self._thing, name, self.names())


def unknown_name(thing: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for a name that nobody knows, with the nearest ones that somebody does."""
    known = list(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
    return UsageError("L101", f'unknown {thing} "{name}"', hint=hint)
