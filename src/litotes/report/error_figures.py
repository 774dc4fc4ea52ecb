"""What the errors of many models have in common, counted once a suite: overlap, agreement, difficulty."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from litotes.bench.analysis.agreement import agreements
from litotes.bench.analysis.overlap import OverlapPreference
from litotes.bench.result import RunResult
from litotes.bench.statistics import Floats
from litotes.report.item_properties import NO_OPTION, highest_overlap, overlaps
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
    for (a, b), found in zip(pairs, agreements(runs), strict=True):
        square[a][b] = square[b][a] = found.kappa
    return square


def overlap_preferences(suite: SuiteRuns) -> list[OverlapPreference]:
    """How far each run follows the overlap of words; the overlap, which is the same for all, is counted once.

    `bench.analysis.overlap` says the same of one run.
    """
    shares = np.array(overlaps(suite))
    if not shares.size:
        return []
    highest = np.array(highest_overlap(suite))
    alone = highest != NO_OPTION
    ranks, right = _ranks(shares.ravel()), suite.info.options.index(suite.info.right)
    return [
        OverlapPreference(
            model=name,
            items=int(alone.sum()),
            chosen=_mean(_choices(run)[alone] == highest[alone]),
            right=_mean(highest[alone] == right),
            correlation=_correlation(ranks, _ranks(_similarities(suite, run).ravel())),
        )
        for name, run in zip(suite.names, suite.runs, strict=True)
    ]


def _choices(run: RunResult) -> Floats:
    place: dict[str | None, int] = {option: number for number, option in enumerate(run.suite.options)}
    return np.array([place.get(item.choice, NO_OPTION - 1) for item in run.items])


def _similarities(suite: SuiteRuns, run: RunResult) -> Floats:
    layout = suite.layout()
    names = [layout.pairs[place] for place in layout.pair_of_option if place is not None]
    return np.array([[item.similarities.get(name, math.nan) for name in names] for item in run.items])


def _mean(holds: Floats) -> float:
    return float(holds.mean()) if holds.size else math.nan


def _ranks(values: Floats) -> Floats:
    """Ranks from 0, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts + 1) / 2)[inverse]
    return ranks


def _correlation(one: Floats, other: Floats) -> float | None:
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])
