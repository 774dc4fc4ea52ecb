"""Kendall's tau for a handful of categories: ties counted, the p-value exact."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

_DECIMALS = 9
"""Means that differ by less are the same: what is left is rounding."""
_MOST = 8
"""Of so many things all arrangements can be gone through."""


@dataclass(frozen=True)
class Agreement:
    """How far two orders of the same things agree."""

    tau: float | None
    """Kendall's tau-b; None where one side knows no order at all."""
    p: float
    """The share of all arrangements in which they agree, or disagree, at least as far."""
    least_p: float
    """What `p` would be for the best agreement that is possible: few things cannot give a small one."""
    same: int
    """Pairs of things that both put in the same order."""
    opposite: int
    decided: int
    """Pairs that the first order decides at all."""

    def to_dict(self) -> dict[str, Any]:
        """The figures by name."""
        return asdict(self)


def kendall(one: Sequence[float], other: Sequence[float]) -> Agreement:
    """The agreement of two lists of numbers, place by place.

    >>> found = kendall([1, 2, 3, 4], [10, 20, 40, 30])
    >>> round(found.tau or 0, 3), round(found.p, 3), found.same, found.opposite
    (0.667, 0.333, 5, 1)
    """
    if len(one) != len(other) or not 2 <= len(one) <= _MOST:
        raise ValueError(f"two lists of 2 to {_MOST} numbers are needed")
    left, right = _signs(one), _signs(other)
    decided, decided_by_other = sum(map(abs, left)), sum(map(abs, right))
    products = [a * b for a, b in zip(left, right, strict=True)]
    seen = sum(products)
    # Every arrangement of the other's numbers is as likely if there is no connection, equal numbers and all.
    sums = [
        abs(sum(a * b for a, b in zip(left, _signs(arranged), strict=True)))
        for arranged in itertools.permutations(_rounded(other))
    ]
    most = max(sums)
    return Agreement(
        tau=seen / math.sqrt(decided * decided_by_other) if decided and decided_by_other else None,
        p=sum(found >= abs(seen) for found in sums) / len(sums),
        least_p=sums.count(most) / len(sums),
        same=products.count(1),
        opposite=products.count(-1),
        decided=decided,
    )


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(number, _DECIMALS) for number in numbers]


def _signs(numbers: Sequence[float]) -> list[int]:
    """Of every two places, whether the second number is higher (1), lower (-1) or the same (0)."""
    return [(b > a) - (b < a) for a, b in itertools.combinations(_rounded(numbers), 2)]


def ranking(values: Mapping[str, float]) -> list[tuple[int, str, float]]:
    """Rank, name and value, the highest first; equal values share a rank.

    >>> ranking({"a": 0.5, "b": 0.7, "c": 0.5})
    [(1, 'b', 0.7), (2, 'a', 0.5), (2, 'c', 0.5)]
    """
    ordered = sorted(values.items(), key=lambda entry: -round(entry[1], _DECIMALS))
    ranks: list[tuple[int, str, float]] = []
    for place, (name, value) in enumerate(ordered, 1):
        tied = bool(ranks) and round(ranks[-1][2], _DECIMALS) == round(value, _DECIMALS)
        ranks.append((ranks[-1][0] if tied else place, name, value))
    return ranks


def against_order(values: Mapping[str, float], order: Sequence[Sequence[str]]) -> Agreement | None:
    """How far higher values go with an earlier place in a partial order; None if it decides nothing here.

    Names in one group of the order are not ordered among themselves, and names outside of it are left out.

    >>> found = against_order({"a": 0.9, "b": 0.7, "c": 0.8, "d": 0.1}, [["a"], ["b"], ["c"]])
    >>> found.same, found.opposite, found.decided, round(found.least_p, 2)
    (2, 1, 3, 0.33)
    """
    places = {name: place for place, group in enumerate(order) for name in group if name in values}
    if len(set(places.values())) < 2:
        return None
    return kendall([-place for place in places.values()], [values[name] for name in places])


Order = tuple[tuple[str, ...], ...]
"""Groups of categories, the earliest first; within a group nothing is known."""

ORDERS: Mapping[str, Order] = MappingProxyType(
    {
        # “one of the first … is rejection … later followed by existence … and later still denial”, which denies the
        # truth of a claim: of the seven categories labeling (“it is not a dog”) is the one that does.
        "Nordmeyer and Frank (2018)": (("rejection",), ("existence",), ("labeling",)),
        # Rejection and labeling best, existence and prohibition worst “aligns quite well to the order observed”.
        "Liu and Jasbi (2021)": (("rejection", "labeling"), ("existence", "prohibition")),
    }
)
"""What Laverghetta and Licato (2022) report of each study; the two disagree on labeling and existence."""
