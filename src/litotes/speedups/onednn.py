"""Linear layers multiplied by oneDNN, which torch brings along, instead of by its usual library.

torch multiplies matrices of single precision with MKL, which knows some processors and treats the others as old ones:
on those oneDNN is more than twice as fast, on the rest about the same. The sums are added up in another order, so the
last bits differ, as they do from processor to processor.
"""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    import torch


Product = Callable[["torch.Tensor", "torch.Tensor", "torch.Tensor | None"], "torch.Tensor"]
"""Numbers, weight and bias → numbers."""

_TESTED_ON = ("x86_64", "amd64")


def use_quick_products(model: Any) -> Any:
    """Let a model's linear layers be multiplied the quick way, where there is one; gives the model."""
    for module in linears(model):
        module.forward = partial(quick_linear, module)
    return model


@contextlib.contextmanager
def quick_products(model: Any) -> Iterator[None]:
    """The same for a while, for a model that is somebody else's."""
    changed = [module for module in linears(model) if "forward" not in vars(module)]
    for module in changed:
        module.forward = partial(quick_linear, module)
    try:
        yield
    finally:
        for module in changed:
            del module.forward


def linears(model: Any) -> list[Any]:
    """The layers of a model that can be multiplied so; none where there is no quick way."""
    import torch

    if quick_product() is None:
        return []
    return [one for one in model.modules() if type(one) is torch.nn.Linear and _is_single(one.weight)]


@lru_cache(maxsize=1)
def quick_product() -> Product | None:
    """What multiplies by oneDNN; None where this torch has no such thing, or where it gives other numbers."""
    import torch

    if platform.machine().lower() not in _TESTED_ON or not torch.backends.mkldnn.is_available():
        return None
    try:
        operation = torch.ops.mkldnn._linear_pointwise.default

        def times(numbers: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
            found: torch.Tensor = operation(numbers, weight, bias, "none", [], "")
            return found

        return times if _is_right(times) else None
    except (AttributeError, RuntimeError):  # not a part of torch's promises: another version may not have it
        return None


def _is_right(times: Product) -> bool:
    import torch

    with torch.no_grad():
        drawn = torch.Generator().manual_seed(1)
        numbers, weight, bias = (torch.randn(shape, generator=drawn) for shape in ((3, 7, 64), (96, 64), (96,)))
        wanted = torch.nn.functional.linear(numbers.double(), weight.double(), bias.double())
        return bool(((times(numbers, weight, bias) - wanted).abs() < 1e-4).all())


def _is_single(weight: torch.Tensor) -> bool:
    import torch

    return bool(weight.device.type == "cpu" and weight.dtype == torch.float32)


def quick_linear(module: Any, numbers: torch.Tensor) -> torch.Tensor:
    """A linear layer, multiplied the quick way as long as no gradients are wanted."""
    import torch

    times = quick_product()
    quick = (
        times is not None
        and not torch.is_grad_enabled()
        and not torch.is_autocast_enabled(numbers.device.type)
        and _is_single(numbers)
        and _is_single(module.weight)  # a model may have been moved since
    )
    return (times if times is not None and quick else torch.nn.functional.linear)(numbers, module.weight, module.bias)


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
