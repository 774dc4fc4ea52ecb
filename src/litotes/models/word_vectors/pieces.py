"""Texts cut at their blanks into numbered pieces, a whole batch at a time.

What a piece such as `dog.` or `isn't` is made of is found once; after that a piece is a number. The batch is one array
of bytes: its blanks are found at once, and its pieces are looked up all together by their keys (`words/keys.py`). Most
new ones are taken apart all together too (`words/plain.py`); rules are for the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litotes.models.word_vectors.keys import (
    ROOM,
    Keys,
    KeyTable,
    Numbers,
    distinct,
    keys_at,
    keys_of,
    lowered,
    mixed,
    sizes_of,
    words_of,
)
from litotes.models.word_vectors.tokens import ABBREVIATIONS, Case, Split, pieces_tokens, text_tokens

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


_BETWEEN = "\n"
"""Stands before each text and behind the last: a blank, and in few texts."""
_OTHER_BLANKS = [
    tuple(blank.encode()) for blank in map(chr, range(0x80, 0x3001)) if blank.isspace()
]  # of two or three bytes
_FIRST_ALONE = 1024


@dataclass(frozen=True)
class Cut:
    """The pieces of some texts."""

    pieces: Numbers
    """The numbers of all pieces, text after text."""
    first: Numbers
    """Where each text begins among them, and behind the last where it ends."""

    @property
    def counts(self) -> Numbers:
        """How many pieces each text has."""
        return np.diff(self.first)

    def totals(self, of_a_piece: NDArray[np.int64]) -> Numbers:
        """The sum over each text's pieces of a whole number that every piece has."""
        sums = np.zeros(len(self.pieces) + 1, dtype=np.int64)
        np.cumsum(of_a_piece.take(self.pieces), out=sums[1:])
        return np.diff(sums.take(self.first))


class Pieces:
    """The pieces seen so far, numbered as they came."""

    def __init__(self, case: Case = "lower", split: Split = "treebank") -> None:
        self._case: Case = case
        self._split: Split = split
        self.words: Keys = np.empty((0, 2), dtype=np.uint64)
        """Of plain pieces the word."""
        self.marks: NDArray[np.uint8] = np.empty(0, dtype=np.uint8)
        """Of plain pieces the mark behind it, 0 for none, else its place in MARKS from 1."""
        self.plain: NDArray[np.bool_] = np.empty(0, dtype=bool)
        self.sizes: Numbers = np.empty(0, dtype=np.int64)
        """How many tokens each piece has."""
        self._ends: Numbers = np.empty(0, dtype=np.int64)
        """The number of the same piece where it is the last of its text."""
        self._tokens: dict[int, tuple[str, ...]] = {}
        """What the pieces are made of that are not plain."""
        self._table = KeyTable(1 << 12)
        self._long: dict[bytes, int] = {}
        """The numbers of pieces that are too long for a key."""

    def __len__(self) -> int:
        return len(self.sizes)

    def tokens(self, numbers: Numbers) -> list[tuple[str, ...]]:
        """What pieces are made of."""
        plain = numbers[self.plain[numbers]]
        words = iter(words_of(self.words[plain]))
        marks = ("", *MARKS)
        found = []
        for number, mark, is_plain in zip(
            numbers.tolist(), self.marks[numbers].tolist(), self.plain[numbers].tolist(), strict=True
        ):
            if not is_plain:
                found.append(self._tokens[number])
            else:
                word = next(words).decode("ascii")
                found.append((word, marks[mark]) if mark else (word,))
        return found

    def cut(self, texts: Sequence[str]) -> Cut:
        """The pieces of the texts; new ones get the next numbers.

        >>> pieces = Pieces()
        >>> cut = pieces.cut(["It isn't", "", "is it? It isn't"])
        >>> cut.pieces.tolist(), cut.first.tolist(), pieces.tokens(np.array([1, 3]))
        ([0, 1, 2, 3, 0, 1], [0, 2, 2, 6], [('is', "n't"), ('it', '?')])
        """
        if not len(self) and len(texts) > _FIRST_ALONE:
            self.cut(texts[:_FIRST_ALONE])  # so that of all the others few are new
        data, text_starts = _joined(texts)
        starts, ends = _between_blanks(data)
        first = np.searchsorted(starts, text_starts).astype(np.int64)
        keys = keys_at(data, starts, ends - starts)
        numbers, unseen = self._table.find(keys)
        if len(unseen):
            short = unseen[keys[unseen, 1] != 0]
            if len(short):
                numbers[short] = self._number_short(keys[short])
            long = unseen[keys[unseen, 1] == 0]
            spans = zip(starts[long].tolist(), ends[long].tolist(), strict=True)
            numbers[long] = self._number_long([data[start:end] for start, end in spans])
        last = first[1:][first[1:] > first[:-1]] - 1
        numbers[last] = self._ends[numbers[last]]
        return Cut(numbers, first)

    def _number_short(self, keys: Keys) -> Numbers:
        """The numbers of new pieces that have keys, of which each may come several times."""
        first, like = distinct(keys)
        new, start = keys[first], len(self)
        numbers = np.arange(start, start + len(new))
        self._table.add(new, numbers)
        words, marks, are = plain_pieces(new, self._case, self._split)
        self._append(words, marks, are, np.where(marks > 0, 2, 1))
        others = np.flatnonzero(~are)
        self._take_apart((start + others).tolist(), words_of(new[others]))
        return numbers[like]

    def _number_long(self, pieces: list[bytes]) -> Numbers:
        """The numbers of pieces that are too long for a key."""
        new = [piece for piece in dict.fromkeys(pieces) if piece not in self._long]
        numbers = range(len(self), len(self) + len(new))
        self._long.update(zip(new, numbers, strict=True))
        self._append_by_rules(len(new))
        self._take_apart(numbers, new)
        return np.fromiter(map(self._long.__getitem__, pieces), np.int64, len(pieces))

    def _take_apart(self, numbers: Sequence[int], pieces: Sequence[bytes]) -> None:
        """Find by rules what the pieces of these numbers are made of."""
        if not numbers:
            return
        texts = [piece.decode("utf-8", "surrogatepass") for piece in pieces]
        found = pieces_tokens(texts, self._case, self._split)
        self._tokens.update(zip(numbers, found, strict=True))
        self.sizes[numbers] = [len(tokens) for tokens in found]
        # An abbreviation at the end of a text is another piece: its stop is that of the sentence.
        ends = [
            (number, text)
            for number, text, tokens in zip(numbers, texts, found, strict=True)
            if self._split == "treebank" and text.endswith(".") and tokens[-1] != "."
        ]
        for place, (number, text) in enumerate(ends, start=len(self)):
            self._tokens[place] = tuple(text_tokens(text, self._case, self._split))
            self._ends[number] = place
        start = len(self)
        self._append_by_rules(len(ends))
        self.sizes[start:] = [len(self._tokens[number]) for number in range(start, len(self))]

    def _append_by_rules(self, count: int) -> None:
        none = np.zeros(count, dtype=np.uint8)
        self._append(np.zeros((count, 2), dtype=np.uint64), none, none.astype(bool), none.astype(np.int64))

    def _append(self, words: Keys, marks: NDArray[np.uint8], plain: NDArray[np.bool_], sizes: Numbers) -> None:
        numbers = np.arange(len(self), len(self) + len(marks))
        self.words = np.concatenate((self.words, words))
        self.marks = np.concatenate((self.marks, marks))
        self.plain = np.concatenate((self.plain, plain))
        self.sizes = np.concatenate((self.sizes, sizes))
        self._ends = np.concatenate((self._ends, numbers))


def _joined(texts: Sequence[str]) -> tuple[bytes, Numbers]:
    """All the texts as bytes, a blank before each and behind the last; and where these blanks are."""
    data = _BETWEEN.join(("", *texts, "")).encode("utf-8", "surrogatepass")
    starts = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord(_BETWEEN))
    if len(starts) != len(texts) + 1:  # a text has such a blank itself
        sizes = [len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass")) for text in texts]
        starts = np.concatenate(([0], np.cumsum(np.array(sizes, dtype=np.int64) + 1)))
    return data + ROOM, starts


def _between_blanks(data: bytes) -> tuple[Numbers, Numbers]:
    """Where pieces begin and where they end."""
    signs = np.frombuffer(data, dtype=np.uint8, count=len(data) - len(ROOM))
    blank = signs - np.uint8(0x09) <= np.uint8(0x0D - 0x09)  # what is less becomes large
    blank |= signs - np.uint8(0x1C) <= np.uint8(0x20 - 0x1C)
    if not data.isascii():
        _mark_other_blanks(signs, blank)
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    edges += 1
    return edges[0::2], edges[1::2]


def _mark_other_blanks(signs: NDArray[np.uint8], blank: NDArray[np.bool_]) -> None:
    """Mark the blanks that are several bytes."""
    places = np.flatnonzero(signs >= np.uint8(0xC2))  # with these a sign of several bytes begins
    for sign in _OTHER_BLANKS:
        here = places
        for number, byte in enumerate(sign):
            here = here[signs[here + number] == byte]
        for number in range(len(sign)):
            blank[here + number] = True
