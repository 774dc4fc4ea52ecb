"""Two models on the same items: do they differ?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from litotes.evaluation.result import Interval, RunResult
from litotes.evaluation.statistics import paired_differences


@dataclass(frozen=True)
class Comparison:
    """Model a against model b on one suite; a positive difference means that a is better."""

    suite: str
    a: str
    b: str
    difference: float
    ci: Interval
    p: float
    p_adjusted: float
    """Corrected for all comparisons on the suite (Westfall and Young, step-down)."""

    @property
    def differ(self) -> bool:
        """Whether the corrected p-value is below 0.05."""
        return self.p_adjusted < 0.05


def compare_models(results: Sequence[RunResult]) -> list[Comparison]:
    """Every two models that ran the same items, the better first, corrected over all comparisons of a suite."""
    by_suite: dict[tuple[str, str], list[RunResult]] = {}
    for result in results:
        by_suite.setdefault((result.suite.name, result.suite.sha256), []).append(result)
    found: list[Comparison] = []
    for (suite, _), runs in by_suite.items():
        ranked = sorted(runs, key=lambda run: (-run.metrics.accuracy, run.model))
        pairs = list(itertools.combinations(range(len(ranked)), 2))
        groups = [item.group for item in ranked[0].items]
        differences = paired_differences([_credit(run) for run in ranked], pairs, groups)
        for (a, b), seen in zip(pairs, differences, strict=True):
            names = ranked[a].model, ranked[b].model
            found.append(Comparison(suite, *names, seen.difference, seen.ci, seen.p, seen.p_adjusted))
    return found


def _credit(result: RunResult) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([item.credit for item in result.items], dtype=np.float64)
