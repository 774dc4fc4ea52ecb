"""Vectors of words made of the vectors of their n-grams, as fastText makes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import read_json
from litotes.scorers.base import Vectors
from litotes.scorers.words.index import WordIndex

_END_OF_SENTENCE = "</s>"
"""A word of its own, which is not cut."""


class FastTextVectors:
    """A word's vector is the mean of its own row and those of its n-grams; one that is not known has its n-grams."""

    def __init__(self, folder: Path, source: Path) -> None:
        about = read_json(folder / "about.json")
        self.sha256 = str(about["sha256"])
        self.largest = float(about["largest"])
        self.remarks: tuple[str, ...] = tuple(str(one) for one in about["remarks"])
        cut = about["subwords"]
        self._shortest, self._longest, self._buckets = int(cut["shortest"]), int(cut["longest"]), int(cut["buckets"])
        self._index = WordIndex(folder)
        rows, width = about["shape"]
        copied = folder / "vectors.bin"
        file = copied if copied.is_file() else source
        self._matrix: NDArray[np.float32] = np.memmap(
            file, dtype="<f4", mode="r", offset=int(about["offset"]), shape=(int(rows), int(width))
        )
        if int(rows) != len(self._index) + self._buckets:
            raise LitotesError("L403", f"{folder}: its files do not belong together")

    def __len__(self) -> int:
        return len(self._index)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self._matrix.shape[1])

    def look_up(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """A row a word, zeros for those that are too short for an n-gram, and which of the words have a vector."""
        found = np.zeros((len(words), self.width), dtype=np.float32)
        known = np.zeros(len(words), dtype=bool)
        for place, (word, row) in enumerate(zip(words, self._index.rows_of(words).tolist(), strict=True)):
            rows = [row] if row >= 0 else []
            if self._buckets and word != _END_OF_SENTENCE:
                rows += [len(self) + bucket for bucket in self._ngram_buckets(word)]
            if rows:
                known[place] = True
                found[place] = self._matrix[rows].mean(axis=0, dtype=np.float64)
        return found, known

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The places of the words in the model, from 0; -1 for those that it does not have."""
        return self._index.rows_of(words)

    def _ngram_buckets(self, word: str) -> list[int]:
        return [number % self._buckets for number in ngram_hashes(word, self._shortest, self._longest)]


def ngram_hashes(word: str, shortest: int, longest: int) -> list[int]:
    """The numbers of the n-grams of a word between `<` and `>`, in fastText's order; the marks alone are no n-grams.

    fastText's FNV-1a takes bytes as signed: one above 127 flips the upper 24 bits too.

    >>> len(ngram_hashes("cat", 3, 6))  # <ca cat at> <cat cat> <cat>
    6
    """
    letters = [
        [byte if byte < 128 else byte | 0xFFFFFF00 for byte in letter.encode("utf-8", "surrogatepass")]
        for letter in f"<{word}>"
    ]
    found = []
    for start in range(len(letters)):
        number = 2166136261
        for length, letter in enumerate(letters[start : start + max(longest, 0)], start=1):
            for byte in letter:
                number = ((number ^ byte) * 16777619) & 0xFFFFFFFF
            is_mark = length == 1 and start in (0, len(letters) - 1)
            if length >= shortest and not is_mark:
                found.append(number)
    return found
