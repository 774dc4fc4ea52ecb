"""Sentences as HTML, with the words marked that stand in one and not in the other."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from litotes.report.html_words import escape

_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\s+|.", re.DOTALL)
_LONGEST = 600
"""Of longer texts the beginning is shown: a page is to be read."""


def marked(text: str, other: str) -> str:
    """The text, escaped, with what the other does not have in marks.

    >>> marked("It is not <b>.", "It is <b>.")
    'It is <mark>not</mark> &lt;b&gt;.'
    """
    mine, theirs = _pieces(text), _pieces(other)
    same = [False] * len(mine)
    for block in SequenceMatcher(None, _folded(mine), _folded(theirs), autojunk=False).get_matching_blocks():
        same[block.a : block.a + block.size] = [True] * block.size
    out: list[str] = []
    for run, is_same in _runs(mine, same):
        out.append(escape(run) if is_same else _mark(run))
    return "".join(out) + ("…" if len(text) > _LONGEST else "")


def _mark(run: str) -> str:
    """What differs without the blanks around it."""
    inner = run.strip()
    if not inner:
        return escape(run)
    start = run.index(inner)
    return f"{run[:start]}<mark>{escape(inner)}</mark>{run[start + len(inner) :]}"


def _pieces(text: str) -> list[str]:
    return _PIECE.findall(text[:_LONGEST])


def _folded(pieces: list[str]) -> list[str]:
    """A capital that came or went is no difference, nor is one kind of apostrophe for the other."""
    return [piece.casefold().replace("’", "'") for piece in pieces]


def _runs(pieces: list[str], same: list[bool]) -> list[tuple[str, bool]]:
    """Neighbours of one sort together; a blank between two that differ goes with them."""
    sorts = [
        one or (piece.isspace() and all(same[max(place - 1, 0) : place] + same[place + 1 : place + 2]))
        for place, (piece, one) in enumerate(zip(pieces, same, strict=True))
    ]
    runs: list[tuple[str, bool]] = []
    for piece, sort in zip(pieces, sorts, strict=True):
        if runs and runs[-1][1] == sort:
            runs[-1] = (runs[-1][0] + piece, sort)
        else:
            runs.append((piece, sort))
    return runs
