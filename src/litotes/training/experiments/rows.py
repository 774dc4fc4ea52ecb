"""What an evaluated model got: a row a model, seed and step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from litotes.evaluation.result import CategoryMetrics, Interval, RunResult

DEV = "nli_dev"
"""Stands among the categories for the NLI pairs without negation."""
BEFORE = "before"
"""The step at which nothing of a category was trained on."""


@dataclass(frozen=True)
class Figure:
    """Accuracy and Matthews' correlation on one set, with the intervals of this one run over premises."""

    items: int
    premises: int
    accuracy: float
    accuracy_ci: Interval
    mcc: float
    mcc_ci: Interval

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Figure:
        """A figure as files keep it."""
        ends = {name: (found[name][0], found[name][1]) for name in ("accuracy_ci", "mcc_ci")}
        return cls(**{**found, **ends})

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


def figures_of(result: RunResult) -> dict[str, Figure]:
    """The figures of a run: by category, or of all items where they have none."""
    found = result.metrics.nli
    if found is None:
        raise ValueError(f"{result.suite.name} is no suite of NLI")
    if not found.categories:
        metrics = result.metrics
        return {
            DEV: Figure(metrics.items, metrics.groups, metrics.accuracy, metrics.accuracy_ci, found.mcc, found.mcc_ci)
        }
    return {category: _figure(one) for category, one in found.categories.items()}


def _figure(one: CategoryMetrics) -> Figure:
    return Figure(one.items, one.groups, one.accuracy, one.accuracy_ci, one.mcc, one.mcc_ci)


@dataclass(frozen=True)
class Row:
    """One evaluated model."""

    model: str
    seed: int
    step: str
    """What it was trained on last, or the epoch: `epoch 2`, `before`, `rejection`."""
    run: str
    """The model's name in the run store."""
    figures: Mapping[str, Figure]
    """By category, and for `nli_dev`."""

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return {
            "model": self.model,
            "seed": self.seed,
            "step": self.step,
            "run": self.run,
            "figures": {name: figure.to_dict() for name, figure in self.figures.items()},
        }
