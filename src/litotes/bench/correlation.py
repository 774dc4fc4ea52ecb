"""Correlation of ranks: do two columns of numbers put things in the same order?"""

from __future__ import annotations

import numpy as np

from litotes.bench.statistics import Floats


def spearman(one: Floats, other: Floats) -> float | None:
    """Spearman's correlation, equal values sharing the mean of their ranks; None if all values of a column are equal.

    >>> round(spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 4.0, 3.0])), 10)
    0.6
    """
    left, right = average_ranks(one), average_ranks(other)
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    return float(np.corrcoef(left, right)[0, 1])


def average_ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of theirs.

    >>> average_ranks(np.array([0.3, 0.1, 0.3, 0.9])).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    _, number, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[number]
    return ranks
