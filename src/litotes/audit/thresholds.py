"""Errors at a similarity threshold, and the threshold that fits an error budget.

Shares are shares of pairs: a sentence with variants by several rewrites counts once per variant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.audit.result import ThresholdAdvice, ThresholdPoint
from litotes.audit.similarities import Similarities, no_usable_sentence
from litotes.core.errors import UsageError

POINTS_PER_UNIT = 100
_MAX_DIGITS = 17

_Ascending = NDArray[np.float64]


def threshold_curve(similarities: Similarities) -> tuple[ThresholdPoint, ...]:
    """Return a point for every hundredth, from the lowest similarity, rounded down, to 1."""
    pools = _Pools.of(similarities)
    first = round(pools.lowest * POINTS_PER_UNIT)
    return tuple(pools.point(step / POINTS_PER_UNIT) for step in range(first, POINTS_PER_UNIT + 1))


def point_at(similarities: Similarities, threshold: float) -> ThresholdPoint:
    """Return the errors at one threshold."""
    return _Pools.of(similarities).point(threshold)


def advise_threshold(similarities: Similarities, *, budget: float, max_lost: float) -> ThresholdAdvice:
    """Return the lowest threshold at which at most `budget` of the opposites pass.

    The result is exact for the measured similarities. Between two neighbouring similarities all thresholds have the
    same effect; the one with the fewest digits is chosen. No threshold fits if too many opposites pass even at 1.
    """
    if not (0 <= budget <= 1 and 0 <= max_lost <= 1):
        raise UsageError("L102", f"budget={budget:g}, max_lost={max_lost:g}: must be shares from 0 to 1")
    pools = _Pools.of(similarities)
    n_allowed = _largest_count(budget, len(pools.opposites))
    if n_allowed == len(pools.opposites):
        threshold = pools.lowest
    else:
        highest_rejected = float(pools.opposites[len(pools.opposites) - 1 - n_allowed])
        if highest_rejected >= 1.0:
            return ThresholdAdvice(budget, max_lost, None, holds=False)
        threshold = shortest_between(highest_rejected, pools.next_above(highest_rejected))
    point = pools.point(threshold)
    return ThresholdAdvice(budget, max_lost, point, holds=point.paraphrases_lost <= max_lost)


def shortest_between(low: float, high: float) -> float:
    """Return the number above `low`, up to `high`, with the fewest digits, but at least two decimals.

    >>> shortest_between(0.91234, 0.91301), shortest_between(0.5, 1.0)
    (0.913, 0.51)
    """
    for digits in range(2, _MAX_DIGITS):
        value: float = round((math.floor(low * 10**digits) + 1) / 10**digits, digits)
        if low < value <= high:
            return value
    return high


@dataclass(frozen=True)
class _Pools:
    """The similarities of each relation, ascending."""

    opposites: _Ascending
    same: _Ascending
    different: _Ascending
    noise: _Ascending

    @staticmethod
    def of(similarities: Similarities) -> _Pools:
        """Return the pools; raise if there are no opposites or no paraphrases."""
        pools = _Pools(
            similarities.pooled("opposite"),
            similarities.pooled("same"),
            similarities.pooled("different"),
            similarities.pooled("noise"),
        )
        if not len(pools.opposites) or not len(pools.same):
            raise no_usable_sentence()
        return pools

    @property
    def lowest(self) -> float:
        """The lowest similarity, rounded down."""
        lowest = min(float(pool[0]) for pool in self._all() if len(pool))
        return math.floor(lowest * POINTS_PER_UNIT) / POINTS_PER_UNIT

    def next_above(self, value: float) -> float:
        """Return the lowest similarity above a value, or 1."""
        positions = [np.searchsorted(pool, value, side="right") for pool in self._all()]
        above = [float(pool[i]) for pool, i in zip(self._all(), positions, strict=True) if i < len(pool)]
        return min(above, default=1.0)

    def point(self, threshold: float) -> ThresholdPoint:
        """Return the errors at a threshold."""
        return ThresholdPoint(
            threshold,
            opposites_pass=_n_passing(self.opposites, threshold) / len(self.opposites),
            different_pass=_n_passing(self.different, threshold) / len(self.different) if len(self.different) else None,
            paraphrases_lost=_n_lost(self.same, threshold) / len(self.same),
            typos_lost=_n_lost(self.noise, threshold) / len(self.noise) if len(self.noise) else None,
        )

    def _all(self) -> tuple[_Ascending, ...]:
        return self.opposites, self.same, self.different, self.noise


def _n_lost(pool: _Ascending, threshold: float) -> int:
    return int(np.searchsorted(pool, threshold, side="left"))


def _n_passing(pool: _Ascending, threshold: float) -> int:
    return len(pool) - _n_lost(pool, threshold)


def _largest_count(share: float, count: int) -> int:
    """Return the largest number whose share of `count` does not exceed `share`, in spite of rounding.

    >>> _largest_count(0.29, 100), _largest_count(0.0, 100), _largest_count(1.0, 100)
    (29, 0, 100)
    """
    candidate = min(count, math.floor(share * count) + 1)
    return candidate if candidate / count <= share else candidate - 1
