"""The order in which children acquire categories of negation, as far as the paper says it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

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
