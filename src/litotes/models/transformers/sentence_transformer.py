"""`st:MODEL`: sentence-transformers models with their own pooling and normalisation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.names import ModelName, parse_options
from litotes.models.transformers.standard_sentence_transformer import StandardSentenceTransformer, load_standard
from litotes.models.transformers.torch_model import (
    AUTO,
    NO_LIMIT,
    DType,
    Features,
    TorchEncoder,
    TorchSource,
    check_max_length,
    find_torch_model,
    loading,
    token_ids,
)

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

AnySentenceTransformer: TypeAlias = "SentenceTransformer | StandardSentenceTransformer"


@dataclass(frozen=True)
class SentenceTransformerOptions:
    """Options in a name such as `all-MiniLM-L6-v2?max_length=64`; defaults are the model's own values."""

    max_length: int | None = None
    prompt: str | None = None
    dtype: DType = "float32"
    device: str = AUTO


class SentenceTransformerEncoder(TorchEncoder):
    """A model of the sentence-transformers library."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        model: AnySentenceTransformer,
        prompt: str,
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._prompt = prompt

    def _tokenize(self, texts: Sequence[str]) -> Features:
        features: Features = self._model.preprocess(list(texts), prompt=self._prompt or None)
        return features

    def _token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]] | None:
        # Much faster than preprocess, which checks each text for images and audio.
        if self._model.transformers_model is None:
            return None
        return token_ids(self._model.tokenizer, [self._prompt + text for text in texts], self._model.max_seq_length)

    def _forward(self, features: Features) -> torch.Tensor:
        output = self._model(features)
        if "sentence_embedding" not in output:
            raise LitotesError(
                "L310",
                f"{self.name}: its modules do not return sentence vectors",
                hint="hf:…?pooling=mean pools the vectors of its tokens",
            )
        vectors: torch.Tensor = output["sentence_embedding"]
        return vectors[:, : self._model.truncate_dim]


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> SentenceTransformerEncoder:
    """Load `st:MODEL`, or a name without a scheme."""
    options = parse_options(SentenceTransformerOptions, values, scheme=name.scheme)
    source = find_torch_model(name, access, options.device, "sentence_transformers")
    with loading(source.folder, access):
        import torch

        dtype = getattr(torch, options.dtype)
        model: AnySentenceTransformer = load_standard(source, dtype) or _load_with_library(source, dtype)
        if options.max_length is not None:
            check_max_length(options.max_length, model.transformers_model, model.tokenizer)
            model.max_seq_length = options.max_length
        prompt = options.prompt if options.prompt is not None else default_prompt(model)
    length = model.max_seq_length
    fingerprint = source.fingerprint(
        pooling=" + ".join(_module_names(model)),
        dtype=options.dtype,
        max_length=int(length) if length is not None and length < NO_LIMIT else None,
        prompt=prompt,
    )
    return SentenceTransformerEncoder(name.text, fingerprint, source.device, model, prompt)


def _load_with_library(source: TorchSource, dtype: torch.dtype) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        str(source.folder), device=str(source.device), model_kwargs={"dtype": dtype}, **source.options
    )
    return source.prepare(model)


def default_prompt(model: AnySentenceTransformer) -> str:
    """Return the prompt that the model puts before every text by default, or an empty string."""
    prompt_name = model.default_prompt_name
    return str(model.prompts.get(prompt_name, "")) if prompt_name else ""


def _module_names(model: AnySentenceTransformer) -> Iterator[str]:
    return model.module_names() if isinstance(model, StandardSentenceTransformer) else map(_module_name, model)


def _module_name(module: Any) -> str:
    mode = getattr(module, "pooling_mode", None)
    return f"{type(module).__name__}({mode})" if isinstance(mode, str) else type(module).__name__
