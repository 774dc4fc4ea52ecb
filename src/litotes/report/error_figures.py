"""What the errors of many models have in common, counted once a suite: overlap, agreement, difficulty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from litotes.evaluation.analysis.agreement import model_agreements
from litotes.evaluation.analysis.overlap import OverlapPreference, overlap_preference
from litotes.evaluation.result import RunResult
from litotes.report.item_properties import has_overlap
from litotes.report.suite_runs import SuiteRuns


def judged(suite: SuiteRuns) -> list[int]:
    """The places of the runs that have a credit for every item."""
    return [
        place
        for place, run in enumerate(suite.runs)
        if run.items and all(math.isfinite(item.credit) for item in run.items)
    ]


def kappas(runs: Sequence[RunResult]) -> list[list[float]]:
    """Cohen's kappa of every two runs, as a square."""
    square = [[1.0] * len(runs) for _ in runs]
    pairs = ((a, b) for a in range(len(runs)) for b in range(a + 1, len(runs)))
    for (a, b), found in zip(pairs, model_agreements(runs), strict=True):
        square[a][b] = square[b][a] = found.kappa
    return square


def overlap_preferences(suite: SuiteRuns) -> list[OverlapPreference]:
    """How far each run follows the overlap of words; nothing where options are no pairs of sentences."""
    if not has_overlap(suite):
        return []
    return [replace(overlap_preference(run), model=name) for name, run in zip(suite.names, suite.runs, strict=True)]
