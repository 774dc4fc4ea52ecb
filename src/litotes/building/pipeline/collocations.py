"""The naturalness of a rewritten sentence, from how often its neighbouring words occur together in the corpus.

Counts of words and of word pairs are stored in a count-min sketch of fixed size, so that memory does not grow with the
corpus. The hash is a checksum, so that every machine computes the same numbers.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Collection
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Checksums: TypeAlias = npt.NDArray[np.uint64]
Columns: TypeAlias = npt.NDArray[np.int64]

_TOKEN = re.compile(r"n't\b|[^\W_]+(?=n't\b)|[^\W_]+|[.,;:!?]", re.IGNORECASE)
_BITS = 21
_WIDTH = 1 << _BITS
_SEEDS = (0, 0x9E3779B9)
_BUFFER_SIZE = 65_536
_PRIOR = 5.0
"""Added to each word count, so that pairs of rare words have little influence."""


def tokens(text: str) -> list[str]:
    """Return words and punctuation in lower case; “n't” is a token of its own.

    >>> tokens("It isn't bad.")
    ['it', 'is', "n't", 'bad', '.']
    """
    return _TOKEN.findall(text.lower().replace("’", "'"))


class Collocations:
    """Counts of words and of neighbouring words.

    >>> counts = Collocations()
    >>> for _ in range(50):
    ...     counts.add("This is strong tea.")
    >>> counts.naturalness("He likes strong tea.", "He likes powerful tea.") < 0
    True
    """

    def __init__(self) -> None:
        self._sketch = np.zeros((len(_SEEDS), _WIDTH), dtype=np.uint32)
        self._buffer: list[int] = []

    def add(self, text: str) -> None:
        """Count a sentence of the corpus."""
        buffer = self._buffer
        crc = zlib.crc32
        previous = b"<"
        buffer.append(crc(previous))
        for token in (*tokens(text), ">"):
            current = token.encode()
            buffer.append(crc(current))
            buffer.append(crc(previous + b" " + current))
            previous = current
        if len(buffer) > _BUFFER_SIZE:
            self._flush()

    def naturalness(self, before: str, after: str) -> float:
        """Return how much more likely the new word pairs are than the removed ones, as a power of ten; 0: equal."""
        old, new = _token_pairs(before), _token_pairs(after)
        removed, added = [pair for pair in old if pair not in new], [pair for pair in new if pair not in old]
        if not added:
            return 0.0
        return self._mean(added) - (self._mean(removed) if removed else self._mean(old))

    def _mean(self, pairs: Collection[tuple[str, str]]) -> float:
        return sum(self._log_likelihood(*pair) for pair in pairs) / len(pairs)

    def _log_likelihood(self, left: str, right: str) -> float:
        """Return the mean logarithm of the probabilities of the pair given either of its words."""
        together = self._count(f"{left} {right}")
        return 0.5 * sum(math.log10((together + 0.05) / (self._count(word) + _PRIOR)) for word in (left, right))

    def _count(self, key: str) -> int:
        if self._buffer:
            self._flush()
        checksum = zlib.crc32(key.encode())
        return int(min(row[_column(checksum, seed)] for row, seed in zip(self._sketch, _SEEDS, strict=True)))

    def _flush(self) -> None:
        checksums = np.array(self._buffer, dtype=np.uint64)
        for row, seed in enumerate(_SEEDS):
            self._sketch[row] += np.bincount(_columns(checksums, seed), minlength=_WIDTH).astype(np.uint32)
        self._buffer = []


def _column(checksum: int, seed: int) -> int:
    return int(_columns(np.array([checksum], dtype=np.uint64), seed)[0])


def _columns(checksums: Checksums, seed: int) -> Columns:
    """Return the sketch columns of checksums in the row with this seed."""
    mixed: Checksums = (checksums + np.uint64(seed)) * np.uint64(0xFF51AFD7ED558CCD)
    columns: Columns = (mixed >> np.uint64(64 - _BITS)).astype(np.int64)
    return columns


def _token_pairs(text: str) -> dict[tuple[str, str], None]:
    words = ["<", *tokens(text), ">"]
    return dict.fromkeys(zip(words, words[1:]))  # noqa: B905, RUF007  (an ordered set)
