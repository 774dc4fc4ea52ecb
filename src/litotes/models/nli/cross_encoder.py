"""`cross:` — cross-encoders that read both sentences of a pair at once and rate how alike they are.

A rating may depend on which sentence is read first; the mean of both orders does not. The last step is what
sentence-transformers would do: the activation that the model's config names, else the sigmoid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from litotes.core.errors import LitotesError
from litotes.core.files import is_file, read_json
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores
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

Order = Literal["mean", "first"]
_ACTIVATIONS: Mapping[str, Callable[[Scores], Scores]] = {
    "Sigmoid": lambda ratings: np.asarray(1 / (1 + np.exp(-np.clip(ratings, -700, 700)))),
    "Identity": lambda ratings: ratings,
    "Tanh": np.tanh,
}
_USUAL = "Sigmoid"


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `cross:stsb-roberta-large?both=first`."""

    both: Order = "mean"
    """Whether a pair is rated in both orders, or only as it is given."""
    max_length: int | None = None
    dtype: DType = "float32"
    device: str = AUTO
    batch: int | None = None
    """How many tokens go into one batch; None: what suits the device."""


class CrossEncoder(PairModel):
    """A transformers model with one output for a pair."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, device: torch.device, *, activation: str, both: Order, **parts: Any
    ) -> None:
        super().__init__(name, fingerprint, device, **parts)
        self._activation = _ACTIVATIONS[activation]
        self._both = both

    def score(self, pairs: Sequence[TextPair]) -> Scores:
        """The rating of each pair."""
        if self._both == "first":
            return self._rate(pairs)
        rated = self._rate([*pairs, *((other, one) for one, other in pairs)])
        return (rated[: len(pairs)] + rated[len(pairs) :]) / 2

    def _rate(self, pairs: Sequence[TextPair]) -> Scores:
        """The rating of each pair in its own order, in batches of about equal length."""
        out = np.empty(len(pairs), dtype=np.float64)
        for places in _batches(self.lengths(pairs), self.batch_tokens):
            out[places] = self._outputs([pairs[place] for place in places])[:, 0].numpy()
        return self._activation(out)


def _batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """The places of the pairs, the shortest first; each batch of no more tokens than that, padding counted.

    >>> list(_batches([3, 9, 2, 4], 8))
    [[2, 0], [3], [1]]
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[place] * (len(batch) + 1) > most:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> CrossEncoder:
    """The cross-encoder of that name."""
    options = parse_options(Options, given, scheme=name.scheme)
    need_torch("transformers")
    folder = find_torch_model(name, access, options.device)
    device = choose_device(options.device)
    with loading(folder, access, new=nothing_may_be_missing):
        model, tokenizer, activation = load_pair_model(
            folder,
            access,
            options.dtype,
            scheme=name.scheme,
            outputs=lambda config: _activation(config, folder),
        )
        use_quick_products(model.to(device).eval())
    max_length = options.max_length or longest_input(model, tokenizer)
    check_max_length(max_length, model, tokenizer, pair=True)
    fingerprint = Fingerprint(
        backend=f"torch/{device.type}",
        weights=hash_weights(folder),
        config=hash_configs(folder, access),
        pooling=f"{activation}, {'mean of both orders' if options.both == 'mean' else 'in the order given'}",
        dtype=options.dtype,
        max_length=max_length,
    )
    return CrossEncoder(
        name.text,
        fingerprint,
        device,
        model=model,
        tokenizer=tokenizer,
        max_length=max_length,
        batch=options.batch,
        activation=activation,
        both=options.both,
    )


def _activation(config: Any, folder: Path) -> str:
    """What is done to the one output at the end; raises if there are several."""
    if config.num_labels != 1:
        raise LitotesError(
            "L310",
            f"{folder}: gives {config.num_labels} numbers a pair, a rating is one",
            hint="nli: asks models that tell entailment, neutral and contradiction apart",
        )
    named = _named_activation(config, folder)
    # Only torch's own are run by sentence-transformers too, unless code of others is trusted.
    if named is None or not named.startswith("torch."):
        return _USUAL
    kind = named.rpartition(".")[2]
    if kind not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        raise LitotesError("L311", f"{folder}: ends in {shorten(kind, 40)}, which is not known here ({known} are)")
    return kind


def _named_activation(config: Any, folder: Path) -> str | None:
    """What the model's files call it; there are three places, of three ages of sentence-transformers."""
    own = folder / "config_sentence_transformers.json"
    newest = read_json(own).get("activation_fn") if is_file(own) else None
    newer = getattr(config, "sentence_transformers", None)
    newer = newer.get("activation_fn") if isinstance(newer, Mapping) else None
    oldest = getattr(config, "sbert_ce_default_activation_function", None)
    return next((name for name in (newest, newer, oldest) if isinstance(name, str)), None)
