"""The order of units per annotator (gold units mixed in), filters, and reservations."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from litotes.review.store import VerdictsByUnit
from litotes.review.units import Unit
from litotes.review.verdicts import Verdict

BLOCK = 5
"""One unit per block is a gold unit, as long as there are any."""

RESERVATION_SECONDS = 300.0
"""How long a unit that one annotator is looking at is not offered to others."""

STATES = ("all", "unreviewed", "accepted", "rejected", "edited", "disputed")
_MINE = {"accepted": "accept", "rejected": "reject", "edited": "edit"}


@dataclass(frozen=True)
class UnitFilter:
    """Criteria that an annotator filters units by."""

    text: str = ""
    group: str = ""
    tag: str = ""
    value: str = ""
    state: str = "all"


def annotator_order(keys: Sequence[str], gold: Mapping[str, str], salt: str) -> list[str]:
    """Return the units with gold units mixed in at positions that differ by annotator, so that they are not recognised.

    >>> order = annotator_order([f"u{number}" for number in range(20)], {"u18": "accept", "u19": "reject"}, "Ana")
    >>> sorted(order.index(unit) // 5 for unit in ("u18", "u19"))
    [0, 1]
    """
    regular = [key for key in keys if key not in gold]
    gold_units = sorted((key for key in keys if key in gold), key=lambda key: _hash(salt, key))
    order: list[str] = []
    for number, key in enumerate(gold_units):
        block = regular[number * (BLOCK - 1) : (number + 1) * (BLOCK - 1)]
        position = int(_hash(salt, f"{number}"), 16) % (len(block) + 1)
        order += [*block[:position], key, *block[position:]]
    return order + regular[len(gold_units) * (BLOCK - 1) :]


def _hash(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def is_open(verdicts: Mapping[str, Verdict], annotator: str, per_item: int, gold: bool) -> bool:
    """Return whether a unit needs this annotator's verdict; everyone judges gold units."""
    return annotator not in verdicts and (gold or len(verdicts) < per_item)


def is_disputed(verdicts: Mapping[str, Verdict]) -> bool:
    """Return whether the annotators disagree."""
    return len({verdict.outcome for verdict in verdicts.values()}) > 1


class UnitFinder:
    """Finds the units that match a filter; the texts are case-folded once."""

    def __init__(self, units: Mapping[str, Unit], per_item: int, gold: Mapping[str, str]) -> None:
        self._units = units
        self._per_item = per_item
        self._gold = gold
        self._folded = {
            key: "\n".join([key, *(text for item in unit.items for text in item.sentences.values())]).casefold()
            for key, unit in units.items()
        }

    def find(self, order: Sequence[str], criteria: UnitFilter, annotator: str, current: VerdictsByUnit) -> list[str]:
        """Return the keys of the matching units, in order."""
        text = criteria.text.casefold().strip()
        matches = []
        for key in order:
            item = self._units[key].shown
            if (
                (text and text not in self._folded[key])
                or (criteria.group and item.group != criteria.group)
                or (criteria.tag and item.tags.get(criteria.tag) != criteria.value)
                or not self._is_in_state(key, criteria.state, annotator, current.get(key, {}))
            ):
                continue
            matches.append(key)
        return matches

    def is_open(self, key: str, annotator: str, current: VerdictsByUnit) -> bool:
        """Return whether the unit needs this annotator's verdict."""
        return is_open(current.get(key, {}), annotator, self._per_item, key in self._gold)

    def has_capacity(self, key: str, reserved: int, current: VerdictsByUnit) -> bool:
        """Return whether the unit would still need a verdict after `reserved` more."""
        return key in self._gold or len(current.get(key, {})) + reserved < self._per_item

    def _is_in_state(self, key: str, state: str, annotator: str, verdicts: Mapping[str, Verdict]) -> bool:
        if state == "all":
            return True
        if state == "unreviewed":
            return is_open(verdicts, annotator, self._per_item, key in self._gold)
        if state == "disputed":
            return is_disputed(verdicts)
        return annotator in verdicts and verdicts[annotator].verdict == _MINE[state]


class UnitReservations:
    """Which annotator is looking at which open unit, so that the last verdict of a unit is not offered twice."""

    def __init__(self) -> None:
        self._reserved: dict[str, tuple[str, float]] = {}

    def reserve(self, annotator: str, unit: str | None) -> None:
        """Reserve a unit for an annotator, instead of the previous one."""
        self._reserved.pop(annotator, None)
        if unit is not None:
            self._reserved[annotator] = (unit, time.monotonic())

    def count_others(self, annotator: str) -> Counter[str]:
        """Return the number of other annotators per unit."""
        since = time.monotonic() - RESERVATION_SECONDS
        return Counter(
            unit for name, (unit, reserved_at) in self._reserved.items() if name != annotator and reserved_at >= since
        )
