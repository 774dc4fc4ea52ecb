"""What is watched, against counts by hand."""

from __future__ import annotations

import numpy as np
import pytest

from litotes.repair.examples.base import QUADRUPLE, Lesson
from litotes.repair.validation import SCORE, Watch, looked_at, neighbour_pairs, order_kept, right_share


class Table:
    """A model that knows the vectors of some sentences."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self.vectors = vectors

    def encode(self, texts: list[str], **_: object) -> np.ndarray:
        found = np.array([self.vectors[text] for text in texts], dtype=np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


QUAD = Lesson(QUADRUPLE, "a", "b", "c", "d", pair="hot/cold", mates=True)
PLAIN = Lesson("synonym", "a", "b", "c")
WORDS = {"a": [1, 0], "b": [1, 0.1], "c": [0, 1], "d": [0.1, 1], "": [1, 1]}


def unit(*rows: list[float]) -> np.ndarray:
    found = np.array([rows], dtype=np.float32)
    return found / np.linalg.norm(found, axis=2, keepdims=True)


def test_every_kind_of_lesson_is_looked_at() -> None:
    many = [Lesson("typo", f"t{n}", "b", "c") for n in range(900)] + [Lesson("word order", "a", "b", "c")] * 3
    quadruples, others = looked_at([*many, *[QUAD] * 5])
    assert len(quadruples) == 5 and len(others) == 200
    assert sum(one.kind == "word order" for one in others) == 3


def test_a_quadruple_asks_four_questions_and_another_lesson_one() -> None:
    good = unit([1, 0], [1, 0.1], [0, 1], [0.1, 1])
    assert right_share(good, [QUAD]) == [1.0]
    # d is closest to c, and c to d; a and b take c for their mate.
    half = unit([1, 0], [-1, 0.1], [0.9, 1], [0.8, 1])
    assert right_share(half, [QUAD]) == [0.5]
    assert right_share(good, [PLAIN]) == [1.0]
    tie = unit([1, 0], [1, 0.1], [1, 0.1], [1, 0])  # the fourth is not there
    assert right_share(tie, [PLAIN]) == [0.0]


def test_the_score_is_the_mean_of_what_is_learned_and_what_is_kept() -> None:
    ordinary = [f"s{n}" for n in range(40)]
    rng = np.random.default_rng(0)
    before = Table({**WORDS, **{text: list(rng.normal(size=2)) for text in ordinary}})
    watch = Watch(before, [QUAD, PLAIN], ordinary)
    same = watch(before)
    assert same == {"watch_learned": 1.0, "watch_kept": pytest.approx(1.0), SCORE: pytest.approx(1.0)}
    moved = Table({**before.vectors, **{text: list(rng.normal(size=2)) for text in ordinary}, "b": [-1, 0]})
    found = watch(moved)
    # Two of the four questions of the quadruple are lost and the one of the other lesson.
    assert found["watch_learned"] == pytest.approx((0.5 + 0.0) / 2)
    assert found["watch_kept"] < 0.6
    assert found[SCORE] == pytest.approx((found["watch_learned"] + found["watch_kept"]) / 2)


def test_pairs_of_the_whole_range() -> None:
    vectors = np.eye(6, 8, dtype=np.float32)
    pairs = neighbour_pairs(vectors)
    assert pairs.shape == (12, 2) and (pairs[:, 0] != pairs[:, 1]).all()
    assert len(neighbour_pairs(vectors[:1])) == 0
    numbers = np.arange(5, dtype=np.float32)
    assert order_kept(numbers, numbers**3) == pytest.approx(1)
    assert order_kept(numbers, -numbers) == pytest.approx(-1)
    assert order_kept(numbers, 0 * numbers) == 0
