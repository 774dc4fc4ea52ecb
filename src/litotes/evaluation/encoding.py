"""Vectors, probabilities and scores: read those in the cache, compute the others in parallel and save them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.parallel.engine import usable_cores
from litotes.core.progress import Progress
from litotes.evaluation.vector_cache import VectorCache, row_key
from litotes.evaluation.vectors.remote import RemoteEncoder
from litotes.models.base import BatchedModel, Chooser, Encoder, Model, PairClassifier, Scores, Vectors
from litotes.models.prompts import Question

_MIXED_LENGTHS = 4
"""A batch takes texts of another length only while it is smaller than the budget divided by this."""
_PAIR_BATCH_CHARACTERS = 16_384


def plan_batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Split the indices of `lengths` into batches of at most `budget` tokens including padding.

    The largest batches come first, so that workers finish at about the same time. The plan depends on the lengths
    alone: whatever the number of workers and however often a run is interrupted, a sentence is computed together with
    the same other sentences, so its vector has the same bits.

    >>> plan_batches([3, 9, 3, 9], budget=24)
    [[1, 3], [0, 2]]
    """
    order = sorted(range(len(lengths)), key=lambda index: (-lengths[index], index))
    batches: list[list[int]] = []
    batch: list[int] = []
    for index in order:
        if batch:
            width = lengths[batch[0]]
            is_full = (len(batch) + 1) * width > budget
            is_other_length = lengths[index] != lengths[batch[-1]]
            if is_full or (is_other_length and len(batch) * width * _MIXED_LENGTHS >= budget):
                batches.append(batch)
                batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return sorted(batches, key=lambda batch: -len(batch) * lengths[batch[0]])


@dataclass(frozen=True)
class CacheUsage:
    """The number of rows that were computed and the number that came from the cache."""

    computed: int
    cached: int


@dataclass(frozen=True)
class _Job:
    """Rows to compute: their cache keys, the batches, and the function that computes a batch."""

    keys: Sequence[bytes]
    plan: Callable[[], list[list[int]]]
    compute: Callable[[Sequence[int]], Vectors]
    text: Callable[[int], str]
    needs_direction: bool = False
    """Whether rows of zeros are errors, because vectors are compared by angle."""
    unit: str = "pairs"
    compute_elsewhere: Callable[[Iterable[Sequence[int]]], Iterator[Vectors]] | None = None
    """Computes batches in order in other processes."""


def choose_workers(model: Model, requested: int | None) -> int:
    """Return the requested number of workers, by default one per core; 1 for models that are not parallel."""
    if isinstance(model, BatchedModel) and model.parallel:
        return requested or usable_cores()
    return 1


def encode_sentences(
    encoder: Encoder, texts: Sequence[str], *, cache: VectorCache | None, workers: int, progress: Progress
) -> tuple[Vectors, CacheUsage]:
    """Return a vector for each text; the texts must be unique."""

    def encode_elsewhere(batches: Iterable[Sequence[int]]) -> Iterator[Vectors]:
        assert isinstance(encoder, RemoteEncoder)  # noqa: S101  (for mypy)
        return encoder.encode_batches([texts[index] for index in batch] for batch in batches)

    job = _Job(
        keys=[row_key(text) for text in texts],
        plan=lambda: plan_batches(encoder.lengths(texts), encoder.batch_tokens),
        compute=lambda batch: encoder.encode([texts[index] for index in batch]),
        text=lambda index: texts[index],
        needs_direction=not encoder.allows_zero_vectors,
        unit="sentences",
        compute_elsewhere=encode_elsewhere if isinstance(encoder, RemoteEncoder) else None,
    )
    return _compute_rows(job, encoder, cache, workers, progress)


def classify_pairs(
    classifier: PairClassifier,
    pairs: Sequence[tuple[str, str]],
    *,
    cache: VectorCache | None,
    workers: int,
    progress: Progress,
) -> tuple[Vectors, CacheUsage]:
    """Return the label probabilities of each ordered pair; the pairs must be unique."""
    job = _Job(
        keys=[row_key(*pair) for pair in pairs],
        plan=lambda: plan_batches(classifier.lengths(pairs), classifier.batch_tokens),
        compute=lambda batch: classifier.classify([pairs[index] for index in batch]),
        text=lambda index: " / ".join(pairs[index]),
    )
    return _compute_rows(job, classifier, cache, workers, progress)


def choose_options(
    chooser: Chooser, questions: Sequence[Question], *, cache: VectorCache | None, workers: int, progress: Progress
) -> tuple[Vectors, CacheUsage]:
    """Return the probability of each option of each question.

    The questions must be unique and have the same number of options.
    """
    n_options = len(questions[0].options) if questions else 1
    job = _Job(
        keys=[row_key(question.text, *question.options) for question in questions],
        plan=lambda: plan_batches(chooser.lengths(questions), max(1, chooser.batch_tokens // n_options)),
        compute=lambda batch: chooser.choose([questions[index] for index in batch]),
        text=lambda index: questions[index].text,
        unit="questions",
    )
    return _compute_rows(job, chooser, cache, workers, progress)


def score_pairs(
    model: Model, pairs: Sequence[tuple[str, str]], *, cache: VectorCache | None, workers: int, progress: Progress
) -> tuple[Scores, CacheUsage]:
    """Return a similarity for each pair from a model that reads both sentences at once; the pairs must be unique."""

    def score(batch: Sequence[int]) -> Vectors:
        scores = np.asarray(model.score([pairs[index] for index in batch]), dtype=np.float32)
        return scores.reshape(len(batch), -1)

    job = _Job(
        keys=[row_key(*pair) for pair in pairs],
        plan=lambda: plan_batches([len(first) + len(second) for first, second in pairs], _PAIR_BATCH_CHARACTERS),
        compute=score,
        text=lambda index: " / ".join(pairs[index]),
    )
    rows, usage = _compute_rows(job, model, cache, workers, progress)
    return rows[:, 0].astype(np.float64), usage


def _compute_rows(
    job: _Job, model: Model, cache: VectorCache | None, workers: int, progress: Progress
) -> tuple[Vectors, CacheUsage]:
    total = len(job.keys)
    rows: Vectors | None = None
    is_cached: NDArray[np.bool_] = np.zeros(total, dtype=bool)
    for indices, stored in cache.get(job.keys) if cache is not None else ():
        if rows is None:
            rows = np.empty((total, stored.shape[1]), dtype=np.float32)
        rows[indices] = stored
        is_cached[indices] = np.isfinite(stored).all(axis=1)
    n_cached = int(is_cached.sum())
    progress.begin(model.name, total=total, done=n_cached)
    if n_cached < total:
        remaining = ([index for index in batch if not is_cached[index]] for batch in job.plan())
        batches = [batch for batch in remaining if batch]
        with ExitStack() as stack:
            finished: Iterator[tuple[list[int], Vectors]]
            if job.compute_elsewhere is not None:
                finished = zip(batches, job.compute_elsewhere(batches), strict=True)
            else:
                # After an error the threads end here, not when the garbage collector finds the iterator: that may
                # happen in a thread that is just starting, which would then wait for them forever.
                finished = stack.enter_context(closing(_compute_in_parallel(job.compute, batches, model, workers)))
            for batch, computed in finished:
                _check_rows(computed, batch, job, model)
                if rows is None:
                    rows = np.empty((total, computed.shape[1]), dtype=np.float32)
                rows[batch] = computed
                if cache is not None:
                    cache.put([job.keys[index] for index in batch], computed)
                progress.advance(len(batch))
    progress.end()
    if rows is None:
        rows = np.empty((0, 1), dtype=np.float32)
    return rows, CacheUsage(computed=total - n_cached, cached=n_cached)


def _compute_in_parallel(
    compute: Callable[[Sequence[int]], Vectors], batches: Sequence[list[int]], model: Model, workers: int
) -> Generator[tuple[list[int], Vectors], None, None]:
    """Yield computed batches in the order of the plan; few are in flight at a time, so that memory stays constant.

    Workers are threads with one core each. According to benchmarks/workers.py they are faster than all cores in each
    operation and about as fast as one process per core, without its start-up time, and they share one model.
    """
    limited = model if isinstance(model, BatchedModel) and model.parallel else None
    n_threads_before = limited.limit_threads(1) if limited is not None else 0
    workers = max(1, min(workers, len(batches)))
    pool = ThreadPoolExecutor(workers, initializer=lambda: limited and limited.limit_threads(1))
    pending: deque[tuple[list[int], Future[Vectors]]] = deque()
    try:
        for batch in batches:
            pending.append((batch, pool.submit(compute, batch)))
            if len(pending) > 2 * workers:
                first, future = pending.popleft()
                yield first, future.result()
        while pending:
            first, future = pending.popleft()
            yield first, future.result()
    except BaseException:  # also Ctrl-C, while a batch may be waiting for a server
        if isinstance(model, BatchedModel):
            model.stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        if limited is not None:
            limited.limit_threads(n_threads_before)


def _check_rows(rows: Vectors, batch: Sequence[int], job: _Job, model: Model) -> None:
    """Raise if the model returned the wrong number of rows, or numbers that cannot be compared."""
    if rows.ndim != 2 or len(rows) != len(batch):
        raise LitotesError("L308", f"{model.name}: returned {len(rows)} rows for {len(batch)} {job.unit}")
    is_wrong = ~np.isfinite(rows).all(axis=1)
    problem = "NaN or infinite numbers"
    if not is_wrong.any() and job.needs_direction:
        is_wrong = ~rows.any(axis=1)
        problem = "a vector of zeros"
    if is_wrong.any():
        text = job.text(batch[int(np.argmax(is_wrong))])
        shortened = text if len(text) <= 60 else text[:59] + "…"
        raise LitotesError("L308", f"{model.name}: returned {problem} for “{shortened}”")
