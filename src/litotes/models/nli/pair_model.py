"""Transformers models with a classification head for sentence pairs: NLI classifiers and cross-encoders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.names import ModelName
from litotes.models.transformers.torch_model import (
    AUTO,
    TOKENIZER_BATCH,
    DType,
    TorchModel,
    TorchSource,
    accepted_inputs,
    check_max_length,
    does_not_fit,
    find_torch_model,
    load_tokenizer,
    loading,
    longest_input,
)

if TYPE_CHECKING:
    import torch

TextPair = tuple[str, str]
_CLASSIFIER = "ForSequenceClassification"

Head = TypeVar("Head")


@dataclass(frozen=True)
class PairModelOptions:
    """Options of all models that read pairs.

    Args:
        max_length: The maximum number of tokens of a pair; default: the model's.
        dtype: The number type of the weights.
        device: A device of torch; "auto": a GPU if there is one.
        batch: The maximum number of tokens per batch; default: what suits the device.
    """

    max_length: int | None = None
    dtype: DType = "float32"
    device: str = AUTO
    batch: int | None = None


@dataclass(frozen=True)
class PairNetwork:
    """A loaded model with its tokenizer and limits."""

    source: TorchSource
    model: Any
    tokenizer: Any
    max_length: int
    batch: int | None

    def fingerprint(self, pooling: str, options: PairModelOptions) -> Fingerprint:
        """Return the fingerprint; `pooling` describes what is computed from the outputs."""
        return self.source.fingerprint(pooling=pooling, dtype=options.dtype, max_length=self.max_length)


class PairModel(TorchModel):
    """A transformers model with a classification head for a pair of sentences."""

    def __init__(self, name: str, fingerprint: Fingerprint, network: PairNetwork, **options: Any) -> None:
        super().__init__(name, fingerprint, network.source.device, **options)
        self._network = network

    @property
    def batch_tokens(self) -> int:
        """The option `batch`, or what suits the device."""
        return self._network.batch or super().batch_tokens

    def lengths(self, pairs: Sequence[TextPair]) -> list[int]:
        """Return the number of tokens of each pair after truncation."""
        counts: list[int] = []
        for start in range(0, len(pairs), TOKENIZER_BATCH):
            chunk = pairs[start : start + TOKENIZER_BATCH]
            with self._reporting_failure([first for first, _ in chunk]), self._lock:
                counts += map(len, self._tokenize(chunk, return_attention_mask=False)["input_ids"])
        return counts

    def _logits(self, pairs: Sequence[TextPair]) -> torch.Tensor:
        """Return one row of outputs per pair, computed as one batch, in double precision."""
        import torch

        with self._reporting_failure([first for first, _ in pairs]):
            with self._lock:
                features = dict(self._tokenize(pairs, padding=True, return_tensors="pt"))
            model = self._network.model
            with torch.inference_mode():
                logits: torch.Tensor = model(**self._on_device(accepted_inputs(model, features))).logits
            return logits.to(device="cpu", dtype=torch.float64)

    def _tokenize(self, pairs: Sequence[TextPair], **options: Any) -> Any:
        premises, hypotheses = zip(*pairs, strict=True)
        return self._network.tokenizer(
            list(premises), list(hypotheses), truncation="longest_first", max_length=self._network.max_length, **options
        )


def load_pair_network(
    name: ModelName, access: Access, options: PairModelOptions, read_head: Callable[[Any, Path], Head]
) -> tuple[PairNetwork, Head]:
    """Load a model with its tokenizer; `read_head` gets its config and folder first and checks the outputs."""
    source = find_torch_model(name, access, options.device)
    with loading(source.folder, access, is_optional=lambda key: False):
        model, tokenizer, head = _load_parts(source, options.dtype, name.scheme, read_head)
        source.prepare(model)
    max_length = options.max_length or longest_input(model, tokenizer)
    check_max_length(max_length, model, tokenizer, pair=True)
    return PairNetwork(source, model, tokenizer, max_length, options.batch), head


def _load_parts(
    source: TorchSource, dtype: DType, scheme: str, read_head: Callable[[Any, Path], Head]
) -> tuple[Any, Any, Head]:
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    config = AutoConfig.from_pretrained(source.folder, **source.options)
    _check_classifier(config, source.folder, scheme)
    head = read_head(config, source.folder)
    tokenizer = load_tokenizer(source.folder, source.options)
    model, report = AutoModelForSequenceClassification.from_pretrained(
        source.folder,
        dtype=getattr(torch, dtype),
        output_loading_info=True,
        weights_only=True,
        **source.options,
    )
    if missing := sorted(report["missing_keys"]):
        raise does_not_fit(source.folder, missing)
    if model.config.pad_token_id is None:  # generative models look for the last token that is not padding
        model.config.pad_token_id = tokenizer.pad_token_id
    return model, tokenizer, head


def _check_classifier(config: Any, folder: Path, scheme: str) -> None:
    architectures = [str(architecture) for architecture in config.architectures or ()]
    if architectures and not any(architecture.endswith(_CLASSIFIER) for architecture in architectures):
        raise LitotesError(
            "L310",
            f"{folder}: is a {architectures[0]}, which has neither labels nor ratings",
            hint=f"{scheme}: needs a model of type …{_CLASSIFIER}; name an encoder without {scheme}:",
        )
