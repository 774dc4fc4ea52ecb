"""Whether a repair gains anything, and what it costs: seen on antonym pairs and sentences that it does not learn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.evaluation.statistics import spearman
from litotes.repair.examples.base import Lesson

SCORE = "watch_score"
CHOICE = "watch_choice"
"""By what a model is chosen among those that were looked at."""
_ALIKE = 0.005
"""Scores closer than this are alike: a few hundred questions tell no more."""
_MOST_LESSONS = 200
_MOST_SENTENCES = 600
_BATCH = 64
_MATE = (1, 0, 3, 2)

Vectors = NDArray[np.float32]


def choice(score: float, step: int) -> float:
    """Grows with the score, and among scores that are alike with the steps: later weights have settled.

    >>> choice(0.934, 900) > choice(0.936, 700) > choice(0.921, 900)
    True
    """
    return round(score / _ALIKE) * _ALIKE + 1e-9 * step


class Watch:
    """Looked at every few steps; the model with the best score is the one that is kept, of like ones the last.

    The score is the mean of two figures. One is how often, of unseen lessons, the sentence that says the same is the
    closest: half of it over quadruples of antonym pairs that are not learned (a mean over pairs), half over lessons of
    other kinds. The other is the rank correlation of the similarities of ordinary sentences with those that the
    original gives them.
    """

    def __init__(self, original: Any, lessons: Sequence[Lesson], ordinary: Sequence[str]) -> None:
        self._quadruples, self._others = looked_at(lessons)
        self._ordinary = list(ordinary[:_MOST_SENTENCES])
        before = encode(original, self._ordinary)
        self._places = neighbour_pairs(before)
        self._before = _cosines(before, self._places)

    def __call__(self, model: Any) -> dict[str, float]:
        """The figures of a model."""
        learned = self._learned(model)
        now = _cosines(encode(model, self._ordinary), self._places)
        kept = order_kept(self._before, now)
        return {"watch_learned": learned, "watch_kept": kept, SCORE: (learned + kept) / 2}

    def _learned(self, model: Any) -> float:
        shares = [_mean_by_pair(model, some) for some in (self._quadruples, self._others) if some]
        return float(np.mean(shares)) if shares else 0.0


def _mean_by_pair(model: Any, lessons: Sequence[Lesson]) -> float:
    """How often the right one is the closest; of quadruples the mean over antonym pairs."""
    vectors = encode(model, [text for lesson in lessons for text in lesson.texts])
    found = right_share(vectors.reshape(len(lessons), 4, -1), lessons)
    by_pair: dict[str, list[float]] = defaultdict(list)
    for lesson, share in zip(lessons, found, strict=True):
        by_pair[lesson.pair if lesson.mates else ""].append(share)
    return float(np.mean([np.mean(shares) for shares in by_pair.values()]))


def right_share(vectors: Vectors, lessons: Sequence[Lesson]) -> list[float]:
    """Of each lesson (4 vectors: anchor, same, opposite, other) in how many of its questions the one that says the same
    is the closest; a tie is no success. A quadruple asks four, another lesson one."""
    alike = np.einsum("qad,qbd->qab", vectors, vectors)
    shares = []
    for lesson, table in zip(lessons, alike, strict=True):
        there = [0, 1, 2, *([3] if lesson.other else [])]
        asking = (0, 1, 2, 3) if lesson.mates else (0,)
        right = [
            table[asked, _MATE[asked]] > max(table[asked, role] for role in there if role not in (asked, _MATE[asked]))
            for asked in asking
        ]
        shares.append(sum(right) / len(right))
    return shares


def neighbour_pairs(vectors: Vectors) -> NDArray[np.intp]:
    """Each sentence with its nearest and with one by chance: similarities of the whole range."""
    count = len(vectors)
    if count < 2:
        return np.zeros((0, 2), dtype=np.intp)
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -np.inf)
    places = np.arange(count)
    chance = (places + 1 + np.random.default_rng(0).integers(0, count - 1, size=count)) % count
    return np.concatenate([np.stack([places, alike.argmax(axis=1)], 1), np.stack([places, chance], 1)])


def order_kept(before: Vectors, now: Vectors) -> float:
    """How far similarities are in the order that they were in: Spearman's correlation."""
    if len(now) < 3:
        return 1.0
    return spearman(before.astype(np.float64), now.astype(np.float64)) or 0.0


def encode(model: Any, texts: Sequence[str]) -> Vectors:
    """Normalised vectors."""
    if not texts:
        return np.zeros((0, 1), dtype=np.float32)
    found = model.encode(
        list(texts), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
    )
    return np.asarray(found, dtype=np.float32)


def _cosines(vectors: Vectors, places: NDArray[np.intp]) -> Vectors:
    if not len(places):
        return np.zeros(0, dtype=np.float32)
    found: Vectors = (vectors[places[:, 0]] * vectors[places[:, 1]]).sum(axis=1)
    return found


def looked_at(lessons: Sequence[Lesson]) -> tuple[list[Lesson], list[Lesson]]:
    """Of the lessons that may be watched those that are: quadruples, and others."""
    quadruples = [lesson for lesson in lessons if lesson.mates]
    others = [lesson for lesson in lessons if not lesson.mates]
    return _spread(quadruples, lambda one: one.pair), _spread(others, lambda one: one.kind)


def _spread(lessons: Sequence[Lesson], key: Callable[[Lesson], str]) -> list[Lesson]:
    """At most so many, as evenly over the antonym pairs, or kinds, as can be."""
    waiting: dict[str, list[Lesson]] = defaultdict(list)
    for lesson in lessons:
        waiting[key(lesson)].append(lesson)
    queues = [iter(some) for some in waiting.values()]
    found: list[Lesson] = []
    while queues and len(found) < _MOST_LESSONS:
        left = []
        for queue in queues:
            if (taken := next(queue, None)) is not None:
                found.append(taken)
                left.append(queue)
        queues = left
    return found[:_MOST_LESSONS]
