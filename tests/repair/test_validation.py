"""The validation metrics, against manual counts."""

from __future__ import annotations

import numpy as np
import pytest

from litotes.repair.examples.base import QUADRUPLE, TrainingExample
from litotes.repair.validation import (
    CONTRAST,
    RETENTION,
    SCORE,
    Validator,
    example_accuracies,
    neighbour_pairs,
    rank_agreement,
    select_examples,
)


class Table:
    """An encoder that returns given vectors."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self.vectors = vectors

    def encode(self, texts: list[str], **_: object) -> np.ndarray:
        vectors = np.array([self.vectors[text] for text in texts], dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


QUAD = TrainingExample(QUADRUPLE, "a", "b", "c", "d", antonym_pair="hot/cold", is_quadruple=True)
PLAIN = TrainingExample("synonym", "a", "b", "c")
WORDS = {"a": [1, 0], "b": [1, 0.1], "c": [0, 1], "d": [0.1, 1], "": [1, 1]}


def unit(*rows: list[float]) -> np.ndarray:
    vectors = np.array([rows], dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=2, keepdims=True)


def test_validation_covers_every_kind() -> None:
    many = [TrainingExample("typo", f"t{n}", "b", "c") for n in range(900)] + [
        TrainingExample("word order", "a", "b", "c")
    ] * 3
    quadruples, other_examples = select_examples([*many, *[QUAD] * 5])
    assert len(quadruples) == 5 and len(other_examples) == 200
    assert sum(example.kind == "word order" for example in other_examples) == 3


def test_quadruples_ask_four_questions_and_other_examples_one() -> None:
    good = unit([1, 0], [1, 0.1], [0, 1], [0.1, 1])
    assert example_accuracies(good, [QUAD]) == [1.0]
    # d is closest to c, and c to d; a and b are closest to c.
    half = unit([1, 0], [-1, 0.1], [0.9, 1], [0.8, 1])
    assert example_accuracies(half, [QUAD]) == [0.5]
    assert example_accuracies(good, [PLAIN]) == [1.0]
    tie = unit([1, 0], [1, 0.1], [1, 0.1], [1, 0])  # a second negative is missing
    assert example_accuracies(tie, [PLAIN]) == [0.0]


def test_score_is_the_mean_of_contrast_and_retention() -> None:
    general = [f"s{n}" for n in range(40)]
    rng = np.random.default_rng(0)
    before = Table({**WORDS, **{text: list(rng.normal(size=2)) for text in general}})
    validate = Validator(before, [QUAD, PLAIN], general)
    unchanged = validate(before)
    assert unchanged == {CONTRAST: 1.0, RETENTION: pytest.approx(1.0), SCORE: pytest.approx(1.0)}
    moved = Table({**before.vectors, **{text: list(rng.normal(size=2)) for text in general}, "b": [-1, 0]})
    metrics = validate(moved)
    # Two of the four questions of the quadruple and the question of the other example are missed.
    assert metrics[CONTRAST] == pytest.approx((0.5 + 0.0) / 2)
    assert metrics[RETENTION] < 0.6
    assert metrics[SCORE] == pytest.approx((metrics[CONTRAST] + metrics[RETENTION]) / 2)


def test_neighbour_pairs_and_rank_agreement() -> None:
    vectors = np.eye(6, 8, dtype=np.float32)
    pairs = neighbour_pairs(vectors)
    assert pairs.shape == (12, 2) and (pairs[:, 0] != pairs[:, 1]).all()
    assert len(neighbour_pairs(vectors[:1])) == 0
    numbers = np.arange(5, dtype=np.float32)
    assert rank_agreement(numbers, numbers**3) == pytest.approx(1)
    assert rank_agreement(numbers, -numbers) == pytest.approx(-1)
    assert rank_agreement(numbers, 0 * numbers) == 0
