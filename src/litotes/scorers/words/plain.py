"""Pieces that need no rules: a word of plain letters and hyphens, perhaps with one mark behind it. Most are such."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litotes.scorers.words.keys import Keys, keys_of, lowered, mixed, sizes_of
from litotes.scorers.words.tokens import ABBREVIATIONS, Case, Split

MARKS = (".", ",", "!", "?", ";", ":", '"', ")", "'", "'s")
"""Each is a token of its own behind a word of letters; also the last, which is no mark but as frequent as one."""

_MARK = np.zeros(256, dtype=np.uint8)
_MARK[[ord(mark) for mark in MARKS[:-1]]] = np.arange(1, len(MARKS))
_STOP, _APOSTROPHE_S = _MARK[ord(".")], np.uint8(len(MARKS))
_HYPHEN = np.uint8(ord("-"))
_ABBREVIATED = np.sort(mixed(keys_of([word.encode() for word in ABBREVIATIONS])))


class PlainPieces(NamedTuple):
    """What pieces are made of where that can be seen without rules."""

    words: Keys
    """The word of each piece, in lower case unless the case is kept."""
    marks: NDArray[np.uint8]
    """The mark behind it: 0 for none, else its place in MARKS, counted from 1."""
    are: NDArray[np.bool_]
    """Whether it is such a piece at all; if not, the other two mean nothing."""


def plain_pieces(keys: Keys, case: Case, split: Split) -> PlainPieces:
    """The words and marks of pieces.

    >>> found = plain_pieces(keys_of([b"Dogs", b"bark.", b"isn't", b"Mr."]), "lower", "treebank")
    >>> found.are.tolist(), found.marks.tolist()[:2]
    ([True, True, False, False], [0, 1])
    """
    if split == "blanks":
        return _whole(keys, case)
    signs, sizes = keys.view(np.uint8), sizes_of(keys)
    is_letter = (signs | np.uint8(0x20)) - np.uint8(ord("a")) <= np.uint8(25)
    letters = _count(is_letter) + _inner_hyphens(signs, is_letter)
    marks = _marks(signs, sizes, letters)
    words = _without(keys, sizes, marks)
    small = lowered(words)
    are = (letters == sizes) | (marks > 0)
    # What an abbreviation's stop belongs to hangs on whether more text follows.
    stopped = np.flatnonzero(marks == _STOP)
    are[stopped[_is_abbreviated(small[stopped])]] = False
    return PlainPieces(small if case == "lower" else words, marks, are)


def _inner_hyphens(signs: NDArray[np.uint8], is_letter: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """How many hyphens each piece has, if all of them stand between two letters; else none."""
    hyphens = signs == _HYPHEN
    found = _count(hyphens)
    some = np.flatnonzero(found)
    hyphens, is_letter = hyphens[some], is_letter[some]
    fine = is_letter[:, :-2] & is_letter[:, 2:] | ~hyphens[:, 1:-1]
    found[some[~fine.all(axis=1) | hyphens[:, 0]]] = 0
    return found


def _marks(signs: NDArray[np.uint8], sizes: NDArray[np.uint8], letters: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The mark of each piece that has nothing else but letters."""
    each = np.arange(len(signs))
    last, before = signs[each, sizes - np.uint8(1)], signs[each, np.maximum(sizes, 2) - np.uint8(2)]
    found: NDArray[np.uint8] = np.where((letters + 1 == sizes) & (letters > 0), _MARK[last], np.uint8(0))
    found[(letters + 1 == sizes) & (sizes > 2) & (before == ord("'")) & (last == ord("s"))] = _APOSTROPHE_S
    # A hyphen before the mark would be no part of a word.
    found[before == _HYPHEN] = 0
    return found


def _without(keys: Keys, sizes: NDArray[np.uint8], marks: NDArray[np.uint8]) -> Keys:
    """The pieces without their marks."""
    words: Keys = keys.copy()
    signs = words.view(np.uint8)
    for long, some in ((1, np.flatnonzero(marks)), (2, np.flatnonzero(marks == _APOSTROPHE_S))):
        signs[some, sizes[some] - np.uint8(long)] = 0
        signs[some, 15] -= np.uint8(1)
    return words


def _is_abbreviated(words: Keys) -> NDArray[np.bool_]:
    numbers = mixed(words)
    found: NDArray[np.bool_] = _ABBREVIATED.take(np.searchsorted(_ABBREVIATED, numbers), mode="clip") == numbers
    return found


def _whole(keys: Keys, case: Case) -> PlainPieces:
    """Every piece is a word; those with digits or beyond ASCII go by rules."""
    signs = keys.view(np.uint8)[:, :15]
    odd = (signs - np.uint8(ord("0")) <= np.uint8(9)) | (signs >= np.uint8(0x80))
    return PlainPieces(
        lowered(keys) if case == "lower" else keys, np.zeros(len(keys), dtype=np.uint8), ~odd.any(axis=1)
    )


def _count(true: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """How many of each row's sixteen are true."""
    # Eight bytes at a time: multiplied so, the highest of them is the sum of all.
    halves = true.view(np.uint64) * np.uint64(0x0101010101010101) >> np.uint64(56)
    found: NDArray[np.uint8] = (halves[:, 0] + halves[:, 1]).astype(np.uint8)
    return found
