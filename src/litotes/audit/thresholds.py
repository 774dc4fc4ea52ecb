"""What a similarity threshold lets through and what it loses, and which threshold an error budget allows.

Shares are of pairs: a sentence of which several rewrites made a variant counts as often.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.audit.result import Advice, ThresholdPoint
from litotes.audit.similarities import Similarities, none_usable
from litotes.core.errors import UsageError

STEPS_TO_ONE = 100
"""The curve has a point every hundredth."""
_MOST_DIGITS = 17

_Rising = NDArray[np.float64]


def curve(similarities: Similarities) -> tuple[ThresholdPoint, ...]:
    """A point every 0.01, from the lowest similarity, rounded down, to 1; the shares are exact."""
    pools = _pools(similarities)
    bottom = round(pools.bottom * STEPS_TO_ONE)
    return tuple(pools.point(step / STEPS_TO_ONE) for step in range(bottom, STEPS_TO_ONE + 1))


def point_at(similarities: Similarities, threshold: float) -> ThresholdPoint:
    """What one threshold lets through and loses."""
    return _pools(similarities).point(threshold)


def advise(similarities: Similarities, *, budget: float, most_lost: float) -> Advice:
    """The lowest threshold at which no more than `budget` of the opposites pass, and what it loses.

    It is exact over the similarities that were seen. All thresholds above the closest opposite that must not pass, up
    to the next similarity, let the same pairs through; of these it is the one with the fewest digits. A threshold
    above 1 is none: if even 1 lets more opposites pass, there is no point.
    """
    if not (0 <= budget <= 1 and 0 <= most_lost <= 1):
        raise UsageError("L102", f"an error budget is a share from 0 to 1, not {budget:g} and {most_lost:g}")
    pools = _pools(similarities)
    may_pass = _most(budget, len(pools.opposites))
    if may_pass == len(pools.opposites):
        return _advice(pools, pools.bottom, budget, most_lost)
    below = float(pools.opposites[len(pools.opposites) - 1 - may_pass])
    if below >= 1.0:
        return Advice(budget, most_lost, None, holds=False)
    return _advice(pools, fewest_digits(below, pools.next_above(below)), budget, most_lost)


def fewest_digits(below: float, up_to: float) -> float:
    """The number above `below` and not above `up_to` that is shortest to write, with two decimals at least.

    >>> fewest_digits(0.91234, 0.91301), fewest_digits(0.5, 1.0)
    (0.913, 0.51)
    """
    for digits in range(2, _MOST_DIGITS):
        found: float = round((math.floor(below * 10**digits) + 1) / 10**digits, digits)
        if below < found <= up_to:
            return found
    return up_to


@dataclass(frozen=True)
class _Pools:
    """The similarities of each relation, rising."""

    opposites: _Rising
    same: _Rising
    different: _Rising
    noise: _Rising

    @property
    def bottom(self) -> float:
        """The lowest similarity, rounded down: what everything passes."""
        lowest = min(float(pool[0]) for pool in self._all() if len(pool))
        return math.floor(lowest * STEPS_TO_ONE) / STEPS_TO_ONE

    def next_above(self, value: float) -> float:
        """The lowest similarity above a value, or 1."""
        above = [np.searchsorted(pool, value, side="right") for pool in self._all()]
        return min(
            (float(pool[at]) for pool, at in zip(self._all(), above, strict=True) if at < len(pool)), default=1.0
        )

    def point(self, threshold: float) -> ThresholdPoint:
        return ThresholdPoint(
            threshold,
            opposites_pass=_passing(self.opposites, threshold) / len(self.opposites),
            different_pass=_passing(self.different, threshold) / len(self.different) if len(self.different) else None,
            paraphrases_lost=_lost(self.same, threshold) / len(self.same),
            typos_lost=_lost(self.noise, threshold) / len(self.noise) if len(self.noise) else None,
        )

    def _all(self) -> tuple[_Rising, ...]:
        return self.opposites, self.same, self.different, self.noise


def _pools(similarities: Similarities) -> _Pools:
    pools = _Pools(*(similarities.pooled(relation) for relation in ("opposite", "same", "different", "noise")))
    if not len(pools.opposites) or not len(pools.same):
        raise none_usable()
    return pools


def _lost(pool: _Rising, threshold: float) -> int:
    return int(np.searchsorted(pool, threshold, side="left"))


def _passing(pool: _Rising, threshold: float) -> int:
    return len(pool) - _lost(pool, threshold)


def _most(share: float, count: int) -> int:
    """The largest number of `count` that is no more than a share of it.

    >>> _most(0.29, 100), _most(0.0, 100), _most(1.0, 100)
    (29, 0, 100)
    """
    most = min(count, math.floor(share * count) + 1)
    return most if most / count <= share else most - 1


def _advice(pools: _Pools, threshold: float, budget: float, most_lost: float) -> Advice:
    point = pools.point(threshold)
    return Advice(budget, most_lost, point, holds=point.paraphrases_lost <= most_lost)
