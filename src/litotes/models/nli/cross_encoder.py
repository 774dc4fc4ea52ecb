"""`cross:MODEL`: cross-encoders that read both sentences of a pair at once and rate how similar they are.

A rating may depend on the order of the sentences; the mean of both orders does not. The activation is that of
sentence-transformers: the one that the model's config names, or the sigmoid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from litotes.core.errors import LitotesError
from litotes.core.files import is_file, read_json
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores
from litotes.models.names import ModelName, parse_options, shorten
from litotes.models.nli.pair_model import PairModel, PairModelOptions, PairNetwork, TextPair, load_pair_network

Order = Literal["mean", "first"]
_ACTIVATIONS: Mapping[str, Callable[[Scores], Scores]] = {
    "Sigmoid": lambda ratings: np.asarray(1 / (1 + np.exp(-np.clip(ratings, -700, 700)))),
    "Identity": lambda ratings: ratings,
    "Tanh": np.tanh,
}
_DEFAULT_ACTIVATION = "Sigmoid"


@dataclass(frozen=True)
class CrossEncoderOptions(PairModelOptions):
    """Options in a name such as `cross:stsb-roberta-large?both=first`.

    Args:
        both: Whether a pair is rated in both orders, or only in the given one.
    """

    both: Order = "mean"


class CrossEncoder(PairModel):
    """A transformers model with one output per pair."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, network: PairNetwork, *, activation: str, both: Order
    ) -> None:
        super().__init__(name, fingerprint, network)
        self._activation = _ACTIVATIONS[activation]
        self._both = both

    def score(self, pairs: Sequence[TextPair]) -> Scores:
        """Return the rating of each pair."""
        if self._both == "first":
            return self._rate(pairs)
        ratings = self._rate([*pairs, *((second, first) for first, second in pairs)])
        return (ratings[: len(pairs)] + ratings[len(pairs) :]) / 2

    def _rate(self, pairs: Sequence[TextPair]) -> Scores:
        """Return the rating of each pair in the given order, computed in batches of similar length."""
        ratings = np.empty(len(pairs), dtype=np.float64)
        for indexes in _batches(self.lengths(pairs), self.batch_tokens):
            ratings[indexes] = self._logits([pairs[index] for index in indexes])[:, 0].numpy()
        return self._activation(ratings)


def _batches(lengths: Sequence[int], max_tokens: int) -> Iterator[list[int]]:
    """Yield indexes of pairs, the shortest first, in batches of at most `max_tokens` tokens including padding.

    >>> list(_batches([3, 9, 2, 4], 8))
    [[2, 0], [3], [1]]
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[index] * (len(batch) + 1) > max_tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> CrossEncoder:
    """Load `cross:MODEL`."""
    options = parse_options(CrossEncoderOptions, values, scheme=name.scheme)
    network, activation = load_pair_network(name, access, options, _read_activation)
    order = "mean of both orders" if options.both == "mean" else "in the order given"
    fingerprint = network.fingerprint(f"{activation}, {order}", options)
    return CrossEncoder(name.text, fingerprint, network, activation=activation, both=options.both)


def _read_activation(config: Any, folder: Path) -> str:
    """Return the name of the activation after the output; raise if there are several outputs."""
    if config.num_labels != 1:
        raise LitotesError(
            "L310",
            f"{folder}: has {config.num_labels} outputs per pair, a rating is one",
            hint="use nli: for models that distinguish entailment, neutral and contradiction",
        )
    name = _configured_activation(config, folder)
    # Without trust_remote_code, sentence-transformers uses only torch's own activations.
    if name is None or not name.startswith("torch."):
        return _DEFAULT_ACTIVATION
    activation = name.rpartition(".")[2]
    if activation not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        raise LitotesError(
            "L311", f"{folder}: its activation {shorten(activation, 40)} is not supported; known are {known}"
        )
    return activation


def _configured_activation(config: Any, folder: Path) -> str | None:
    """Return the activation in the model's files, whose place depends on the version of sentence-transformers."""
    path = folder / "config_sentence_transformers.json"
    newest = read_json(path).get("activation_fn") if is_file(path) else None
    newer = getattr(config, "sentence_transformers", None)
    newer = newer.get("activation_fn") if isinstance(newer, Mapping) else None
    oldest = getattr(config, "sbert_ce_default_activation_function", None)
    return next((name for name in (newest, newer, oldest) if isinstance(name, str)), None)
