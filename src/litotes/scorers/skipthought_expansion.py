"""Vocabulary expansion: words that a skip-thought model was not trained on, mapped from word vectors.

As Kiros et al. (2015), section 2.2: a linear map from the space of the word vectors to that of the model's own words,
by least squares over the words that both know, not regularised. As in their code it has a constant term.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.scorers.base import Vectors
from litotes.scorers.skipthought_files import EOS, UNK, SkipPart
from litotes.scorers.words.lookup import WordLookup


class Expansion:
    """Gives words that the model lacks a place among those that it has, for each of its parts."""

    def __init__(self, vectors: WordLookup, rows: Mapping[str, int], parts: Sequence[SkipPart], name: str) -> None:
        self._vectors = vectors
        words = [word for word in rows if word and word not in (EOS, UNK)]
        given, known = vectors.look_up(words)
        self.shared = int(known.sum())
        if self.shared <= vectors.width:
            raise LitotesError(
                "L303",
                f"{name}: shares {self.shared:,} words with the vectors, more than {vectors.width} are needed to map"
                " the others",
                hint="name other vectors, or fewer numbers a vector",
            )
        own = np.array([rows[word] for word, is_known in zip(words, known, strict=True) if is_known], dtype=np.intp)
        self._maps = {part.part: learn_map(given[known], part.table[own]) for part in parts}

    @property
    def sha256(self) -> str:
        """Of the word vectors."""
        return self._vectors.sha256

    def known(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Which of the words have a vector."""
        return self._vectors.look_up(words)[1]

    def mapped(self, part: SkipPart, words: Sequence[str]) -> Vectors:
        """The words as if the part had them."""
        return _with_constant(self._vectors.look_up(words)[0]) @ self._maps[part.part]


def learn_map(given: Vectors, wanted: NDArray[np.floating]) -> Vectors:
    """The matrix that takes rows of `given`, with a 1 behind each, nearest to the rows of `wanted`.

    >>> learn_map(np.array([[0], [1], [2]], np.float32), np.array([[1.0], [3.0], [5.0]])).round(4).tolist()
    [[2.0], [1.0]]
    """
    solution = np.linalg.lstsq(_with_constant(given).astype(np.float64), wanted.astype(np.float64), rcond=None)[0]
    return np.asarray(solution, dtype=np.float32)


def _with_constant(rows: Vectors) -> Vectors:
    return np.concatenate([rows, np.ones((len(rows), 1), dtype=np.float32)], axis=1)
