"""The metrics of single runs: one row per model, seed and step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from litotes.evaluation.result import CategoryMetrics, Interval, RunResult

DEV = "nli_dev"
"""Name of the pairs without negation, used like a category."""
BEFORE = "before"
"""Step before any training on a category."""


@dataclass(frozen=True)
class RunMetrics:
    """Accuracy and Matthews correlation of a run on one set, with confidence intervals over premises."""

    items: int
    premises: int
    accuracy: float
    accuracy_ci: Interval
    mcc: float
    mcc_ci: Interval

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> RunMetrics:
        """Create metrics from the fields in a file."""
        intervals = {name: (fields[name][0], fields[name][1]) for name in ("accuracy_ci", "mcc_ci")}
        return cls(**{**fields, **intervals})

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)


def metrics_by_category(result: RunResult) -> dict[str, RunMetrics]:
    """Return the metrics of a run by category; without categories, those of all items."""
    nli = result.metrics.nli
    if nli is None:
        raise ValueError(f"{result.suite.name} is not a suite of NLI")
    if not nli.categories:
        metrics = result.metrics
        return {
            DEV: RunMetrics(metrics.items, metrics.groups, metrics.accuracy, metrics.accuracy_ci, nli.mcc, nli.mcc_ci)
        }
    return {category: _metrics(figures) for category, figures in nli.categories.items()}


def _metrics(figures: CategoryMetrics) -> RunMetrics:
    return RunMetrics(figures.items, figures.groups, figures.accuracy, figures.accuracy_ci, figures.mcc, figures.mcc_ci)


@dataclass(frozen=True)
class ResultRow:
    """The metrics of one evaluated model."""

    model: str
    seed: int
    step: str
    """The epoch or the last training: `epoch 2`, `before`, `rejection`."""
    run: str
    """The model's name in the run store."""
    figures: Mapping[str, RunMetrics]
    """Metrics by category, and of `nli_dev`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {
            "model": self.model,
            "seed": self.seed,
            "step": self.step,
            "run": self.run,
            "figures": {name: metrics.to_dict() for name, metrics in self.figures.items()},
        }
