"""How far models choose alike, beyond what chance would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import UsageError
from litotes.evaluation.result import RunResult


@dataclass(frozen=True)
class MissedGroup:
    """A group, how many of its items are missed together, and how many it has."""

    group: str
    missed: int
    items: int


@dataclass(frozen=True)
class MissedItems:
    """The items that at least `at_least` of the models miss."""

    models: tuple[str, ...]
    at_least: int
    items: tuple[str, ...]
    """Their ids, in the order of the suite."""
    groups: tuple[MissedGroup, ...]
    """Those with a missed item, the most first."""


def credit_matrix(runs: Sequence[RunResult]) -> NDArray[np.float64]:
    """A row a run, a column an item; the runs must be of the same items."""
    first = [item.id for item in runs[0].items]
    for run in runs:
        if run.suite.sha256 != runs[0].suite.sha256 or [item.id for item in run.items] != first:
            raise UsageError("L102", f"{run.model} and {runs[0].model}: did not run the same items")
    return np.array([[item.credit for item in run.items] for run in runs], dtype=np.float64)


def best_runs(runs: Sequence[RunResult], count: int) -> list[RunResult]:
    """The runs with the highest accuracy, the best first."""
    return sorted(runs, key=lambda run: (-run.metrics.accuracy, run.model))[:count]


def missed_items(runs: Sequence[RunResult], at_least: int | None = None) -> MissedItems:
    """What at least so many of the models miss, all of them if nothing is said; a tie is no pass."""
    if not runs:
        raise UsageError("L102", "no runs are given")
    needed = len(runs) if at_least is None else at_least
    if not 1 <= needed <= len(runs):
        raise UsageError("L102", f"at_least={needed}: there are {len(runs)} models")
    wrong = (credit_matrix(runs) < 1).sum(axis=0) >= needed
    items = [item for item, is_missed in zip(runs[0].items, wrong, strict=True) if is_missed]
    sizes = Counter(item.group for item in runs[0].items)
    found = Counter(item.group for item in items)
    groups = [MissedGroup(group, count, sizes[group]) for group, count in found.items()]
    return MissedItems(
        models=tuple(run.model for run in runs),
        at_least=needed,
        items=tuple(item.id for item in items),
        groups=tuple(sorted(groups, key=lambda one: (-one.missed, one.group))),
    )


@dataclass(frozen=True)
class ModelAgreement:
    """Two models: how often they choose the same, and Cohen's kappa."""

    a: str
    b: str
    same: float
    kappa: float
    """1 always alike, 0 as often as chance would have it, below 0 less often."""


def kappa(one: Sequence[object], other: Sequence[object]) -> float:
    """Cohen's kappa of two lists of choices; two that never choose otherwise are alike.

    >>> kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    count = len(one)
    same = sum(a == b for a, b in zip(one, other, strict=True)) / count
    left, right = Counter(one), Counter(other)
    by_chance = sum(left[choice] * right[choice] for choice in left) / count**2
    return 1.0 if by_chance == 1 else (same - by_chance) / (1 - by_chance)


def model_agreements(runs: Sequence[RunResult]) -> list[ModelAgreement]:
    """Every two of the runs, in their order; a tie is a choice of its own."""
    if len(runs) > 1:
        credit_matrix(runs)  # raises if they are not of the same items
    choices = [[item.choice for item in run.items] for run in runs]
    return [
        ModelAgreement(
            runs[a].model,
            runs[b].model,
            float(np.mean([x == y for x, y in zip(choices[a], choices[b], strict=True)])),
            kappa(choices[a], choices[b]),
        )
        for a in range(len(runs))
        for b in range(a + 1, len(runs))
    ]
