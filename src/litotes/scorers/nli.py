"""`nli:` — sequence-classification models and cross-encoders that tell entailment, neutral and contradiction apart.

A folder that sentence-transformers saved as a CrossEncoder is a transformers folder with some files more. Its weights
are loaded by transformers; what it says of an activation is not needed, for probabilities are always the softmax.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.core.errors import LitotesError
from litotes.corpora.nli import LABELS
from litotes.scorers.access import Access
from litotes.scorers.base import Both, Fingerprint, PairClassifier, Vectors
from litotes.scorers.model_folder import hash_configs, hash_weights
from litotes.scorers.names import ScorerName, parse_options
from litotes.scorers.nli_labels import label_order
from litotes.scorers.torch_encoder import (
    AUTO,
    TOKENIZE_AT_ONCE,
    DType,
    OnTorch,
    check_max_length,
    choose_device,
    does_not_fit,
    find_torch_model,
    load_tokenizer,
    loading,
    longest_input,
    need_torch,
)

if TYPE_CHECKING:
    import torch

_CLASSIFIES = "ForSequenceClassification"


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `nli:FOLDER?labels=contradiction,entailment,neutral`."""

    labels: str | None = None
    """The labels in the order of the model's outputs; None: as its config says."""
    both: Both = "product"
    """How the probabilities of entailment there and back become one number on suites of similarities."""
    max_length: int | None = None
    dtype: DType = "float32"
    device: str = AUTO
    batch: int | None = None
    """How many tokens go into one batch; None: what suits the device."""


class NliModel(OnTorch, PairClassifier):
    """A transformers model with a layer of three labels."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        device: torch.device,
        *,
        model: Any,
        tokenizer: Any,
        order: Sequence[str],
        max_length: int,
        options: Options,
    ) -> None:
        super().__init__(name, fingerprint, device, both=options.both)
        self._model = model
        self._tokenizer = tokenizer
        self._columns = [list(order).index(label) for label in LABELS]
        self._max_length = max_length
        self._batch = options.batch
        self._takes = frozenset(inspect.signature(model.forward).parameters)

    @property
    def batch_tokens(self) -> int:
        """What was asked for, else what suits the device."""
        return self._batch or super().batch_tokens

    def lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """How many tokens each pair has after truncation."""
        counts: list[int] = []
        for start in range(0, len(pairs), TOKENIZE_AT_ONCE):
            chunk = pairs[start : start + TOKENIZE_AT_ONCE]
            with self._failing_in_one_line([one for one, _ in chunk]), self._lock:
                counts += map(len, self._tokens(chunk, return_attention_mask=False)["input_ids"])
        return counts

    def classify(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """The probabilities of the labels, in the order of LABELS, a row a pair, as one batch."""
        import torch

        with self._failing_in_one_line([one for one, _ in pairs]):
            with self._lock:
                features = dict(self._tokens(pairs, padding=True, return_tensors="pt"))
            # A tokenizer may make more than its model takes, token types above all.
            taken = {key: value for key, value in features.items() if key in self._takes}
            with torch.inference_mode():
                logits = self._model(**self._on_device(taken)).logits
            # In double precision: the rounding of the last step should not be seen.
            likely = torch.softmax(logits.to(device="cpu", dtype=torch.float64), dim=-1).numpy()
        return np.ascontiguousarray(likely[:, self._columns], dtype=np.float32)

    def _tokens(self, pairs: Sequence[tuple[str, str]], **more: Any) -> Any:
        premises, hypotheses = [one for one, _ in pairs], [other for _, other in pairs]
        return self._tokenizer(premises, hypotheses, truncation="longest_first", max_length=self._max_length, **more)


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> NliModel:
    """The classifier of that name."""
    options = parse_options(Options, given, scheme=name.scheme)
    need_torch("transformers")
    folder = find_torch_model(name, access, options.device)
    device = choose_device(options.device)
    with loading(folder, access, new=_nothing):
        model, tokenizer, order = _load_parts(folder, access, options)
        model.to(device).eval()
    max_length = options.max_length or longest_input(model, tokenizer)
    check_max_length(max_length, model, tokenizer, pair=True)
    fingerprint = Fingerprint(
        backend=f"torch/{device.type}",
        weights=hash_weights(folder),
        config=hash_configs(folder, access),
        pooling=f"softmax({','.join(order)})",
        dtype=options.dtype,
        max_length=max_length,
    )
    return NliModel(
        name.text,
        fingerprint,
        device,
        model=model,
        tokenizer=tokenizer,
        order=order,
        max_length=max_length,
        options=options,
    )


def _nothing(_: str) -> bool:
    """Every weight is read here: a classifier with a layer at random is none."""
    return False


def _load_parts(folder: Path, access: Access, options: Options) -> tuple[Any, Any, tuple[str, ...]]:
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": access.trust_remote_code}
    config = AutoConfig.from_pretrained(folder, **common)
    _check_classifies(config, folder)
    order = label_order(config, options.labels, folder)
    tokenizer = load_tokenizer(folder, common)
    model, report = AutoModelForSequenceClassification.from_pretrained(
        folder,
        dtype=getattr(torch, options.dtype),
        output_loading_info=True,
        weights_only=True,
        **common,
    )
    if missing := sorted(report["missing_keys"]):
        raise does_not_fit(folder, missing)
    if model.config.pad_token_id is None:  # generating models look for the last token that is no padding
        model.config.pad_token_id = tokenizer.pad_token_id
    return model, tokenizer, order


def _check_classifies(config: Any, folder: Path) -> None:
    made = [str(kind) for kind in config.architectures or ()]
    if made and not any(kind.endswith(_CLASSIFIES) for kind in made):
        raise LitotesError(
            "L310",
            f"{folder}: is a {made[0]}, which gives no labels",
            hint=f"nli: needs a model of the kind …{_CLASSIFIES}; an encoder is named without nli:",
        )
