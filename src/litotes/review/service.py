"""The review service: which unit an annotator sees next, and what is recorded."""

from __future__ import annotations

import hashlib
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from litotes.review.store import ReviewSession, VerdictsByUnit
from litotes.review.summary import AnnotatorSummary, gold_score, summarise
from litotes.review.units import UNIT_TAG, Unit, intended_similarity, role_label
from litotes.review.verdicts import REASONS, InvalidVerdictError, Verdict, check_annotator, check_verdict

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

    def count_other_annotators(self, annotator: str) -> Counter[str]:
        """Return the number of other annotators per unit."""
        since = time.monotonic() - RESERVATION_SECONDS
        return Counter(
            unit for name, (unit, reserved_at) in self._reserved.items() if name != annotator and reserved_at >= since
        )


GOLD_SHOWN_AFTER = 5
"""Annotators see their gold score after this number of gold units."""

MOVES = ("here", "next", "previous", "unreviewed")
MAX_ROWS = 200
_MAX_VALUES = 100
"""A tag with more values is not offered as a filter."""

Answer = dict[str, Any]


class ReviewService:
    """Answers the requests of the page; with `open_verdicts` annotators see each other's verdicts."""

    def __init__(self, review: ReviewSession, *, per_item: int = 1, open_verdicts: bool = False) -> None:
        self._review = review
        self._units = review.units
        self._per_item = per_item
        self._open = open_verdicts
        self._gold = review.store.gold()
        self._finder = UnitFinder(review.units, per_item, self._gold)
        self._reservations = UnitReservations()
        self._keys = list(review.units)
        self._order = lru_cache(maxsize=64)(self._make_order)

    def about(self) -> Answer:
        """Return what does not change: the suite, roles, reasons and filter values."""
        suite, intent = self._review.suite, intended_similarity(self._review.suite.kind)
        return {
            "suite": suite.name,
            "sha256": suite.sha256,
            "units": len(self._units),
            "perItem": self._per_item,
            "open": self._open,
            "groupWord": suite.kind.group_word,
            "roles": [{"role": role, "label": role_label(role), "intent": intent[role]} for role in suite.kind.roles],
            "reasons": [{"reason": reason, "label": label} for reason, label in REASONS.items()],
            "states": [state for state in STATES if self._open or state != "disputed"],
            "groups": sorted({unit.shown.group for unit in self._units.values() if unit.shown.group != unit.shown.id}),
            "tags": self._tag_values(),
        }

    def unit(self, query: Mapping[str, Any]) -> Answer:
        """Return the unit to show: `move` from `unit`, within the filter."""
        annotator, criteria = check_annotator(query.get("annotator")), self._filter(query)
        move, start = query.get("move") or "here", query.get("unit") or ""
        if move not in MOVES or not isinstance(start, str):
            raise InvalidVerdictError(f"move must be one of {', '.join(MOVES)}")
        current = self._review.store.current()
        return self._answer(annotator, criteria, current, start=start, move=move)

    def rows(self, query: Mapping[str, Any]) -> Answer:
        """Return some rows of the list of units, beginning at index `start`."""
        annotator, criteria = check_annotator(query.get("annotator")), self._filter(query)
        start, count = _parse_index(query.get("start", 0)), min(_parse_index(query.get("count", 50)), MAX_ROWS)
        current = self._review.store.current()
        matches = self._finder.find(self._order(annotator), criteria, annotator, current)
        return {
            "total": len(matches),
            "start": start,
            "rows": [
                {
                    "unit": key,
                    "text": next(iter(self._units[key].sentences.values()))[:160],
                    "mine": mine.verdict if (mine := current.get(key, {}).get(annotator)) else "",
                }
                for key in matches[start : start + count]
            ],
        }

    def judge(self, body: Mapping[str, Any]) -> Answer:
        """Store a verdict and return the unit to show next."""
        annotator, criteria, request = check_annotator(body.get("annotator")), self._filter(body), _request_id(body)
        key = body.get("unit")
        if not isinstance(key, str) or key not in self._units:
            raise InvalidVerdictError("unknown unit")
        verdict = check_verdict(self._units[key], annotator, body)
        before = self._review.store.current().get(key, {})
        self._review.store.add(verdict, request)
        current = self._review.store.current()
        # An annotator who changes a verdict is going through a list; otherwise continue with the next open unit.
        move = "next" if annotator in before else "unreviewed"
        return self._answer(annotator, criteria, current, start=key, move=move)

    def undo(self, body: Mapping[str, Any]) -> Answer:
        """Undo the annotator's last verdict and return its unit."""
        annotator, criteria = check_annotator(body.get("annotator")), self._filter(body)
        key = self._review.store.undo(annotator, _request_id(body))
        current = self._review.store.current()
        start = key if key is not None else str(body.get("unit") or "")
        return {**self._answer(annotator, criteria, current, start=start, move="here"), "undone": key}

    def status(self, query: Mapping[str, Any]) -> Answer:
        """Return progress and agreement; in a blind review without counts that reveal other verdicts."""
        annotator = check_annotator(query.get("annotator"))
        current = self._review.store.current()
        summary = summarise(len(self._units), current, self._gold)
        progress = self._progress(annotator, current)
        return {
            "progress": progress,
            "annotators": [
                _annotator_counts(person, full=self._open or person.name == annotator) for person in summary.annotators
            ],
            # The change of agreement after a verdict would reveal the other annotator's verdict.
            "agreement": asdict(summary.agreement) if self._open or not progress["left"] else None,
        }

    def _make_order(self, annotator: str) -> Sequence[str]:
        return annotator_order(self._keys, self._gold, f"{self._review.suite.sha256}\n{annotator}")

    def _filter(self, query: Mapping[str, Any]) -> UnitFilter:
        values = {name: query.get(name) or "" for name in ("text", "group", "tag", "value", "state")}
        if not all(isinstance(value, str) for value in values.values()):
            raise InvalidVerdictError("a filter must be a string")
        values["state"] = values["state"] or "all"
        if values["state"] not in STATES or (values["state"] == "disputed" and not self._open):
            raise InvalidVerdictError("unknown filter")
        return UnitFilter(**values)

    def _answer(
        self, annotator: str, criteria: UnitFilter, current: VerdictsByUnit, *, start: str, move: str
    ) -> Answer:
        order = self._order(annotator)
        matches = self._finder.find(order, criteria, annotator, current)
        key = self._moved(annotator, current, order, matches, start=start, move=move)
        is_open = key is not None and self._finder.is_open(key, annotator, current)
        self._reservations.reserve(annotator, key if is_open else None)
        return {
            "unit": None if key is None else self._view(key, annotator, current),
            "place": matches.index(key) if key in matches else None,
            "total": len(matches),
            "arrived": move != "unreviewed" or is_open,
            "progress": self._progress(annotator, current),
        }

    def _moved(
        self,
        annotator: str,
        current: VerdictsByUnit,
        order: Sequence[str],
        matches: list[str],
        *,
        start: str,
        move: str,
    ) -> str | None:
        """Return the unit that a move leads to; without a next unit it stays where it is."""
        index = {key: number for number, key in enumerate(order)}
        if start not in index:  # the first request, or a URL of another review
            start, move = "", "here" if move in ("next", "previous") else move
        indices = [index[key] for key in matches]
        stay = start or (matches[0] if matches else None)
        if move == "here":
            return stay
        here = index.get(start, -1)
        if move == "next":
            after = bisect_right(indices, here)
            return matches[after] if after < len(matches) else stay
        if move == "previous":
            before = bisect_left(indices, here) - 1
            return matches[before] if before >= 0 else stay
        after = bisect_right(indices, here)
        open_units = [
            key for key in [*matches[after:], *matches[:after]] if self._finder.is_open(key, annotator, current)
        ]
        reserved = self._reservations.count_other_annotators(annotator)
        free = (key for key in open_units if self._finder.has_capacity(key, reserved[key], current))
        return next(free, open_units[0] if open_units else stay)

    def _view(self, key: str, annotator: str, current: VerdictsByUnit) -> Answer:
        unit, verdicts = self._units[key], current.get(key, {})
        others = [_as_answer(verdicts[name]) for name in sorted(verdicts) if name != annotator] if self._open else []
        return {
            "key": key,
            "group": unit.shown.group if unit.shown.group != unit.shown.id else "",
            "items": len(unit.items),
            "tags": {name: value for name, value in unit.shown.tags.items() if name != UNIT_TAG},
            "sentences": dict(unit.sentences),
            "mine": _as_answer(verdicts[annotator]) if annotator in verdicts else None,
            "others": others,
        }

    def _progress(self, annotator: str, current: VerdictsByUnit) -> Answer:
        mine = [by[annotator].verdict for by in current.values() if annotator in by]
        right, judged = gold_score(current, self._gold, annotator)
        return {
            "done": sum(min(len(by), self._per_item) for by in current.values()),
            "wanted": len(self._units) * self._per_item,
            "mine": len(mine),
            "accepted": mine.count("accept"),
            "rejected": mine.count("reject"),
            "edited": mine.count("edit"),
            "left": sum(self._finder.is_open(key, annotator, current) for key in self._keys),
            "gold": [right, judged] if judged >= GOLD_SHOWN_AFTER else None,
        }

    def _tag_values(self) -> dict[str, list[str]]:
        values: dict[str, set[str]] = {}
        for unit in self._units.values():
            for name, value in unit.shown.tags.items():
                if name != UNIT_TAG:
                    values.setdefault(name, set()).add(value)
        return {name: sorted(used) for name, used in sorted(values.items()) if len(used) <= _MAX_VALUES}


def _annotator_counts(summary: AnnotatorSummary, *, full: bool) -> Answer:
    counts: Answer = {"name": summary.name, "verdicts": summary.verdicts}
    if full:
        counts |= {"accepted": summary.accepted, "rejected": summary.rejected, "edited": summary.edited}
    if full and summary.gold_judged >= GOLD_SHOWN_AFTER:
        counts["gold"] = [summary.gold_right, summary.gold_judged]
    return counts


def _as_answer(verdict: Verdict) -> Answer:
    return {
        "annotator": verdict.annotator,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "edited": dict(verdict.edited),
        "note": verdict.note,
    }


def _parse_index(value: object) -> int:
    try:
        number = int(str(value))
    except ValueError:
        raise InvalidVerdictError("an index must be a number") from None
    if not 0 <= number < 10**9:
        raise InvalidVerdictError("an index must be 0 or more")
    return number


def _request_id(body: Mapping[str, Any]) -> str | None:
    request = body.get("request")
    if request is None:
        return None
    if not isinstance(request, str) or not 8 <= len(request) <= 64 or not request.isascii():
        raise InvalidVerdictError("a request id has 8 to 64 ASCII characters")
    return request
