"""`st:` — sentence-transformers models, with their own pooling and normalisation as published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.model_folder import hash_configs, hash_weights
from litotes.models.names import ScorerName, parse_options
from litotes.models.transformers.plain_sentence_transformer import PlainModel, load_plain
from litotes.models.transformers.torch_model import (
    AUTO,
    NO_LIMIT,
    DType,
    Features,
    TorchEncoder,
    check_max_length,
    choose_device,
    find_torch_model,
    loading,
    need_torch,
    token_ids,
)
from litotes.speedups.onednn import use_quick_products

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `all-MiniLM-L6-v2?max_length=64`."""

    max_length: int | None = None
    prompt: str | None = None
    dtype: DType = "float32"
    device: str = AUTO


class SentenceTransformerEncoder(TorchEncoder):
    """A model of the sentence-transformers library, asked module by module as the library does it."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        model: SentenceTransformer | PlainModel,
        prompt: str,
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._prompt = prompt

    def _tokenize(self, texts: Sequence[str]) -> Features:
        features: Features = self._model.preprocess(list(texts), prompt=self._prompt or None)
        return features

    def _token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]] | None:
        # Much quicker than preprocess, which looks at every text for pictures and sound.
        if self._model.transformers_model is None:
            return None
        return token_ids(self._model.tokenizer, [self._prompt + text for text in texts], self._model.max_seq_length)

    def _forward(self, features: Features) -> torch.Tensor:
        found = self._model(features)
        if "sentence_embedding" not in found:
            raise LitotesError(
                "L310",
                f"{self.name}: its modules give no vector a sentence",
                hint="hf:…?pooling=mean pools the vectors of its tokens",
            )
        vectors: torch.Tensor = found["sentence_embedding"]
        return vectors[:, : self._model.truncate_dim]


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> SentenceTransformerEncoder:
    """The encoder of that name."""
    options = parse_options(Options, given, scheme=name.scheme)
    need_torch("transformers", "sentence_transformers")
    folder = find_torch_model(name, access, options.device)
    device = choose_device(options.device)
    with loading(folder, access):
        import torch

        dtype = getattr(torch, options.dtype)
        model = load_plain(folder, access, device, dtype) or _of_library(folder, access, device, dtype)
        if options.max_length is not None:
            check_max_length(options.max_length, model.transformers_model, model.tokenizer)
            model.max_seq_length = options.max_length
        prompt = options.prompt if options.prompt is not None else own_prompt(model)
    fingerprint = Fingerprint(
        backend=f"torch/{device.type}",
        weights=hash_weights(folder),
        config=hash_configs(folder, access),
        pooling=" + ".join(_module_names(model)),
        dtype=options.dtype,
        max_length=_max_length(model),
        prompt=prompt,
    )
    return SentenceTransformerEncoder(name.text, fingerprint, device, model, prompt)


def _of_library(folder: Path, access: Access, device: torch.device, dtype: torch.dtype) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        str(folder),
        device=str(device),
        local_files_only=True,
        trust_remote_code=access.trust_remote_code,
        model_kwargs={"dtype": dtype},
    )
    return use_quick_products(model.eval())


def own_prompt(model: SentenceTransformer | PlainModel) -> str:
    """The prompt that the model itself puts before every text, if it has one."""
    named = model.default_prompt_name
    return str(model.prompts.get(named, "")) if named else ""


def _max_length(model: SentenceTransformer | PlainModel) -> int | None:
    length = model.max_seq_length
    return int(length) if length is not None and length < NO_LIMIT else None


def _module_names(model: SentenceTransformer | PlainModel) -> Iterator[str]:
    return model.module_names() if isinstance(model, PlainModel) else map(_module_name, model)


def _module_name(module: Any) -> str:
    mode = getattr(module, "pooling_mode", None)
    return f"{type(module).__name__}({mode})" if isinstance(mode, str) else type(module).__name__
