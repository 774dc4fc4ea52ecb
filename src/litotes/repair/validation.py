"""Validation during training: accuracy on held-out examples, and agreement with the original on general sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.evaluation.statistics import spearman
from litotes.repair.examples.base import TrainingExample

CONTRAST, RETENTION, SCORE = "validation_contrast", "validation_retention", "validation_score"
"""Names of the metrics: accuracy on examples, agreement on general sentences, and their mean."""
SELECTION = "validation_selection"
"""Name of the metric by which the checkpoint is selected."""
_TOLERANCE = 0.005
"""Scores are rounded to this precision: a few hundred questions do not support a finer comparison."""
_MAX_EXAMPLES = 200
_MAX_GENERAL = 600
_BATCH_SIZE = 64
_PARTNER = (1, 0, 3, 2)

Vectors = NDArray[np.float32]


def selection_score(score: float, step: int) -> float:
    """Return the rounded score; among equal scores, later steps rank higher because their weights have settled.

    >>> selection_score(0.934, 900) > selection_score(0.936, 700) > selection_score(0.921, 900)
    True
    """
    return round(score / _TOLERANCE) * _TOLERANCE + 1e-9 * step


class Validator:
    """Computes the validation metrics of a model during training.

    `CONTRAST` is the share of questions on validation examples that the model answers correctly: half of it is the mean
    over antonym pairs of the quadruples, half the mean over the other examples. `RETENTION` is the rank correlation
    between the similarities of general sentences under the model and under the original.
    """

    def __init__(self, original: Any, examples: Sequence[TrainingExample], general: Sequence[str]) -> None:
        self._quadruples, self._others = select_examples(examples)
        self._general = list(general[:_MAX_GENERAL])
        vectors = encode(original, self._general)
        self._pairs = neighbour_pairs(vectors)
        self._similarities = _cosines(vectors, self._pairs)

    def __call__(self, model: Any) -> dict[str, float]:
        """Return the metrics by name."""
        subsets = [examples for examples in (self._quadruples, self._others) if examples]
        contrast = float(np.mean([_accuracy_by_pair(model, examples) for examples in subsets])) if subsets else 0.0
        similarities = _cosines(encode(model, self._general), self._pairs)
        retention = rank_agreement(self._similarities, similarities)
        return {CONTRAST: contrast, RETENTION: retention, SCORE: (contrast + retention) / 2}


def _accuracy_by_pair(model: Any, examples: Sequence[TrainingExample]) -> float:
    """Return the accuracy as a mean over antonym pairs; examples that are not quadruples count as one pair."""
    vectors = encode(model, [text for example in examples for text in example.texts])
    accuracies = example_accuracies(vectors.reshape(len(examples), 4, -1), examples)
    by_pair: dict[str, list[float]] = defaultdict(list)
    for example, accuracy in zip(examples, accuracies, strict=True):
        by_pair[example.antonym_pair if example.is_quadruple else ""].append(accuracy)
    return float(np.mean([np.mean(values) for values in by_pair.values()]))


def example_accuracies(vectors: Vectors, examples: Sequence[TrainingExample]) -> list[float]:
    """Return for each example the share of its questions whose paraphrase is strictly the most similar sentence.

    `vectors` has the shape (examples, 4, width). A quadruple asks four questions, any other example one.
    """
    similarities = np.einsum("qad,qbd->qab", vectors, vectors)
    accuracies = []
    for example, table in zip(examples, similarities, strict=True):
        roles = [0, 1, 2, *([3] if example.second_negative else [])]
        queries = (0, 1, 2, 3) if example.is_quadruple else (0,)
        correct = [
            table[query, _PARTNER[query]]
            > max(table[query, role] for role in roles if role not in (query, _PARTNER[query]))
            for query in queries
        ]
        accuracies.append(sum(correct) / len(correct))
    return accuracies


def neighbour_pairs(vectors: Vectors) -> NDArray[np.intp]:
    """Return index pairs of each row with its nearest neighbour and with a random row, to cover all similarities."""
    n_rows = len(vectors)
    if n_rows < 2:
        return np.zeros((0, 2), dtype=np.intp)
    similarities = vectors @ vectors.T
    np.fill_diagonal(similarities, -np.inf)
    indices = np.arange(n_rows)
    random = (indices + 1 + np.random.default_rng(0).integers(0, n_rows - 1, size=n_rows)) % n_rows
    return np.concatenate([np.stack([indices, similarities.argmax(axis=1)], 1), np.stack([indices, random], 1)])


def rank_agreement(before: Vectors, after: Vectors) -> float:
    """Return Spearman's correlation of two columns of similarities; 1 if there are too few to compare."""
    if len(after) < 3:
        return 1.0
    return spearman(before.astype(np.float64), after.astype(np.float64)) or 0.0


def encode(model: Any, texts: Sequence[str]) -> Vectors:
    """Return normalised vectors of a sentence-transformers model."""
    if not texts:
        return np.zeros((0, 1), dtype=np.float32)
    vectors = model.encode(
        list(texts), batch_size=_BATCH_SIZE, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
    )
    return np.asarray(vectors, dtype=np.float32)


def _cosines(vectors: Vectors, pairs: NDArray[np.intp]) -> Vectors:
    if not len(pairs):
        return np.zeros(0, dtype=np.float32)
    cosines: Vectors = (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(axis=1)
    return cosines


def select_examples(examples: Sequence[TrainingExample]) -> tuple[list[TrainingExample], list[TrainingExample]]:
    """Return the quadruples and the other examples to validate on, balanced over antonym pairs and kinds."""
    quadruples = [example for example in examples if example.is_quadruple]
    others = [example for example in examples if not example.is_quadruple]
    return _balanced(quadruples, lambda example: example.antonym_pair), _balanced(others, lambda example: example.kind)


def _balanced(examples: Sequence[TrainingExample], key: Callable[[TrainingExample], str]) -> list[TrainingExample]:
    """Return a limited number of examples, taken from the groups in turn."""
    groups: dict[str, list[TrainingExample]] = defaultdict(list)
    for example in examples:
        groups[key(example)].append(example)
    longest = max(map(len, groups.values()), default=0)
    in_turn = (group[turn] for turn in range(longest) for group in groups.values() if turn < len(group))
    return list(islice(in_turn, _MAX_EXAMPLES))
