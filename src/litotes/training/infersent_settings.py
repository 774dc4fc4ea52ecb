"""How an InferSent encoder is trained; the defaults are those of Conneau et al. (2017) but for the size."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from litotes.core.errors import UsageError


@dataclass(frozen=True)
class InferSentSettings:
    """The settings of a training; the authors' encoder has a `dim` of 2,048, which wants a GPU."""

    dim: int = 512
    """Numbers of a direction; a sentence's vector has twice as many."""
    hidden: int = 512
    """Width of the classifier's layers."""
    tanh: bool = False
    """Whether a tanh stands between the classifier's layers; in the authors' program it does not."""
    epochs: int = 20
    batch_size: int = 64
    learning_rate: float = 0.1
    decay: float = 0.99
    """The learning rate is multiplied by it after each epoch."""
    shrink: float = 5.0
    """The learning rate is divided by it after an epoch that was not the best so far on the dev set."""
    least_rate: float = 1e-5
    """A training whose learning rate falls below it is finished."""
    max_norm: float = 5.0
    """Longer gradients are cut to this length."""
    seed: int = 0
    examples: int | None = None
    """How many pairs are drawn from the data; None for all."""
    version: int = 1
    """How texts are read: 1 as for GloVe, 2 as for fastText."""
    lowercase: bool | None = None
    """Whether texts are put in lower case; None: if the vectors have no capital letters."""

    def __post_init__(self) -> None:
        for name in ("dim", "hidden", "epochs", "batch_size"):
            if getattr(self, name) < 1:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least 1 is needed")
        if self.examples is not None and self.examples < 1:
            raise UsageError("L102", f"examples={self.examples}: at least 1 is needed")
        for name in ("learning_rate", "decay", "shrink", "max_norm"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise UsageError("L102", f"{name}={getattr(self, name)}: must be above 0")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")
        if self.version not in (1, 2):
            raise UsageError("L102", f"version={self.version}: there are versions 1 and 2")

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)
