"""Opposites that are in a corpus already: pairs that a model takes for nearly the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from litotes.audit.differences import Difference, Draft, compare, confirmed
from litotes.audit.neighbours import NEIGHBOURS, Method, Pairs, choose_method, memory_needed, nearest
from litotes.audit.readings import Reading, read
from litotes.audit.result import Mined, Mining
from litotes.core.progress import Progress
from litotes.scorers.base import Vectors

THRESHOLD = 0.7
MOST = 1000
_PARSED_AT_ONCE = 256


def mine(
    vectors: Vectors,
    sentences: Sequence[str],
    ids: Sequence[str],
    *,
    threshold: float = THRESHOLD,
    neighbours: int = NEIGHBOURS,
    most: int = MOST,
    method: Method | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    store: Path | None = None,
) -> Mining:
    """The pairs of different sentences that are at least so similar and say the opposite, the closest first.

    The vectors are normalised, a row a sentence. All pairs are counted, `most` are given.
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
        memory=memory_needed(*vectors.shape, method, neighbours),
    )


def _opposites(pairs: Pairs, sentences: Sequence[str], progress: Progress) -> Iterator[tuple[int, Difference]]:
    """The numbers of the pairs that say the opposite, with what differs."""
    drafts = _drafts(pairs, sentences, progress)
    while some := list(islice(drafts, _PARSED_AT_ONCE)):
        for (number, _), how in zip(some, confirmed([draft for _, draft in some]), strict=True):
            if how is not None:
                yield number, how


def _drafts(pairs: Pairs, sentences: Sequence[str], progress: Progress) -> Iterator[tuple[int, Draft]]:
    """The pairs that are opposed by their words; each sentence is read once, when it is first met."""
    readings: dict[int, Reading | None] = {}
    progress.begin("opposites", total=len(pairs))
    number, at_once = 0, 4096
    for number, (one, other) in enumerate(zip(pairs.one.tolist(), pairs.other.tolist(), strict=True), start=1):
        for place in (one, other):
            if place not in readings:
                readings[place] = read(sentences[place])
        left, right = readings[one], readings[other]
        if left is not None and right is not None and (draft := compare(left, right)) is not None:
            yield number - 1, draft
        if number % at_once == 0:
            progress.advance(at_once)
    progress.advance(number % at_once)
    progress.end()


def _mined(
    pairs: Pairs, number: int, how: Difference, sentences: Sequence[str], ids: Sequence[str]
) -> Mined:
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
