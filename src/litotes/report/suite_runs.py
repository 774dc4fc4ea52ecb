"""Runs grouped by suite."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from litotes.evaluation.comparison import Comparison
from litotes.evaluation.result import ItemResult, RunResult, SuiteInfo
from litotes.report.formats import display_name


@dataclass(frozen=True)
class PairLayout:
    """The role pairs of a suite, and the index of the pair that belongs to each role and option."""

    pairs: tuple[str, ...]
    anchor: int | None
    """The index of the role with which all others are compared, if there is one."""
    pair_of_role: tuple[int | None, ...]
    pair_of_option: tuple[int | None, ...]

    def pair_name(self, pair: str) -> str:
        """Return the readable name of a pair: its second role if all pairs have the first one in common."""
        return display_name(pair if self.anchor is None else pair.rpartition("~")[2])


@dataclass(frozen=True)
class SuiteRuns:
    """A suite and its runs on the same items, best first."""

    label: str
    info: SuiteInfo
    runs: tuple[RunResult, ...]
    names: tuple[str, ...]
    """The model names of the runs, made unique."""
    comparisons: tuple[Comparison, ...]

    @property
    def items(self) -> Sequence[ItemResult]:
        """The items, which are the same in all runs."""
        return self.runs[0].items

    @property
    def chance(self) -> float:
        """The accuracy of guessing."""
        return self.runs[0].metrics.chance

    @property
    def is_labelled(self) -> bool:
        """Whether every item has its own right label."""
        return all(run.metrics.nli is not None for run in self.runs)

    @property
    def is_grouped(self) -> bool:
        """Whether some group has more than one item."""
        return self.runs[0].metrics.groups < self.runs[0].metrics.items

    @property
    def criteria(self) -> tuple[str, ...]:
        """The additional pass criteria for which some run has an accuracy."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run.metrics.also))

    @property
    def normalised_pairs(self) -> tuple[str, ...]:
        """The role pairs for which some run has a similarity above the baseline."""
        return tuple(dict.fromkeys(pair for run in self.runs for pair in run.metrics.normalised))

    def run_of(self, name: str) -> RunResult | None:
        """Return the run that is shown under a name."""
        return self.runs[self.names.index(name)] if name in self.names else None

    @cached_property
    def layout(self) -> PairLayout:
        """Where the similarities of a suite are shown."""
        pairs = tuple(dict.fromkeys(name for run in self.runs for name in run.metrics.similarities))
        roles = [tuple(pair.split("~")) for pair in pairs]
        first = {sides[0] for sides in roles}
        second = [sides[-1] for sides in roles]
        is_anchored = len(first) == 1 and len(set(second)) == len(second) and first <= set(self.info.roles)
        return PairLayout(
            pairs=pairs,
            anchor=self.info.roles.index(first.pop()) if is_anchored else None,
            pair_of_role=tuple(
                second.index(role) if is_anchored and role in second else None for role in self.info.roles
            ),
            pair_of_option=tuple(_pair_of_option(option, pairs) for option in self.info.options),
        )


def _pair_of_option(option: str, pairs: Sequence[str]) -> int | None:
    """Return the index of an option's pair: an option is named after its pair or after a role of only that pair."""
    if option in pairs:
        return pairs.index(option)
    with_role = [index for index, pair in enumerate(pairs) if option in pair.split("~")]
    return with_role[0] if len(with_role) == 1 else None


def by_suite(results: Iterable[RunResult], comparisons: Sequence[Comparison]) -> list[SuiteRuns]:
    """Return the results by suite, in the order of their first occurrence."""
    groups: dict[tuple[object, ...], list[RunResult]] = {}
    for result in results:
        # The ids are part of the key: similarities must never be shown next to the sentences of other items.
        ids = tuple(item.id for item in result.items)
        groups.setdefault((result.suite.name, result.suite.sha256, ids), []).append(result)
    labels = _unique_names([runs[0].suite.name for runs in groups.values()])
    return [_suite_runs(label, runs, comparisons) for label, runs in zip(labels, groups.values(), strict=True)]


def _suite_runs(label: str, runs: Sequence[RunResult], comparisons: Sequence[Comparison]) -> SuiteRuns:
    ranked = sorted(runs, key=lambda run: _rank(run.metrics.accuracy))
    models = {run.model for run in ranked}
    info = ranked[0].suite
    of_suite = [
        comparison
        for comparison in comparisons
        if comparison.suite == info.name and {comparison.a, comparison.b} <= models
    ]
    return SuiteRuns(label, info, tuple(ranked), tuple(_unique_names([run.model for run in ranked])), tuple(of_suite))


def _rank(accuracy: float) -> float:
    return -accuracy if math.isfinite(accuracy) else math.inf


def _unique_names(names: Sequence[str]) -> list[str]:
    """Return the names, with a number appended to repeated ones."""
    counts: Counter[str] = Counter()
    unique = []
    for name in names:
        counts[name] += 1
        unique.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return unique
