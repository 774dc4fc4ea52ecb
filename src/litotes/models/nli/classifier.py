"""`nli:MODEL`: classifiers and cross-encoders that distinguish entailment, neutral and contradiction.

A folder that sentence-transformers saved as a CrossEncoder is a transformers folder with additional files. transformers
loads its weights; its activation is not needed, because probabilities are always the softmax.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.nli import LABELS
from litotes.models.access import Access
from litotes.models.base import Combination, Fingerprint, PairClassifier, Vectors
from litotes.models.names import ModelName, parse_options, shorten
from litotes.models.nli.pair_model import PairModel, PairModelOptions, PairNetwork, TextPair, load_pair_network

_FORMS = {
    "entailment": ("entailment", "entail", "entails", "entailed"),
    "neutral": ("neutral",),
    "contradiction": ("contradiction", "contradict", "contradicts", "contradicted", "contradictory"),
}
_LABEL_BY_FORM = {form: label for label, forms in _FORMS.items() for form in forms}


def label_order(config: Any, labels: str | None, source: object) -> tuple[str, ...]:
    """Return the labels in the order of the model's outputs; the option takes precedence over the config."""
    id2label: Mapping[Any, Any] = getattr(config, "id2label", None) or {}
    names = [str(id2label[key]) for key in sorted(id2label, key=int)]
    if len(names) != len(LABELS):
        raise _not_nli(names, source)
    if labels is not None:
        return _parse_labels(labels)
    order = tuple(_label_of(name) for name in names)
    if set(order) != set(LABELS):
        shown = ", ".join(shorten(name, 30) for name in names)
        raise LitotesError(
            "L310",
            f"{source}: its config does not say which label is which ({shown})",
            hint="name them in the order of its outputs: nli:MODEL?labels=contradiction,entailment,neutral",
        )
    return order


def _label_of(name: str) -> str:
    """Return the label for a name in a config; "" if it is not clear.

    >>> _label_of("ENTAILMENT"), _label_of("contradictory"), _label_of("LABEL_0"), _label_of("not_entailment")
    ('entailment', 'contradiction', '', '')
    """
    return _LABEL_BY_FORM.get(name.strip().lower(), "")


def _parse_labels(labels: str) -> tuple[str, ...]:
    """Return the order in the option `labels`.

    >>> _parse_labels("contradiction, Entailment, neutral")
    ('contradiction', 'entailment', 'neutral')
    """
    order = tuple(_label_of(name) for name in labels.split(","))
    if sorted(order) != sorted(LABELS):
        raise UsageError(
            "L102",
            f"labels={shorten(labels)}: must be the three labels, each once",
            hint=f"labels={','.join(LABELS)}, in the order of the model's outputs",
        )
    return order


def _not_nli(names: Sequence[str], source: object) -> LitotesError:
    hint = "nli: needs a model that distinguishes entailment, neutral and contradiction"
    if len(names) == 1:
        return LitotesError("L310", f"{source}: rates pairs (similarity, relevance) and has no labels", hint=hint)
    shown = f" ({', '.join(shorten(name, 30) for name in names)})" if len(names) == 2 else ""
    return LitotesError("L310", f"{source}: has {len(names)} labels{shown}, NLI has three", hint=hint)


@dataclass(frozen=True)
class NliOptions(PairModelOptions):
    """Options in a name such as `nli:FOLDER?labels=contradiction,entailment,neutral`.

    Args:
        labels: The labels in the order of the model's outputs; default: from its config.
        both: How the probabilities of entailment in both directions become a similarity.
    """

    labels: str | None = None
    both: Combination = "product"


class NliModel(PairModel, PairClassifier):
    """A transformers model with a classification head of three labels."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, network: PairNetwork, *, order: Sequence[str], both: Combination
    ) -> None:
        super().__init__(name, fingerprint, network, both=both)
        self._columns = [list(order).index(label) for label in LABELS]

    def classify(self, pairs: Sequence[TextPair]) -> Vectors:
        """Return one row per pair with the probabilities of the labels in the order of LABELS, as one batch."""
        probabilities = self._logits(pairs).softmax(dim=-1).numpy()
        return np.ascontiguousarray(probabilities[:, self._columns], dtype=np.float32)


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> NliModel:
    """Load `nli:MODEL`."""
    options = parse_options(NliOptions, values, scheme=name.scheme)
    network, order = load_pair_network(
        name, access, options, lambda config, folder: label_order(config, options.labels, folder)
    )
    fingerprint = network.fingerprint(f"softmax({','.join(order)})", options)
    return NliModel(name.text, fingerprint, network, order=order, both=options.both)
