"""Statistical comparison of models that ran on the same items."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from litotes.evaluation.result import Interval, RunResult
from litotes.evaluation.statistics import paired_differences


@dataclass(frozen=True)
class Comparison:
    """Model `a` compared with model `b` on one suite; a positive difference means that `a` is better."""

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
    """Compare every two models that ran on the same suite, the better one first.

    P-values are corrected over all comparisons of a suite, so they depend on which models are compared together.
    """
    return [comparison for runs in group_by_suite(results).values() for comparison in _compare_on_suite(runs)]


def group_by_suite(results: Sequence[RunResult]) -> dict[tuple[str, str], list[RunResult]]:
    """Return the runs by name and sha256 of their suite."""
    by_suite: dict[tuple[str, str], list[RunResult]] = {}
    for result in results:
        by_suite.setdefault((result.suite.name, result.suite.sha256), []).append(result)
    return by_suite


def _compare_on_suite(runs: Sequence[RunResult]) -> list[Comparison]:
    ranked = sorted(runs, key=lambda run: (-run.metrics.accuracy, run.model))
    pairs = list(itertools.combinations(range(len(ranked)), 2))
    groups = [item.group for item in ranked[0].items]
    credits = [np.array([item.credit for item in run.items], dtype=np.float64) for run in ranked]
    return [
        Comparison(
            suite=ranked[0].suite.name,
            a=ranked[a].model,
            b=ranked[b].model,
            difference=tested.difference,
            ci=tested.ci,
            p=tested.p,
            p_adjusted=tested.p_adjusted,
        )
        for (a, b), tested in zip(pairs, paired_differences(credits, pairs, groups), strict=True)
    ]
