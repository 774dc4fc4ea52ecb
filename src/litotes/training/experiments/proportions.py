"""The shares of categories in a mixture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from litotes.core.errors import UsageError
from litotes.core.registry import unknown_name
from litotes.languages.negation_categories import CATEGORIES, CODES

_NAMED = ("equal", "natural")


@dataclass(frozen=True)
class Proportions:
    """The shares of a mixture: `equal`, `natural` (those of the corpus), or a number per category."""

    name: str
    shares: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def counts(self, available: Mapping[str, int], total: int) -> dict[str, int]:
        """Return the number of pairs of each category for a total.

        >>> Proportions("equal").counts({"labeling": 9, "rejection": 5}, 7)
        {'labeling': 4, 'rejection': 3}
        >>> parse_proportions("rejection=3,labeling=1").counts({"labeling": 9, "rejection": 5}, 4)
        {'labeling': 1, 'rejection': 3}
        """
        shares = self._shares(available)
        whole = math.fsum(shares.values())
        exact = {category: total * share / whole for category, share in shares.items()}
        counts = {category: int(count) for category, count in exact.items()}
        # The remainder goes to the categories with the largest fractions.
        by_fraction = sorted(exact, key=lambda category: counts[category] - exact[category])
        for category in by_fraction[: total - sum(counts.values())]:
            counts[category] += 1
        for category, count in counts.items():
            if count > available[category]:
                raise UsageError(
                    "L102",
                    f"proportions {self.name}: {count:,} pairs of {category} are needed, "
                    f"there are {available[category]:,}",
                    hint=f"these shares allow a total of {self._max_total(shares, available):,}; set it with --total",
                )
        return counts

    @staticmethod
    def _max_total(shares: Mapping[str, float], available: Mapping[str, int]) -> int:
        """Return the largest total for which all categories have enough pairs."""
        whole = math.fsum(shares.values())
        return int(min(available[category] * whole / share for category, share in shares.items() if share))

    def _shares(self, available: Mapping[str, int]) -> dict[str, float]:
        if self.name == "equal":
            return dict.fromkeys(available, 1.0)
        if self.name == "natural":
            return {category: float(count) for category, count in available.items()}
        for category in self.shares:
            if category not in available:
                raise UsageError("L102", f"proportions {self.name}: {category} is not among the categories of the plan")
        return {category: self.shares.get(category, 0.0) for category in available}


def parse_proportions(text: str) -> Proportions:
    """Parse proportions: equal, natural, or name=share,name=share with no share for other categories.

    >>> parse_proportions("R=2,labeling=1").name
    'rejection=2,labeling=1'
    """
    if text in _NAMED:
        return Proportions(text)
    if "=" not in text:
        raise unknown_name("proportions", text, [*_NAMED, "name=share,name=share"])
    shares: dict[str, float] = {}
    for entry in text.split(","):
        name, _, number = entry.partition("=")
        category = parse_category(name)
        if category in shares:
            raise UsageError("L102", f'proportions "{text}": {category} is given twice', hint="remove one")
        shares[category] = _share(number.strip(), text)
    return from_shares(shares)


def from_shares(shares: Mapping[str, float]) -> Proportions:
    """Return proportions that are named after their shares."""
    name = ",".join(f"{category}={share:g}" for category, share in shares.items())
    if not math.fsum(shares.values()) > 0:
        raise UsageError("L102", f'proportions "{name}": all shares are 0', hint="at least one must be above 0")
    return Proportions(name, MappingProxyType(dict(shares)))


def _share(number: str, text: str) -> float:
    try:
        share = float(number)
    except ValueError:
        share = math.nan
    if not (math.isfinite(share) and share >= 0):
        raise UsageError("L102", f'proportions "{text}": "{number}" is not a share', hint="use a number from 0")
    return share


def parse_category(text: str) -> str:
    """Return the category with a name or the paper's abbreviation.

    >>> parse_category("EX"), parse_category(" rejection ")
    ('existence', 'rejection')
    """
    by_short = {short.lower(): name for name, short in CODES.items()}
    name = text.strip().lower()
    if name in by_short:
        return by_short[name]
    if name not in CATEGORIES:
        raise unknown_name("category", text.strip(), CATEGORIES)
    return name


def parse_categories(texts: Sequence[str]) -> tuple[str, ...]:
    """Parse category names."""
    return tuple(parse_category(text) for text in texts)
