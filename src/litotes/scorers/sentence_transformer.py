"""`st:` — sentence-transformers models, with their own pooling and normalisation as published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litotes.scorers.access import Access
from litotes.scorers.base import Fingerprint
from litotes.scorers.hub import find_model
from litotes.scorers.model_folder import check_folder, hash_configs, hash_weights
from litotes.scorers.names import ScorerName, parse_options
from litotes.scorers.torch_encoder import DType, Features, TorchEncoder, choose_device, loading, need_torch

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `all-MiniLM-L6-v2?max_length=64`."""

    max_length: int | None = None
    prompt: str | None = None
    dtype: DType = "float32"
    device: str = "auto"


class SentenceTransformerEncoder(TorchEncoder):
    """A model of the sentence-transformers library, asked module by module as the library does it."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        model: SentenceTransformer,
        prompt: str,
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._prompt = prompt

    def _tokenize(self, texts: Sequence[str]) -> Features:
        features: Features = self._model.preprocess(list(texts), prompt=self._prompt or None)
        return features

    def _forward(self, features: Features) -> torch.Tensor:
        vectors: torch.Tensor = self._model(features)["sentence_embedding"]
        return vectors


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> SentenceTransformerEncoder:
    """The encoder of that name."""
    options = parse_options(Options, given, scheme=name.scheme)
    need_torch("transformers", "sentence_transformers")
    folder = find_model(name, access)
    check_folder(folder, access)
    device = choose_device(options.device)
    with loading(folder, access):
        import torch
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(
            str(folder),
            device=str(device),
            local_files_only=True,
            trust_remote_code=access.trust_remote_code,
            model_kwargs={"dtype": getattr(torch, options.dtype)},
        )
        model.eval()
        if options.max_length is not None:
            model.max_seq_length = options.max_length
        prompt = options.prompt if options.prompt is not None else _own_prompt(model)
    fingerprint = Fingerprint(
        backend=f"torch/{device.type}",
        weights=hash_weights(folder),
        config=hash_configs(folder),
        pooling=" + ".join(_module_name(module) for module in model),
        dtype=options.dtype,
        max_length=model.max_seq_length,
        prompt=prompt,
    )
    return SentenceTransformerEncoder(name.text, fingerprint, device, model, prompt)


def _own_prompt(model: SentenceTransformer) -> str:
    """The prompt that the model itself puts before every text, if it has one."""
    named = model.default_prompt_name
    return str(model.prompts.get(named, "")) if named else ""


def _module_name(module: Any) -> str:
    mode = getattr(module, "pooling_mode", None)
    return f"{type(module).__name__}({mode})" if isinstance(mode, str) else type(module).__name__
