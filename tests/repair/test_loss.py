"""The loss against sums by hand."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from litotes.repair.examples.base import Lesson  # noqa: E402
from litotes.repair.loss import code, keep_loss, lesson_loss  # noqa: E402


def by_hand(vectors, codes, temperature: float, strangers: float) -> float:
    """Lesson by lesson and sentence by sentence, in plain loops."""
    sentences = [(role, lesson) for lesson, flags in enumerate(codes) for role in range(4 if flags & 2 else 3)]
    lessons = []
    for lesson, flags in enumerate(codes):
        losses = []
        for role in range(4) if flags & 1 else (0, 1):
            terms = {}
            for other in sentences:
                product = sum(a * b for a, b in zip(vectors[role][lesson], vectors[other[0]][other[1]], strict=True))
                terms[other] = math.exp(product / temperature) * (1 if other[1] == lesson else strangers)
            del terms[role, lesson]
            losses.append(-math.log(terms[(1, 0, 3, 2)[role], lesson] / sum(terms.values())))
        lessons.append(sum(losses) / len(losses))
    return sum(lessons) / len(lessons)


@pytest.mark.parametrize("strangers", [0.0, 0.1, 1.0])
def test_it_is_the_cross_entropy_of_finding_the_mate(strangers: float) -> None:
    torch.manual_seed(0)
    vectors = torch.nn.functional.normalize(torch.randn(4, 3, 5), dim=-1)
    codes = [3, 2, 0]  # a quadruple, a lesson with two opposites, one with one
    found = lesson_loss(vectors, torch.tensor(codes), 0.1, strangers)
    assert float(found) == pytest.approx(by_hand(vectors.tolist(), codes, 0.1, strangers), rel=1e-5)


@pytest.mark.parametrize("strangers", [0.0, 0.1])
def test_it_can_be_followed_back_where_sentences_are_absent(strangers: float) -> None:
    torch.manual_seed(0)
    vectors = torch.randn(4, 3, 5, requires_grad=True)
    unit = torch.nn.functional.normalize(vectors, dim=-1)
    lesson_loss(unit, torch.tensor([3, 2, 0]), 0.1, strangers).backward()
    assert bool(torch.isfinite(vectors.grad).all())
    assert float(vectors.grad[3, 2].abs().sum()) == 0 < float(vectors.grad[3, 0].abs().sum())


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
