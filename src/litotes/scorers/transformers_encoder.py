"""`hf:` — any transformers model with an explicit pooling; of encoder-decoders the encoder part."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from litotes.scorers.access import Access
from litotes.scorers.base import Fingerprint
from litotes.scorers.model_folder import hash_configs, hash_weights
from litotes.scorers.names import ScorerName, parse_options
from litotes.scorers.torch_encoder import (
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

if TYPE_CHECKING:
    import torch

Pooling = Literal["mean", "cls", "max"]


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `hf:bert-base-uncased?pooling=cls`."""

    pooling: Pooling = "mean"
    max_length: int | None = None
    prompt: str = ""
    dtype: DType = "float32"
    device: str = AUTO


class TransformersEncoder(TorchEncoder):
    """A bare transformers model and one of three poolings over its last layer."""

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
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._tokenizer = tokenizer
        self._options = options
        self._max_length = max_length
        self._takes = frozenset(inspect.signature(model.forward).parameters)

    def _tokenize(self, texts: Sequence[str]) -> Features:
        return dict(
            self._tokenizer(
                [self._options.prompt + text for text in texts],
                padding=True,
                truncation=True,
                max_length=self._max_length,
                return_tensors="pt",
            )
        )

    def _token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]] | None:
        return token_ids(self._tokenizer, [self._options.prompt + text for text in texts], self._max_length)

    def _forward(self, features: Features) -> torch.Tensor:
        # A tokenizer may make more than its model takes, token types above all.
        taken = {key: value for key, value in features.items() if key in self._takes}
        hidden = self._model(**taken).last_hidden_state
        return pool(hidden, features["attention_mask"], self._options.pooling)


def pool(hidden: torch.Tensor, mask: torch.Tensor, pooling: Pooling) -> torch.Tensor:
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
    need_torch("transformers")
    folder = find_torch_model(name, access, options.device)
    device = choose_device(options.device)
    with loading(folder, access):
        model, tokenizer = _load_parts(folder, access, options)
        model.to(device).eval()
    max_length = options.max_length or longest_input(model, tokenizer)
    check_max_length(max_length, model, tokenizer)
    fingerprint = Fingerprint(
        backend=f"torch/{device.type}",
        weights=hash_weights(folder),
        config=hash_configs(folder, access),
        pooling=options.pooling,
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
    )


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
    missing = sorted(key for key in report["missing_keys"] if not may_be_missing(key))
    if missing:
        raise does_not_fit(folder, missing)
    return (model.get_encoder() if model.config.is_encoder_decoder else model), tokenizer
