"""Rows of single runs put together over seeds: means, intervals, and changes against the model before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes.evaluation.result import Interval
from litotes.evaluation.result_store import read_run, run_folder
from litotes.evaluation.statistics import GroupBootstrap, sum_by_group
from litotes.suites.base import Item
from litotes.suites.nli import categories_of
from litotes.training.experiments.data import DEV_SUITE, TEST_SUITE
from litotes.training.experiments.rows import BEFORE, DEV, Row

CONFIDENCE = 0.95
OVER_SEEDS = "t-interval over seeds"
OVER_PREMISES = "bootstrap over premises of the one run"


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval of 95%, and what that is an interval of."""

    mean: float
    low: float
    high: float
    seeds: int
    interval: str

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    def apart_from(self, value: float) -> bool:
        """Whether the interval lies wholly above or below a value."""
        return self.low > value or self.high < value


def estimate(
    values: Sequence[float], of_one: tuple[float, float], *, least: float = -1.0, most: float = 1.0
) -> Estimate:
    """The mean of one value a seed; with a single seed, that run's own interval.

    >>> found = estimate([0.6, 0.7, 0.8], (0.0, 0.0))
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.7, 0.452, 0.948)
    >>> estimate([0.7], (0.6, 0.8)).interval
    'bootstrap over premises of the one run'
    """
    if len(values) == 1:
        return Estimate(values[0], of_one[0], of_one[1], 1, OVER_PREMISES)
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
    half = _t(len(values) - 1) * spread / math.sqrt(len(values))
    return Estimate(mean, max(least, mean - half), min(most, mean + half), len(values), OVER_SEEDS)


def _t(freedom: int) -> float:
    """Student's quantile; scipy comes with the packages that train."""
    from litotes.core.errors import missing_package

    try:
        from scipy import stats
    except ImportError as error:
        raise missing_package("scipy", "train") from error
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom))


@dataclass(frozen=True)
class Cell:
    """What a model, over all seeds, got on one category at one step."""

    model: str
    step: str
    category: str
    """Or `nli_dev`."""
    items: int
    accuracy: Estimate
    mcc: Estimate
    change: Estimate | None = None
    """Of the accuracy against the step `before`; None where there is none, and there itself."""

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return {
            "model": self.model,
            "step": self.step,
            "category": self.category,
            "items": self.items,
            "accuracy": self.accuracy.to_dict(),
            "mcc": self.mcc.to_dict(),
            "change": None if self.change is None else self.change.to_dict(),
        }


def put_together(rows: Sequence[Row], runs: Path) -> list[Cell]:
    """A cell for each model, step and category, in the rows' order."""
    by_step: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_step.setdefault((row.model, row.step), []).append(row)
    bootstraps = _Changes(runs)
    cells = []
    for (model, step), some in by_step.items():
        before = by_step.get((model, BEFORE))
        for category in some[0].figures:
            figures = [row.figures[category] for row in some]
            change = None
            if before is not None and step != BEFORE:
                change = _change(before, some, category, bootstraps)
            cells.append(
                Cell(
                    model=model,
                    step=step,
                    category=category,
                    items=figures[0].items,
                    accuracy=estimate([one.accuracy for one in figures], figures[0].accuracy_ci, least=0.0),
                    mcc=estimate([one.mcc for one in figures], figures[0].mcc_ci),
                    change=change,
                )
            )
    return cells


def _change(before: Sequence[Row], after: Sequence[Row], category: str, bootstraps: _Changes) -> Estimate:
    """The mean of the changes, seed by seed: what the seeds have in common falls out."""
    values = [
        late.figures[category].accuracy - early.figures[category].accuracy
        for early, late in zip(before, after, strict=True)
    ]
    of_one = bootstraps.interval(before[0].run, after[0].run, category) if len(values) == 1 else (0.0, 0.0)
    return estimate(values, of_one)


class _Changes:
    """Intervals of the difference of two runs on the same items, premises drawn again."""

    def __init__(self, runs: Path) -> None:
        self._runs = runs
        self._credit: dict[tuple[str, str], Mapping[str, Any]] = {}
        self._bootstraps: dict[int, GroupBootstrap] = {}

    def interval(self, before: str, after: str, category: str) -> Interval:
        suite = DEV_SUITE if category == DEV else TEST_SUITE
        early, late = (self._read(run, suite)[category] for run in (before, after))
        sums = sum_by_group(late["credit"] - early["credit"], late["groups"])
        count = len(sums.items)
        if count not in self._bootstraps:
            self._bootstraps[count] = GroupBootstrap(count)
        return self._bootstraps[count].mean_interval(sums)

    def _read(self, run: str, suite: str) -> Mapping[str, Any]:
        """Category → the credit of its items, and their premises."""
        if (run, suite) not in self._credit:
            found: dict[str, dict[str, list[Any]]] = {}
            for item in read_run(run_folder(self._runs, run, suite) / "result.json").items:
                named = categories_of(Item(item.id, item.group, item.sentences, item.tags))
                for category in named if suite == TEST_SUITE else (DEV,):
                    kept = found.setdefault(category, {"credit": [], "groups": []})
                    kept["credit"].append(item.credit)
                    kept["groups"].append(item.group)
            self._credit[run, suite] = {
                category: {"credit": np.asarray(kept["credit"], dtype=np.float64), "groups": kept["groups"]}
                for category, kept in found.items()
            }
        return self._credit[run, suite]
