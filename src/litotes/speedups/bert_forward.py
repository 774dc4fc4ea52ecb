"""BERT's layers without the library's ways around them: the same operations on the same numbers, so the same bits.

What is saved is what stands between the matrix products: Python, during which the other workers wait, and memory that
is fetched and given back for every intermediate result. Whether the bits are the same is asked when a model is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litotes.speedups.onednn import quick_product

if TYPE_CHECKING:
    import torch

Forward = Callable[[Mapping[str, "torch.Tensor"]], "torch.Tensor"]
"""A batch's tokens → the vectors of the last layer."""


@dataclass(frozen=True)
class _Product:
    weight: torch.Tensor
    bias: torch.Tensor


@dataclass(frozen=True)
class _Layer:
    to_attention: _Product
    """Query, key and value in one."""
    from_attention: _Product
    attention_norm: Any
    up: _Product
    down: _Product
    norm: Any


def quick_forward(model: Any) -> Forward | None:
    """The model's own numbers, had more quickly; None if it is no BERT of the usual kind, or if a bit differs."""
    import torch

    if not _is_usual(model):
        return None
    weights = {name: parameter.data for name, parameter in model.named_parameters()}
    with torch.no_grad():
        samples = list(_samples(model))
        wanted = [model(**sample, return_dict=True).last_hidden_state for sample in samples]
        try:
            forward = _forward(model)
            if all(torch.equal(forward(sample), own) for sample, own in zip(samples, wanted, strict=True)):
                return forward
        except (AttributeError, RuntimeError):
            pass  # a version of the library that has other layers
    for name, parameter in model.named_parameters():
        parameter.data = weights[name]
    return None


def _is_usual(model: Any) -> bool:
    import torch

    config = model.config
    return (
        type(model).__name__ == "BertModel"
        and model.device.type == "cpu"
        and model.dtype == torch.float32
        and not model.training
        and config.hidden_act == "gelu"
        and getattr(config, "_attn_implementation", None) == "sdpa"
        and getattr(config, "position_embedding_type", "absolute") == "absolute"
        and not getattr(config, "chunk_size_feed_forward", 0)
    )


def _samples(model: Any) -> list[dict[str, torch.Tensor]]:
    """A batch without padding and one with."""
    import torch

    length = min(12, int(model.config.max_position_embeddings))
    ids = (torch.arange(5 * length) * 7 % int(model.config.vocab_size)).reshape(5, length)
    whole = torch.ones_like(ids)
    padded = whole.clone()
    padded[::2, 1:] = 0
    types = torch.zeros_like(ids)
    return [{"input_ids": ids, "attention_mask": mask, "token_type_ids": types} for mask in (whole, padded)]


def _forward(model: Any) -> Forward:
    import torch
    from torch.nn import functional

    embeddings, heads = model.embeddings, int(model.config.num_attention_heads)
    width, epsilon = int(model.config.hidden_size), float(model.config.layer_norm_eps)
    layers = [_layer(one) for one in model.encoder.layer]

    def normed(numbers: torch.Tensor, norm: Any) -> torch.Tensor:
        return functional.layer_norm(numbers, (width,), norm.weight, norm.bias, epsilon)

    multiply = quick_product() or functional.linear

    def times(numbers: torch.Tensor, product: _Product) -> torch.Tensor:
        return multiply(numbers, product.weight, product.bias)

    def forward(features: Mapping[str, torch.Tensor]) -> torch.Tensor:
        ids, inside = features["input_ids"], features["attention_mask"].bool()
        count, length = ids.shape
        types = features["token_type_ids"] if "token_type_ids" in features else torch.zeros_like(ids)
        hidden = functional.embedding(ids, embeddings.word_embeddings.weight)
        hidden += functional.embedding(types, embeddings.token_type_embeddings.weight)
        hidden += embeddings.position_embeddings.weight[:length]
        hidden = normed(hidden, embeddings.LayerNorm)
        mask = None if bool(inside.all()) else inside[:, None, None, :].expand(count, 1, length, length)
        for layer in layers:
            three = times(hidden, layer.to_attention).view(count, length, 3, heads, width // heads)
            query, key, value = three.permute(2, 0, 3, 1, 4)
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
            seen = seen.transpose(1, 2).reshape(count, length, width)
            hidden = normed(times(seen, layer.from_attention).add_(hidden), layer.attention_norm)
            inner = torch.ops.aten.gelu_(times(hidden, layer.up))
            hidden = normed(times(inner, layer.down).add_(hidden), layer.norm)
        return hidden

    return forward


def _layer(layer: Any) -> _Layer:
    own, after = layer.attention.self, layer.attention.output
    return _Layer(
        to_attention=_product(own.query, own.key, own.value),
        from_attention=_product(after.dense),
        attention_norm=after.LayerNorm,
        up=_product(layer.intermediate.dense),
        down=_product(layer.output.dense),
        norm=layer.output.LayerNorm,
    )


def _product(*linears: Any) -> _Product:
    """Some layers' weights side by side, as products read them best; the layers have theirs there too, none twice."""
    import torch

    weight = torch.cat([linear.weight.data for linear in linears]).t().contiguous().t()
    start = 0
    for linear in linears:
        linear.weight.data = weight[start : start + linear.out_features]
        start += linear.out_features
    return _Product(weight, torch.cat([linear.bias.data for linear in linears]))
