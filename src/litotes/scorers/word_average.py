"""An encoder that makes a sentence's vector of the vectors of its words; how, is its pooling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from litotes.scorers.base import Encoder, Fingerprint, Scores, Vectors
from litotes.scorers.word_tokens import word_tokens
from litotes.scorers.word_vectors import WordVectors

Pooling = Callable[[Scores, Scores], Scores]
"""(the vectors of a sentence's different words, how often each stands there) → the sentence's vector."""

_SHOWN = 8


def mean(vectors: Scores, counts: Scores) -> Scores:
    """The mean over all words."""
    total: Scores = counts @ vectors / counts.sum()
    return total


class WordAverage(Encoder):
    """Word vectors, pooled; words that have none are left out."""

    def __init__(
        self,
        name: str,
        vectors: WordVectors,
        *,
        pooling: Pooling = mean,
        tokens: Callable[[str], list[str]] = word_tokens,
    ) -> None:
        fingerprint = Fingerprint(
            backend="numpy/word-vectors", weights=vectors.sha256, config="words-1", pooling=pooling.__name__
        )
        super().__init__(name, fingerprint)
        self._vectors = vectors
        self._pooling = pooling
        self._tokens = tokens
        self._rows: dict[str, tuple[int, ...]] = {}

    @property
    def batch_tokens(self) -> int:
        """Nothing is padded: a batch is what is kept at once."""
        return 1 << 15

    @property
    def parallel(self) -> bool:
        """Most of the work is Python's."""
        return False

    @property
    def may_know_nothing(self) -> bool:
        """A sentence may have no word that has a vector."""
        return True

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """In words."""
        return [max(1, len(self._tokens(text))) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The pooled vectors; zeros for a text without a known word."""
        return np.stack([self._pooled(text) for text in texts])

    def notes(self, texts: Sequence[str]) -> list[str]:
        """How many words have no vector, which are the most frequent of them, which sentences have none at all."""
        words = [self._tokens(text) for text in texts]
        unknown = Counter(word for tokens in words for word in tokens if not self._rows_of(word))
        empty = sum(not any(map(self._rows_of, tokens)) for tokens in words)
        notes = []
        if unknown:
            often = sorted(unknown, key=lambda word: (-unknown[word], word))
            shown = ", ".join(often[:_SHOWN]) + (", …" if len(often) > _SHOWN else "")
            missing, total = sum(unknown.values()), sum(map(len, words))
            notes.append(f"{missing:,} of {total:,} words have no vector and are left out: {shown}")
        if empty:
            what = "sentence has" if empty == 1 else "sentences have"
            notes.append(f"{empty:,} {what} no word with a vector: the similarity to every other is 0")
        return notes

    def _pooled(self, text: str) -> Vectors:
        rows = Counter(row for word in self._tokens(text) for row in self._rows_of(word))
        if not rows:
            return np.zeros(self._vectors.width, dtype=np.float32)
        # In the order of the rows: the same words in another order give the same bits.
        known = sorted(rows)
        counts = np.array([rows[row] for row in known], dtype=np.float64)
        return self._pooling(self._vectors.vectors(known).astype(np.float64), counts).astype(np.float32)

    def _rows_of(self, word: str) -> tuple[int, ...]:
        """The row of a word; of a hyphenated one that is not known, those of its parts."""
        if word not in self._rows:
            row = self._vectors.row_of(word)
            parts = word.split("-") if row is None else []
            found = [row] if row is not None else [self._vectors.row_of(part) for part in parts if part]
            self._rows[word] = tuple(one for one in found if one is not None)
        return self._rows[word]
