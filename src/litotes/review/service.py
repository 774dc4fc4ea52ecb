"""The review service behind the JSON API: units to judge, lists, progress, verdicts, undo."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from litotes.review.agreement import gold_score
from litotes.review.queue import STATES, UnitFilter, UnitFinder, UnitReservations, annotator_order
from litotes.review.session import ReviewSession
from litotes.review.store import VerdictsByUnit
from litotes.review.summary import AnnotatorSummary, summarise
from litotes.review.units import UNIT_TAG, intended_similarity, role_label
from litotes.review.verdicts import REASONS, InvalidVerdictError, Verdict, check_annotator, check_verdict

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
        reserved = self._reservations.count_others(annotator)
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
