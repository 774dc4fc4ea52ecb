"""The settings of NLI training, and named presets."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from litotes.core.registry import unknown_name
from litotes.core.settings import NonNegativeFloat, PositiveFloat, PositiveInt, Seed, Settings

Precision = Literal["float32", "bf16", "fp16"]


class TrainSettings(Settings, frozen=True, kw_only=True):
    """How an NLI model is trained; the defaults are those of Laverghetta and Licato (2022)."""

    learning_rate: Annotated[PositiveFloat, Meta(description="Learning rate.")] = 1e-5
    weight_decay: Annotated[NonNegativeFloat, Meta(description="Weight decay.")] = 0.01
    batch_size: Annotated[PositiveInt, Meta(description="Pairs per step and device.")] = 16
    max_length: Annotated[
        PositiveInt, Meta(description="Maximum number of tokens of a pair, limited by the model's positions.")
    ] = 175
    epochs: Annotated[PositiveInt, Meta(description="Number of epochs.")] = 10
    seed: Seed = 0
    examples: Annotated[
        PositiveInt | None, Meta(description="Number of pairs drawn from the data.", extra={"zero": "all"})
    ] = None
    warmup: Annotated[float, Meta(ge=0, lt=1, description="Share of the steps with a rising learning rate.")] = 0.0
    precision: Annotated[Precision, Meta(description="float32, bf16 or fp16.")] = "float32"


PRESETS = {
    "paper": TrainSettings(),
    # For one hour on two cores: fewer and shorter pairs and fewer epochs, which need a higher learning rate.
    "small": TrainSettings(learning_rate=1e-4, batch_size=32, max_length=64, epochs=3, examples=30_000, warmup=0.06),
    # Tests that training runs; the resulting model is not useful.
    "smoke": TrainSettings(learning_rate=1e-3, batch_size=8, max_length=32, epochs=2, examples=256),
}
"""Settings by name: `paper`, `small` (an hour on two cores), `smoke` (a minute)."""


def preset(name: str) -> TrainSettings:
    """Return the settings of a preset.

    >>> preset("paper").batch_size
    16
    """
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]
