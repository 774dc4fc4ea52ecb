"""Quadruples said inside something else: “No, …”, “I think …”. What the denial belongs to stays what it was.

A model that learns from bare sentences alone takes the “No” of “No, it is possible” for the denial of what follows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from litotes.repair.examples.base import Lesson

_OF_STATEMENTS = (
    *("No, ", "No, but ", "Yes, ", "Well, ", "Oh, ", "But ", "So ", "Because "),
    *("I think ", "I know ", "He said "),
)
_OF_QUESTIONS = ("Well, ", "Oh, ", "But ", "So ")
_WRITTEN_SMALL = frozenset(
    "a an the this that these those it he she we you they there my your his her its our their "
    "it's that's he's she's we're you're they're there's".split()
)
"""First words that have a capital only because they are first."""


def framed(lessons: Iterable[Lesson]) -> Iterator[Lesson]:
    """Of every second quadruple, if it allows it, another one: its four sentences after the same opening."""
    for lesson in lessons:
        drawn = hashlib.sha256(lesson.anchor.encode("utf-8", "surrogatepass")).digest()
        if drawn[1] % 2 and (texts := after_opening(lesson.texts, drawn[2])):
            anchor, same, opposite, other = texts
            yield replace(lesson, anchor=anchor, same=same, opposite=opposite, other=other)


def after_opening(texts: Iterable[str], number: int) -> list[str]:
    """Sentences after the opening of that number; none if how one of them would be written is not sure.

    >>> after_opening(["It is late.", "It isn't early."], 8)
    ['I think it is late.', "I think it isn't early."]
    >>> after_opening(["Ann is late.", "Ann isn't early."], 8)
    []
    """
    found = []
    for text in texts:
        first = text.partition(" ")[0].lower().replace("’", "'")
        if first not in _WRITTEN_SMALL and first.partition("'")[0] != "i":
            return []
        openings = _OF_QUESTIONS if text.endswith("?") else _OF_STATEMENTS
        rest = text[0].lower() + text[1:] if first in _WRITTEN_SMALL else text
        found.append(openings[number % len(openings)] + rest)
    return found
