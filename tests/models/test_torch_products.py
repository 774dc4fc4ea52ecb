"""Products by oneDNN: the numbers of torch's own, whatever the shape; gradients are left to torch."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_models import SENTENCES

from litotes.models.loading import load_model
from litotes.speedups import onednn
from litotes.speedups.onednn import quick_product, quick_products, use_quick_products

pytestmark = pytest.mark.skipif(quick_product() is None, reason="this torch, or this processor, has no oneDNN")


def layer(width: int = 48, out: int = 20, *, bias: bool = True) -> torch.nn.Linear:
    torch.manual_seed(5)
    return torch.nn.Linear(width, out, bias=bias)


def is_quick(module: Any) -> bool:
    return "forward" in vars(module)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(48,), (1, 48), (7, 48), (2, 3, 48), (2, 3, 4, 48), (0, 48), (700, 48)])
def test_torchs_own_numbers(shape: tuple[int, ...], bias: bool) -> None:
    own, numbers = layer(bias=bias), torch.randn(shape)
    quick = use_quick_products(copy.deepcopy(own))
    assert is_quick(quick)
    with torch.inference_mode():
        found, wanted = quick(numbers), own(numbers)
    assert found.shape == wanted.shape
    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5)


def test_numbers_that_are_not_in_a_row_in_memory() -> None:
    own = layer()
    quick = use_quick_products(copy.deepcopy(own))
    numbers = torch.randn(48, 6, 5).permute(2, 1, 0)
    with torch.inference_mode():
        torch.testing.assert_close(quick(numbers), own(numbers), rtol=1e-5, atol=1e-5)


def test_gradients_are_torchs_own() -> None:
    own = layer()
    quick = use_quick_products(copy.deepcopy(own))
    for one in (own, quick):
        one(torch.ones(3, 48)).square().sum().backward()
    assert torch.equal(quick.weight.grad, own.weight.grad)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_other_precisions_are_left_alone(dtype: torch.dtype) -> None:
    assert not is_quick(use_quick_products(layer().to(dtype)))
    moved = use_quick_products(layer()).to(dtype)
    with torch.inference_mode():
        assert moved(torch.ones(2, 48, dtype=dtype)).dtype == dtype


def test_half_precision_on_the_way_is_torchs_business() -> None:
    quick = use_quick_products(layer())
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        assert quick(torch.ones(2, 48)).dtype == torch.bfloat16


def test_a_model_of_somebody_else_is_given_back_as_it_was() -> None:
    model = torch.nn.Sequential(layer(), torch.nn.Tanh(), layer(20, 3))
    with pytest.raises(RuntimeError), quick_products(model):
        assert is_quick(model[0]) and is_quick(model[2])
        raise RuntimeError
    assert not is_quick(model[0]) and not is_quick(model[2])


def test_one_that_multiplies_wrongly_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onednn, "_is_right", lambda times: False)
    quick_product.cache_clear()
    try:
        assert quick_product() is None
        assert not is_quick(use_quick_products(layer()))
    finally:
        quick_product.cache_clear()


def test_a_model_gives_what_it_gives_without(tiny_bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = load_model(f"hf:{tiny_bert}?pooling=mean&device=cpu").encode(SENTENCES)
    monkeypatch.setattr(onednn, "quick_product", lambda: None)
    wanted = load_model(f"hf:{tiny_bert}?pooling=mean&device=cpu").encode(SENTENCES)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
