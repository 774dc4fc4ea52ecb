"""`hf:MODEL`: any transformers model with an explicit pooling; of encoder-decoder models, the encoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.names import ModelName, parse_options
from litotes.models.transformers.template_pooling import (
    NO_TEMPLATE,
    Template,
    TemplateBias,
    TemplateFiller,
    load_mlm_transform,
    mask_positions,
)
from litotes.models.transformers.torch_model import (
    AUTO,
    DType,
    Features,
    TorchEncoder,
    TorchSource,
    accepted_inputs,
    check_layer,
    check_max_length,
    find_torch_model,
    load_network,
    load_tokenizer,
    loading,
    longest_input,
    pool,
    token_ids,
    token_vectors,
)

if TYPE_CHECKING:
    import torch

Pooling = Literal["mean", "cls", "max", "cls_mlp", "first_last", "last_two", "mask", "mask_mlp", "mask_mlm"]
YesNo = Literal["no", "yes"]
Head = Callable[["torch.Tensor"], "torch.Tensor"]
"""A layer after the pooling."""

_MASK_POOLINGS = ("mask", "mask_mlp", "mask_mlm")
_POOLER_POOLINGS = ("cls_mlp", "mask_mlp")
_TOKEN_POOLINGS = ("mean", "cls", "max")
"""Poolings of the vectors of one layer."""
_LAYER_POOLINGS = {"first_last": (1, -1), "last_two": (-2, -1)}
"""The layers that are averaged; 0 would be the embeddings below the first."""


@dataclass(frozen=True)
class TransformersOptions:
    """Options in a name such as `hf:bert-base-uncased?pooling=cls`.

    Args:
        pooling: How vectors of tokens become the vector of a sentence.
        layer: The layer whose vectors are pooled by mean, cls or max, counted from 1; default: the last. With "all",
            `litotes run` evaluates every layer.
        max_length: The maximum number of tokens; default: the model's.
        prompt: The text before each sentence.
        template: The text around each sentence, `{text}`; poolings of the mask read the vector at `{mask}`.
        stop: The text after sentences that end in none of the characters in `stops`.
        stops: See `stop`.
        add_prefix_space: Whether a byte-level tokenizer reads the first word as if a space preceded it.
        debias: Whether to subtract the vector of the mask without a sentence, as PromptBERT does.
        normalize: Whether to scale vectors to length 1.
        dtype: The number type of the weights.
        device: A device of torch; "auto": a GPU if there is one.
    """

    pooling: Pooling = "mean"
    layer: int | None = None
    max_length: int | None = None
    prompt: str = ""
    template: str = NO_TEMPLATE
    stop: str = ""
    stops: str = Template.stops
    add_prefix_space: YesNo = "no"
    debias: YesNo = "no"
    normalize: YesNo = "no"
    dtype: DType = "float32"
    device: str = AUTO

    @property
    def full_template(self) -> Template:
        """The template and what ends sentences."""
        return Template(self.template, self.stop, self.stops if self.stop else Template.stops)

    @property
    def describe(self) -> str:
        """The pooling as text, for the fingerprint."""
        parts = [self.pooling, "" if self.layer is None else f"layer {self.layer}", self.full_template.describe()]
        parts += ["without the template's bias"] if self.debias == "yes" else []
        parts += ["with a space before the first word"] if self.add_prefix_space == "yes" else []
        parts += ["normalised"] if self.normalize == "yes" else []
        return ", ".join(filter(None, parts))

    def is_optional(self, key: str) -> bool:
        """Return whether a checkpoint may lack a weight: only the pooler, and only if the pooling does not use it."""
        return self.pooling not in _POOLER_POOLINGS and "pooler" in key


class TransformersEncoder(TorchEncoder):
    """A transformers model and a pooling over its layers."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        *,
        model: Any,
        tokenizer: Any,
        options: TransformersOptions,
        max_length: int,
        head: Head | None,
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._tokenizer = tokenizer
        self._options = options
        self._max_length = max_length
        self._head = head
        self._filler = TemplateFiller(options.full_template, tokenizer, max_length)
        self._bias = TemplateBias(self._filler, tokenizer) if options.debias == "yes" else None

    def _tokenize(self, texts: Sequence[str]) -> Features:
        return dict(
            self._tokenizer(
                self._inputs(texts), padding=True, truncation=True, max_length=self._max_length, return_tensors="pt"
            )
        )

    def _token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]] | None:
        return token_ids(self._tokenizer, self._inputs(texts), self._max_length)

    def _inputs(self, texts: Sequence[str]) -> list[str]:
        return self._filler.fill_all([self._options.prompt + text for text in texts])

    def _forward(self, features: Features) -> torch.Tensor:
        import torch

        inputs = accepted_inputs(self._model, features)
        vectors = self._pooled(inputs, features["input_ids"], features["attention_mask"])
        return torch.nn.functional.normalize(vectors, dim=-1) if self._options.normalize == "yes" else vectors

    def _pooled(self, inputs: Features, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        pooling = self._options.pooling
        if pooling in _LAYER_POOLINGS:
            states = self._model(**inputs, output_hidden_states=True).hidden_states
            lower, upper = (states[layer].float() for layer in _LAYER_POOLINGS[pooling])
            return pool((lower + upper) / 2, mask, "mean")
        hidden = token_vectors(self._model, inputs, self._options.layer)
        if pooling == "cls_mlp":
            return self._apply_head(hidden[:, 0])
        if pooling in _MASK_POOLINGS:
            return self._pool_mask(hidden, ids, mask)
        return pool(hidden, mask, pooling)

    def _pool_mask(self, hidden: torch.Tensor, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        import torch

        last = self._options.full_template.reads_last_mask
        positions = mask_positions(ids, self._tokenizer.mask_token_id, last=last)
        vectors = hidden[torch.arange(len(ids), device=ids.device), positions].float()
        bias = self._bias.vectors(self._model, mask) if self._bias is not None else None
        if self._options.pooling == "mask_mlm":  # as published: the layer is applied to both before the subtraction
            vectors = self._apply_head(vectors)
            return vectors if bias is None else vectors - self._apply_head(bias)
        vectors = vectors if bias is None else vectors - bias
        return self._apply_head(vectors) if self._options.pooling == "mask_mlp" else vectors

    def _apply_head(self, vectors: torch.Tensor) -> torch.Tensor:
        return self._head(vectors.to(self._model.dtype)).float() if self._head is not None else vectors


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> TransformersEncoder:
    """Load `hf:MODEL`."""
    options = parse_options(TransformersOptions, values, scheme=name.scheme)
    check_options(options)
    source = find_torch_model(name, access, options.device)
    with loading(source.folder, access, is_optional=options.is_optional):
        model, tokenizer = _load_parts(source, options)
        source.prepare(model)
        head = _head(source, model, options)
    max_length = options.max_length or longest_input(model, tokenizer)
    check_max_length(max_length, model, tokenizer)
    check_layer(options.layer, model.config)
    fingerprint = source.fingerprint(
        pooling=options.describe, dtype=options.dtype, max_length=max_length, prompt=options.prompt
    )
    return TransformersEncoder(
        name.text,
        fingerprint,
        source.device,
        model=model,
        tokenizer=tokenizer,
        options=options,
        max_length=max_length,
        head=head,
    )


def check_options(options: TransformersOptions) -> None:
    """Raise if options contradict each other; called before anything is downloaded."""
    needs_mask = options.pooling in _MASK_POOLINGS or options.debias == "yes"
    options.full_template.check(needs_mask=needs_mask)
    if options.debias == "yes" and options.pooling not in _MASK_POOLINGS:
        raise LitotesError("L310", f"debias=yes requires a pooling of the mask, not {options.pooling}")
    if options.layer is not None and options.pooling not in _TOKEN_POOLINGS:
        raise LitotesError("L310", f"layer= requires pooling=mean, cls or max, not {options.pooling}")


def _load_parts(source: TorchSource, options: TransformersOptions) -> tuple[Any, Any]:
    from transformers import AutoConfig, AutoModel, AutoModelForTextEncoding

    tokenizer = load_tokenizer(source.folder, source.options, add_prefix_space=options.add_prefix_space == "yes")
    config = AutoConfig.from_pretrained(source.folder, **source.options)
    kind = AutoModelForTextEncoding if config.model_type in ("t5", "mt5", "umt5") else AutoModel
    model = load_network(kind, source, options.dtype, options.is_optional)
    return (model.get_encoder() if model.config.is_encoder_decoder else model), tokenizer


def _head(source: TorchSource, model: Any, options: TransformersOptions) -> Head | None:
    """Return the layer after the pooling, if the pooling has one."""
    if options.pooling == "mask_mlm":
        layer: Head = (
            load_mlm_transform(source.folder, model.config, source.access).to(model.device, model.dtype).eval()
        )
        return layer
    if options.pooling not in _POOLER_POOLINGS:
        return None
    dense = getattr(getattr(model, "pooler", None), "dense", None)
    if dense is None:
        message = f"{source.folder}: a {type(model).__name__} has no pooler, which pooling={options.pooling} needs"
        raise LitotesError("L310", message, hint=f"use pooling={options.pooling.removesuffix('_mlp')}")
    return lambda vectors: model.pooler(vectors.unsqueeze(1))  # it selects the first token of a sentence
