"""Accuracies on SemAntoNeg, published and of runs, by model and by group of models."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from litotes.evaluation.model_list import load_model_list
from litotes.evaluation.result import RunResult
from litotes.report.suite_runs import SuiteRuns
from litotes.suites.published_results import published_results

PAPER = "semantoneg"
GROUP_TABLES = {"generic": 3, "paraphrase": 4, "NLI": 5, "STS": 6}
"""The paper's groups of models and the numbers of their tables."""
CHANCE = 1 / 3
UNGROUPED = "no group"
"""The group of a model that neither its run nor a list assigns to one."""


def bare_name(model: str) -> str:
    """Return the name of a model as the papers print it.

    >>> bare_name("st:sentence-transformers/all-MiniLM-L6-v2")
    'all-MiniLM-L6-v2'
    """
    return model.removeprefix("st:").removeprefix("sentence-transformers/")


def group_of(run: RunResult, paper: str) -> str:
    """Return the group of a run, or that of its model in the paper's list."""
    return run.group or listed_groups(paper).get(bare_name(run.model), UNGROUPED)


@cache
def listed_groups(paper: str) -> dict[str, str]:
    """Return the group of each model in the built-in list of a paper's models.

    >>> listed_groups("semantoneg")["all-MiniLM-L6-v2"]
    'generic'
    """
    return {bare_name(entry.name): entry.group for entry in load_model_list(paper).entries}


@dataclass(frozen=True)
class ModelAccuracy:
    """The published accuracy of a model and its run."""

    model: str
    group: str
    published: str | None = None
    """In per cent, as printed; None if the paper lacks the model or published numbers are not requested."""
    run: RunResult | None = None

    @property
    def percent(self) -> float:
        """The accuracy of the run, or the published accuracy without a run."""
        return 100 * self.run.metrics.accuracy if self.run is not None else float(self.published or "nan")


def published_accuracies(number: int) -> dict[str, str]:
    """Return the accuracies of a table of the paper by model."""
    table = published_results(PAPER, table=number)
    cells = zip(table.column("model"), table.column("accuracy"), table.numbers("accuracy"), strict=True)
    return {model: text for model, text, value in cells if value is not None}


def all_published_accuracies() -> dict[str, str]:
    """Return the accuracies of Table 8; one of them with the additional decimals of Table 4."""
    accuracies = published_accuracies(8)
    more_exact = {model: text for model, text in published_accuracies(4).items() if len(text) > len(accuracies[model])}
    return accuracies | more_exact


def rank_accuracies(
    published: Mapping[str, str], suite: SuiteRuns | None = None, names: Iterable[str] = ()
) -> list[ModelAccuracy]:
    """Return the published models with their runs, and the runs with the given names, best first."""
    names = set(names)
    runs = {} if suite is None else dict(zip(suite.names, suite.runs, strict=True))
    by_bare_name = {bare_name(name): name for name in runs}
    rows = []
    for model, text in published.items():
        name = by_bare_name.get(model)
        group = listed_groups(PAPER).get(model, UNGROUPED) if name is None else group_of(runs[name], PAPER)
        rows.append(ModelAccuracy(model, group, text, runs[name] if name else None))
    unpublished = [name for name in runs if name in names and bare_name(name) not in published]
    rows += [ModelAccuracy(name, group_of(runs[name], PAPER), None, runs[name]) for name in unpublished]
    return sorted(rows, key=lambda row: -row.percent)  # stable: equal ones stay in the paper's order


def names_by_group(suite: SuiteRuns | None) -> dict[str, list[str]]:
    """Return the names of a suite's runs by group, the paper's groups first."""
    names: dict[str, list[str]] = {group: [] for group in GROUP_TABLES}
    if suite is not None:
        for name, run in zip(suite.names, suite.runs, strict=True):
            names.setdefault(group_of(run, PAPER), []).append(name)
    return {group: members for group, members in names.items() if members}


@dataclass(frozen=True)
class GroupSpread:
    """The accuracies of one group of models, in per cent."""

    group: str
    published: Sequence[float]
    runs: Sequence[float]

    @property
    def values(self) -> Sequence[float]:
        """The values of the box: the published ones, or those of the runs if there are none."""
        return self.published or self.runs

    @property
    def median(self) -> float:
        """The median of the values."""
        return statistics.median(self.values)

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return statistics.fmean(self.values)

    @property
    def variance(self) -> float:
        """The unbiased sample variance of the values, in squared per cent; NaN for a single value."""
        return statistics.variance(self.values) if len(self.values) > 1 else math.nan

    @property
    def quartiles(self) -> tuple[float, float]:
        """The first and third quartile by linear interpolation; a single value is both."""
        if len(self.values) < 2:
            return self.values[0], self.values[0]
        first, _, third = statistics.quantiles(self.values, n=4, method="inclusive")
        return first, third


def group_spreads(suite: SuiteRuns | None, *, with_published: bool) -> list[GroupSpread]:
    """Return the groups of Figure 1: the models of Tables 3 to 6, and the runs of each group."""
    published = {group: list(published_accuracies(table).values()) for group, table in GROUP_TABLES.items()}
    return _spreads(published if with_published else {}, _run_accuracies(suite))


def spreads_of_all_models() -> list[GroupSpread]:
    """Return all models of Table 8 by the groups of the built-in list, which has more groups than the paper."""
    published: dict[str, list[str]] = {group: [] for group in GROUP_TABLES}
    for model, text in all_published_accuracies().items():
        published.setdefault(listed_groups(PAPER).get(model, UNGROUPED), []).append(text)
    return _spreads(published, {})


def _run_accuracies(suite: SuiteRuns | None) -> dict[str, list[float]]:
    if suite is None:
        return {}
    runs = dict(zip(suite.names, suite.runs, strict=True))
    return {
        group: [100 * runs[name].metrics.accuracy for name in names] for group, names in names_by_group(suite).items()
    }


def _spreads(published: Mapping[str, Sequence[str]], runs: Mapping[str, Sequence[float]]) -> list[GroupSpread]:
    groups = dict.fromkeys([*published, *runs])
    return [
        GroupSpread(group, [float(text) for text in published.get(group, ())], runs.get(group, ())) for group in groups
    ]
