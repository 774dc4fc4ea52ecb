"""From sentences or pairs to numbers: what the cache has is read, the rest computed in parallel and kept."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.progress import Progress
from litotes.evaluation.vector_cache import VectorCache, row_key
from litotes.models.base import BatchedModel, Chooser, Encoder, Model, PairClassifier, Question, Scores, Vectors

_SMALL = 4
"""A batch may hold several lengths only while it is smaller than this part of the budget."""


def plan_batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Places of `lengths` in batches of at most `budget` tokens (padding counted), the largest first.

    The largest first, so that workers finish together.

    The plan depends on nothing but the lengths: whatever the number of workers, and however often a run was
    interrupted, a sentence is computed in the same company and gets the same bits.

    >>> plan_batches([3, 9, 3, 9], budget=24)
    [[1, 3], [0, 2]]
    """
    order = sorted(range(len(lengths)), key=lambda place: (-lengths[place], place))
    batches: list[list[int]] = []
    batch: list[int] = []
    for place in order:
        if batch:
            width = lengths[batch[0]]
            full = (len(batch) + 1) * width > budget
            other_length = lengths[place] != lengths[batch[-1]]
            if full or (other_length and len(batch) * width * _SMALL >= budget):
                batches.append(batch)
                batch = []
        batch.append(place)
    if batch:
        batches.append(batch)
    return sorted(batches, key=lambda one: -len(one) * lengths[one[0]])


_PAIR_BATCH_CHARACTERS = 16_384


@dataclass(frozen=True)
class CacheUsage:
    """How much was computed and how much was there already."""

    computed: int
    cached: int


@dataclass(frozen=True)
class _Work:
    """Rows to be had: their keys, the plan of batches, and how a batch is computed."""

    keys: Sequence[bytes]
    plan: Callable[[], list[list[int]]]
    compute: Callable[[Sequence[int]], Vectors]
    text: Callable[[int], str]
    needs_direction: bool
    """Vectors are compared by angle, so a row of zeros is of no use."""
    what: str = "sentences"


def usable_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def choose_workers(scorer: Model, wanted: int | None) -> int:
    """As many workers as were asked for, or as there are cores where that helps."""
    if isinstance(scorer, BatchedModel) and scorer.parallel:
        return wanted or usable_cores()
    return 1


def encode_sentences(
    encoder: Encoder,
    texts: Sequence[str],
    *,
    cache: VectorCache | None,
    workers: int,
    progress: Progress,
) -> tuple[Vectors, CacheUsage]:
    """A vector for each of the texts, which must be unique."""
    work = _Work(
        keys=[row_key(text) for text in texts],
        plan=lambda: plan_batches(encoder.lengths(texts), encoder.batch_tokens),
        compute=lambda batch: encoder.encode([texts[place] for place in batch]),
        text=lambda place: texts[place],
        needs_direction=not encoder.allows_zero_vectors,
    )
    return _rows(work, encoder, cache, workers, progress)


def classify_pairs(
    classifier: PairClassifier,
    pairs: Sequence[tuple[str, str]],
    *,
    cache: VectorCache | None,
    workers: int,
    progress: Progress,
) -> tuple[Vectors, CacheUsage]:
    """The probabilities of the labels for each of the ordered pairs, which must be unique."""
    work = _Work(
        keys=[row_key(*pair) for pair in pairs],
        plan=lambda: plan_batches(classifier.lengths(pairs), classifier.batch_tokens),
        compute=lambda batch: classifier.classify([pairs[place] for place in batch]),
        text=lambda place: " / ".join(pairs[place]),
        needs_direction=False,
        what="pairs",
    )
    return _rows(work, classifier, cache, workers, progress)


def choose_options(
    chooser: Chooser,
    questions: Sequence[Question],
    *,
    cache: VectorCache | None,
    workers: int,
    progress: Progress,
) -> tuple[Vectors, CacheUsage]:
    """How likely each option is to be taken, for each of the questions, which must be unique and of as many options."""
    turns = len(questions[0].options) if questions else 1
    work = _Work(
        keys=[row_key(question.text, *question.options) for question in questions],
        plan=lambda: plan_batches(chooser.lengths(questions), max(1, chooser.batch_tokens // turns)),
        compute=lambda batch: chooser.choose([questions[place] for place in batch]),
        text=lambda place: questions[place].text,
        needs_direction=False,
        what="questions",
    )
    return _rows(work, chooser, cache, workers, progress)


def score_pairs(
    scorer: Model,
    pairs: Sequence[tuple[str, str]],
    *,
    cache: VectorCache | None,
    workers: int,
    progress: Progress,
) -> tuple[Scores, CacheUsage]:
    """A number for each of the pairs, which must be unique; for scorers that read both sentences at once."""
    work = _Work(
        keys=[row_key(*pair) for pair in pairs],
        plan=lambda: plan_batches([len(one) + len(other) for one, other in pairs], _PAIR_BATCH_CHARACTERS),
        compute=lambda batch: np.asarray(scorer.score([pairs[place] for place in batch]), dtype=np.float32).reshape(
            len(batch), -1
        ),
        text=lambda place: " / ".join(pairs[place]),
        needs_direction=False,
        what="pairs",
    )
    rows, effort = _rows(work, scorer, cache, workers, progress)
    return rows[:, 0].astype(np.float64), effort


def _rows(
    work: _Work, scorer: Model, cache: VectorCache | None, workers: int, progress: Progress
) -> tuple[Vectors, CacheUsage]:
    total = len(work.keys)
    rows: Vectors | None = None
    there: NDArray[np.bool_] = np.zeros(total, dtype=bool)
    for places, found in cache.get(work.keys) if cache is not None else ():
        if rows is None:
            rows = np.empty((total, found.shape[1]), dtype=np.float32)
        rows[places] = found
        there[places] = np.isfinite(found).all(axis=1)
    cached = int(there.sum())
    progress.begin(scorer.name, total=total, done=cached)
    if cached < total:
        planned = ([place for place in batch if not there[place]] for batch in work.plan())
        todo = [batch for batch in planned if batch]
        for batch, found in _in_parallel(work.compute, todo, scorer, workers):
            _check(found, batch, work, scorer)
            if rows is None:
                rows = np.empty((total, found.shape[1]), dtype=np.float32)
            rows[batch] = found
            if cache is not None:
                cache.put([work.keys[place] for place in batch], found)
            progress.advance(len(batch))
    progress.end()
    if rows is None:
        rows = np.empty((0, 1), dtype=np.float32)
    return rows, CacheUsage(computed=total - cached, cached=cached)


def _in_parallel(
    compute: Callable[[Sequence[int]], Vectors], batches: Sequence[list[int]], scorer: Model, workers: int
) -> Iterator[tuple[list[int], Vectors]]:
    """Computed batches in the order of the plan; only a few are under way, so memory stays flat.

    Workers are threads that each use one core. Measured (benchmarks/workers.py), they are faster than all cores in
    every operation and about as fast as a process a core, without the seconds that starting those takes; and they
    share one model.
    """
    limited = scorer if isinstance(scorer, BatchedModel) and scorer.parallel else None
    before = limited.limit_threads(1) if limited is not None else 0
    workers = max(1, min(workers, len(batches)))
    pool = ThreadPoolExecutor(workers, initializer=lambda: limited and limited.limit_threads(1))
    under_way: deque[tuple[list[int], Future[Vectors]]] = deque()
    try:
        for batch in batches:
            under_way.append((batch, pool.submit(compute, batch)))
            if len(under_way) > 2 * workers:
                done, future = under_way.popleft()
                yield done, future.result()
        while under_way:
            done, future = under_way.popleft()
            yield done, future.result()
    except BaseException:  # Ctrl-C above all: a batch may be waiting for a server
        if isinstance(scorer, BatchedModel):
            scorer.stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        if limited is not None:
            limited.limit_threads(before)


def _check(found: Vectors, batch: Sequence[int], work: _Work, scorer: Model) -> None:
    """Refuse numbers that cannot be compared: they would look like results."""
    if found.ndim != 2 or len(found) != len(batch):
        raise LitotesError("L308", f"{scorer.name}: gave {len(found)} rows for {len(batch)} {work.what}")
    wrong = ~np.isfinite(found).all(axis=1)
    what = "NaN or infinite numbers"
    if not wrong.any() and work.needs_direction:
        wrong = ~found.any(axis=1)
        what = "a vector of zeros"
    if wrong.any():
        text = work.text(batch[int(np.argmax(wrong))])
        short = text if len(text) <= 60 else text[:59] + "…"
        raise LitotesError("L308", f"{scorer.name}: gave {what} for “{short}”")
