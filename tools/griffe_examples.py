"""Extension of griffe, which reads docstrings for the site: doctests become code blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import griffe


class Examples(griffe.Extension):
    """Puts fences around the doctests of a docstring, which would otherwise be parsed as Markdown."""

    def on_instance(self, *, obj: griffe.Object | griffe.Alias, **_: Any) -> None:
        if not obj.is_alias and obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return the text with a fence around every doctest.

    >>> fenced(">>> 1 + 1\\n2\\n\\nThat is all.")
    '```pycon\\n>>> 1 + 1\\n2\\n```\\n\\nThat is all.'
    """
    return "\n".join(_lines(text))


def _lines(text: str) -> Iterator[str]:
    is_open = False
    for line in text.splitlines():
        if not is_open and line.startswith(">>> "):
            is_open = True
            yield "```pycon"
        elif is_open and not line.strip():
            is_open = False
            yield "```"
        yield line
    if is_open:
        yield "```"
