"""Opposites that are in a corpus already: pairs that a model takes for nearly the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from litotes.audit.neighbours import NEIGHBOURS, Method, Pairs, choose_method, memory_needed, nearest
from litotes.audit.result import Mined, Mining
from litotes.core.progress import Progress
from litotes.languages.base import Contrast, get_language
from litotes.models.base import Vectors

THRESHOLD = 0.7
MOST = 10_000
"""Pairs that are kept: all of them in most texts; what is found is counted in any case."""
_READ_AT_ONCE = 4096
_FILTERED_AT_ONCE = 262_144


def mine(
    vectors: Vectors,
    sentences: Sequence[str],
    ids: Sequence[str],
    *,
    threshold: float = THRESHOLD,
    neighbours: int = NEIGHBOURS,
    most: int | None = MOST,
    method: Method | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    store: Path | None = None,
) -> Mining:
    """The pairs of different sentences that are at least so similar and say the opposite, the closest first.

    The vectors are normalised, a row a sentence. All pairs are counted, `most` are given (None: all).
    """
    progress = progress or Progress()
    pairs = nearest(
        vectors,
        threshold=threshold,
        neighbours=neighbours,
        method=method,
        workers=workers,
        progress=progress,
        store=store,
    )
    found = list(_opposites(pairs, sentences, progress))
    found.sort(key=lambda one: (-pairs.similarity[one[0]], one[0]))
    return Mining(
        sentences=len(sentences),
        method=choose_method(len(sentences), method),
        threshold=threshold,
        neighbours=neighbours,
        looked_at=len(pairs),
        found=len(found),
        pairs=tuple(_mined(pairs, number, how, sentences, ids) for number, how in found[:most]),
        memory=memory_needed(len(vectors), vectors.shape[1], method, neighbours),
    )


def _opposites(pairs: Pairs, sentences: Sequence[str], progress: Progress) -> Iterator[tuple[int, Contrast]]:
    """Yield the numbers of the pairs that contradict each other, with the contrast."""
    numbers = _worth_reading(pairs, _marks(sentences, progress)).tolist()
    candidates = ((sentences[pairs.one[number]], sentences[pairs.other[number]]) for number in numbers)
    for index, contrast in get_language("en").find_contrasts(candidates):
        yield numbers[index], contrast


def _marks(sentences: Sequence[str], progress: Progress) -> NDArray[np.int64]:
    """Five numbers a sentence, by which nearly all pairs are dropped without being read again.

    They are its words without negation, how many there are with it, the first and the second half of these, and how
    many negations; all 0 for what is not compared. What is equal has equal numbers; the reverse is looked at later.
    """
    language = get_language("en")
    marks = np.zeros((len(sentences), 5), dtype=np.int64)
    progress.begin("opposites", total=len(sentences))
    for start in range(0, len(sentences), _READ_AT_ONCE):
        some = sentences[start : start + _READ_AT_ONCE]
        for place, sentence in enumerate(some, start=start):
            if (signature := language.contrast_signature(sentence)) is not None:
                marks[place] = signature
        progress.advance(len(some))
    progress.end()
    return marks


def _worth_reading(pairs: Pairs, marks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of the pairs of one core and not as many negations, or of one length and with one half alike."""
    found = []
    for start in range(0, len(pairs), _FILTERED_AT_ONCE):
        some = slice(start, start + _FILTERED_AT_ONCE)
        one, other = marks[pairs.one[some]], marks[pairs.other[some]]
        alike = one == other
        worth = (alike[:, 0] & ~alike[:, 4]) | (alike[:, 1] & (alike[:, 2] | alike[:, 3]))
        found.append(np.flatnonzero(worth & (one[:, 1] > 0) & (other[:, 1] > 0)) + start)
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


def _mined(pairs: Pairs, number: int, how: Contrast, sentences: Sequence[str], ids: Sequence[str]) -> Mined:
    one, other = int(pairs.one[number]), int(pairs.other[number])
    return Mined(
        sentences[one],
        sentences[other],
        ids[one],
        ids[other],
        float(np.float64(pairs.similarity[number])),
        how.kind,
        how.differs,
    )
