"""Texts cut at their blanks into numbered pieces, a whole batch at a time.

What a piece such as `dog.` or `isn't` is made of is found once; after that a piece is a number. Python would spend most
of the time on finding the blanks and on one look into a dictionary for each piece. So the batch is one array of bytes:
its blanks are found at once, and pieces of up to fifteen bytes are themselves two whole numbers, which are looked up in
an open table, all together. The dictionary stays the truth; the table is filled from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.scorers.words.tokens import Case, pieces_tokens, word_tokens

Numbers = NDArray[np.int64]
_Keys = NDArray[np.uint64]

_OTHER_BLANK = re.compile(r"[^\S\x00-\x7f]")
_IS_BLANK = bytes(chr(sign).isspace() and sign < 128 for sign in range(256))
_LONGEST = 15
"""In bytes; the sixteenth says how many there are, so that no two pieces have the same two numbers."""
_ROOM = bytes(16)
_FIRST = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)
_SECOND = np.array([(1 << 8 * max(0, size - 8)) - 1 for size in range(16)] + [0], dtype=np.uint64)
_LENGTH = np.array([size << 56 for size in range(16)] + [0], dtype=np.uint64)
"""By the length of a piece: which of its first eight bytes count, which of the next seven, and the length itself."""
_MIX, _MIX_TOO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_FOLD = np.uint64(29)


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
        sums = np.concatenate(([0], np.cumsum(of_a_piece[self.pieces])))
        return sums[self.first[1:]] - sums[self.first[:-1]]


class Pieces:
    """The pieces seen so far, numbered as they came."""

    def __init__(self, case: Case = "lower") -> None:
        self.tokens: list[tuple[str, ...]] = []
        """What each piece is made of."""
        self._case: Case = case
        self._numbers: dict[bytes, int] = {}
        self._at_the_end: list[int] = []
        """The number of the same piece where it is the last of its text."""
        self._ends: Numbers = np.empty(0, dtype=np.int64)
        self.sizes: Numbers = np.empty(0, dtype=np.int64)
        """How many tokens each piece has."""
        self._table = _Table(1 << 12)
        self._in_table = 0
        """Of so many pieces the table knows those that are short enough."""

    def __len__(self) -> int:
        return len(self.tokens)

    def cut(self, texts: Sequence[str]) -> Cut:
        """The pieces of the texts; new ones get the next numbers.

        >>> pieces = Pieces()
        >>> cut = pieces.cut(["It isn't", "", "is it? It isn't"])
        >>> cut.pieces.tolist(), cut.first.tolist(), pieces.tokens[1]
        ([0, 1, 2, 3, 0, 1], [0, 2, 2, 6], ('is', "n't"))
        """
        data, text_starts = _joined(texts)
        starts, ends = _between_blanks(data)
        first = np.searchsorted(starts, text_starts).astype(np.int64)
        keys, more = _as_numbers(data, starts, ends - starts)
        numbers = self._table.find(keys, more)
        unseen = np.flatnonzero(numbers < 0)  # the long ones, and those that are new
        if len(unseen):
            spans = zip(starts[unseen].tolist(), ends[unseen].tolist(), strict=True)
            numbers[unseen] = found = self._numbered([data[start:end] for start, end in spans])
            new, where = np.unique(found, return_index=True)
            where = where[(new >= self._in_table) & (more[unseen[where]] != 0)]
            self._table.add(keys[unseen[where]], more[unseen[where]], found[where])
            self._in_table = len(self.tokens)
        last = first[1:][first[1:] > first[:-1]] - 1
        numbers[last] = self._ends[numbers[last]]
        return Cut(numbers, first)

    def _numbered(self, pieces: list[bytes]) -> Numbers:
        new = [piece for piece in dict.fromkeys(pieces) if piece not in self._numbers]
        texts = [piece.decode("utf-8", "surrogatepass") for piece in new]
        for piece, text, inside in zip(new, texts, pieces_tokens(texts, self._case), strict=True):
            number = self._numbers[piece] = len(self.tokens)
            self.tokens.append(inside)
            self._at_the_end.append(number)
            if text.endswith(".") and inside[-1] != ".":
                self._at_the_end[number] = number + 1
                self._at_the_end.append(number + 1)
                self.tokens.append(tuple(word_tokens(text, self._case)))
        if new:
            self._ends = np.array(self._at_the_end, dtype=np.int64)
            sizes = np.fromiter(map(len, self.tokens[len(self.sizes) :]), np.int64)
            self.sizes = np.concatenate((self.sizes, sizes))
        return np.fromiter(map(self._numbers.__getitem__, pieces), np.int64, len(pieces))


def _joined(texts: Sequence[str]) -> tuple[bytes, Numbers]:
    """All the texts as bytes, each behind a blank and the last before one, and where each begins."""
    joined = " ".join(texts)
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    if not joined.isascii():
        odd = [place for place, text in enumerate(texts) if not text.isascii()]
        if any(_OTHER_BLANK.search(texts[place]) for place in odd):  # as UTF-8 they would not be seen
            texts = [_OTHER_BLANK.sub(" ", text) for text in texts]
            joined = " ".join(texts)
        sizes[odd] = [len(_encoded(texts[place])) for place in odd]
    data = _encoded(joined)
    return b"".join((b" ", data, b" ", _ROOM)), np.concatenate(([1], np.cumsum(sizes + 1) + 1))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _between_blanks(data: bytes) -> tuple[Numbers, Numbers]:
    blank = np.frombuffer(data[: -len(_ROOM)].translate(_IS_BLANK), dtype=np.bool_)
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    return edges[0::2], edges[1::2]


def _as_numbers(data: bytes, starts: Numbers, sizes: Numbers) -> tuple[_Keys, _Keys]:
    """The first eight bytes of each piece, and the next seven with the length; the latter is 0 for what is longer."""
    words = np.ndarray((len(data) - 7,), dtype="<u8", buffer=data, strides=(1,))
    keys = words[starts]
    keys &= _FIRST.take(sizes, mode="clip")
    more = words[starts + 8]
    more &= _SECOND.take(sizes, mode="clip")
    more |= _LENGTH.take(sizes, mode="clip")
    return keys, more


class _Table:
    """Whole numbers by pairs of keys, in an open table that is at most half full; looked up and filled in arrays."""

    def __init__(self, size: int) -> None:
        self._keys: _Keys = np.zeros(size, dtype=np.uint64)
        self._more: _Keys = np.zeros(size, dtype=np.uint64)
        self._numbers: Numbers = np.full(size, -1, dtype=np.int64)
        self._filled = 0

    def find(self, keys: _Keys, more: _Keys) -> Numbers:
        """The numbers of the keys, -1 where there is none."""
        slots = self._slots(keys, more)
        # A place is right if it has both keys, and the search is over if it is empty.
        open_ones = np.flatnonzero(self._goes_on(slots, keys, more))
        while len(open_ones):
            slots[open_ones] = (slots[open_ones] + 1) & (len(self._keys) - 1)
            open_ones = open_ones[self._goes_on(slots[open_ones], keys[open_ones], more[open_ones])]
        return self._numbers[slots]

    def add(self, keys: _Keys, more: _Keys, numbers: Numbers) -> None:
        """Add keys that are not there, each once."""
        self._filled += len(keys)
        if 2 * self._filled > len(self._keys):
            there = self._numbers >= 0
            keys = np.concatenate((self._keys[there], keys))
            more = np.concatenate((self._more[there], more))
            numbers = np.concatenate((self._numbers[there], numbers))
            grown = _Table(1 << (4 * self._filled).bit_length())
            self._keys, self._more, self._numbers = grown._keys, grown._more, grown._numbers
        slots = self._slots(keys, more)
        left = np.arange(len(keys))
        while len(left):
            free = left[self._numbers[slots[left]] < 0]
            # Where several want one place, one of them gets it, and the others go on.
            self._numbers[slots[free]] = numbers[free]
            settled = free[self._numbers[slots[free]] == numbers[free]]
            self._keys[slots[settled]], self._more[slots[settled]] = keys[settled], more[settled]
            left = left[self._numbers[slots[left]] != numbers[left]]
            slots[left] = (slots[left] + 1) & (len(self._keys) - 1)

    def _goes_on(self, slots: Numbers, keys: _Keys, more: _Keys) -> NDArray[np.bool_]:
        there = self._more[slots]
        goes_on: NDArray[np.bool_] = (there != 0) & ((there != more) | (self._keys[slots] != keys))
        return goes_on

    def _slots(self, keys: _Keys, more: _Keys) -> Numbers:
        mixed = keys * _MIX
        mixed ^= more * _MIX_TOO
        mixed ^= mixed >> _FOLD
        mixed *= _MIX_TOO
        bits = len(self._keys).bit_length() - 1
        slots: Numbers = (mixed >> np.uint64(64 - bits)).astype(np.int64)
        return slots
