"""The loss against sums by hand."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from litotes.training.repair.lessons import Lesson  # noqa: E402
from litotes.training.repair.loss import code, keep_loss, lesson_loss  # noqa: E402


def by_hand(vectors, codes, temperature: float) -> float:
    """Sentence by sentence, in plain loops."""
    sentences = []
    for role in range(4):
        for lesson, flags in enumerate(codes):
            if role < 3 or flags & 2:
                sentences.append((role, lesson, vectors[role][lesson]))
    losses = []
    for role, lesson, vector in sentences:
        if role >= 2 and not codes[lesson] & 1:
            continue
        mate = (1, 0, 3, 2)[role]
        terms = {
            (other_role, other_lesson): math.exp(sum(a * b for a, b in zip(vector, other, strict=True)) / temperature)
            for other_role, other_lesson, other in sentences
            if (other_role, other_lesson) != (role, lesson)
        }
        losses.append(-math.log(terms[mate, lesson] / sum(terms.values())))
    return sum(losses) / len(losses)


def test_it_is_the_cross_entropy_of_finding_the_mate() -> None:
    torch.manual_seed(0)
    vectors = torch.nn.functional.normalize(torch.randn(4, 3, 5), dim=-1)
    codes = [3, 2, 0]  # a quadruple, a lesson with two opposites, one with one
    found = lesson_loss(vectors, torch.tensor(codes), 0.1)
    assert float(found) == pytest.approx(by_hand(vectors.tolist(), codes, 0.1), rel=1e-5)


def test_an_absent_sentence_changes_nothing() -> None:
    torch.manual_seed(0)
    vectors = torch.nn.functional.normalize(torch.randn(4, 2, 5), dim=-1)
    other = vectors.clone()
    other[3] = torch.nn.functional.normalize(torch.randn(2, 5), dim=-1)
    codes = torch.tensor([0, 0])
    assert float(lesson_loss(vectors, codes, 0.1)) == pytest.approx(float(lesson_loss(other, codes, 0.1)))


def test_codes() -> None:
    assert code(Lesson("quadruple", "a", "b", "c", "d", mates=True)) == 3
    assert code(Lesson("synonym", "a", "b", "c", "d")) == 2
    assert code(Lesson("nli", "a", "b", "c")) == 0


def test_what_stays_costs_nothing() -> None:
    torch.manual_seed(0)
    before = torch.nn.functional.normalize(torch.randn(6, 5), dim=-1)
    assert float(keep_loss(before, before)) == pytest.approx(0, abs=1e-6)
    # Turned as a whole, the similarities stay and the places do not.
    turn, _ = torch.linalg.qr(torch.randn(5, 5))
    turned = before @ turn
    moved = 1 - (before * turned).sum(dim=1).mean()
    assert float(keep_loss(turned, before)) == pytest.approx(float(moved), abs=1e-5)
