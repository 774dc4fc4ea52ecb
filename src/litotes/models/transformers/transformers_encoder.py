"""`hf:` — any transformers model with an explicit pooling; of encoder-decoders the encoder part."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.model_folder import hash_configs, hash_weights
from litotes.models.names import ScorerName, parse_options
from litotes.models.transformers.template_pooling import (
    PLAIN,
    Filler,
    Template,
    TemplateBias,
    load_mlm_transform,
    mask_places,
)
from litotes.models.transformers.torch_model import (
    AUTO,
    DType,
    Features,
    TorchEncoder,
    check_max_length,
    choose_device,
    does_not_fit,
    find_torch_model,
    load_tokenizer,
    loading,
    longest_input,
    may_be_missing,
    need_torch,
    token_ids,
)
from litotes.speedups.onednn import use_quick_products

if TYPE_CHECKING:
    import torch

Pooling = Literal["mean", "cls", "max", "cls_mlp", "first_last", "last_two", "mask", "mask_mlp", "mask_mlm"]
YesNo = Literal["no", "yes"]
Head = Callable[["torch.Tensor"], "torch.Tensor"]
"""A layer behind the pooling."""

_OF_MASK = ("mask", "mask_mlp", "mask_mlm")
_THROUGH_POOLER = ("cls_mlp", "mask_mlp")
_OF_LAYERS = {"first_last": (1, -1), "last_two": (-2, -1)}
"""Which layers are averaged; 0 would be the embeddings below the first."""


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `hf:bert-base-uncased?pooling=cls`."""

    pooling: Pooling = "mean"
    max_length: int | None = None
    prompt: str = ""
    template: str = PLAIN
    """What stands around each sentence, {text}; the poolings of the mask read {mask}."""
    stop: str = ""
    """Put behind sentences that end in none of `stops`."""
    stops: str = Template.stops
    debias: YesNo = "no"
    """Whether the mask's vector without a sentence is taken off, as PromptBERT does."""
    normalize: YesNo = "no"
    dtype: DType = "float32"
    device: str = AUTO

    @property
    def around(self) -> Template:
        """The template as it is filled; the prompt goes before all of it."""
        return Template(self.template, self.stop, self.stops if self.stop else Template.stops)

    @property
    def describe(self) -> str:
        """What becomes of tokens, in one text."""
        parts = [self.pooling, self.around.describe()]
        parts += ["without the template's bias"] if self.debias == "yes" else []
        parts += ["normalised"] if self.normalize == "yes" else []
        return ", ".join(filter(None, parts))

    def may_lack(self, key: str) -> bool:
        """Whether a weight may be missing; a pooler that is read at random would be another model."""
        return self.pooling not in _THROUGH_POOLER and may_be_missing(key)


class TransformersEncoder(TorchEncoder):
    """A bare transformers model and a pooling over its layers."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        *,
        model: Any,
        tokenizer: Any,
        options: Options,
        max_length: int,
        head: Head | None,
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._tokenizer = tokenizer
        self._options = options
        self._max_length = max_length
        self._head = head
        self._filler = Filler(options.around, tokenizer, max_length)
        self._bias = TemplateBias(self._filler, tokenizer) if options.debias == "yes" else None
        self._takes = frozenset(inspect.signature(model.forward).parameters)

    def _tokenize(self, texts: Sequence[str]) -> Features:
        return dict(
            self._tokenizer(
                self._inputs(texts),
                padding=True,
                truncation=True,
                max_length=self._max_length,
                return_tensors="pt",
            )
        )

    def _token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]] | None:
        return token_ids(self._tokenizer, self._inputs(texts), self._max_length)

    def _inputs(self, texts: Sequence[str]) -> list[str]:
        return self._filler.filled([self._options.prompt + text for text in texts])

    def _forward(self, features: Features) -> torch.Tensor:
        import torch

        # A tokenizer may make more than its model takes, token types above all.
        taken = {key: value for key, value in features.items() if key in self._takes}
        vectors = self._pooled(taken, features["input_ids"], features["attention_mask"])
        return torch.nn.functional.normalize(vectors, dim=-1) if self._options.normalize == "yes" else vectors

    def _pooled(self, taken: Features, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        pooling = self._options.pooling
        if pooling in _OF_LAYERS:
            states = self._model(**taken, output_hidden_states=True).hidden_states
            one, other = (states[place].float() for place in _OF_LAYERS[pooling])
            return pool((one + other) / 2, mask, "mean")
        hidden = self._model(**taken).last_hidden_state
        if pooling == "cls_mlp":
            return self._through_head(hidden[:, 0])
        if pooling in _OF_MASK:
            return self._of_mask(hidden, ids, mask)
        return pool(hidden, mask, pooling)

    def _of_mask(self, hidden: torch.Tensor, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        import torch

        last = self._options.around.reads_last_mask
        places = mask_places(ids, self._tokenizer.mask_token_id, last=last)
        found = hidden[torch.arange(len(ids), device=ids.device), places].float()
        bias = self._bias.vectors(self._model, mask) if self._bias is not None else None
        if self._options.pooling == "mask_mlm":  # as published: the layer is applied to each, then one is taken off
            found = self._through_head(found)
            return found if bias is None else found - self._through_head(bias)
        found = found if bias is None else found - bias
        return self._through_head(found) if self._options.pooling == "mask_mlp" else found

    def _through_head(self, vectors: torch.Tensor) -> torch.Tensor:
        return self._head(vectors.to(self._model.dtype)).float() if self._head is not None else vectors


def pool(hidden: torch.Tensor, mask: torch.Tensor, pooling: str) -> torch.Tensor:
    """One vector a sentence from its tokens' vectors; padding (to the right) never counts."""
    hidden = hidden.float()  # sums in half precision would lose what the model has computed
    if pooling == "cls":
        return hidden[:, 0]
    inside = mask.unsqueeze(-1).bool()
    if pooling == "max":
        return hidden.masked_fill(~inside, float("-inf")).amax(dim=1)
    return hidden.masked_fill(~inside, 0.0).sum(dim=1) / mask.sum(dim=1, keepdim=True)


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> TransformersEncoder:
    """The encoder of that name."""
    options = parse_options(Options, given, scheme=name.scheme)
    _check_together(options)
    need_torch("transformers")
    folder = find_torch_model(name, access, options.device)
    device = choose_device(options.device)
    with loading(folder, access, new=options.may_lack):
        model, tokenizer = _load_parts(folder, access, options)
        use_quick_products(model.to(device).eval())
        head = _head(folder, access, model, options)
    max_length = options.max_length or longest_input(model, tokenizer)
    check_max_length(max_length, model, tokenizer)
    fingerprint = Fingerprint(
        backend=f"torch/{device.type}",
        weights=hash_weights(folder),
        config=hash_configs(folder, access),
        pooling=options.describe,
        dtype=options.dtype,
        max_length=max_length,
        prompt=options.prompt,
    )
    return TransformersEncoder(
        name.text,
        fingerprint,
        device,
        model=model,
        tokenizer=tokenizer,
        options=options,
        max_length=max_length,
        head=head,
    )


def _check_together(options: Options) -> None:
    """Raise before anything is fetched if the options do not fit together."""
    needs_mask = options.pooling in _OF_MASK or options.debias == "yes"
    options.around.check(needs_mask=needs_mask)
    if options.debias == "yes" and options.pooling not in _OF_MASK:
        raise LitotesError("L310", f"debias=yes goes with the poolings of the mask, not with {options.pooling}")


def _load_parts(folder: Path, access: Access, options: Options) -> tuple[Any, Any]:
    import torch
    from transformers import AutoConfig, AutoModel, AutoModelForTextEncoding

    common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": access.trust_remote_code}
    tokenizer = load_tokenizer(folder, common)
    config = AutoConfig.from_pretrained(folder, **common)
    kind = AutoModelForTextEncoding if config.model_type in ("t5", "mt5", "umt5") else AutoModel
    model, report = kind.from_pretrained(
        folder,
        dtype=getattr(torch, options.dtype),
        output_loading_info=True,
        weights_only=True,
        **common,
    )
    missing = sorted(key for key in report["missing_keys"] if not options.may_lack(key))
    if missing:
        raise does_not_fit(folder, missing)
    return (model.get_encoder() if model.config.is_encoder_decoder else model), tokenizer


def _head(folder: Path, access: Access, model: Any, options: Options) -> Head | None:
    """The layer behind the vector that is read, if the pooling has one."""
    if options.pooling == "mask_mlm":
        layer: Head = load_mlm_transform(folder, model.config, access).to(model.device, model.dtype).eval()
        return layer
    if options.pooling not in _THROUGH_POOLER:
        return None
    dense = getattr(getattr(model, "pooler", None), "dense", None)
    if dense is None:
        raise LitotesError(
            "L310",
            f"{folder}: a {type(model).__name__} has no pooler, through which pooling={options.pooling} goes",
            hint=f"pooling={options.pooling.removesuffix('_mlp')} reads what is before it",
        )
    return lambda vectors: model.pooler(vectors.unsqueeze(1))  # it takes the first token of a sentence itself
