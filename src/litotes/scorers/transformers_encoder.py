"""`hf:` — any transformers model with an explicit pooling; of encoder-decoders the encoder part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from litotes.core.errors import LitotesError
from litotes.scorers.access import Access
from litotes.scorers.base import Fingerprint
from litotes.scorers.hub import find_model
from litotes.scorers.model_folder import check_folder, hash_configs, hash_weights
from litotes.scorers.names import ScorerName, parse_options
from litotes.scorers.torch_encoder import DType, Features, TorchEncoder, choose_device, loading, need_torch

if TYPE_CHECKING:
    import torch

Pooling = Literal["mean", "cls", "max"]

_NO_LIMIT = 100_000
"""Tokenizers without a maximum length say a huge number."""


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `hf:bert-base-uncased?pooling=cls`."""

    pooling: Pooling = "mean"
    max_length: int | None = None
    prompt: str = ""
    dtype: DType = "float32"
    device: str = "auto"


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

    def _forward(self, features: Features) -> torch.Tensor:
        hidden = self._model(**features).last_hidden_state
        return pool(hidden, features["attention_mask"], self._options.pooling)


def pool(hidden: torch.Tensor, mask: torch.Tensor, pooling: Pooling) -> torch.Tensor:
    """One vector a sentence from its tokens' vectors; padding never counts."""
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
    folder = find_model(name, access)
    check_folder(folder, access)
    device = choose_device(options.device)
    with loading(folder, access):
        model, tokenizer = _load_parts(folder, access, options)
        model.to(device).eval()
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
    max_length = options.max_length or _longest(model, tokenizer)
    fingerprint = Fingerprint(
        backend=f"torch/{device.type}",
        weights=hash_weights(folder),
        config=hash_configs(folder),
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
    from transformers import AutoConfig, AutoModel, AutoModelForTextEncoding, AutoTokenizer

    common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": access.trust_remote_code}
    tokenizer = AutoTokenizer.from_pretrained(folder, **common)
    config = AutoConfig.from_pretrained(folder, **common)
    kind = AutoModelForTextEncoding if config.model_type in ("t5", "mt5", "umt5") else AutoModel
    model, report = kind.from_pretrained(
        folder,
        dtype=getattr(torch, options.dtype),
        output_loading_info=True,
        weights_only=True,
        **common,
    )
    # A checkpoint that does not fit would leave layers at random: better none than such a model.
    missing = sorted(key for key in report["missing_keys"] if "pooler" not in key)
    if missing:
        raise LitotesError(
            "L311",
            f"{folder}: its weights do not fit its config ({len(missing)} missing, {missing[0]} for one)",
        )
    return (model.get_encoder() if model.config.is_encoder_decoder else model), tokenizer


def _longest(model: Any, tokenizer: Any) -> int:
    if tokenizer.model_max_length < _NO_LIMIT:
        return int(tokenizer.model_max_length)
    positions = getattr(model.config, "max_position_embeddings", None)
    return int(positions) - 2 if positions else 512  # RoBERTa's kind keeps two places for itself
