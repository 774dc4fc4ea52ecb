"""Plan the training steps: which examples and which general sentences each batch contains, decided by the seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.repair.examples.base import TrainingExample
from litotes.repair.examples.lexicon import LEXICON

QUADRUPLE_SHARE = 0.75
"""Share of quadruples in a batch, if there are other kinds."""
LEXICON_SHARE = 0.4
"""Share of the lexicon among the quadruples, if the text has any."""
_MIN_BATCHES = 4
"""Batches that a bucket of examples of similar length should hold at least."""


@dataclass(frozen=True)
class Batch:
    """Indices of the examples and of the general sentences of one training step."""

    examples: tuple[int, ...]
    general: tuple[int, ...]


def plan_batches(
    examples: Sequence[TrainingExample],
    lengths: Sequence[int],
    general_lengths: Sequence[int],
    *,
    steps: int,
    size: int,
    seed: int,
) -> list[Batch]:
    """Return one batch per step.

    The sentences of a batch have similar lengths, which avoids padding. Rare antonym pairs are drawn more often than
    their number of examples suggests, and no pair occurs twice in a batch.
    """
    rng = np.random.default_rng(seed)
    weights = _weights(examples)
    by_length = np.argsort(np.asarray(lengths), kind="stable")
    buckets = _buckets(by_length, min(size, len(examples)))
    probabilities = np.array([weights[bucket].sum() for bucket in buckets])
    probabilities /= probabilities.sum()
    general_by_length = np.argsort(np.asarray(general_lengths), kind="stable")
    batches = []
    for _ in range(steps):
        bucket = buckets[int(rng.choice(len(buckets), p=probabilities))]
        chosen = _without_duplicates(examples, _weighted_shuffle(bucket, weights[bucket], rng), size)
        batches.append(Batch(tuple(chosen), _similar_lengths(general_by_length, len(chosen), rng)))
    return batches


def _weights(examples: Sequence[TrainingExample]) -> NDArray[np.float64]:
    """Return sampling weights: a pair with n quadruples weighs √n, the other kinds share the rest equally."""
    pairs = Counter(example.antonym_pair for example in examples if example.is_quadruple)
    kinds = Counter(example.kind for example in examples if not example.is_quadruple)
    weights = np.array(
        [
            pairs[example.antonym_pair] ** -0.5 if example.is_quadruple else 1 / kinds[example.kind]
            for example in examples
        ]
    )
    quadruples = np.array([example.is_quadruple for example in examples])
    from_lexicon = np.array([example.kind == LEXICON for example in examples])
    from_text = quadruples & ~from_lexicon
    if from_text.any() and from_lexicon.any():
        text_weight, lexicon_weight = weights[from_text].sum(), weights[from_lexicon].sum()
        weights[from_lexicon] *= text_weight * LEXICON_SHARE / (1 - LEXICON_SHARE) / lexicon_weight
    if quadruples.any() and kinds:
        weights[~quadruples] *= weights[quadruples].sum() * (1 - QUADRUPLE_SHARE) / QUADRUPLE_SHARE / len(kinds)
    return weights


def _buckets(by_length: NDArray[np.intp], size: int) -> list[NDArray[np.intp]]:
    """Split the examples, sorted by length, into at most 16 buckets."""
    n_buckets = max(1, min(16, len(by_length) // (_MIN_BATCHES * size)))
    return [bucket for bucket in np.array_split(by_length, n_buckets) if len(bucket)]


def _weighted_shuffle(
    bucket: NDArray[np.intp], weights: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return the indices in a random order in which larger weights tend to come first."""
    keys = rng.exponential(size=len(bucket)) / weights
    return bucket[np.argsort(keys, kind="stable")]


def _without_duplicates(examples: Sequence[TrainingExample], order: NDArray[np.intp], size: int) -> list[int]:
    """Return the first `size` indices with distinct anchors and antonym pairs.

    Two sentences of one pair may be paraphrases, so they must not be negatives of each other.
    """
    pairs: set[str] = set()
    anchors: set[str] = set()
    chosen: list[int] = []
    for index in order:
        example = examples[index]
        if example.anchor in anchors or (example.antonym_pair and example.antonym_pair in pairs):
            continue
        pairs.add(example.antonym_pair)
        anchors.add(example.anchor)
        chosen.append(int(index))
        if len(chosen) == size:
            break
    return chosen


def _similar_lengths(by_length: NDArray[np.intp], size: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Return the indices of random general sentences of similar length."""
    width = min(len(by_length), 4 * size)
    start = int(rng.integers(0, len(by_length) - width + 1))
    chosen = rng.choice(by_length[start : start + width], size=size, replace=width < size)
    return tuple(int(index) for index in chosen)
