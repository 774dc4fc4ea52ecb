"""How natural a rewritten sentence is, by the company that words keep in the corpus itself.

Counts of words and of pairs of neighbours are kept in a table of fixed size (a count-min sketch), so that memory does
not grow with the corpus, and the hash is a checksum, so that every machine gives the same numbers.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Collection
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Codes: TypeAlias = npt.NDArray[np.uint64]
Places: TypeAlias = npt.NDArray[np.int64]

_TOKEN = re.compile(r"n't\b|[^\W_]+(?=n't\b)|[^\W_]+|[.,;:!?]", re.IGNORECASE)
_BITS = 21
_CELLS = 1 << _BITS
_SEEDS = (0, 0x9E3779B9)
_AT_ONCE = 65_536
_PRIOR = 5.0
"""How often a word must have been seen before its neighbours say something."""


def tokens(text: str) -> list[str]:
    """Words and marks in lower case; “n't” stands for itself.

    >>> tokens("It isn't bad.")
    ['it', 'is', "n't", 'bad', '.']
    """
    return _TOKEN.findall(text.lower().replace("’", "'"))


class Collocations:
    """Counts of words and neighbours, and what they say of a sentence.

    >>> counts = Collocations()
    >>> for _ in range(50):
    ...     counts.add("This is strong tea.")
    >>> counts.naturalness("He likes strong tea.", "He likes powerful tea.") < 0
    True
    """

    def __init__(self) -> None:
        self._table = np.zeros((len(_SEEDS), _CELLS), dtype=np.uint32)
        self._waiting: list[int] = []

    def add(self, text: str) -> None:
        """Count a sentence of the corpus."""
        waiting = self._waiting
        crc = zlib.crc32
        last = b"<"
        waiting.append(crc(last))
        for word in (*tokens(text), ">"):
            this = word.encode()
            waiting.append(crc(this))
            waiting.append(crc(last + b" " + this))
            last = this
        if len(waiting) > _AT_ONCE:
            self._count()

    def naturalness(self, before: str, after: str) -> float:
        """How much likelier the new pairs of neighbours are than those that went, in powers of ten; 0: as likely."""
        old, new = _pairs(before), _pairs(after)
        gone, come = [pair for pair in old if pair not in new], [pair for pair in new if pair not in old]
        if not come:
            return 0.0
        return self._mean(come) - (self._mean(gone) if gone else self._mean(old))

    def _mean(self, pairs: Collection[tuple[str, str]]) -> float:
        return sum(self._likelihood(*pair) for pair in pairs) / len(pairs)

    def _likelihood(self, left: str, right: str) -> float:
        """How likely the two are neighbours, seen from the one and from the other."""
        together = self._often(f"{left} {right}")
        return 0.5 * sum(math.log10((together + 0.05) / (self._often(word) + _PRIOR)) for word in (left, right))

    def _often(self, what: str) -> int:
        if self._waiting:
            self._count()
        return int(
            min(row[_cell(zlib.crc32(what.encode()), seed)] for row, seed in zip(self._table, _SEEDS, strict=True))
        )

    def _count(self) -> None:
        codes = np.array(self._waiting, dtype=np.uint64)
        for place, seed in enumerate(_SEEDS):
            self._table[place] += np.bincount(_cells(codes, seed), minlength=_CELLS).astype(np.uint32)
        self._waiting = []


def _cell(code: int, seed: int) -> int:
    return int(_cells(np.array([code], dtype=np.uint64), seed)[0])


def _cells(codes: Codes, seed: int) -> Places:
    """The place of a checksum in a row: each row mixes it in its own way."""
    mixed: Codes = (codes + np.uint64(seed)) * np.uint64(0xFF51AFD7ED558CCD)
    places: Places = (mixed >> np.uint64(64 - _BITS)).astype(np.int64)
    return places


def _pairs(text: str) -> dict[tuple[str, str], None]:
    words = ["<", *tokens(text), ">"]
    return dict.fromkeys(zip(words, words[1:]))  # noqa: B905, RUF007  (an ordered set)
