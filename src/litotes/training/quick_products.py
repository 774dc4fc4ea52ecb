"""Training with linear layers, and gradients, that oneDNN multiplies (why: `scorers/torch_products.py`)."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from litotes.scorers.torch_products import linears, quick_linear, quick_product


class _Product(torch.autograd.Function):  # type: ignore[misc]
    """A linear layer that can be followed back."""

    @staticmethod
    def forward(context: Any, numbers: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        """The layer."""
        context.save_for_backward(numbers, weight)
        context.has_bias = bias is not None
        return _times(numbers, weight, bias)

    @staticmethod
    def backward(context: Any, *slopes: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        """How the loss changes with numbers, weight and bias."""
        numbers, weight = context.saved_tensors
        slope = slopes[0].contiguous()
        of_numbers, of_weight, of_bias = context.needs_input_grad
        rows = slope.reshape(-1, slope.shape[-1])
        return (
            _times(slope, weight.t()) if of_numbers else None,
            _times(rows.t(), numbers.reshape(-1, numbers.shape[-1]).t()) if of_weight else None,
            rows.sum(0) if of_bias and context.has_bias else None,
        )


def train_with_quick_products(model: Any) -> None:
    """Let the linear layers of a model that is trained be multiplied the quick way, where there is one."""
    for module in linears(model):
        module.forward = partial(_trained, module)


def _trained(module: Any, numbers: torch.Tensor) -> torch.Tensor:
    # A trainer may have moved the model to a GPU since.
    single = numbers.device.type == "cpu" and numbers.dtype == torch.float32
    if not single or not torch.is_grad_enabled() or torch.is_autocast_enabled("cpu"):
        return quick_linear(module, numbers)
    found: torch.Tensor = _Product.apply(numbers, module.weight, module.bias)
    return found


def _times(numbers: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    return (quick_product() or torch.nn.functional.linear)(numbers, weight, bias)
