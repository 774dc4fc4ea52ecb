"""What a bag of words comes to: sums, least and greatest numbers over the words of each text.

A bag has no order. So the same words must give the same bits in whatever order they stand, or a suite that asks for the
order would be decided by rounding. Sums are therefore of whole numbers: each number is rounded to a grid so fine that
nothing is seen of it in 32 bits, and so coarse that the sum of 65,536 words is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from litotes.models.base import Scores, Vectors
from litotes.models.word_vectors.keys import Keys, Numbers, have, lowered, words_of
from litotes.models.word_vectors.lookup import WordLookup
from litotes.models.word_vectors.pieces import MARKS, Cut, Pieces
from litotes.models.word_vectors.reading import PLAIN_READING, Reading
from litotes.models.word_vectors.store import WordVectors

GRID_BITS = 36
"""52 bits of a double hold whole numbers; 16 of them are left for the number of words."""
_CACHED_NUMBERS = 1 << 17
"""So many sums at once, a megabyte: they stay in the processor's cache."""

_NOTHING: dict[np.ufunc, float] = {np.add: 0.0, np.minimum: np.inf, np.maximum: -np.inf}
"""What changes nothing, whatever it is put together with."""

Measure = Callable[[Callable[[], Sequence[str]], Scores], Scores]
"""(words, if they are asked for; their vectors) → what is summed of each word, a row a word, in whole numbers."""


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
        self,
        lookup: WordLookup,
        *,
        measure: Measure | None,
        columns: int,
        extremes: bool = False,
        reading: Reading = PLAIN_READING,
    ) -> None:
        self.lookup = lookup
        self._measure = measure
        self._reading = reading
        self.vectors: Numbers = np.empty(0, dtype=np.int64)
        """How many vectors each piece has."""
        self.unknown: dict[int, tuple[str, ...]] = {}
        """Of which pieces which words have none."""
        self._sums = _Rows(columns, np.float64)
        both: tuple[np.ufunc, ...] = (np.minimum, np.maximum) if extremes else ()
        self._ends = {ufunc: _Rows(lookup.width, np.float32) for ufunc in both}
        self._marks: _Learnt | None = None

    @property
    def columns(self) -> int:
        """How many numbers are kept of each piece."""
        return self._sums.columns + len(self._ends) * self.lookup.width

    def learn(self, pieces: Pieces) -> None:
        """Look up the words of the pieces that came since the last time."""
        done = len(self.vectors)
        new = np.arange(done, len(pieces))
        if not len(new):
            return
        learnt = _Learnt(
            np.zeros(len(new), dtype=np.int64),
            self._sums.more(len(new), 0.0),
            {ufunc: rows.more(len(new), _NOTHING[ufunc]) for ufunc, rows in self._ends.items()},
        )
        by_rules = np.ones(len(new), dtype=bool)
        if isinstance(self.lookup, WordVectors):
            found = self._find_plain(self.lookup, pieces, new[pieces.plain[done:]])
            self._put_plain(self.lookup, pieces, found, found.numbers - done, learnt)
            by_rules[found.numbers - done] = False
        others = new[by_rules]
        if len(others):
            learnt.put(others - done, self._by_rules(pieces, others))
        self.vectors = np.concatenate((self.vectors, learnt.counts))

    def _nothing(self, count: int) -> _Learnt:
        """What comes of so many pieces without a vector."""
        return _Learnt(
            np.zeros(count, dtype=np.int64),
            np.zeros((count, self._sums.columns)),
            {ufunc: np.full((count, self.lookup.width), _NOTHING[ufunc], dtype=np.float32) for ufunc in self._ends},
        )

    def _of_words(self, words: Callable[[], Sequence[str]], rows: Vectors) -> _Learnt:
        """What comes of words that each have one vector."""
        sums = np.empty((len(rows), 0))
        if self._measure is not None:
            sums = self._measure(words, rows.astype(np.float64))
        return _Learnt(np.ones(len(rows), dtype=np.int64), sums, {ufunc: rows.copy() for ufunc in self._ends})

    def _find_plain(self, lookup: WordVectors, pieces: Pieces, numbers: Numbers) -> _Plain:
        """The words of plain pieces and their rows, without hyphenated words of which the parts are to be looked up."""
        keys = pieces.words[numbers]
        rows = lookup.rows_of_keys(keys)
        missing = np.flatnonzero(rows < 0)
        if self._reading.case == "keep":
            keys[missing] = lowered(keys[missing])
            rows[missing] = lookup.rows_of_keys(keys[missing])
            missing = missing[rows[missing] < 0]
        if self._reading.parts:
            stay = np.ones(len(numbers), dtype=bool)
            stay[missing[have(keys[missing], "-")]] = False
            numbers, keys, rows = numbers[stay], keys[stay], rows[stay]
        return _Plain(numbers, keys, rows)

    def _put_plain(self, lookup: WordVectors, pieces: Pieces, found: _Plain, places: Numbers, learnt: _Learnt) -> None:
        """Put what comes of pieces that are a word and perhaps a mark in their places, all of them at once."""
        known = found.rows >= 0
        keys, vectors = found.keys[known], lookup.at(found.rows[known])
        learnt.put(places[known], self._of_words(lambda: [word.decode() for word in words_of(keys)], vectors))
        marks, of_marks = pieces.marks[found.numbers], self._of_marks()
        marked = np.flatnonzero(marks)
        learnt.join(places[marked], of_marks, marks[marked])
        without_mark = (marks > 0) & (of_marks.counts[marks] == 0)
        some = np.flatnonzero(~known | without_mark)
        numbers = found.numbers[some]
        what = zip(
            numbers.tolist(), pieces.tokens(numbers), known[some].tolist(), without_mark[some].tolist(), strict=True
        )
        for number, tokens, has_word, lacks_mark in what:
            self.unknown[number] = (() if has_word else tokens[:1]) + (tokens[1:] if lacks_mark else ())

    def _of_marks(self) -> _Learnt:
        """What comes of each of the marks; nothing of the first, which is none."""
        if self._marks is None:
            rows, known = self.lookup.look_up(MARKS)
            there = np.flatnonzero(known)
            found = self._of_words(lambda: [MARKS[place] for place in there], rows[there])
            self._marks = self._nothing(len(MARKS) + 1).put(there + 1, found)
        return self._marks

    def _by_rules(self, pieces: Pieces, numbers: Numbers) -> _Learnt:
        """What comes of pieces that may be any number of words."""
        inside = pieces.tokens(numbers)
        tokens = [token for some in inside for token in some]
        found = _Found(self.lookup, list(dict.fromkeys(tokens)), self._reading)
        each = np.fromiter(map(found.numbers.__getitem__, tokens), np.int64, len(tokens))
        of_piece = np.repeat(np.arange(len(inside)), list(map(len, inside)))
        for place in np.flatnonzero(found.counts[each] == 0).tolist():
            number = int(numbers[of_piece[place]])
            self.unknown[number] = (*self.unknown.get(number, ()), tokens[place])
        counts = np.bincount(of_piece, weights=found.counts[each], minlength=len(inside)).astype(np.int64)
        cut = Cut(_ranges(found.first[each], found.counts[each]), np.concatenate(([0], np.cumsum(counts))))
        rows = self._of_words(lambda: found.words, found.rows)
        ends = {ufunc: _over(ufunc, found.rows, cut) for ufunc in self._ends}
        return _Learnt(counts, _over(np.add, rows.sums, cut), ends)

    def counts(self, cut: Cut) -> Numbers:
        """How many vectors each text has."""
        return cut.totals(self.vectors)

    def means(self, cut: Cut, scale: float, out: Vectors) -> None:
        """Write the means over each text of what was put on the grid; zeros for one without a vector."""
        # The scale is a power of two, so that the product is exact.
        _put_together(np.add, self._sums.all, cut, out, divisor=scale * np.maximum(self.counts(cut), 1))

    def sums(self, cut: Cut) -> Scores:
        """The sums over each text, still in whole numbers."""
        return _over(np.add, self._sums.all, cut)

    def ends(self, ufunc: np.ufunc, cut: Cut) -> Vectors:
        """The least (np.minimum) or greatest (np.maximum) numbers of each text; infinite for one without a vector."""
        return _over(ufunc, self._ends[ufunc].all, cut)


class _Plain(NamedTuple):
    """Plain pieces whose words were looked for."""

    numbers: Numbers
    keys: Keys
    rows: Numbers
    """The row of each word, -1 for one that the file does not have."""


@dataclass(frozen=True)
class _Learnt:
    """What comes of some pieces or words: how many vectors they have, and these put together."""

    counts: Numbers
    sums: Scores
    ends: dict[np.ufunc, Vectors]

    def put(self, places: Numbers, other: _Learnt) -> _Learnt:
        """Have the other in some places."""
        self.counts[places] = other.counts
        self.sums[places] = other.sums
        for ufunc, rows in self.ends.items():
            rows[places] = other.ends[ufunc]
        return self

    def join(self, places: Numbers, other: _Learnt, rows: NDArray[np.integer]) -> None:
        """Add rows of the other in some places; whole numbers, so that the order does not matter."""
        self.counts[places] += other.counts[rows]
        self.sums[places] += other.sums[rows]
        for ufunc, own in self.ends.items():
            own[places] = ufunc(own[places], other.ends[ufunc][rows])


class _Found:
    """The vectors of some tokens: of the token as it is written; else in lower case, if the case was kept; else with
    its digits written as the file has them; else of the parts of a hyphenated one.
    """

    def __init__(self, lookup: WordLookup, tokens: list[str], reading: Reading) -> None:
        self.words = list(tokens)
        rows, known = lookup.look_up(tokens)
        self._lookup = lookup
        self._reading = reading
        self._rows = [rows]
        self.numbers = {token: number for number, token in enumerate(tokens)}
        self.first: Numbers = np.arange(len(tokens), dtype=np.int64)
        """Where the vectors of each token begin among the rows."""
        self.counts: Numbers = known.astype(np.int64)
        """How many they are."""
        if reading.respells:
            self._instead({number: [tokens[number]] for number in self._missing()})
        if reading.parts:
            hyphenated = [number for number in self._missing() if "-" in tokens[number]]
            self._instead({number: tokens[number].split("-") for number in hyphenated})
        self.rows: Vectors = np.concatenate(self._rows)

    def _missing(self) -> list[int]:
        return [int(number) for number in np.flatnonzero(self.counts == 0)]

    def _instead(self, others: dict[int, list[str]]) -> None:
        """Give tokens without a vector those of other words, each in the first spelling that has one."""
        spellings = {word: self._reading.spellings(word) for some in others.values() for word in some if word}
        words = list(dict.fromkeys(spelling for some in spellings.values() for spelling in some))
        rows, known = self._lookup.look_up(words)
        place = {word: number for number, word in enumerate(words) if known[number]}
        had = len(self.words)
        for number, some in others.items():
            firsts = [next((one for one in spellings[word] if one in place), None) for word in some if word]
            has = [word for word in firsts if word is not None]
            self.first[number], self.counts[number] = len(self.words), len(has)
            self.words += has
        self._rows.append(rows[[place[word] for word in self.words[had:]]])


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
        # Room that is not used costs nothing, and making more of it does.
        self._room: NDArray[Number] = np.empty((1 << 15, columns), dtype=dtype)
        self._used = 0

    @property
    def columns(self) -> int:
        return int(self._room.shape[1])

    @property
    def all(self) -> NDArray[Number]:
        return self._room[: self._used]

    def more(self, count: int, filled: float) -> NDArray[Number]:
        """So many more rows, filled with a number."""
        needed = self._used + count
        if needed > len(self._room):
            room = np.empty((2 * needed, self.columns), dtype=self._room.dtype)
            room[: self._used] = self.all
            self._room = room
        new = self._room[self._used : needed]
        new[:] = filled
        self._used = needed
        return new


def _over(ufunc: np.ufunc, rows: NDArray[Number], cut: Cut) -> NDArray[Number]:
    """The rows of each text's members put together; what has none gets the number that changes nothing."""
    out = np.empty((len(cut.first) - 1, rows.shape[1]), dtype=rows.dtype)
    _put_together(ufunc, rows, cut, out)
    return out


def _put_together(
    ufunc: np.ufunc, rows: NDArray[Any], cut: Cut, out: NDArray[Any], divisor: Scores | None = None
) -> None:
    """Write what comes of each text's members; divided, it is rounded to 32 bits."""
    width = rows.shape[1]
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
