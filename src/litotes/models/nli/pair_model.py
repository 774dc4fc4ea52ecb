"""What models have in common that read two sentences at once, whether they tell labels or rate."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.transformers.torch_model import TOKENIZE_AT_ONCE, DType, OnTorch, does_not_fit, load_tokenizer

if TYPE_CHECKING:
    import torch

TextPair = tuple[str, str]
_CLASSIFIES = "ForSequenceClassification"

Outputs = TypeVar("Outputs")


class PairModel(OnTorch):
    """A transformers model with a layer of outputs for a pair of sentences."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        *,
        model: Any,
        tokenizer: Any,
        max_length: int,
        batch: int | None,
        **more: Any,
    ) -> None:
        super().__init__(name, fingerprint, device, **more)
        self._model = model
        self._tokenizer = tokenizer
        self._max_length = max_length
        self._batch = batch
        self._takes = frozenset(inspect.signature(model.forward).parameters)

    @property
    def batch_tokens(self) -> int:
        """What was asked for, else what suits the device."""
        return self._batch or super().batch_tokens

    def lengths(self, pairs: Sequence[TextPair]) -> list[int]:
        """How many tokens each pair has after truncation."""
        counts: list[int] = []
        for start in range(0, len(pairs), TOKENIZE_AT_ONCE):
            chunk = pairs[start : start + TOKENIZE_AT_ONCE]
            with self._failing_in_one_line([one for one, _ in chunk]), self._lock:
                counts += map(len, self._tokens(chunk, return_attention_mask=False)["input_ids"])
        return counts

    def _outputs(self, pairs: Sequence[TextPair]) -> torch.Tensor:
        """The model's numbers, a row a pair, as one batch; in double precision, for what is done with them last."""
        import torch

        with self._failing_in_one_line([one for one, _ in pairs]):
            with self._lock:
                features = dict(self._tokens(pairs, padding=True, return_tensors="pt"))
            # A tokenizer may make more than its model takes, token types above all.
            taken = {key: value for key, value in features.items() if key in self._takes}
            with torch.inference_mode():
                logits: torch.Tensor = self._model(**self._on_device(taken)).logits
            return logits.to(device="cpu", dtype=torch.float64)

    def _tokens(self, pairs: Sequence[TextPair], **more: Any) -> Any:
        firsts, seconds = [one for one, _ in pairs], [other for _, other in pairs]
        return self._tokenizer(firsts, seconds, truncation="longest_first", max_length=self._max_length, **more)


def nothing_may_be_missing(_: str) -> bool:
    """Every weight is read here: a classifier with a layer at random is none."""
    return False


def load_pair_model(
    folder: Path, access: Access, dtype: DType, *, scheme: str, outputs: Callable[[Any], Outputs]
) -> tuple[Any, Any, Outputs]:
    """The model in a folder, its tokenizer, and what its config says of its outputs, which is asked first."""
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": access.trust_remote_code}
    config = AutoConfig.from_pretrained(folder, **common)
    _check_classifies(config, folder, scheme)
    found = outputs(config)
    tokenizer = load_tokenizer(folder, common)
    model, report = AutoModelForSequenceClassification.from_pretrained(
        folder,
        dtype=getattr(torch, dtype),
        output_loading_info=True,
        weights_only=True,
        **common,
    )
    if missing := sorted(report["missing_keys"]):
        raise does_not_fit(folder, missing)
    if model.config.pad_token_id is None:  # generating models look for the last token that is no padding
        model.config.pad_token_id = tokenizer.pad_token_id
    return model, tokenizer, found


def _check_classifies(config: Any, folder: Path, scheme: str) -> None:
    made = [str(kind) for kind in config.architectures or ()]
    if made and not any(kind.endswith(_CLASSIFIES) for kind in made):
        raise LitotesError(
            "L310",
            f"{folder}: is a {made[0]}, which gives no labels and no ratings",
            hint=f"{scheme}: needs a model of the kind …{_CLASSIFIES}; an encoder is named without {scheme}:",
        )
