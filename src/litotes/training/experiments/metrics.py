"""The metrics of single runs, and their aggregation over seeds: means, confidence intervals and changes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes.evaluation.result import CategoryMetrics, Interval, RunResult
from litotes.evaluation.result_store import read_run, run_folder
from litotes.evaluation.statistics import GroupBootstrap, sum_by_group
from litotes.suites.base import Item
from litotes.suites.nli import categories_of
from litotes.training.experiments.data import DEV_SUITE, TEST_SUITE

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


CONFIDENCE = 0.95
OVER_SEEDS = "t-interval over seeds"
OVER_PREMISES = "bootstrap over premises of the one run"


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% confidence interval, and the kind of the interval."""

    mean: float
    low: float
    high: float
    seeds: int
    interval: str

    def excludes(self, value: float) -> bool:
        """Return whether the interval does not contain a value."""
        return self.low > value or self.high < value


def estimate(
    values: Sequence[float], single_interval: tuple[float, float], *, minimum: float = -1.0, maximum: float = 1.0
) -> Estimate:
    """Return the mean over seeds with a t-interval; for a single seed, the interval of that run.

    >>> result = estimate([0.6, 0.7, 0.8], (0.0, 0.0))
    >>> round(result.mean, 3), round(result.low, 3), round(result.high, 3)
    (0.7, 0.452, 0.948)
    >>> estimate([0.7], (0.6, 0.8)).interval
    'bootstrap over premises of the one run'
    """
    if len(values) == 1:
        return Estimate(values[0], single_interval[0], single_interval[1], 1, OVER_PREMISES)
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
    half = _t_quantile(len(values) - 1) * deviation / math.sqrt(len(values))
    return Estimate(mean, max(minimum, mean - half), min(maximum, mean + half), len(values), OVER_SEEDS)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Return the difference of two independent estimates; its interval combines theirs by the square-and-add method.

    >>> result = difference(Estimate(0.8, 0.7, 0.9, 1, OVER_PREMISES), Estimate(0.6, 0.5, 0.7, 1, OVER_PREMISES))
    >>> round(result.mean, 3), round(result.low, 3), round(result.high, 3)
    (0.2, 0.059, 0.341)
    """
    mean = first.mean - second.mean
    low = mean - math.hypot(first.mean - first.low, second.high - second.mean)
    high = mean + math.hypot(first.high - first.mean, second.mean - second.low)
    return Estimate(mean, max(-1.0, low), min(1.0, high), first.seeds, first.interval)


def _t_quantile(degrees_of_freedom: int) -> float:
    """Return the quantile of Student's t-distribution."""
    from litotes.core.errors import missing_package

    try:
        from scipy import stats
    except ImportError as error:
        raise missing_package("scipy", "train") from error
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, degrees_of_freedom))


@dataclass(frozen=True)
class AggregatedCell:
    """The metrics of a model on one category at one step, over all seeds."""

    model: str
    step: str
    category: str
    """A category, or `nli_dev`."""
    items: int
    accuracy: Estimate
    mcc: Estimate
    change: Estimate | None = None
    """Change of the accuracy from the step `before`, for later steps."""


def aggregate(rows: Sequence[ResultRow], runs: Path) -> list[AggregatedCell]:
    """Return a cell for each model, step and category, in the order of the rows."""
    by_step: dict[tuple[str, str], list[ResultRow]] = {}
    for row in rows:
        by_step.setdefault((row.model, row.step), []).append(row)
    intervals = _ChangeIntervals(runs)
    cells = []
    for (model, step), step_rows in by_step.items():
        before = by_step.get((model, BEFORE))
        for category in step_rows[0].figures:
            figures = [row.figures[category] for row in step_rows]
            change = None
            if before is not None and step != BEFORE:
                change = _change(before, step_rows, category, intervals)
            cells.append(
                AggregatedCell(
                    model=model,
                    step=step,
                    category=category,
                    items=figures[0].items,
                    accuracy=estimate([metrics.accuracy for metrics in figures], figures[0].accuracy_ci, minimum=0.0),
                    mcc=estimate([metrics.mcc for metrics in figures], figures[0].mcc_ci),
                    change=change,
                )
            )
    return cells


def _change(
    before: Sequence[ResultRow], after: Sequence[ResultRow], category: str, intervals: _ChangeIntervals
) -> Estimate:
    """Return the mean change, paired by seed."""
    values = [
        late.figures[category].accuracy - early.figures[category].accuracy
        for early, late in zip(before, after, strict=True)
    ]
    single_interval = intervals.interval(before[0].run, after[0].run, category) if len(values) == 1 else (0.0, 0.0)
    return estimate(values, single_interval)


class _ChangeIntervals:
    """Bootstrap intervals over premises of the difference between two runs on the same items."""

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
        """Return the credit and premises of the items by category."""
        if (run, suite) not in self._credit:
            items: dict[str, dict[str, list[Any]]] = {}
            for item in read_run(run_folder(self._runs, run, suite) / "result.json").items:
                categories = categories_of(Item(item.id, item.group, item.sentences, item.tags))
                for category in categories if suite == TEST_SUITE else (DEV,):
                    lists = items.setdefault(category, {"credit": [], "groups": []})
                    lists["credit"].append(item.credit)
                    lists["groups"].append(item.group)
            self._credit[run, suite] = {
                category: {"credit": np.asarray(lists["credit"], dtype=np.float64), "groups": lists["groups"]}
                for category, lists in items.items()
            }
        return self._credit[run, suite]
