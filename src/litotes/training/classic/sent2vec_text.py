"""The text that sent2vec learns from: every word a number, in flat memory of four bytes a word."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.progress import Progress
from litotes.models.classic.sent2vec_file import END, PLACEHOLDER

LONGEST = 256
"""Words of a sentence; a longer line is learnt in pieces, as each of its words is told from all the others."""


@dataclass(frozen=True)
class LearningText:
    """A vocabulary, most frequent word first, and sentences as numbers of its words; rare words are left out."""

    words: tuple[bytes, ...]
    """The placeholder is the first."""
    counts: NDArray[np.int64]
    ids: NDArray[np.int32]
    """The words of all sentences, one sentence behind the other."""
    starts: NDArray[np.int64]
    """Where each sentence begins, and where the last one ends; those of one known word are left out."""
    tokens: int
    """All words and ends of sentences that were read, as the original tool counts them."""
    sentences: int
    """All that were read."""

    def sha256(self) -> str:
        """One name for all of it."""
        digest = hashlib.sha256(b"\0".join(self.words))
        for part in (self.counts, self.ids, self.starts):
            digest.update(part.tobytes())
        return digest.hexdigest()


def read_learning_text(
    sentences: Iterable[str],
    *,
    tokens: Callable[[str], list[str]],
    min_count: int,
    progress: Progress | None = None,
) -> LearningText:
    """The sentences as numbers, and what the numbers mean; each sentence is cut into words once."""
    progress = progress or Progress()
    numbers: dict[str, int] = {}
    flat, lengths = array("i"), array("i")
    progress.begin("reading", total=None)
    for sentence in sentences:
        found = [numbers.setdefault(word, len(numbers)) for word in tokens(sentence.replace("\0", " "))]
        flat.extend(found)
        lengths.append(len(found))
        progress.advance(len(found))
    progress.end()
    read = np.frombuffer(flat, dtype=np.int32) if flat else np.empty(0, dtype=np.int32)
    seen = np.bincount(read, minlength=len(numbers))
    # The end of a sentence is a word of the original tool: never told, but drawn among the negatives.
    entries = [(word.encode("utf-8", "surrogatepass"), int(seen[number]), number) for word, number in numbers.items()]
    kept = [entry for entry in [*entries, (END, len(lengths), -1)] if entry[1] >= min_count]
    kept.sort(key=lambda entry: (-entry[1], entry[0]))
    renumbered = np.full(len(numbers), -1, dtype=np.int32)
    for place, (_, _, number) in enumerate(kept, 1):
        if number >= 0:
            renumbered[number] = place
    ids, starts = _known_alone(renumbered[read], np.frombuffer(lengths, dtype=np.int32) if lengths else read)
    if len(starts) < 2:
        raise LitotesError(
            "L204",
            f"the text: has no sentence with two words that stand there {min_count} times",
            hint="give more text, or a smaller --min-count",
        )
    return LearningText(
        words=(PLACEHOLDER, *(word for word, _, _ in kept)),
        counts=np.array([0, *(count for _, count, _ in kept)], dtype=np.int64),
        ids=ids,
        starts=starts,
        tokens=len(read) + len(lengths),
        sentences=len(lengths),
    )


def _known_alone(ids: NDArray[np.int32], lengths: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Without the words that have no number, long sentences in pieces, those of less than two words left out."""
    known = ids >= 0
    sentence_of = np.repeat(np.arange(len(lengths)), lengths)[known]
    ids, left = ids[known], np.bincount(sentence_of, minlength=len(lengths))
    within = np.arange(len(ids)) - (np.cumsum(left) - left)[sentence_of]
    begins = np.flatnonzero(within % LONGEST == 0)
    sizes = np.diff(np.append(begins, len(ids)))
    kept = np.repeat(sizes > 1, sizes)
    return ids[kept], np.concatenate([[0], np.cumsum(sizes[sizes > 1])]).astype(np.int64)
