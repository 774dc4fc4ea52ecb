"""Accuracies of SemAntoNeg: what the paper printed and what runs gave, a row a model."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from litotes.evaluation.result import RunResult
from litotes.report.papers.groups import UNGROUPED, bare_name, group_of, listed_groups
from litotes.report.suite_runs import SuiteRuns
from litotes.suites.published_results import PublishedTable, published_results

PAPER = "semantoneg"
GROUP_TABLES = {"generic": 3, "paraphrase": 4, "NLI": 5, "STS": 6}
"""The paper's groups and the tables that say which models are in them."""
CHANCE = 1 / 3


@dataclass(frozen=True)
class Accuracy:
    """One model: what is printed for it, and its run."""

    model: str
    group: str
    printed: str | None = None
    """In per cent, as printed; None: the paper does not have it, or it is not asked for."""
    run: RunResult | None = None

    @property
    def percent(self) -> float:
        """The run's, or the printed one where there is no run."""
        return 100 * self.run.metrics.accuracy if self.run is not None else float(self.printed or "nan")


def printed_accuracies(number: int) -> dict[str, str]:
    """The models of a table of the paper that have a figure, with it."""
    table = published_results(PAPER, table=number)
    cells = zip(table.column("model"), table.column("accuracy"), table.numbers("accuracy"), strict=True)
    return {model: text for model, text, value in cells if value is not None}


def most_exact() -> dict[str, str]:
    """All models that have a figure: Table 8, and one that Table 4 prints with more places."""
    found = printed_accuracies(8)
    finer = {model: text for model, text in printed_accuracies(4).items() if len(text) > len(found[model])}
    return found | finer


def rows(printed: Mapping[str, str], suite: SuiteRuns | None = None, runs: Iterable[str] = ()) -> list[Accuracy]:
    """The printed models, with their runs where there are some, and the runs of the given names, best first."""
    wanted = set(runs)
    own = {} if suite is None else dict(zip(suite.names, suite.runs, strict=True))
    by_bare = {bare_name(name): name for name in own}
    found = []
    for model, text in printed.items():
        name = by_bare.get(model)
        group = listed_groups(PAPER).get(model, UNGROUPED) if name is None else group_of(own[name], PAPER)
        found.append(Accuracy(model, group, text, own[name] if name else None))
    rest = [name for name in own if name in wanted and bare_name(name) not in printed]
    found += [Accuracy(name, group_of(own[name], PAPER), None, own[name]) for name in rest]
    return sorted(found, key=lambda row: -row.percent)  # equal ones stay in the paper's order


def grouped_runs(suite: SuiteRuns | None) -> dict[str, list[str]]:
    """The names of a suite's runs by group, the paper's groups first."""
    together: dict[str, list[str]] = {group: [] for group in GROUP_TABLES}
    if suite is not None:
        for name, run in zip(suite.names, suite.runs, strict=True):
            together.setdefault(group_of(run, PAPER), []).append(name)
    return {group: names for group, names in together.items() if names}


@dataclass(frozen=True)
class Spread:
    """The accuracies of one group, in per cent."""

    group: str
    printed: Sequence[float]
    own: Sequence[float]

    @property
    def values(self) -> Sequence[float]:
        """What the box is drawn of: the published ones, or the runs where none are asked for."""
        return self.printed or self.own

    @property
    def median(self) -> float:
        """Of the values."""
        return statistics.median(self.values)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The first and the third, by linear interpolation; of a single value the value itself."""
        if len(self.values) < 2:
            return self.values[0], self.values[0]
        first, _, third = statistics.quantiles(self.values, n=4, method="inclusive")
        return first, third


def spreads(suite: SuiteRuns | None, *, published: bool) -> list[Spread]:
    """The groups of Figure 1: the models of Tables 3 to 6, and the runs of each group."""
    own = _own_by_group(suite)
    printed = {group: list(printed_accuracies(table).values()) for group, table in GROUP_TABLES.items()}
    return _spreads(printed if published else {}, own)


def all_spreads(suite: SuiteRuns | None) -> list[Spread]:
    """All models of Table 8 by the groups of the ready list, which puts those in no group of the paper into more."""
    printed: dict[str, list[str]] = {group: [] for group in GROUP_TABLES}
    for model, text in most_exact().items():
        printed.setdefault(listed_groups(PAPER).get(model, UNGROUPED), []).append(text)
    return _spreads(printed, _own_by_group(suite))


def _own_by_group(suite: SuiteRuns | None) -> dict[str, list[float]]:
    if suite is None:
        return {}
    runs = dict(zip(suite.names, suite.runs, strict=True))
    return {
        group: [100 * runs[name].metrics.accuracy for name in names] for group, names in grouped_runs(suite).items()
    }


def _spreads(printed: Mapping[str, Sequence[str]], own: Mapping[str, Sequence[float]]) -> list[Spread]:
    groups = dict.fromkeys([*printed, *own])
    return [Spread(group, [float(text) for text in printed.get(group, ())], own.get(group, ())) for group in groups]


def source(number: int) -> PublishedTable:
    """The table of the paper, for captions."""
    return published_results(PAPER, table=number)
