"""`nli:` — sequence-classification models and cross-encoders that tell entailment, neutral and contradiction apart.

A folder that sentence-transformers saved as a CrossEncoder is a transformers folder with some files more. Its weights
are loaded by transformers; what it says of an activation is not needed, for probabilities are always the softmax.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.nli import LABELS
from litotes.models.access import Access
from litotes.models.base import Both, Fingerprint, PairClassifier, Vectors
from litotes.models.model_folder import hash_configs, hash_weights
from litotes.models.names import ScorerName, parse_options, shorten
from litotes.models.nli.pair_model import PairModel, TextPair, load_pair_model, nothing_may_be_missing
from litotes.models.transformers.torch_model import (
    AUTO,
    DType,
    check_max_length,
    choose_device,
    find_torch_model,
    loading,
    longest_input,
    need_torch,
)
from litotes.speedups.onednn import use_quick_products

if TYPE_CHECKING:
    import torch


_FORMS = {
    "entailment": ("entailment", "entail", "entails", "entailed"),
    "neutral": ("neutral",),
    "contradiction": ("contradiction", "contradict", "contradicts", "contradicted", "contradictory"),
}
_KNOWN = {form: label for label, forms in _FORMS.items() for form in forms}
_TWO = 2


def label_order(config: Any, given: str | None, where: object) -> tuple[str, ...]:
    """The labels in the order of the model's numbers; what is given outweighs what the config says."""
    names = _own_names(config)
    if len(names) != len(LABELS):
        raise _no_nli(names, where)
    if given is not None:
        return _given_order(given)
    order = tuple(_label_of(name) for name in names)
    if set(order) != set(LABELS):
        raise LitotesError(
            "L310",
            f"{where}: its config does not say which label is which ({', '.join(shorten(name, 30) for name in names)})",
            hint="say it in the order of its outputs: nli:MODEL?labels=contradiction,entailment,neutral",
        )
    return order


def _own_names(config: Any) -> list[str]:
    """What the config calls the outputs, in their order."""
    names: Mapping[Any, Any] = getattr(config, "id2label", None) or {}
    return [str(names[key]) for key in sorted(names, key=int)]


def _label_of(name: str) -> str:
    """The label that a name means; "" where that is not clear.

    >>> _label_of("ENTAILMENT"), _label_of("contradictory"), _label_of("LABEL_0"), _label_of("not_entailment")
    ('entailment', 'contradiction', '', '')
    """
    return _KNOWN.get(name.strip().lower(), "")


def _given_order(given: str) -> tuple[str, ...]:
    """The order that a user gives.

    >>> _given_order("contradiction, Entailment, neutral")
    ('contradiction', 'entailment', 'neutral')
    """
    order = tuple(_label_of(name) for name in given.split(","))
    if sorted(order) != sorted(LABELS):
        raise UsageError(
            "L102",
            f"labels={shorten(given)}: the three labels are needed, each once",
            hint=f"labels={','.join(LABELS)}, in the order of the model's outputs",
        )
    return order


def _no_nli(names: Sequence[str], where: object) -> LitotesError:
    hint = "nli: needs a model that tells entailment, neutral and contradiction apart"
    if len(names) == 1:
        return LitotesError("L310", f"{where}: gives one number a pair (how alike, how relevant), no labels", hint=hint)
    shown = ", ".join(shorten(name, 30) for name in names) if len(names) == _TWO else ""
    return LitotesError(
        "L310", f"{where}: tells {len(names)} labels apart{f' ({shown})' if shown else ''}, NLI has three", hint=hint
    )


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
