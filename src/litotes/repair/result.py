"""The result of a repair: what the model card, the terminal and `outcome.json` show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from litotes.repair.holdout import Leakage

Interval = tuple[float, float]
OWN_TEXT = "your text"
"""Prefix of metrics on held-out sentences of the user's text."""


@dataclass(frozen=True)
class MetricChange:
    """One metric of the original and of the repaired model, as shares and correlations from 0 to 1."""

    metric: str
    """For example "semantoneg: accuracy", "STS: Spearman", "your text: blindness"."""
    n_items: int
    before: float
    after: float
    ci: Interval | None
    """95 % confidence interval of `after - before`."""
    p: float | None
    """Result of the paired test, if there is one."""
    better: str
    """"higher" or "lower"; empty if the metric is neither good nor bad by itself."""


@dataclass(frozen=True)
class RepairResult:
    """A finished repair."""

    folder: Path
    """A sentence-transformers folder, or the folder of an adapter."""
    method: str
    """"training" or "adapter"."""
    base: str
    """Name of the original model."""
    sha256: str
    """Hash of the new weights."""
    settings: Mapping[str, Any]
    examples: Mapping[str, int]
    """Number of training examples by kind."""
    n_validation: int
    """Number of validation examples."""
    steps: int
    """Training step of the selected checkpoint."""
    changes: tuple[MetricChange, ...]
    leakage: tuple[Leakage, ...]
    versions: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON-compatible values."""
        return {**asdict(self), "folder": str(self.folder)}
