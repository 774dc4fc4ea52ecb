"""What a repair gave, as plain values: the model card, the terminal and the JSON file are made from these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from litotes.repair.holdout import Leakage

Interval = tuple[float, float]
OWN_TEXT = "your text"
"""What figures on people's own sentences, and these sentences, are called."""


@dataclass(frozen=True)
class Change:
    """One figure of the original and of the repaired model, in the same unit (shares and correlations from 0 to 1)."""

    what: str
    """“semantoneg (official): accuracy”, “STS: Spearman”, “your text: blindness”…"""
    items: int
    before: float
    after: float
    ci: Interval | None
    """Of the difference, after less before."""
    p: float | None
    """Of the paired test; None where there is none."""
    better: str
    """“higher” or “lower”: which way is good; "" where that is told only by other figures beside it."""


@dataclass(frozen=True)
class Outcome:
    """A finished repair."""

    folder: Path
    """An ordinary sentence-transformers folder, or an adapter's."""
    method: str
    """“training” or “adapter”."""
    base: str
    """The name of the original."""
    sha256: str
    """Of the new weights."""
    settings: Mapping[str, Any]
    lessons: Mapping[str, int]
    """Kind → how many were learned."""
    watched: int
    steps: int
    """After how many the model that is kept was taken."""
    changes: tuple[Change, ...]
    leakage: tuple[Leakage, ...]
    versions: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**asdict(self), "folder": str(self.folder)}
