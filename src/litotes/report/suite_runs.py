"""Runs put together by suite: what the report shows side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from litotes.evaluation.comparison import Comparison
from litotes.evaluation.result import ItemResult, RunResult, SuiteInfo

TIE = -1
"""Stands for the choice of an item in which no option was alone the most alike."""


@dataclass(frozen=True)
class Layout:
    """Which role pair belongs to which sentence and option, as places in lists."""

    pairs: tuple[str, ...]
    anchor: int | None
    """The role to which all others are compared, if there is one."""
    pair_of_role: tuple[int | None, ...]
    pair_of_option: tuple[int | None, ...]


@dataclass(frozen=True)
class SuiteRuns:
    """One suite and its runs on the same items, best first."""

    label: str
    info: SuiteInfo
    runs: tuple[RunResult, ...]
    names: tuple[str, ...]
    """The runs' model names, each different from the others."""
    comparisons: tuple[Comparison, ...]

    @property
    def items(self) -> Sequence[ItemResult]:
        """The items, which all runs have in common."""
        return self.runs[0].items

    @property
    def chance(self) -> float:
        """What guessing gives."""
        return self.runs[0].metrics.chance

    @property
    def labelled(self) -> bool:
        """Whether each item has a label of its own, which is the right option."""
        return all(run.metrics.nli is not None for run in self.runs)

    @property
    def grouped(self) -> bool:
        """Whether some group has more than one item, so that groups say more than items."""
        return self.runs[0].metrics.groups < self.runs[0].metrics.items

    @property
    def readings(self) -> tuple[str, ...]:
        """The other readings that some run has."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run.metrics.also))

    @property
    def normalised(self) -> tuple[str, ...]:
        """The role pairs that some run has measured from a baseline."""
        return tuple(dict.fromkeys(pair for run in self.runs for pair in run.metrics.normalised))

    def layout(self) -> Layout:
        """Where similarities are shown."""
        pairs = tuple(dict.fromkeys(name for run in self.runs for name in run.metrics.similarities))
        sides = [tuple(pair.split("~")) for pair in pairs]
        first = {side[0] for side in sides}
        second = [side[-1] for side in sides]
        anchored = len(first) == 1 and len(set(second)) == len(second) and first <= set(self.info.roles)
        return Layout(
            pairs=pairs,
            anchor=self.info.roles.index(first.pop()) if anchored else None,
            pair_of_role=tuple(second.index(role) if anchored and role in second else None for role in self.info.roles),
            pair_of_option=tuple(_pair_of_option(option, pairs) for option in self.info.options),
        )


def _pair_of_option(option: str, pairs: Sequence[str]) -> int | None:
    """The place of an option's pair: an option is named by its pair, or by the role that it alone has."""
    if option in pairs:
        return pairs.index(option)
    holding = [place for place, pair in enumerate(pairs) if option in pair.split("~")]
    return holding[0] if len(holding) == 1 else None


def by_suite(results: Iterable[RunResult], comparisons: Sequence[Comparison]) -> list[SuiteRuns]:
    """The results by suite, in the order in which the suites first come."""
    together: dict[tuple[object, ...], list[RunResult]] = {}
    for result in results:
        # The ids belong to the key: similarities must never be shown beside the sentences of other items.
        ids = tuple(item.id for item in result.items)
        together.setdefault((result.suite.name, result.suite.sha256, ids), []).append(result)
    labels = _distinct([runs[0].suite.name for runs in together.values()])
    return [_suite_runs(label, runs, comparisons) for label, runs in zip(labels, together.values(), strict=True)]


def _suite_runs(label: str, runs: Sequence[RunResult], comparisons: Sequence[Comparison]) -> SuiteRuns:
    ordered = sorted(runs, key=lambda run: _rank(run.metrics.accuracy))
    models = {run.model for run in ordered}
    info = ordered[0].suite
    about = [one for one in comparisons if one.suite == info.name and {one.a, one.b} <= models]
    names = _distinct([run.model for run in ordered])
    return SuiteRuns(label, info, tuple(ordered), tuple(names), tuple(about))


def _rank(accuracy: float) -> float:
    return -accuracy if math.isfinite(accuracy) else math.inf


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that came before."""
    seen: Counter[str] = Counter()
    distinct = []
    for name in names:
        seen[name] += 1
        distinct.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return distinct
