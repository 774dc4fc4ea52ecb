"""Means over seeds with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

CONFIDENCE = 0.95
OVER_SEEDS = "t-interval over seeds"
OVER_PREMISES = "bootstrap over premises of the one run"


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval of 95%, and what that is an interval of."""

    mean: float
    low: float
    high: float
    seeds: int
    interval: str

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    def apart_from(self, value: float) -> bool:
        """Whether the interval lies wholly above or below a value."""
        return self.low > value or self.high < value


def estimate(
    values: Sequence[float], of_one: tuple[float, float], *, least: float = -1.0, most: float = 1.0
) -> Estimate:
    """The mean of one value a seed; with a single seed, that run's own interval.

    >>> found = estimate([0.6, 0.7, 0.8], (0.0, 0.0))
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.7, 0.452, 0.948)
    >>> estimate([0.7], (0.6, 0.8)).interval
    'bootstrap over premises of the one run'
    """
    if len(values) == 1:
        return Estimate(values[0], of_one[0], of_one[1], 1, OVER_PREMISES)
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
    half = _t(len(values) - 1) * spread / math.sqrt(len(values))
    return Estimate(mean, max(least, mean - half), min(most, mean + half), len(values), OVER_SEEDS)


def _t(freedom: int) -> float:
    """Student's quantile; scipy comes with the packages that train."""
    from litotes.core.errors import missing_package

    try:
        from scipy import stats
    except ImportError as error:
        raise missing_package("scipy", "train") from error
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom))
