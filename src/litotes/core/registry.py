"""Registries of names whose objects are imported when they are needed."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Any

from litotes.core.errors import LitotesError, UsageError


class Registry:
    """Names with the `module:attribute` that each refers to; other packages add names by entry points.

    >>> functions = Registry("function", {"join": "posixpath:join"}, group="litotes.doctest")
    >>> functions.get("join")("a", "b")
    'a/b'
    >>> functions.get("jion")
    Traceback (most recent call last):
    ...
    litotes.core.errors.UsageError: [L101] unknown function "jion"; did you mean join?
    """

    def __init__(self, kind: str, built_in: Mapping[str, str], *, group: str) -> None:
        self._kind = kind
        self._built_in = dict(built_in)
        self._group = group

    def names(self) -> list[str]:
        """Return all names, the built-in ones first."""
        added = sorted(point.name for point in entry_points(group=self._group))
        return [*self._built_in, *(name for name in added if name not in self._built_in)]

    def __contains__(self, name: str) -> bool:
        return name in self._built_in or name in self.names()

    def get(self, name: str) -> Any:
        """Import and return the object with this name."""
        if name in self._built_in:
            module, _, attribute = self._built_in[name].partition(":")
            return getattr(importlib.import_module(module), attribute)
        for point in entry_points(group=self._group, name=name):
            try:
                return point.load()
            except (ImportError, AttributeError) as error:
                raise LitotesError(
                    "L103", f'{self._kind} "{name}": {point.value} cannot be imported ({error})'
                ) from error
        raise unknown_name(self._kind, name, self.names())


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name, with similar names or, if there are none, all names."""
    known = list(known)
    similar = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(similar)}?" if similar else f"known: {', '.join(known)}"
    return UsageError("L101", f'unknown {kind} "{name}"', hint=hint)
