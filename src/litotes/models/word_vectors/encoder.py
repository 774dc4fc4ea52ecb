"""An encoder that makes a sentence's vector of the vectors of its words; how, each kind of it says."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.names import shorten
from litotes.models.word_vectors.bag import Bag
from litotes.models.word_vectors.pieces import Cut, Pieces
from litotes.models.word_vectors.reading import Reading

_SHOWN = 8


def note_of_words(counts: Mapping[str, int], total: int, what: str = "have no vector and are left out") -> list[str]:
    """How many of all words it is true of, and which most often, by how often each of them stands there; or nothing.

    >>> note_of_words({"gnu": 1, "yak": 2}, 9)
    ['3 of 9 words have no vector and are left out: yak, gnu']
    >>> note_of_words({}, 9)
    []
    """
    if not counts:
        return []
    often = sorted(counts, key=lambda word: (-counts[word], word))
    shown = ", ".join(map(shorten, often[:_SHOWN])) + (", …" if len(often) > _SHOWN else "")
    return [f"{sum(counts.values()):,} of {total:,} words {what}: {shown}"]


def note_of_sentences(
    count: int, lacking: str = "word with a vector", means: str = "the similarity to every other is 0"
) -> list[str]:
    """How many sentences have nothing that is known, and what that means; or nothing.

    >>> note_of_sentences(1)
    ['1 sentence has no word with a vector: the similarity to every other is 0']
    """
    if not count:
        return []
    what = "sentence has" if count == 1 else "sentences have"
    return [f"{count:,} {what} no {lacking}: {means}"]


_TEXTS_AT_ONCE = 16_384
"""The words of so many texts are looked up together."""
_MOST_WAITING = 4
"""Blocks of texts that are cut and wait for their vectors: memory stays flat."""
_MOST_NUMBERS = 1 << 24
"""So many numbers are kept of the pieces that were seen, 128 megabytes; after that they are forgotten."""


class WordEncoder(Encoder):
    """Bags of words; words that have no vector are left out."""

    def __init__(self, name: str, fingerprint: Fingerprint, reading: Reading) -> None:
        super().__init__(name, fingerprint)
        self._reading = reading
        self._pieces = Pieces(reading.case, reading.split)
        self._bags: Mapping[str, Bag] = self._new_bags()
        # The tables grow while they are used.
        self._lock = threading.Lock()

    @abstractmethod
    def _new_bags(self) -> Mapping[str, Bag]:
        """A bag a file of vectors, by its name, of which nothing is known yet."""

    @property
    @abstractmethod
    def _width(self) -> int:
        """How many numbers the vector of a text has."""

    @abstractmethod
    def _pool(self, bags: Mapping[str, Bag], cut: Cut, out: Vectors) -> None:
        """Write the vectors of the texts; zeros for those without a known word."""

    @property
    def batch_tokens(self) -> int:
        """Nothing is padded: a batch is what is kept at once."""
        return 1 << 15

    @property
    def parallel(self) -> bool:
        """The tables are shared, so one thread is as fast as several."""
        return False

    @property
    def may_know_nothing(self) -> bool:
        """A sentence may have no word that has a vector."""
        return True

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """In words."""
        with self._lock:
            found = [cut.totals(self._pieces.sizes) for cut in self._cut(texts)]
        return [max(1, length) for some in found for length in some.tolist()]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The pooled vectors; zeros for a text without a known word."""
        out, done = np.empty((len(texts), self._width), dtype=np.float32), 0
        waiting: deque[Future[None]] = deque()
        # The next texts are cut while those before are pooled: numpy lets two threads work at once.
        with self._lock, ThreadPoolExecutor(1) as pool:
            for cut in self._cut(texts):
                end = done + len(cut.counts)
                # The bags as they are now: after many words they are forgotten, and others begun.
                waiting.append(pool.submit(self._pool, self._bags, cut, out[done:end]))
                done = end
                if len(waiting) > _MOST_WAITING:
                    waiting.popleft().result()
            for future in waiting:
                future.result()
        return out

    def notes(self, texts: Sequence[str]) -> list[str]:
        """How many words have no vector, which are the most frequent of them, which sentences have none at all."""
        unknown: dict[str, Counter[str]] = {where: Counter() for where in self._bags}
        total = empty = 0
        with self._lock:
            for cut in self._cut(texts):
                often = np.bincount(cut.pieces, minlength=len(self._pieces))
                total += int(often @ self._pieces.sizes)
                empty += int(np.sum(sum(bag.counts(cut) for bag in self._bags.values()) == 0))
                for where, bag in self._bags.items():
                    for piece in np.flatnonzero(often).tolist() if bag.unknown else ():
                        for word in bag.unknown.get(piece, ()):
                            unknown[where][word] += int(often[piece])
        notes = [note for bag in self._bags.values() for note in bag.lookup.remarks]
        for where, words in unknown.items():
            place = f" in {where}" if len(self._bags) > 1 else ""
            notes += note_of_words(words, total, f"have no vector{place} and are left out")
        return notes + note_of_sentences(empty)

    def _cut(self, texts: Sequence[str]) -> Iterator[Cut]:
        """The texts, some thousand at a time, after everything in them was looked up."""
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            if len(self._pieces) * sum(bag.columns for bag in self._bags.values()) > _MOST_NUMBERS:
                self._pieces, self._bags = Pieces(self._reading.case, self._reading.split), self._new_bags()
            cut = self._pieces.cut(texts[start : start + _TEXTS_AT_ONCE])
            for bag in self._bags.values():
                bag.learn(self._pieces)
            yield cut
