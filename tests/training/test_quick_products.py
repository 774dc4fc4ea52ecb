"""Training with oneDNN's products: the gradients are those of torch."""

from __future__ import annotations

import copy

import pytest
import torch

from litotes.speedups.onednn import quick_product, train_with_quick_products

pytestmark = pytest.mark.skipif(quick_product() is None, reason="this torch, or this processor, has no oneDNN")


def learned(model: torch.nn.Module, numbers: torch.Tensor) -> list[torch.Tensor | None]:
    numbers = numbers.clone().requires_grad_()
    model(numbers).square().sum().backward()
    return [numbers.grad, *(parameter.grad for parameter in model.parameters())]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(5, 48), (2, 3, 48)])
def test_gradients_of_numbers_weights_and_biases(shape: tuple[int, ...], bias: bool) -> None:
    torch.manual_seed(2)
    own = torch.nn.Sequential(torch.nn.Linear(48, 20, bias=bias), torch.nn.Tanh(), torch.nn.Linear(20, 6, bias=bias))
    quick = copy.deepcopy(own)
    train_with_quick_products(quick)
    assert "forward" in vars(quick[0])
    numbers = torch.randn(shape)
    for found, wanted in zip(learned(quick, numbers), learned(own, numbers), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5)


def test_what_is_frozen_stays_without_a_gradient() -> None:
    model = torch.nn.Linear(8, 4)
    model.weight.requires_grad_(False)
    train_with_quick_products(model)
    model(torch.ones(3, 8)).sum().backward()
    assert model.weight.grad is None and model.bias.grad is not None


def test_gradients_that_all_rows_share() -> None:
    """A sum's gradient is one number for all, which memory holds once."""
    own = torch.nn.Linear(8, 4)
    quick = copy.deepcopy(own)
    train_with_quick_products(quick)
    for model in (own, quick):
        model(torch.ones(3, 8)).sum().backward()
    torch.testing.assert_close(quick.weight.grad, own.weight.grad)
