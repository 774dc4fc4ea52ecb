"""Settings of a repair; the defaults were tuned on all-MiniLM-L6-v2 (docs/reference/repair.md)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from litotes.core.settings import Fraction, NonNegativeFloat, PositiveFloat, PositiveInt, Seed
from litotes.corpora.settings import ReadSettings
from litotes.models.adapter import AdapterKind
from litotes.training.nli.settings import Precision

MIN_GENERAL = 16
"""Fewest general sentences from which an adapter can be learned."""


class ExampleSettings(ReadSettings, frozen=True, kw_only=True):
    """How the text is read, and which training examples are generated from it."""

    limit: Annotated[
        PositiveInt | None, Meta(description="Use at most this many sentences of the text.", extra={"zero": "all"})
    ] = 100_000
    rewrite_limit: Annotated[
        PositiveInt | None,
        Meta(description="Rewrite at most this many sentences by rules other than quadruple.", extra={"zero": "all"}),
    ] = 20_000
    lexicon: Annotated[bool, Meta(description="Also learn from the antonyms of the lexicon.")] = True
    include_reported: Annotated[
        bool, Meta(description="Also train on the sentences and antonym pairs of the evaluation data.")
    ] = False
    seed: Seed = 0


class RepairSettings(ExampleSettings, frozen=True, kw_only=True):
    """Settings of fine-tuning."""

    retention: Annotated[
        NonNegativeFloat,
        Meta(description="Weight of the loss that holds general sentences in place; a higher value learns less."),
    ] = 0.6
    learning_rate: PositiveFloat = 1.5e-4
    steps: Annotated[PositiveInt, Meta(description="Maximum number of training steps.")] = 900
    batch_size: Annotated[
        PositiveInt, Meta(description="Training examples per step, each with one general sentence.")
    ] = 32
    temperature: PositiveFloat = 0.05
    in_batch_negative_weight: Annotated[
        NonNegativeFloat,
        Meta(description="Weight of the sentences of other examples as negatives; those of the same example have 1."),
    ] = 0.1
    warmup: Annotated[int, Meta(ge=0, description="Steps over which the learning rate increases.")] = 50
    max_length: Annotated[PositiveInt, Meta(description="Tokens per sentence in training.")] = 32
    check_every: Annotated[PositiveInt, Meta(description="Steps between validations.")] = 100
    patience: Annotated[PositiveInt, Meta(description="Validations without improvement before training stops.")] = 4
    freeze_embeddings: Annotated[bool, Meta(description="Do not train the word embeddings.")] = True
    frozen_layers: Annotated[int, Meta(ge=0, description="Number of lowest layers that are not trained.")] = 0
    average: Annotated[
        float, Meta(ge=0, lt=1, description="Decay of the moving average of the weights; 0 uses the last weights.")
    ] = 0.99
    weight_decay: NonNegativeFloat = 0.01
    precision: Precision = "float32"


class AdapterSettings(ExampleSettings, frozen=True, kw_only=True):
    """Settings of an adapter: a small map over the vectors of a model that is not changed itself."""

    kind: Annotated[
        AdapterKind,
        Meta(
            description="weights (one factor per dimension), low-rank (a linear map of small rank added to the "
            "identity), linear (a full matrix) or hidden (a tanh layer added to the identity)."
        ),
    ] = "low-rank"
    rank: Annotated[PositiveInt, Meta(description="Rank of the low-rank map, or units of the hidden layer.")] = 32
    retention: Annotated[
        NonNegativeFloat, Meta(description="Weight of the loss that keeps the similarities of general sentences.")
    ] = 2.0
    min_agreement: Annotated[
        float,
        Meta(ge=-1, le=1, description="Lowest accepted rank correlation of general similarities with the original's."),
    ] = 0.95
    learning_rate: PositiveFloat = 3e-3
    steps: Annotated[PositiveInt, Meta(description="Maximum number of training steps.")] = 600
    batch_size: Annotated[
        PositiveInt, Meta(description="Training examples per step, with twice as many general pairs.")
    ] = 128
    temperature: PositiveFloat = 0.05
    check_every: Annotated[PositiveInt, Meta(description="Steps between validations.")] = 25
    patience: Annotated[PositiveInt, Meta(description="Validations without improvement before training stops.")] = 8
    max_examples: Annotated[PositiveInt, Meta(description="Maximum number of training examples to encode.")] = 3_000
    quadruple_share: Annotated[
        Fraction,
        Meta(
            description="Share of quadruples among the examples. No linear map of averaged word vectors can solve "
            "them, and training on them costs accuracy on plain negation."
        ),
    ] = 0.0
    max_general: Annotated[int, Meta(ge=MIN_GENERAL, description="Maximum number of general sentences to encode.")] = (
        2_000
    )
