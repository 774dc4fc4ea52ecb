"""Counts of the words and neighbouring words of a corpus, in constant memory."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Collection, Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Checksums: TypeAlias = npt.NDArray[np.uint32]
Columns: TypeAlias = npt.NDArray[np.int64]

_TOKEN = re.compile(r"n't\b|[^\W_]+(?=n't\b)|[^\W_]+|[.,;:!?]", re.IGNORECASE)
_BITS = 21
_WIDTH = 1 << _BITS
_SEEDS = (0, 0x9E3779B9)
_PRIOR = 5.0
"""Added to each word count, so that pairs of rare words have little influence."""


def tokens(text: str) -> list[str]:
    """Return words and punctuation in lower case; “n't” is a token of its own.

    >>> tokens("It isn't bad.")
    ['it', 'is', "n't", 'bad', '.']
    """
    return _TOKEN.findall(text.lower().replace("’", "'"))


def token_checksums(texts: Iterable[str]) -> Checksums:
    """Return the checksums of the words and of the neighbouring words of sentences, which `Collocations` counts."""
    checksums: list[int] = []
    append = checksums.append
    crc = zlib.crc32
    for text in texts:
        previous = b"<"
        append(crc(previous))
        for token in (*tokens(text), ">"):
            current = token.encode()
            append(crc(current))
            append(crc(previous + b" " + current))
            previous = current
    return np.array(checksums, dtype=np.uint32)


class Collocations:
    """Counts of words and of neighbouring words.

    >>> counts = Collocations()
    >>> counts.add(token_checksums(["This is strong tea."] * 50))
    >>> counts.naturalness("He likes strong tea.", "He likes powerful tea.") < 0
    True
    """

    def __init__(self) -> None:
        self._sketch = np.zeros((len(_SEEDS), _WIDTH), dtype=np.uint32)

    def add(self, checksums: Checksums) -> None:
        """Count the checksums of sentences."""
        for row, seed in zip(self._sketch, _SEEDS, strict=True):
            np.add.at(row, _columns(checksums, seed), np.uint32(1))

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
        checksum = zlib.crc32(key.encode())
        return int(min(row[_column(checksum, seed)] for row, seed in zip(self._sketch, _SEEDS, strict=True)))


def _column(checksum: int, seed: int) -> int:
    return int(_columns(np.array([checksum], dtype=np.uint32), seed)[0])


def _columns(checksums: Checksums, seed: int) -> Columns:
    """Return the sketch columns of checksums in the row with this seed."""
    mixed = (checksums.astype(np.uint64) + np.uint64(seed)) * np.uint64(0xFF51AFD7ED558CCD)
    columns: Columns = (mixed >> np.uint64(64 - _BITS)).astype(np.int64)
    return columns


def _token_pairs(text: str) -> dict[tuple[str, str], None]:
    words = ["<", *tokens(text), ">"]
    return dict.fromkeys(zip(words, words[1:]))  # noqa: B905, RUF007  (an ordered set)
