"""Kendall's tau for a few categories, with ties and an exact p-value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_DECIMALS = 9
"""Values are rounded, so that rounding errors do not break ties."""


@dataclass(frozen=True)
class RankAgreement:
    """How well two rankings of the same items agree."""

    tau: float | None
    """Kendall's tau-b; None if all items of one ranking are tied."""
    p: float
    """Share of all permutations that agree, or disagree, at least as much."""
    least_p: float
    """The smallest possible `p`; with few items it is large."""
    same: int
    """Pairs of items that both rankings have in the same order."""
    opposite: int
    """Pairs of items in opposite order."""
    decided: int
    """Pairs of items that are not tied in the first ranking."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)


def kendall(first: Sequence[float], second: Sequence[float]) -> RankAgreement:
    """Return the agreement of two lists of values.

    >>> agreement = kendall([1, 2, 3, 4], [10, 20, 40, 30])
    >>> round(agreement.tau or 0, 3), round(agreement.p, 3), agreement.same, agreement.opposite
    (0.667, 0.333, 5, 1)
    """
    from scipy import stats

    left, right = _pair_signs(first), _pair_signs(second)
    products = left * right
    # With ties, scipy's own test is not exact.
    test = stats.permutation_test(
        (np.asarray(second, dtype=float),),
        lambda permuted: abs(left @ _pair_signs(permuted)),
        permutation_type="pairings",
        alternative="greater",
        vectorized=False,
        n_resamples=math.inf,
    )
    n_decided = int(abs(left).sum())
    n_untied = n_decided * int(abs(right).sum())
    return RankAgreement(
        tau=float(products.sum() / math.sqrt(n_untied)) if n_untied else None,
        p=float(test.pvalue),
        least_p=float((test.null_distribution == test.null_distribution.max()).mean()),
        same=int((products > 0).sum()),
        opposite=int((products < 0).sum()),
        decided=n_decided,
    )


def _pair_signs(values: ArrayLike) -> NDArray[np.int64]:
    """Return for every pair of items whether the second value is higher (1), lower (-1) or tied (0)."""
    rounded = np.round(np.asarray(values, dtype=float), _DECIMALS)
    earlier, later = np.triu_indices(len(rounded), k=1)
    signs: NDArray[np.int64] = np.sign(rounded[later] - rounded[earlier]).astype(np.int64)
    return signs


def ranking(values: Mapping[str, float]) -> list[tuple[int, str, float]]:
    """Return rank, name and value, the highest first; equal values share a rank.

    >>> ranking({"a": 0.5, "b": 0.7, "c": 0.5})
    [(1, 'b', 0.7), (2, 'a', 0.5), (2, 'c', 0.5)]
    """
    ordered = sorted(values.items(), key=lambda entry: -round(entry[1], _DECIMALS))
    ranks: list[tuple[int, str, float]] = []
    for position, (name, value) in enumerate(ordered, 1):
        is_tied = bool(ranks) and round(ranks[-1][2], _DECIMALS) == round(value, _DECIMALS)
        ranks.append((ranks[-1][0] if is_tied else position, name, value))
    return ranks


def against_order(values: Mapping[str, float], order: Sequence[Sequence[str]]) -> RankAgreement | None:
    """Return how well high values agree with early positions in a partial order; None if it orders none of the names.

    Names within a group of the order are tied; names outside the order are ignored.

    >>> agreement = against_order({"a": 0.9, "b": 0.7, "c": 0.8, "d": 0.1}, [["a"], ["b"], ["c"]])
    >>> agreement.same, agreement.opposite, agreement.decided, round(agreement.least_p, 2)
    (2, 1, 3, 0.33)
    """
    positions = {name: index for index, group in enumerate(order) for name in group if name in values}
    if len(set(positions.values())) < 2:
        return None
    return kendall([-position for position in positions.values()], [values[name] for name in positions])


Order = tuple[tuple[str, ...], ...]
"""Groups of categories, the earliest first; the categories of a group are tied."""

ORDERS: Mapping[str, Order] = MappingProxyType(
    {
        # “one of the first … is rejection … later followed by existence … and later still denial”, which denies the
        # truth of a claim: among the seven categories this is labeling (“it is not a dog”).
        "Nordmeyer and Frank (2018)": (("rejection",), ("existence",), ("labeling",)),
        # Rejection and labeling best, existence and prohibition worst “aligns quite well to the order observed”.
        "Liu and Jasbi (2021)": (("rejection", "labeling"), ("existence", "prohibition")),
    }
)
"""Orders of acquisition as reported by Laverghetta and Licato (2022); the two disagree on labeling and existence."""
