"""`nli:` — sequence-classification models and cross-encoders that tell entailment, neutral and contradiction apart.

A folder that sentence-transformers saved as a CrossEncoder is a transformers folder with some files more. Its weights
are loaded by transformers; what it says of an activation is not needed, for probabilities are always the softmax.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.corpora.nli import LABELS
from litotes.scorers.access import Access
from litotes.scorers.base import Both, Fingerprint, PairClassifier, Vectors
from litotes.scorers.model_folder import hash_configs, hash_weights
from litotes.scorers.names import ScorerName, parse_options
from litotes.scorers.nli_labels import label_order
from litotes.scorers.pair_model import PairModel, TextPair, load_pair_model, nothing_may_be_missing
from litotes.scorers.torch_encoder import (
    AUTO,
    DType,
    check_max_length,
    choose_device,
    find_torch_model,
    loading,
    longest_input,
    need_torch,
)
from litotes.scorers.torch_products import use_quick_products

if TYPE_CHECKING:
    import torch


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


class NliModel(PairModel, PairClassifier):
    """A transformers model with a layer of three labels."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, device: torch.device, *, order: Sequence[str], **parts: Any
    ) -> None:
        super().__init__(name, fingerprint, device, **parts)
        self._columns = [list(order).index(label) for label in LABELS]

    def classify(self, pairs: Sequence[TextPair]) -> Vectors:
        """The probabilities of the labels, in the order of LABELS, a row a pair, as one batch."""
        likely = self._outputs(pairs).softmax(dim=-1).numpy()
        return np.ascontiguousarray(likely[:, self._columns], dtype=np.float32)


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> NliModel:
    """The classifier of that name."""
    options = parse_options(Options, given, scheme=name.scheme)
    need_torch("transformers")
    folder = find_torch_model(name, access, options.device)
    device = choose_device(options.device)
    with loading(folder, access, new=nothing_may_be_missing):
        model, tokenizer, order = load_pair_model(
            folder,
            access,
            options.dtype,
            scheme=name.scheme,
            outputs=lambda config: label_order(config, options.labels, folder),
        )
        use_quick_products(model.to(device).eval())
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
        batch=options.batch,
        both=options.both,
    )
