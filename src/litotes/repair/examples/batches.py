"""Which lessons and which ordinary sentences make up each step: decided beforehand, by the seed alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.repair.examples.base import Lesson
from litotes.repair.examples.lexicon import LEXICON

QUADRUPLE_SHARE = 0.75
"""Of the lessons of a step; the rest are of the other kinds, where there are any."""
LEXICON_SHARE = 0.4
"""Of the quadruples; the rest are of the text."""
_LEAST = 4
"""Batches of lessons that a bucket of like length should hold."""


@dataclass(frozen=True)
class Batch:
    """One step: places of lessons, and as many places of ordinary sentences."""

    lessons: tuple[int, ...]
    ordinary: tuple[int, ...]


def plan_batches(
    lessons: Sequence[Lesson],
    lengths: Sequence[int],
    ordinary_lengths: Sequence[int],
    *,
    steps: int,
    size: int,
    seed: int,
) -> list[Batch]:
    """So many steps. Sentences of like length come together, so that little is padding; rare antonym pairs come more
    often than their number would say, and no pair twice in a step."""
    rng = np.random.default_rng(seed)
    weights = _weights(lessons)
    by_length = np.argsort(np.asarray(lengths), kind="stable")
    buckets = _buckets(by_length, min(size, len(lessons)))
    chances = np.array([weights[bucket].sum() for bucket in buckets])
    chances /= chances.sum()
    plain = np.argsort(np.asarray(ordinary_lengths), kind="stable")
    found = []
    for _ in range(steps):
        bucket = buckets[int(rng.choice(len(buckets), p=chances))]
        chosen = _without_doubles(lessons, _drawn(bucket, weights[bucket], rng), size)
        found.append(Batch(tuple(chosen), _window(plain, len(chosen), rng)))
    return found


def _weights(lessons: Sequence[Lesson]) -> NDArray[np.float64]:
    """A pair with n quadruples has the weight of √n of them; of what is left each other kind has an equal part."""
    pairs = Counter(lesson.pair for lesson in lessons if lesson.mates)
    kinds = Counter(lesson.kind for lesson in lessons if not lesson.mates)
    weights = np.array([pairs[one.pair] ** -0.5 if one.mates else 1 / kinds[one.kind] for one in lessons])
    quadruples = np.array([one.mates for one in lessons])
    of_lexicon = np.array([one.kind == LEXICON for one in lessons])
    of_text = quadruples & ~of_lexicon
    if of_text.any() and of_lexicon.any():
        weights[of_lexicon] *= weights[of_text].sum() * LEXICON_SHARE / (1 - LEXICON_SHARE) / weights[of_lexicon].sum()
    if quadruples.any() and kinds:
        weights[~quadruples] *= weights[quadruples].sum() * (1 - QUADRUPLE_SHARE) / QUADRUPLE_SHARE / len(kinds)
    return weights


def _buckets(by_length: NDArray[np.intp], size: int) -> list[NDArray[np.intp]]:
    """Stretches of the lessons in order of length."""
    count = max(1, min(16, len(by_length) // (_LEAST * size)))
    return [part for part in np.array_split(by_length, count) if len(part)]


def _drawn(bucket: NDArray[np.intp], weights: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.intp]:
    """The lessons of a bucket in an order drawn by weight."""
    keys = rng.exponential(size=len(bucket)) / weights
    return bucket[np.argsort(keys, kind="stable")]


def _without_doubles(lessons: Sequence[Lesson], drawn: NDArray[np.intp], size: int) -> list[int]:
    """Two sentences of one antonym pair may say the same, so they should not be told apart in one step."""
    pairs: set[str] = set()
    anchors: set[str] = set()
    chosen: list[int] = []
    for place in drawn:
        lesson = lessons[place]
        if lesson.anchor in anchors or (lesson.pair and lesson.pair in pairs):
            continue
        pairs.add(lesson.pair)
        anchors.add(lesson.anchor)
        chosen.append(int(place))
        if len(chosen) == size:
            break
    return chosen


def _window(by_length: NDArray[np.intp], size: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Some ordinary sentences of like length."""
    width = min(len(by_length), 4 * size)
    start = int(rng.integers(0, len(by_length) - width + 1))
    chosen = rng.choice(by_length[start : start + width], size=size, replace=width < size)
    return tuple(int(place) for place in chosen)
