"""The loss, compared with plain loops."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from litotes.repair.examples.base import TrainingExample  # noqa: E402
from litotes.repair.loss import contrastive_loss, example_flags, retention_loss  # noqa: E402


def by_hand(vectors, codes, temperature: float, in_batch_negative_weight: float) -> float:
    """Compute the loss example by example in plain loops."""
    sentences = [(role, example) for example, flags in enumerate(codes) for role in range(4 if flags & 2 else 3)]
    examples = []
    for example, flags in enumerate(codes):
        losses = []
        for role in range(4) if flags & 1 else (0, 1):
            terms = {}
            for candidate in sentences:
                product = sum(
                    a * b for a, b in zip(vectors[role][example], vectors[candidate[0]][candidate[1]], strict=True)
                )
                terms[candidate] = math.exp(product / temperature) * (
                    1 if candidate[1] == example else in_batch_negative_weight
                )
            del terms[role, example]
            losses.append(-math.log(terms[(1, 0, 3, 2)[role], example] / sum(terms.values())))
        examples.append(sum(losses) / len(losses))
    return sum(examples) / len(examples)


@pytest.mark.parametrize("in_batch_negative_weight", [0.0, 0.1, 1.0])
def test_equals_the_cross_entropy_of_retrieving_the_paraphrase(in_batch_negative_weight: float) -> None:
    torch.manual_seed(0)
    vectors = torch.nn.functional.normalize(torch.randn(4, 3, 5), dim=-1)
    codes = [3, 2, 0]  # a quadruple, an example with two opposites, an example with one
    loss = contrastive_loss(vectors, torch.tensor(codes), 0.1, in_batch_negative_weight)
    assert float(loss) == pytest.approx(by_hand(vectors.tolist(), codes, 0.1, in_batch_negative_weight), rel=1e-5)


@pytest.mark.parametrize("in_batch_negative_weight", [0.0, 0.1])
def test_missing_sentences_have_no_gradient(in_batch_negative_weight: float) -> None:
    torch.manual_seed(0)
    vectors = torch.randn(4, 3, 5, requires_grad=True)
    unit = torch.nn.functional.normalize(vectors, dim=-1)
    contrastive_loss(unit, torch.tensor([3, 2, 0]), 0.1, in_batch_negative_weight).backward()
    assert bool(torch.isfinite(vectors.grad).all())
    assert float(vectors.grad[3, 2].abs().sum()) == 0 < float(vectors.grad[3, 0].abs().sum())


def test_missing_sentences_do_not_change_the_loss() -> None:
    torch.manual_seed(0)
    vectors = torch.nn.functional.normalize(torch.randn(4, 2, 5), dim=-1)
    candidate = vectors.clone()
    candidate[3] = torch.nn.functional.normalize(torch.randn(2, 5), dim=-1)
    codes = torch.tensor([0, 0])
    assert float(contrastive_loss(vectors, codes, 0.1)) == pytest.approx(float(contrastive_loss(candidate, codes, 0.1)))


def test_example_flags() -> None:
    assert example_flags(TrainingExample("quadruple", "a", "b", "c", "d", is_quadruple=True)) == 3
    assert example_flags(TrainingExample("synonym", "a", "b", "c", "d")) == 2
    assert example_flags(TrainingExample("nli", "a", "b", "c")) == 0


def test_unchanged_vectors_have_no_retention_loss() -> None:
    torch.manual_seed(0)
    before = torch.nn.functional.normalize(torch.randn(6, 5), dim=-1)
    assert float(retention_loss(before, before)) == pytest.approx(0, abs=1e-6)
    # A rotation preserves the similarities, but changes the vectors.
    turn, _ = torch.linalg.qr(torch.randn(5, 5))
    turned = before @ turn
    moved = 1 - (before * turned).sum(dim=1).mean()
    assert float(retention_loss(turned, before)) == pytest.approx(float(moved), abs=1e-5)
