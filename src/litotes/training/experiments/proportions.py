"""How much of a mixture each category is."""

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
    """The shares of a mixture: `equal`, `natural` (as the corpus has them), or a number a category."""

    name: str
    shares: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def counts(self, there: Mapping[str, int], total: int) -> dict[str, int]:
        """How many pairs of each category make so many in all.

        >>> Proportions("equal").counts({"labeling": 9, "rejection": 5}, 7)
        {'labeling': 4, 'rejection': 3}
        >>> parse_proportions("rejection=3,labeling=1").counts({"labeling": 9, "rejection": 5}, 4)
        {'labeling': 1, 'rejection': 3}
        """
        shares = self._shares(there)
        whole = math.fsum(shares.values())
        exact = {category: total * share / whole for category, share in shares.items()}
        counts = {category: int(count) for category, count in exact.items()}
        # What rounding down has left goes to the largest remainders, the first of equal ones first.
        by_rest = sorted(exact, key=lambda category: counts[category] - exact[category])
        for category in by_rest[: total - sum(counts.values())]:
            counts[category] += 1
        for category, count in counts.items():
            if count > there[category]:
                raise UsageError(
                    "L102",
                    f"proportions {self.name}: {count:,} pairs of {category} are needed, there are {there[category]:,}",
                    hint=f"these shares allow a total of {self._most(shares, there):,}; say so by --total",
                )
        return counts

    @staticmethod
    def _most(shares: Mapping[str, float], there: Mapping[str, int]) -> int:
        """The largest total for which every category has enough."""
        whole = math.fsum(shares.values())
        return int(min(there[category] * whole / share for category, share in shares.items() if share))

    def _shares(self, there: Mapping[str, int]) -> dict[str, float]:
        if self.name == "equal":
            return dict.fromkeys(there, 1.0)
        if self.name == "natural":
            return {category: float(count) for category, count in there.items()}
        for category in self.shares:
            if category not in there:
                raise UsageError("L102", f"proportions {self.name}: {category} is not among the categories of the plan")
        return {category: self.shares.get(category, 0.0) for category in there}


def parse_proportions(text: str) -> Proportions:
    """Proportions as they are written: equal, natural, or name=share,name=share; a category not named has no share.

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
            raise UsageError("L102", f'proportions "{text}": {category} stands there twice', hint="leave one out")
        shares[category] = _share(number.strip(), text)
    return from_shares(shares)


def from_shares(shares: Mapping[str, float]) -> Proportions:
    """Proportions of these shares, named after them."""
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
        raise UsageError("L102", f'proportions "{text}": "{number}" is no share', hint="a number from 0 is needed")
    return share


def parse_category(text: str) -> str:
    """A category by its name or by the paper's abbreviation.

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
    """Categories in the order given; one may stand there more than once."""
    return tuple(parse_category(text) for text in texts)
