"""Which unit comes next: the annotator's order with gold mixed in, filters, and who is looking at what."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from litotes.review.store import Verdicts
from litotes.review.units import Unit
from litotes.review.verdicts import Verdict

BLOCK = 5
"""As long as there is gold, one unit in so many is of it."""

HELD_SECONDS = 300.0
"""How long a unit that is on one annotator's screen is not offered to others."""

STATES = ("all", "unreviewed", "accepted", "rejected", "edited", "disputed")
_MINE = {"accepted": "accept", "rejected": "reject", "edited": "edit"}


@dataclass(frozen=True)
class Filter:
    """What an annotator wants to see."""

    text: str = ""
    group: str = ""
    tag: str = ""
    value: str = ""
    state: str = "all"


def mixed(keys: Sequence[str], gold: Mapping[str, str], salt: str) -> list[str]:
    """The units with gold strewn in, elsewhere for every annotator, so that nobody can tell it by its place.

    >>> order = mixed([f"u{number}" for number in range(20)], {"u18": "accept", "u19": "reject"}, "Ana")
    >>> sorted(order.index(unit) // 5 for unit in ("u18", "u19"))
    [0, 1]
    """
    plain = [key for key in keys if key not in gold]
    special = sorted((key for key in keys if key in gold), key=lambda key: _draw(salt, key))
    order: list[str] = []
    for number, key in enumerate(special):
        block = plain[number * (BLOCK - 1) : (number + 1) * (BLOCK - 1)]
        place = int(_draw(salt, f"{number}"), 16) % (len(block) + 1)
        order += [*block[:place], key, *block[place:]]
    return order + plain[len(special) * (BLOCK - 1) :]


def _draw(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def is_open(verdicts: Mapping[str, Verdict], annotator: str, per_item: int, gold: bool) -> bool:
    """Whether a unit waits for this annotator's verdict; gold is for everybody."""
    return annotator not in verdicts and (gold or len(verdicts) < per_item)


def is_disputed(verdicts: Mapping[str, Verdict]) -> bool:
    """Whether annotators came to different ends."""
    return len({verdict.outcome for verdict in verdicts.values()}) > 1


class Finder:
    """Finds the units that a filter lets through; texts are folded once."""

    def __init__(self, units: Mapping[str, Unit], per_item: int, gold: Mapping[str, str]) -> None:
        self._units = units
        self._per_item = per_item
        self._gold = gold
        self._folded = {
            key: "\n".join([key, *(text for item in unit.items for text in item.sentences.values())]).casefold()
            for key, unit in units.items()
        }

    def find(self, order: Sequence[str], wanted: Filter, annotator: str, current: Verdicts) -> list[str]:
        """The keys that match, in order."""
        text = wanted.text.casefold().strip()
        found = []
        for key in order:
            item = self._units[key].shown
            if (
                (text and text not in self._folded[key])
                or (wanted.group and item.group != wanted.group)
                or (wanted.tag and item.tags.get(wanted.tag) != wanted.value)
                or not self._is_in_state(key, wanted.state, annotator, current.get(key, {}))
            ):
                continue
            found.append(key)
        return found

    def is_open(self, key: str, annotator: str, current: Verdicts) -> bool:
        """Whether the unit waits for this annotator."""
        return is_open(current.get(key, {}), annotator, self._per_item, key in self._gold)

    def has_room(self, key: str, others: int, current: Verdicts) -> bool:
        """Whether the unit would still need a verdict if so many others gave theirs."""
        return key in self._gold or len(current.get(key, {})) + others < self._per_item

    def _is_in_state(self, key: str, state: str, annotator: str, verdicts: Mapping[str, Verdict]) -> bool:
        if state == "all":
            return True
        if state == "unreviewed":
            return is_open(verdicts, annotator, self._per_item, key in self._gold)
        if state == "disputed":
            return is_disputed(verdicts)
        return annotator in verdicts and verdicts[annotator].verdict == _MINE[state]


class Held:
    """Which waiting unit is on whose screen, so that two people are not both given the last place of one."""

    def __init__(self) -> None:
        self._by: dict[str, tuple[str, float]] = {}

    def hold(self, annotator: str, unit: str | None) -> None:
        """The annotator looks at this unit now, and no more at the one before."""
        self._by.pop(annotator, None)
        if unit is not None:
            self._by[annotator] = (unit, time.monotonic())

    def by_others(self, annotator: str) -> Counter[str]:
        """How many others look at each unit."""
        since = time.monotonic() - HELD_SECONDS
        return Counter(unit for name, (unit, then) in self._by.items() if name != annotator and then >= since)
