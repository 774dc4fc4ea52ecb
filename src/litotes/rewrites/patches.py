"""Patches: a sentence is changed where it is changed, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.en.articles import with_article_before
from litotes.languages.en.casing import capitalised, uncapitalised
from litotes.rewrites.base import Change

if TYPE_CHECKING:
    from litotes.languages.tree import Span, Token

_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")


class Patch(NamedTuple):
    """Put `new` in the place of the characters from `start` to `end`."""

    start: int
    end: int
    new: str


def start_of(token: Token) -> int:
    """Where the token begins in the text."""
    return token.idx


def end_of(token: Token) -> int:
    """Where the token ends, without the blank after it."""
    return token.idx + len(token.text)


def replace(token: Token, new: str) -> Patch:
    """Another word in the token's place."""
    start = token.idx
    return Patch(start, start + len(token.text), new)


def replace_span(first: Token, last: Token, new: str) -> Patch:
    """Other words in the place of a run of tokens."""
    return Patch(start_of(first), end_of(last), new)


def insert_before(token: Token, words: str) -> Patch:
    """Words and a blank before a token."""
    return Patch(start_of(token), start_of(token), f"{words} ")


def insert_after(token: Token, words: str) -> Patch:
    """A blank and words after a token."""
    return Patch(end_of(token), end_of(token), f" {words}")


def join_after(token: Token, ending: str) -> Patch:
    """An ending joined to a token: “is” + “n't”."""
    return Patch(end_of(token), end_of(token), ending)


def delete(first: Token, last: Token | None = None) -> Patch:
    """Nothing in the place of the tokens, and one of the two blanks around them gone with them."""
    last = last or first
    text = first.doc.text
    start, end = start_of(first), end_of(last)
    if not text[:start].strip():
        end += len(text[end:]) - len(text[end:].lstrip())  # at the start all blanks go, the first word moves up
    elif text[start - 1].isalnum():
        pass  # joined to the word before, as "n't" is: the blank after it is that word's
    elif not text[end:].strip():
        start = len(text[:start].rstrip())  # at the end all blanks before it go, those after it stay
    elif text[end : end + 1].isspace():
        end += 1
    elif text[start - 1 : start].isspace() and start:
        start -= 1
    return Patch(start, end, "")


def patched(text: str, patches: Iterable[Patch]) -> str:
    """The text with its patches, a capital at its start kept and the articles before changed words made to fit.

    >>> patched("A good idea.", [Patch(2, 6, "evil")])
    'An evil idea.'
    >>> patched("Not bad at all.", [Patch(0, 4, "")])
    'Bad at all.'
    """
    ordered = sorted(patches)
    if len(ordered) == 1:
        return _with_one(text, *ordered[0])
    pieces: list[str] = []
    places: list[int] = []
    at = length = 0
    for patch in ordered:
        if patch.start < at and (patch.new or pieces[-1]):  # neighbours that both go may share the blank between them
            raise ValueError(f"patches overlap in {text!r}: {ordered}")
        pieces.append(text[at : patch.start])
        length += len(pieces[-1])
        places.append(length + len(patch.new) - len(patch.new.lstrip()))
        pieces.append(patch.new)
        length += len(patch.new)
        at = max(at, patch.end)
    pieces.append(text[at:])
    done = "".join(pieces)
    # From the right, so that places to the left stay true.
    for place in reversed(places):
        done = with_article_before(done, place)
    return _with_capital(text, done, ordered[0].start) if ordered else done


def _with_one(text: str, start: int, end: int, new: str) -> str:
    """The same for the one patch that most edits are."""
    done = with_article_before(text[:start] + new + text[end:], start + len(new) - len(new.lstrip()))
    return _with_capital(text, done, start)


def _with_capital(text: str, done: str, start: int) -> str:
    """A changed text with the capital that the text began with, if the first change was not behind it."""
    if start and text[0].isalpha():
        return done
    first = _first_letter(text)
    return capitalised(done) if start <= first and text[first : first + 1].isupper() else done


def inside_sentence(span: Span) -> str:
    """The words of a span as they stand inside a sentence: the first one loses its capital if that was all it had."""
    first = span[0]
    return uncapitalised(first) + span.text[len(first.text) :]


def changes(before: str, after: str) -> tuple[Change, ...]:
    """What differs between two sentences, word by word.

    >>> changes("That is good.", "That is not good.")
    (Change(old='', new='not'),)
    """
    old, new = _words(before), _words(after)
    start, end = _same_around(old, new)
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if not old or not new or not set(old) & set(new):
        return (Change(" ".join(old), " ".join(new)),) if old or new else ()
    from difflib import SequenceMatcher

    return tuple(
        Change(" ".join(old[a:b]), " ".join(new[c:d]))
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    )


def _same_around(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many words at the start and at the end are the same."""
    most = min(len(old), len(new))
    start = end = 0
    while start < most and old[start] == new[start]:
        start += 1
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


@lru_cache(maxsize=64)
def _words(text: str) -> list[str]:
    # Kept, since a sentence is compared with each of its edits.
    return _WORD.findall(text)


@lru_cache(maxsize=64)
def _first_letter(text: str) -> int:
    match = _LETTER.search(text)
    return match.start() if match else len(text)
