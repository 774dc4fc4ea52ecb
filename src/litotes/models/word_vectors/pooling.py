"""Texts as bags of words: sums, minima and maxima over the vectors of the words of each text.

A bag has no order, so the same words must give the same bits in any order; otherwise rounding would decide suites about
word order. Sums are therefore sums of integers: each number is rounded to a grid that is finer than 32-bit floats can
show and coarse enough that sums over 65,536 words are exact.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import compress, count, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from litotes.models.base import Scores, Vectors
from litotes.models.word_vectors.lookup import WordVectors
from litotes.models.word_vectors.tokenization import WordRules

Indexes = NDArray[np.int64]
Features = Callable[[Sequence[str], Scores], Scores]
"""(words, their vectors) → the grid numbers to sum, one row per word."""

_GRID_BITS = 36
"""A double holds integers of 52 bits; the other 16 bits are for the number of words."""
_SEGMENTS_PER_STEP = 128
"""So few that the copied rows stay in the processor's cache."""
_IDENTITY: dict[np.ufunc, float] = {np.add: 0.0, np.minimum: np.inf, np.maximum: -np.inf}
_END = "\0"
"""Marks the last piece of each text."""
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""Replaces the mark in texts that contain it."""


def grid_scale(largest: float) -> float:
    """Return the factor for numbers up to `largest` before they are rounded; a power of two, so it loses nothing.

    >>> grid_scale(5.0) == 2.0 ** 33
    True
    """
    return math.ldexp(1.0, _GRID_BITS - math.frexp(largest)[1]) if largest > 0 else 1.0


def to_grid(numbers: Scores, scale: float) -> Scores:
    """Return the numbers, multiplied by the scale, as integers."""
    return np.rint(numbers * scale)


class TextPieces(NamedTuple):
    """Some texts as sequences of numbered pieces."""

    pieces: Indexes
    """The numbers of the pieces of all texts."""
    starts: Indexes
    """The index of the first piece of each text, and the number of all pieces."""

    def totals(self, per_piece: Indexes) -> Indexes:
        """Return for each text the sum over its pieces."""
        cumulated = np.concatenate(([0], np.cumsum(per_piece[self.pieces])))
        return np.diff(cumulated[self.starts])


class PieceVocabulary:
    """The distinct pieces of text between two blanks, numbered in the order of their first occurrence.

    >>> vocabulary = PieceVocabulary(WordRules())
    >>> texts = vocabulary.split(["It isn't", "", "is it? It isn't"])
    >>> texts.starts.tolist(), texts.pieces.tolist(), vocabulary.tokens[1]
    ([0, 2, 3, 7], [0, 1, 2, 3, 4, 0, 1], ('is', "n't"))
    """

    def __init__(self, rules: WordRules) -> None:
        self._rules = rules
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._is_end: NDArray[np.bool_] = np.empty(0, dtype=bool)
        self.tokens: list[tuple[str, ...]] = []
        self.n_tokens: Indexes = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.tokens)

    def split(self, texts: Sequence[str]) -> TextPieces:
        """Return the pieces of the texts; new pieces get the next numbers."""
        data = "".join([f"{text.rstrip()}{_END} " for text in texts])
        if data.count(_END) > len(texts):
            data = "".join([f"{text.replace(_END, _REPLACEMENT).rstrip()}{_END} " for text in texts])
        pieces = data.split()
        numbers = np.fromiter(map(self._numbers.__getitem__, pieces), np.int64, len(pieces))
        new_pieces = list(islice(self._numbers, len(self.tokens), None))
        new_tokens = list(map(self._tokens, new_pieces))
        self.tokens += new_tokens
        self.n_tokens = np.append(self.n_tokens, np.array(list(map(len, new_tokens)), dtype=np.int64))
        self._is_end = np.append(self._is_end, np.array([piece.endswith(_END) for piece in new_pieces], dtype=bool))
        return TextPieces(numbers, np.append(0, np.flatnonzero(self._is_end[numbers]) + 1))

    def _tokens(self, piece: str) -> tuple[str, ...]:
        # An abbreviation such as "no." is one token, unless its full stop ends the text.
        if piece.endswith(_END):
            return tuple(self._rules.split(piece[:-1]))
        return tuple(self._rules.split_inner(piece))


class WordBag:
    """The pieces of text that were seen so far, with their vectors in one file pooled over the words of each piece."""

    def __init__(
        self,
        vectors: WordVectors,
        rules: WordRules,
        *,
        features: Features | None,
        n_features: int,
        extremes: bool = False,
    ) -> None:
        self.vectors = vectors
        self.unknown: dict[int, tuple[str, ...]] = {}
        """The words without a vector, by piece."""
        self.n_vectors: Indexes = np.empty(0, dtype=np.int64)
        self._rules = rules
        self._features = features
        self._sums = _GrowingArray(n_features, np.float64)
        ufuncs: tuple[np.ufunc, ...] = (np.minimum, np.maximum) if extremes else ()
        self._extremes = {ufunc: _GrowingArray(vectors.width, np.float32) for ufunc in ufuncs}

    @property
    def n_columns(self) -> int:
        """The number of stored numbers per piece."""
        return self._sums.width + sum(rows.width for rows in self._extremes.values())

    def update(self, vocabulary: PieceVocabulary) -> None:
        """Look up the words of the pieces that are new in the vocabulary."""
        n_before = len(self.n_vectors)
        new = vocabulary.tokens[n_before:]
        if not new:
            return
        members, words, rows = _find_words(self.vectors, self._rules, dict.fromkeys(t for piece in new for t in piece))
        for number, tokens in enumerate(new, start=n_before):
            if unknown := tuple(token for token in tokens if not members[token]):
                self.unknown[number] = unknown
        of_pieces = [[index for token in tokens for index in members[token]] for tokens in new]
        counts = np.array(list(map(len, of_pieces)), dtype=np.int64)
        indexes = np.array([index for piece in of_pieces for index in piece], dtype=np.int64)
        starts = np.append(0, np.cumsum(counts))
        self.n_vectors = np.append(self.n_vectors, counts)
        features = self._features(words, rows.astype(np.float64)) if self._features else np.empty((len(words), 0))
        self._sums.append(_reduce_segments(np.add, features, indexes, starts))
        for ufunc, pooled in self._extremes.items():
            pooled.append(_reduce_segments(ufunc, rows, indexes, starts))

    def counts(self, texts: TextPieces) -> Indexes:
        """Return the number of vectors of each text."""
        return texts.totals(self.n_vectors)

    def sums(self, texts: TextPieces) -> Scores:
        """Return the sums of the features over each text."""
        return _reduce_segments(np.add, self._sums.rows, *texts)

    def means(self, texts: TextPieces, scale: float) -> Vectors:
        """Return the means of the features, divided by the scale of the grid; zeros for a text without a vector."""
        divisors = scale * np.maximum(self.counts(texts), 1)
        means: Vectors = (self.sums(texts) / divisors[:, None]).astype(np.float32)
        return means

    def extremes(self, ufunc: np.ufunc, texts: TextPieces) -> Vectors:
        """Return the minima (np.minimum) or maxima (np.maximum) of each text; infinite for a text without a vector."""
        return _reduce_segments(ufunc, self._extremes[ufunc].rows, *texts)


def _find_words(
    vectors: WordVectors, rules: WordRules, tokens: Iterable[str]
) -> tuple[dict[str, list[int]], list[str], Vectors]:
    """Return for each token the indexes of its vectors, the words that have a vector, and these vectors.

    A token is looked up as written, then in its other spellings; a hyphenated one without a vector by its parts.
    """
    tokens = list(tokens)
    index: dict[str, int] = {}
    blocks: list[Vectors] = []

    def lookup(words: Iterable[str]) -> None:
        new = [word for word in dict.fromkeys(words) if word not in index]
        rows, known = vectors.lookup(new)
        index.update(zip(compress(new, known), count(len(index))))
        blocks.append(rows[known])

    def vector_of(word: str) -> list[int]:
        if word in index:
            return [index[word]]
        return next(([index[spelling]] for spelling in rules.spellings(word) if spelling in index), [])

    lookup(tokens)
    lookup(spelling for token in tokens if token not in index for spelling in rules.spellings(token)[1:])
    parts = {token: rules.parts(token) for token in tokens if not vector_of(token)}
    lookup(spelling for words in parts.values() for word in words for spelling in rules.spellings(word))
    members = {
        token: [row for part in parts[token] for row in vector_of(part)] if token in parts else vector_of(token)
        for token in tokens
    }
    return members, list(index), np.concatenate(blocks)


def _reduce_segments(ufunc: np.ufunc, rows: NDArray[Any], members: Indexes, starts: Indexes) -> NDArray[Any]:
    """Return `ufunc` over the rows `members[starts[i]:starts[i + 1]]` for each i; its identity for empty segments."""
    out = np.full((len(starts) - 1, rows.shape[1]), _IDENTITY[ufunc], dtype=rows.dtype)
    for first in range(0, len(out), _SEGMENTS_PER_STEP):
        bounds = starts[first : first + _SEGMENTS_PER_STEP + 1]
        is_filled = bounds[1:] > bounds[:-1]
        if is_filled.any():
            part = rows.take(members[bounds[0] : bounds[-1]], axis=0)
            begins = bounds[:-1][is_filled] - bounds[0]
            out[first : first + _SEGMENTS_PER_STEP][is_filled] = ufunc.reduceat(part, begins, axis=0)
    return out


class _GrowingArray:
    """A matrix to which rows are appended; its memory doubles when it is full."""

    def __init__(self, width: int, dtype: type[np.floating[Any]]) -> None:
        self.width = width
        self._memory: NDArray[Any] = np.empty((1024, width), dtype=dtype)
        self._n_rows = 0

    @property
    def rows(self) -> NDArray[Any]:
        return self._memory[: self._n_rows]

    def append(self, rows: NDArray[Any]) -> None:
        end = self._n_rows + len(rows)
        if end > len(self._memory):
            self._memory = np.concatenate([self.rows, np.empty((end, self.width), dtype=self._memory.dtype)])
        self._memory[self._n_rows : end] = rows
        self._n_rows = end
