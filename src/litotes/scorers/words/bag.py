"""What a bag of words comes to: sums, least and greatest numbers over the words of each text.

A bag has no order. So the same words must give the same bits in whatever order they stand, or a suite that asks for the
order would be decided by rounding. Sums are therefore of whole numbers: each number is rounded to a grid so fine that
nothing is seen of it in 32 bits, and so coarse that the sum of 65,536 words is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from litotes.scorers.base import Scores, Vectors
from litotes.scorers.words.lookup import WordLookup
from litotes.scorers.words.pieces import Cut, Numbers, Pieces
from litotes.scorers.words.tokens import Case

GRID_BITS = 36
"""52 bits of a double hold whole numbers; 16 of them are left for the number of words."""
_CACHED_NUMBERS = 1 << 17
"""So many sums at once, a megabyte: they stay in the processor's cache."""

_NOTHING: dict[np.ufunc, float] = {np.add: 0.0, np.minimum: np.inf, np.maximum: -np.inf}
"""What changes nothing, whatever it is put together with."""

Measure = Callable[[Sequence[str], Scores], Scores]
"""(words, their vectors) → what is summed of each word, a row a word, in whole numbers."""


def grid(largest: float) -> float:
    """By what numbers up to `largest` are multiplied before they are rounded; a power of two, so nothing is lost by it.

    >>> grid(5.0) == 2.0 ** 33
    True
    """
    return math.ldexp(1.0, GRID_BITS - math.frexp(largest)[1]) if largest > 0 else 1.0


def on_grid(vectors: Scores, scale: float) -> Scores:
    """The numbers as whole ones."""
    return np.rint(vectors * scale)


class Bag:
    """The words of pieces in one file of vectors, each piece looked up once."""

    def __init__(
        self, lookup: WordLookup, *, measure: Measure | None, columns: int, extremes: bool = False, case: Case = "lower"
    ) -> None:
        self.lookup = lookup
        self._measure = measure
        self._case: Case = case
        self.vectors: Numbers = np.empty(0, dtype=np.int64)
        """How many vectors each piece has."""
        self.unknown: dict[int, tuple[str, ...]] = {}
        """Of which pieces which words have none."""
        self._sums = _Rows(columns, np.float64)
        both: tuple[np.ufunc, ...] = (np.minimum, np.maximum) if extremes else ()
        self._ends = {ufunc: _Rows(lookup.width, np.float32) for ufunc in both}

    @property
    def columns(self) -> int:
        """How many numbers are kept of each piece."""
        return self._sums.columns + len(self._ends) * self.lookup.width

    def learn(self, pieces: Pieces) -> None:
        """Look up the words of the pieces that came since the last time."""
        done = len(self.vectors)
        if done == len(pieces):
            return
        new = pieces.tokens[done:]
        tokens = [token for some in new for token in some]
        found = _Found(self.lookup, list(dict.fromkeys(tokens)), self._case)
        each = np.fromiter(map(found.numbers.__getitem__, tokens), np.int64, len(tokens))
        of_piece = np.repeat(np.arange(len(new)), pieces.sizes[done:])
        for place in np.flatnonzero(found.counts[each] == 0).tolist():
            number = done + int(of_piece[place])
            self.unknown[number] = (*self.unknown.get(number, ()), tokens[place])
        counts = np.bincount(of_piece, weights=found.counts[each], minlength=len(new)).astype(np.int64)
        cut = Cut(_ranges(found.first[each], found.counts[each]), np.concatenate(([0], np.cumsum(counts))))
        self.vectors = np.concatenate((self.vectors, counts))
        if self._measure is not None:
            self._sums.add(_over(np.add, self._measure(found.words, found.rows.astype(np.float64)), cut))
        for ufunc, ends in self._ends.items():
            ends.add(_over(ufunc, found.rows, cut))

    def counts(self, cut: Cut) -> Numbers:
        """How many vectors each text has."""
        return cut.totals(self.vectors)

    def means(self, cut: Cut, scale: float) -> Vectors:
        """The means over each text of what was put on the grid; zeros for one without a vector."""
        # The scale is a power of two, so that the product is exact.
        return _over(np.add, self._sums.all, cut, divisor=scale * np.maximum(self.counts(cut), 1))

    def sums(self, cut: Cut) -> Scores:
        """The sums over each text, still in whole numbers."""
        return _over(np.add, self._sums.all, cut)

    def ends(self, ufunc: np.ufunc, cut: Cut) -> Vectors:
        """The least (np.minimum) or greatest (np.maximum) numbers of each text; infinite for one without a vector."""
        return _over(ufunc, self._ends[ufunc].all, cut)


class _Found:
    """The vectors of some tokens: of the token as it is written; else in lower case, if the case was kept; else of the
    parts of a hyphenated one.
    """

    def __init__(self, lookup: WordLookup, tokens: list[str], case: Case) -> None:
        self.words = list(tokens)
        rows, known = lookup.look_up(tokens)
        self._lookup = lookup
        self._rows = [rows]
        self.numbers = {token: number for number, token in enumerate(tokens)}
        self.first: Numbers = np.arange(len(tokens), dtype=np.int64)
        """Where the vectors of each token begin among the rows."""
        self.counts: Numbers = known.astype(np.int64)
        """How many they are."""
        if case == "keep":
            self._instead({number: [tokens[number]] for number in self._missing()}, case)
        hyphenated = [number for number in self._missing() if "-" in tokens[number]]
        self._instead({number: tokens[number].split("-") for number in hyphenated}, case)
        self.rows: Vectors = np.concatenate(self._rows)

    def _missing(self) -> list[int]:
        return [int(number) for number in np.flatnonzero(self.counts == 0)]

    def _instead(self, others: dict[int, list[str]], case: Case) -> None:
        """Give tokens without a vector those of other words, each as it is written or else in lower case."""
        words = list(dict.fromkeys(word for some in others.values() for word in some if word))
        if case == "keep":
            words = list(dict.fromkeys([*words, *(word.lower() for word in words)]))
        rows, known = self._lookup.look_up(words)
        place = {word: number for number, word in enumerate(words) if known[number]}
        for number, some in others.items():
            spelt = [word if word in place or case == "lower" else word.lower() for word in some]
            has = [word for word in spelt if word in place]
            self.first[number], self.counts[number] = len(self.words), len(has)
            self.words += has
            self._rows.append(rows[[place[word] for word in has]])


def _ranges(first: Numbers, counts: Numbers) -> Numbers:
    """The whole numbers from each first, as many as its count says.

    >>> _ranges(np.array([5, 0, 9]), np.array([2, 0, 1])).tolist()
    [5, 6, 9]
    """
    before = np.cumsum(counts) - counts
    return np.repeat(first - before, counts) + np.arange(int(counts.sum()))


Number = TypeVar("Number", np.float32, np.float64)


class _Rows(Generic[Number]):
    """Rows of numbers that become more: room for as many again is made when there is none."""

    def __init__(self, columns: int, dtype: type[Number]) -> None:
        self._room: NDArray[Number] = np.empty((1024, columns), dtype=dtype)
        self._used = 0

    @property
    def columns(self) -> int:
        return int(self._room.shape[1])

    @property
    def all(self) -> NDArray[Number]:
        return self._room[: self._used]

    def add(self, rows: NDArray[Number]) -> None:
        needed = self._used + len(rows)
        if needed > len(self._room):
            room = np.empty((2 * needed, self.columns), dtype=self._room.dtype)
            room[: self._used] = self.all
            self._room = room
        self._room[self._used : needed] = rows
        self._used = needed


def _over(ufunc: np.ufunc, rows: NDArray[Any], cut: Cut, divisor: Scores | None = None) -> NDArray[Any]:
    """The rows of each text's members put together; what has none gets the number that changes nothing.

    Divided, they are rounded to 32 bits.
    """
    width = rows.shape[1]
    out = np.empty((len(cut.first) - 1, width), dtype=rows.dtype if divisor is None else np.float32)
    # All first members, then all second ones, …: longest first, so that those who have one are always in front.
    lengths = cut.counts
    # Whole numbers of 16 bits are sorted without comparing them.
    order = np.argsort(-lengths.astype(np.int16 if lengths.max(initial=0) < 1 << 15 else np.int64), kind="stable")
    step = min(len(order), max(16, _CACHED_NUMBERS // max(1, width)))
    # Made once: memory that is new to the process costs more than the sums.
    totals, fetched = np.empty((2, step, width), dtype=rows.dtype)
    quotients = np.empty((step, width), dtype=np.float32)
    for start in range(0, len(order), step):
        some = order[start : start + step]
        counts, at = lengths[some], cut.first[some]
        total = totals[: len(some)]
        # How many have a first member, a second one, …
        have = np.searchsorted(-counts, -np.arange(counts[0]), side="left").tolist()
        total[have[0] if have else 0 :] = _NOTHING[ufunc]
        for number, there in enumerate(have):
            members = cut.pieces[number:].take(at[:there])
            rows.take(members, axis=0, out=fetched[:there] if number else total[:there], mode="clip")
            if number:
                ufunc(total[:there], fetched[:there], out=total[:there])
        if divisor is not None:
            total = np.divide(total, divisor[some, None], out=quotients[: len(some)], casting="same_kind")
        out[some] = total
    return out
