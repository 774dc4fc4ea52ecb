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
_LONGEST = 15
"""In bytes; the sixteenth says how many there are, so that no two pieces have the same two numbers."""
_ROOM = "\0" * 16
_COUNTED = np.array(
    [[(1 << 8 * min(size, 8)) - 1, (1 << 8 * max(size - 8, 0)) - 1] for size in range(_LONGEST + 1)] + [[0, 0]],
    dtype=np.uint64,
)
"""By the length of a piece: which of its first sixteen bytes are its own; none of one that is longer."""
_LENGTH = np.array([*range(_LONGEST + 1), 0], dtype=np.uint8)
_NONE = np.uint64((1 << 64) - 1)
"""In no piece: its last byte would be a length."""
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)


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
        keys = _as_numbers(data, starts, ends - starts)
        numbers, unseen = self._table.find(keys)
        if len(unseen):  # the long ones, and those that are new
            spans = zip((starts[unseen] + 1).tolist(), (ends[unseen] + 1).tolist(), strict=True)
            numbers[unseen] = found = self._numbered([data[start:end] for start, end in spans])
            new, where = np.unique(found, return_index=True)
            where = where[(new >= self._in_table) & (keys[unseen[where], 1] != 0)]
            self._table.add(keys[unseen[where]], found[where])
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
    """All the texts as bytes, a blank before each and behind the last; and where each begins, the first at 0."""
    odd = np.flatnonzero(~np.fromiter(map(str.isascii, texts), np.bool_, len(texts))).tolist()
    if odd:
        # As if each byte were a sign: so the lengths are in bytes, and what is joined is copied, not encoded once more.
        texts = list(texts)
        for place in odd:
            texts[place] = _signs_of_bytes(texts[place])
    data = " ".join(("", *texts, _ROOM)).encode("latin-1")
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=starts[1:])
    return data, starts


def _signs_of_bytes(text: str) -> str:
    """A sign for each byte of the text, blanks that are several bytes replaced by one that will be seen."""
    return _OTHER_BLANK.sub(" ", text).encode("utf-8", "surrogatepass").decode("latin-1")


def _between_blanks(data: bytes) -> tuple[Numbers, Numbers]:
    """Where pieces begin and where they end, counted from behind the first blank."""
    signs = np.frombuffer(data, dtype=np.uint8, count=len(data) - len(_ROOM))
    blank = signs - np.uint8(0x09) <= np.uint8(0x0D - 0x09)  # what is less becomes large
    blank |= signs - np.uint8(0x1C) <= np.uint8(0x20 - 0x1C)
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    return edges[0::2], edges[1::2]


def _as_numbers(data: bytes, starts: Numbers, sizes: Numbers) -> _Keys:
    """The first eight bytes of each piece, and the next seven with the length; zeros for what is longer."""
    here = np.ndarray((len(data) - 16,), dtype="V16", buffer=data, offset=1, strides=(1,))
    keys: _Keys = here[starts].view("<u8").reshape(-1, 2)
    keys &= _COUNTED.take(sizes, axis=0, mode="clip")
    keys.view(np.uint8)[:, 15] = _LENGTH.take(sizes, mode="clip")
    return keys


class _Table:
    """Pieces' numbers by their keys, in an open table, at most a quarter full; looked up and filled in arrays."""

    def __init__(self, size: int) -> None:
        self._numbers: Numbers = np.full(size, -1, dtype=np.int64)
        """By place; -1 where it is empty."""
        self._keys: _Keys = np.full((size // 4, 2), _NONE, dtype=np.uint64)
        """By number; of those that are not in the table, what no piece has."""
        self._filled = 0

    def find(self, keys: _Keys) -> tuple[Numbers, Numbers]:
        """The numbers of the keys, and for which of them there is none."""
        places = self._places(keys)
        numbers = self._numbers.take(places)
        wrong = np.flatnonzero(self._differs(numbers, keys))
        missing = [wrong[numbers[wrong] < 0]]
        wrong = wrong[numbers[wrong] >= 0]
        while len(wrong):  # another piece is there: one place on
            places[wrong] = (places[wrong] + 1) & (len(self._numbers) - 1)
            numbers[wrong] = there = self._numbers.take(places[wrong])
            missing.append(wrong[there < 0])
            wrong = wrong[(there >= 0) & self._differs(there, keys[wrong])]
        return numbers, np.sort(np.concatenate(missing))

    def add(self, keys: _Keys, numbers: Numbers) -> None:
        """Add keys that are not there, each once, the numbers in their order."""
        if not len(numbers):
            return
        if numbers[-1] >= len(self._keys):
            grown = np.full((2 * (int(numbers[-1]) + 1), 2), _NONE, dtype=np.uint64)
            grown[: len(self._keys)] = self._keys
            self._keys = grown
        self._keys[numbers] = keys
        self._filled += len(numbers)
        if 4 * self._filled > len(self._numbers):
            self._numbers = np.full(1 << (8 * self._filled).bit_length(), -1, dtype=np.int64)
            numbers = np.flatnonzero(self._keys[:, 1] != _NONE)
        places = self._places(self._keys[numbers])
        left = np.arange(len(numbers))
        while len(left):
            free = left[self._numbers[places[left]] < 0]
            # Where several want one place, one of them gets it, and the others go on.
            self._numbers[places[free]] = numbers[free]
            left = left[self._numbers[places[left]] != numbers[left]]
            places[left] = (places[left] + 1) & (len(self._numbers) - 1)

    def _differs(self, numbers: Numbers, keys: _Keys) -> NDArray[np.bool_]:
        """Whether the pieces of these numbers have other keys; -1 is 0 here, which would have been found at once."""
        same = self._keys.take(numbers, axis=0, mode="clip") == keys
        differs: NDArray[np.bool_] = same.view(np.uint16)[:, 0] != 0x0101
        return differs

    def _places(self, keys: _Keys) -> Numbers:
        mixed = keys[:, 0] * _MIX[0]
        mixed += keys[:, 1] * _MIX[1]
        mixed >>= np.uint64(65 - len(self._numbers).bit_length())
        places: Numbers = mixed.view(np.int64)
        return places
