"""Agreement between models: common errors, and Cohen's kappa of their choices."""

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
    """The number of items of a group that are missed together, and its size."""

    group: str
    missed: int
    items: int


@dataclass(frozen=True)
class MissedItems:
    """The items that at least `at_least` of the models miss."""

    models: tuple[str, ...]
    at_least: int
    items: tuple[str, ...]
    """Item ids in the order of the suite."""
    groups: tuple[MissedGroup, ...]
    """Groups with missed items, the most frequent first."""


def credit_matrix(runs: Sequence[RunResult]) -> NDArray[np.float64]:
    """Return the credits with one row per run and one column per item; all runs must have the same items."""
    first = [item.id for item in runs[0].items]
    for run in runs:
        if run.suite.sha256 != runs[0].suite.sha256 or [item.id for item in run.items] != first:
            raise UsageError("L102", f"{run.model} and {runs[0].model}: did not run the same items")
    return np.array([[item.credit for item in run.items] for run in runs], dtype=np.float64)


def best_runs(runs: Sequence[RunResult], count: int) -> list[RunResult]:
    """Return the runs with the highest accuracy, the best first."""
    return sorted(runs, key=lambda run: (-run.metrics.accuracy, run.model))[:count]


def missed_items(runs: Sequence[RunResult], at_least: int | None = None) -> MissedItems:
    """Return the items that a number of models miss, by default all models; a tie counts as a miss."""
    if not runs:
        raise UsageError("L102", "there are no runs")
    needed = len(runs) if at_least is None else at_least
    if not 1 <= needed <= len(runs):
        raise UsageError("L102", f"at_least={needed}: there are {len(runs)} models")
    wrong = (credit_matrix(runs) < 1).sum(axis=0) >= needed
    items = [item for item, is_missed in zip(runs[0].items, wrong, strict=True) if is_missed]
    sizes = Counter(item.group for item in runs[0].items)
    counts = Counter(item.group for item in items)
    groups = [MissedGroup(group, count, sizes[group]) for group, count in counts.items()]
    return MissedItems(
        models=tuple(run.model for run in runs),
        at_least=needed,
        items=tuple(item.id for item in items),
        groups=tuple(sorted(groups, key=lambda group: (-group.missed, group.group))),
    )


@dataclass(frozen=True)
class ModelAgreement:
    """The agreement between two models: the share of equal choices, and Cohen's kappa."""

    a: str
    b: str
    same: float
    kappa: float
    """1 for perfect agreement, 0 for the agreement expected by accident."""


def cohen_kappa(a: Sequence[object], b: Sequence[object]) -> float:
    """Return Cohen's kappa of two lists of choices; 1 if all choices are the same.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    observed = sum(x == y for x, y in zip(a, b, strict=True)) / len(a)
    counts_a, counts_b = Counter(a), Counter(b)
    expected = sum(counts_a[choice] * counts_b[choice] for choice in counts_a) / len(a) ** 2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


def model_agreements(runs: Sequence[RunResult]) -> list[ModelAgreement]:
    """Return the agreement of every two runs, in their order; a tie counts as a choice of its own."""
    if len(runs) > 1:
        credit_matrix(runs)  # raises an error if the items differ
    choices = [[item.choice for item in run.items] for run in runs]
    return [
        ModelAgreement(
            runs[a].model,
            runs[b].model,
            float(np.mean([x == y for x, y in zip(choices[a], choices[b], strict=True)])),
            cohen_kappa(choices[a], choices[b]),
        )
        for a in range(len(runs))
        for b in range(a + 1, len(runs))
    ]
