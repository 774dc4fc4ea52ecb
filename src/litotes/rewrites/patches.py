"""Patches: edit a sentence so that everything outside the patches stays unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from litotes.languages.base import capitalised, get_language
from litotes.languages.tree import Token
from litotes.rewrites.base import WordChange

_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")


class Patch(NamedTuple):
    """Replaces the characters from `start` to `end` with `new`."""

    start: int
    end: int
    new: str


def replace(token: Token, new: str) -> Patch:
    """Return the patch that replaces a token."""
    return Patch(token.idx, token.end, new)


def replace_span(first: Token, last: Token, new: str) -> Patch:
    """Return the patch that replaces the tokens from the first to the last."""
    return Patch(first.idx, last.end, new)


def insert_before(token: Token, words: str) -> Patch:
    """Return the patch that inserts words and a space before a token."""
    return Patch(token.idx, token.idx, f"{words} ")


def insert_after(token: Token, words: str) -> Patch:
    """Return the patch that inserts a space and words after a token."""
    return Patch(token.end, token.end, f" {words}")


def join_after(token: Token, ending: str) -> Patch:
    """Return the patch that appends an ending to a token: “is” + “n't”."""
    return Patch(token.end, token.end, ending)


def delete(first: Token, last: Token | None = None) -> Patch:
    """Return the patch that deletes tokens and one of the two spaces around them."""
    last = last or first
    text = first.doc.text
    start, end = first.idx, last.end
    if not text[:start].strip():
        end += len(text[end:]) - len(text[end:].lstrip())  # at the start of the text: all spaces after it
    elif text[start - 1].isalnum():
        pass  # attached to the previous word, as "n't" is
    elif not text[end:].strip():
        start = len(text[:start].rstrip())  # at the end of the text: all spaces before it
    elif text[end : end + 1].isspace():
        end += 1
    elif text[start - 1 : start].isspace() and start:
        start -= 1
    return Patch(start, end, "")


def patched(text: str, patches: Iterable[Patch]) -> str:
    """Return the text with patches applied; an initial capital is preserved and a or an before them corrected.

    >>> patched("A good idea.", [Patch(2, 6, "evil")])
    'An evil idea.'
    >>> patched("Not bad at all.", [Patch(0, 4, "")])
    'Bad at all.'
    """
    language = get_language()
    ordered = sorted(patches)
    pieces: list[str] = []
    offsets: list[int] = []
    position = length = 0
    for patch in ordered:
        if patch.start < position and (patch.new or pieces[-1]):  # adjacent deletions may share a space
            raise ValueError(f"patches overlap in {text!r}: {ordered}")
        pieces.append(text[position : patch.start])
        length += len(pieces[-1])
        offsets.append(length + len(patch.new) - len(patch.new.lstrip()))
        pieces.append(patch.new)
        length += len(patch.new)
        position = max(position, patch.end)
    pieces.append(text[position:])
    result = "".join(pieces)
    # From the right, so that the offsets to the left stay valid.
    for offset in reversed(offsets):
        result = language.correct_article(result, offset)
    return _with_capital(text, result, ordered[0].start) if ordered else result


def _with_capital(text: str, result: str, start: int) -> str:
    if start and text[0].isalpha():
        return result
    first = _first_letter(text)
    return capitalised(result) if start <= first and text[first : first + 1].isupper() else result


def changes(before: str, after: str) -> tuple[WordChange, ...]:
    """Return the words that differ between two sentences.

    >>> changes("That is good.", "That is not good.")
    (WordChange(old='', new='not'),)
    """
    old, new = _words(before), _words(after)
    start, end = n_equal_words(old, new)
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if not old or not new or not set(old) & set(new):
        return (WordChange(" ".join(old), " ".join(new)),) if old or new else ()
    from difflib import SequenceMatcher

    return tuple(
        WordChange(" ".join(old[a:b]), " ".join(new[c:d]))
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    )


def n_equal_words(old: list[str], new: list[str]) -> tuple[int, int]:
    """Return the number of equal words at the start and at the end."""
    n_words = min(len(old), len(new))
    start = end = 0
    while start < n_words and old[start] == new[start]:
        start += 1
    while end < n_words - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


@lru_cache(maxsize=64)
def _words(text: str) -> list[str]:
    return _WORD.findall(text)


@lru_cache(maxsize=64)
def _first_letter(text: str) -> int:
    match = _LETTER.search(text)
    return match.start() if match else len(text)
