"""How an encoder is repaired; the defaults were found on all-MiniLM-L6-v2 (docs/reference/repair.md)."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.registry import unknown_name
from litotes.training.nli.settings import PRECISIONS, Precision


@dataclass(frozen=True)
class RepairSettings:
    """The settings of a repair."""

    keep: float = 0.6
    """The trade-off: how strongly ordinary sentences are held where the original has them. More of it learns less."""
    learning_rate: float = 1.5e-4
    steps: int = 900
    """At most so many; fewer if nothing more is gained."""
    batch_size: int = 32
    """Lessons in a step; each brings up to four sentences and one ordinary one."""
    temperature: float = 0.05
    strangers: float = 0.1
    """What a sentence of another lesson weighs as a wrong answer, beside one of the lesson's own."""
    warmup: int = 50
    """Steps in which the learning rate rises; it falls linearly afterwards."""
    max_length: int = 32
    """Tokens of a sentence; longer ones are cut off in training alone."""
    check_every: int = 100
    """Steps between looks at the held-out pairs."""
    patience: int = 4
    """Looks without gain after which training ends."""
    frozen_words: bool = True
    """Whether the embeddings of words stay as they are: learned is then how words go together, not the words."""
    frozen_layers: int = 0
    """So many of the lowest layers stay as they are."""
    average: float = 0.99
    """What a running mean of the weights keeps of itself each step; 0: the weights of the last step."""
    weight_decay: float = 0.01
    seed: int = 0
    precision: Precision = "float32"

    def __post_init__(self) -> None:
        for name in ("steps", "batch_size", "max_length", "check_every", "patience"):
            if getattr(self, name) < 1:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least 1 is needed")
        for name in ("learning_rate", "temperature"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise UsageError("L102", f"{name}={getattr(self, name)}: must be above 0")
        for name in ("keep", "strangers", "weight_decay", "warmup", "frozen_layers"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise UsageError("L102", f"{name}={getattr(self, name)}: must not be below 0")
        if not 0 <= self.average < 1:
            raise UsageError("L102", f"average={self.average}: must be from 0 up to, but not, 1")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")
        if self.precision not in PRECISIONS:
            raise unknown_name("precision", self.precision, PRECISIONS)

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)
