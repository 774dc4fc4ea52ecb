"""How an adapter is learned; the defaults were found on MiniLM and on averaged GloVe (benchmarks/repair/adapter.py)."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.registry import unknown_name
from litotes.scorers.adapter_map import KINDS, AdapterKind


@dataclass(frozen=True)
class AdapterSettings:
    """The settings of an adapter."""

    kind: AdapterKind = "low-rank"
    """“weights”: every dimension counts more or less; “low-rank”: a linear map of small rank is added to the identity;
    “linear”: a whole matrix; “hidden”: a layer of tanh is added, the one kind that bends."""
    rank: int = 32
    """Of the low-rank map, or how many units the hidden layer has."""
    keep: float = 2.0
    """The trade-off: how strongly the similarities of ordinary sentences are held where they were."""
    floor: float = 0.95
    """How well ordinary similarities must agree with the original's (Spearman, on pairs that are not learned); what
    falls below it is not taken."""
    learning_rate: float = 3e-3
    steps: int = 600
    """At most so many; fewer if nothing more is gained."""
    batch_size: int = 128
    """Lessons in a step, and twice as many ordinary pairs."""
    temperature: float = 0.05
    check_every: int = 25
    """Steps between looks at what is watched."""
    patience: int = 8
    """Looks without gain after which learning ends."""
    lessons: int = 3_000
    """At most so many lessons are learned: each of their sentences has to be encoded, which costs money behind a
    server."""
    quadruples: float = 0.0
    """Which share of the lessons are quadruples. They ask for an exclusive-or, which no linear map of a
    sum of words can give; what is gained on them is lost on plain negation."""
    ordinary: int = 2_000
    """At most so many ordinary sentences are encoded."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind of adapter", self.kind, KINDS)
        for name in ("rank", "steps", "batch_size", "check_every", "patience", "lessons"):
            if getattr(self, name) < 1:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least 1 is needed")
        if self.ordinary < 16:
            raise UsageError("L102", f"ordinary={self.ordinary}: at least 16 are needed")
        for name in ("learning_rate", "temperature"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise UsageError("L102", f"{name}={getattr(self, name)}: must be above 0")
        if not (math.isfinite(self.keep) and self.keep >= 0):
            raise UsageError("L102", f"keep={self.keep}: must not be below 0")
        if not 0 <= self.quadruples <= 1:
            raise UsageError("L102", f"quadruples={self.quadruples}: must be from 0 to 1")
        if not -1 <= self.floor <= 1:
            raise UsageError("L102", f"floor={self.floor}: must be from -1 to 1")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)
