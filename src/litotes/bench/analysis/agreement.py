"""How far models choose alike, beyond what chance would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from litotes.bench.analysis.missed import credits as credits_of
from litotes.bench.result import RunResult


@dataclass(frozen=True)
class Agreement:
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


def agreements(runs: Sequence[RunResult]) -> list[Agreement]:
    """Every two of the runs, in their order; a tie is a choice of its own."""
    if len(runs) > 1:
        credits_of(runs)  # raises if they are not of the same items
    choices = [[item.choice for item in run.items] for run in runs]
    return [
        Agreement(
            runs[a].model,
            runs[b].model,
            float(np.mean([x == y for x, y in zip(choices[a], choices[b], strict=True)])),
            kappa(choices[a], choices[b]),
        )
        for a in range(len(runs))
        for b in range(a + 1, len(runs))
    ]
