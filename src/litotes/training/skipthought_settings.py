"""How a skip-thought model is trained; the paper's sizes need a GPU and weeks, these defaults two cores and an hour."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from litotes.core.errors import UsageError


@dataclass(frozen=True)
class SkipThoughtSettings:
    """The settings of a training."""

    dim: int = 600
    """Numbers of a sentence; the paper's models have 2,400. Of a bidirectional model each direction has half."""
    words: int = 200
    """Numbers of a word; the paper's have 620."""
    vocabulary: int = 20_000
    """The most frequent words; the two for the end and for the unknown are among them."""
    min_count: int = 2
    """Rarer words are read as unknown."""
    epochs: int = 5
    batch_size: int = 64
    """Sentences a step."""
    max_length: int = 30
    """Longer sentences, in words, are left out."""
    learning_rate: float = 1e-3
    samples: int = 512
    """Noise words that a word is told from, drawn once a batch; 0: the whole vocabulary."""
    bidirectional: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        least = {
            "dim": 1,
            "words": 1,
            "vocabulary": 3,
            "min_count": 1,
            "epochs": 1,
            "batch_size": 1,
            "max_length": 1,
            "samples": 0,
        }
        for name, low in least.items():
            if getattr(self, name) < low:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least {low} is needed")
        if self.bidirectional and self.dim % 2:
            raise UsageError("L102", f"dim={self.dim}: must be even, each direction has half of it")
        if not (math.isfinite(self.learning_rate) and self.learning_rate > 0):
            raise UsageError("L102", f"learning_rate={self.learning_rate}: must be above 0")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)
