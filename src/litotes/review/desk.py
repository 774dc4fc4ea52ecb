"""What the page asks for and sends, without the web: units to judge, lists, progress, verdicts, undo."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from litotes.review.agreement import gold_score
from litotes.review.opening import Review
from litotes.review.queue import STATES, Filter, Finder, Held, mixed
from litotes.review.store import Verdicts
from litotes.review.summary import AnnotatorSummary, summarise
from litotes.review.units import UNIT_TAG, intended, role_label
from litotes.review.verdicts import REASONS, Verdict, WrongVerdict, checked_annotator, checked_verdict

GOLD_SHOWN_AFTER = 5
"""After so many gold units annotators are told how many they got right."""

MOVES = ("here", "next", "previous", "unreviewed")
MAX_ROWS = 200
_MAX_VALUES = 100
"""A tag with more values is no filter but a text: the search is for that."""

Answer = dict[str, Any]


class Desk:
    """One review as the page sees it; `open_verdicts` lets annotators see each other's verdicts."""

    def __init__(self, review: Review, *, per_item: int = 1, open_verdicts: bool = False) -> None:
        self._review = review
        self._units = review.units
        self._per_item = per_item
        self._open = open_verdicts
        self._gold = review.store.gold()
        self._finder = Finder(review.units, per_item, self._gold)
        self._held = Held()
        self._keys = list(review.units)
        self._order = lru_cache(maxsize=64)(self._make_order)

    def about(self) -> Answer:
        """What does not change: the suite, roles, reasons, what can be filtered by."""
        suite, wanted = self._review.suite, intended(self._review.suite.kind)
        return {
            "suite": suite.name,
            "sha256": suite.sha256,
            "units": len(self._units),
            "perItem": self._per_item,
            "open": self._open,
            "groupWord": suite.kind.group_word,
            "roles": [{"role": role, "label": role_label(role), "intent": wanted[role]} for role in suite.kind.roles],
            "reasons": [{"reason": reason, "label": label} for reason, label in REASONS.items()],
            "states": [state for state in STATES if self._open or state != "disputed"],
            "groups": sorted({unit.shown.group for unit in self._units.values() if unit.shown.group != unit.shown.id}),
            "tags": self._tag_values(),
        }

    def unit(self, asked: Mapping[str, Any]) -> Answer:
        """The unit to show: `move` from `unit`, within the filter."""
        annotator, wanted = checked_annotator(asked.get("annotator")), self._filter(asked)
        move, start = asked.get("move") or "here", asked.get("unit") or ""
        if move not in MOVES or not isinstance(start, str):
            raise WrongVerdict(f"a move is {', '.join(MOVES)}")
        current = self._review.store.current()
        return self._shown(annotator, wanted, current, start=start, move=move)

    def rows(self, asked: Mapping[str, Any]) -> Answer:
        """Some rows of the list of units, from place `start` on."""
        annotator, wanted = checked_annotator(asked.get("annotator")), self._filter(asked)
        start, count = _whole(asked.get("start", 0)), min(_whole(asked.get("count", 50)), MAX_ROWS)
        current = self._review.store.current()
        found = self._finder.find(self._order(annotator), wanted, annotator, current)
        return {
            "total": len(found),
            "start": start,
            "rows": [
                {
                    "unit": key,
                    "text": next(iter(self._units[key].sentences.values()))[:160],
                    "mine": mine.verdict if (mine := current.get(key, {}).get(annotator)) else "",
                }
                for key in found[start : start + count]
            ],
        }

    def judge(self, sent: Mapping[str, Any]) -> Answer:
        """Keep a verdict; gives the unit to show next."""
        annotator, wanted, request = checked_annotator(sent.get("annotator")), self._filter(sent), _request(sent)
        key = sent.get("unit")
        if not isinstance(key, str) or key not in self._units:
            raise WrongVerdict("there is no such unit")
        verdict = checked_verdict(self._units[key], annotator, sent)
        before = self._review.store.current().get(key, {})
        self._review.store.add(verdict, request)
        current = self._review.store.current()
        # Who changes their mind goes through a list; who judges for the first time goes on with what is open.
        move = "next" if annotator in before else "unreviewed"
        return self._shown(annotator, wanted, current, start=key, move=move)

    def undo(self, sent: Mapping[str, Any]) -> Answer:
        """Take back the annotator's last verdict; gives the unit that it was on."""
        annotator, wanted = checked_annotator(sent.get("annotator")), self._filter(sent)
        key = self._review.store.undo(annotator, _request(sent))
        current = self._review.store.current()
        start = key if key is not None else str(sent.get("unit") or "")
        return {**self._shown(annotator, wanted, current, start=start, move="here"), "undone": key}

    def status(self, asked: Mapping[str, Any]) -> Answer:
        """Progress and agreement; where verdicts are blind, no sum gives away what others said."""
        annotator = checked_annotator(asked.get("annotator"))
        current = self._review.store.current()
        summary = summarise(len(self._units), current, self._gold)
        progress = self._progress(annotator, current)
        return {
            "progress": progress,
            "annotators": [self._told(one, full=self._open or one.name == annotator) for one in summary.annotators],
            # Agreement that moves with each verdict would tell what the other one had said.
            "agreement": asdict(summary.agreement) if self._open or not progress["left"] else None,
        }

    @staticmethod
    def _told(one: AnnotatorSummary, *, full: bool) -> Answer:
        told: Answer = {"name": one.name, "verdicts": one.verdicts}
        if full:
            told |= {"accepted": one.accepted, "rejected": one.rejected, "edited": one.edited}
        if full and one.gold_judged >= GOLD_SHOWN_AFTER:
            told["gold"] = [one.gold_right, one.gold_judged]
        return told

    def _make_order(self, annotator: str) -> Sequence[str]:
        return mixed(self._keys, self._gold, f"{self._review.suite.sha256}\n{annotator}")

    def _filter(self, asked: Mapping[str, Any]) -> Filter:
        given = {name: asked.get(name) or "" for name in ("text", "group", "tag", "value", "state")}
        if not all(isinstance(value, str) for value in given.values()):
            raise WrongVerdict("a filter is a text")
        given["state"] = given["state"] or "all"
        if given["state"] not in STATES or (given["state"] == "disputed" and not self._open):
            raise WrongVerdict("there is no such filter")
        return Filter(**given)

    def _shown(self, annotator: str, wanted: Filter, current: Verdicts, *, start: str, move: str) -> Answer:
        order = self._order(annotator)
        found = self._finder.find(order, wanted, annotator, current)
        key = self._moved(annotator, current, order, found, start=start, move=move)
        waits = key is not None and self._finder.is_open(key, annotator, current)
        self._held.hold(annotator, key if waits else None)
        return {
            "unit": None if key is None else self._view(key, annotator, current),
            "place": found.index(key) if key in found else None,
            "total": len(found),
            "arrived": move != "unreviewed" or waits,
            "progress": self._progress(annotator, current),
        }

    def _moved(
        self, annotator: str, current: Verdicts, order: Sequence[str], found: list[str], *, start: str, move: str
    ) -> str | None:
        """The unit where a move ends; where it cannot go on, it stays."""
        place = {key: number for number, key in enumerate(order)}
        if start not in place:  # the beginning, or an address from another review
            start, move = "", "here" if move in ("next", "previous") else move
        places = [place[key] for key in found]
        stay = start or (found[0] if found else None)
        if move == "here":
            return stay
        here = place.get(start, -1)
        if move == "next":
            after = bisect_right(places, here)
            return found[after] if after < len(found) else stay
        if move == "previous":
            before = bisect_left(places, here) - 1
            return found[before] if before >= 0 else stay
        after = bisect_right(places, here)
        waiting = [key for key in [*found[after:], *found[:after]] if self._finder.is_open(key, annotator, current)]
        others = self._held.by_others(annotator)
        free = (key for key in waiting if self._finder.has_room(key, others[key], current))
        return next(free, waiting[0] if waiting else stay)

    def _view(self, key: str, annotator: str, current: Verdicts) -> Answer:
        unit, verdicts = self._units[key], current.get(key, {})
        others = [_said(verdicts[name]) for name in sorted(verdicts) if name != annotator] if self._open else []
        return {
            "key": key,
            "group": unit.shown.group if unit.shown.group != unit.shown.id else "",
            "items": len(unit.items),
            "tags": {name: value for name, value in unit.shown.tags.items() if name != UNIT_TAG},
            "sentences": dict(unit.sentences),
            "mine": _said(verdicts[annotator]) if annotator in verdicts else None,
            "others": others,
        }

    def _progress(self, annotator: str, current: Verdicts) -> Answer:
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
        return {name: sorted(found) for name, found in sorted(values.items()) if len(found) <= _MAX_VALUES}


def _said(verdict: Verdict) -> Answer:
    return {
        "annotator": verdict.annotator,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "edited": dict(verdict.edited),
        "note": verdict.note,
    }


def _whole(value: object) -> int:
    try:
        number = int(str(value))
    except ValueError:
        raise WrongVerdict("a place is a number") from None
    if not 0 <= number < 10**9:
        raise WrongVerdict("a place is a number from 0 on")
    return number


def _request(sent: Mapping[str, Any]) -> str | None:
    request = sent.get("request")
    if request is None:
        return None
    if not isinstance(request, str) or not 8 <= len(request) <= 64 or not request.isascii():
        raise WrongVerdict("a request is named by 8 to 64 letters")
    return request
