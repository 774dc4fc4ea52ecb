"""Items that several models miss, and the groups that they come from (SemAntoNeg, section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.bench.result import RunResult
from litotes.core.errors import UsageError


@dataclass(frozen=True)
class MissedGroup:
    """A group, how many of its items are missed together, and how many it has."""

    group: str
    missed: int
    items: int


@dataclass(frozen=True)
class Missed:
    """The items that at least `at_least` of the models miss."""

    models: tuple[str, ...]
    at_least: int
    items: tuple[str, ...]
    """Their ids, in the order of the suite."""
    groups: tuple[MissedGroup, ...]
    """Those with a missed item, the most first."""


def credits(runs: Sequence[RunResult]) -> NDArray[np.float64]:
    """A row a run, a column an item; the runs must be of the same items."""
    first = [item.id for item in runs[0].items]
    for run in runs:
        if run.suite.sha256 != runs[0].suite.sha256 or [item.id for item in run.items] != first:
            raise UsageError("L102", f"{run.model} and {runs[0].model}: did not run the same items")
    return np.array([[item.credit for item in run.items] for run in runs], dtype=np.float64)


def best(runs: Sequence[RunResult], count: int) -> list[RunResult]:
    """The runs with the highest accuracy, the best first."""
    return sorted(runs, key=lambda run: (-run.metrics.accuracy, run.model))[:count]


def missed(runs: Sequence[RunResult], at_least: int | None = None) -> Missed:
    """What at least so many of the models miss, all of them if nothing is said; a tie is no pass."""
    if not runs:
        raise UsageError("L102", "no runs are given")
    needed = len(runs) if at_least is None else at_least
    if not 1 <= needed <= len(runs):
        raise UsageError("L102", f"at_least={needed}: there are {len(runs)} models")
    wrong = (credits(runs) < 1).sum(axis=0) >= needed
    items = [item for item, is_missed in zip(runs[0].items, wrong, strict=True) if is_missed]
    sizes = Counter(item.group for item in runs[0].items)
    found = Counter(item.group for item in items)
    groups = [MissedGroup(group, count, sizes[group]) for group, count in found.items()]
    return Missed(
        models=tuple(run.model for run in runs),
        at_least=needed,
        items=tuple(item.id for item in items),
        groups=tuple(sorted(groups, key=lambda one: (-one.missed, one.group))),
    )
