"""How a model is trained; the defaults are the paper's."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from litotes.core.errors import UsageError
from litotes.core.registry import unknown_name

Precision = Literal["float32", "bf16", "fp16"]
PRECISIONS = ("float32", "bf16", "fp16")


@dataclass(frozen=True)
class TrainSettings:
    """The settings of a training; those of Laverghetta and Licato (2022) where nothing else is said."""

    learning_rate: float = 1e-5
    weight_decay: float = 0.01
    batch_size: int = 16
    """Pairs of one device in one step: two processes see twice as many."""
    max_length: int = 175
    """Tokens of a pair; less where the model has fewer positions."""
    epochs: int = 10
    seed: int = 0
    examples: int | None = None
    """How many pairs are drawn from the data; None for all."""
    warmup: float = 0.0
    """The share of all steps in which the learning rate rises; it falls linearly afterwards."""
    precision: Precision = "float32"

    def __post_init__(self) -> None:
        for name in ("batch_size", "max_length", "epochs"):
            if getattr(self, name) < 1:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least 1 is needed")
        if self.examples is not None and self.examples < 1:
            raise UsageError("L102", f"examples={self.examples}: at least 1 is needed")
        if not (math.isfinite(self.learning_rate) and self.learning_rate > 0):
            raise UsageError("L102", f"learning_rate={self.learning_rate}: must be above 0")
        if not (math.isfinite(self.weight_decay) and self.weight_decay >= 0):
            raise UsageError("L102", f"weight_decay={self.weight_decay}: must not be below 0")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")
        if not 0 <= self.warmup < 1:
            raise UsageError("L102", f"warmup={self.warmup}: is a share of all steps, from 0 to below 1")
        if self.precision not in PRECISIONS:
            raise unknown_name("precision", self.precision, PRECISIONS)

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)


PRESETS = {
    "paper": TrainSettings(),
    # A cut for two cores and an hour: fewer pairs, seen less often, shorter; such short training needs larger steps.
    "small": TrainSettings(learning_rate=1e-4, batch_size=32, max_length=64, epochs=3, examples=30_000, warmup=0.06),
    # Shows that everything works, not what a model can do.
    "smoke": TrainSettings(learning_rate=1e-3, batch_size=8, max_length=32, epochs=2, examples=256),
}
"""Settings by name: `paper`, `small` (an hour on two cores), `smoke` (a minute)."""


def preset(name: str) -> TrainSettings:
    """The settings of that name.

    >>> preset("paper").batch_size
    16
    """
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]
