"""The suite that comes of a review: what was accepted, edits applied, and who said what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import read_json, write_atomic
from litotes.review.exchange import verdict_lines
from litotes.review.opening import Review, open_review
from litotes.review.summary import summarise
from litotes.review.units import with_edit
from litotes.review.verdicts import Verdict
from litotes.suites.base import Item
from litotes.suites.folder import save_folder

ADJUDICATIONS = ("majority", "any-reject", "unanimous")
"""How several verdicts on a unit become one."""

LINES = "review.jsonl"
_USUAL = {"name", "version", "kind", "roles", "source", "licence", "items", "groups", "sha256", "review"}


def decide(verdicts: Mapping[str, Verdict], adjudicate: str = "majority") -> Verdict | None:
    """The verdict that holds for a unit, or None if it is disputed.

    `majority`: more than half came to the same, edits to the same sentences. `any-reject`: one rejection is enough;
    without one, the majority. `unanimous`: all came to the same.
    """
    if adjudicate == "any-reject":
        rejecting = [verdict for verdict in verdicts.values() if verdict.verdict == "reject"]
        if rejecting:
            return rejecting[0]
    outcomes = Counter(verdict.outcome for verdict in verdicts.values())
    [(outcome, count)] = outcomes.most_common(1)
    needed = len(verdicts) if adjudicate == "unanimous" else len(verdicts) // 2 + 1
    if count < needed:
        return None
    return next(verdict for verdict in verdicts.values() if verdict.outcome == outcome)


def reviewed(folder: Path, *, adjudicate: str = "majority") -> tuple[list[Item], dict[str, Any]]:
    """The items that were accepted or edited, and what suite.json says about the review.

    Units that nobody judged, that were rejected or that are disputed are left out and counted.
    """
    with open_review(folder, create=False) as review:
        return _reviewed(review, adjudicate)


def write_reviewed(folder: Path, out: Path, *, adjudicate: str = "majority", name: str | None = None) -> list[str]:
    """Write the reviewed suite and, beside it, every verdict (review.jsonl); gives lines that say what was done."""
    if out.resolve() == folder.resolve():
        raise UsageError("L102", f"{out}: is the suite that was reviewed", hint="write the reviewed one elsewhere")
    with open_review(folder, create=False) as review:
        items, about = _reviewed(review, adjudicate)
        lines = verdict_lines(review)
        suite = review.suite
    if not items:
        raise LitotesError("L204", f"{folder}: no unit was accepted", hint=f"litotes review {folder} goes on with it")
    more = {key: value for key, value in read_json(folder / "suite.json").items() if key not in _USUAL}
    write_atomic(out / LINES, lines)
    save_folder(replace(suite, name=name or f"{suite.name}-reviewed", items=items), out, **more, review=about)
    units = about["units"]
    return [
        f"wrote {out}: {len(items):,} items; units: {units['accepted']:,} accepted, {units['edited']:,} edited",
        f"left out: {units['rejected']:,} rejected, {units['disputed']:,} disputed, {units['unreviewed']:,} unreviewed",
    ]


def _reviewed(review: Review, adjudicate: str) -> tuple[list[Item], dict[str, Any]]:
    if adjudicate not in ADJUDICATIONS:
        raise UsageError("L102", f'"{adjudicate}" is no way to adjudicate', hint=f"there is {', '.join(ADJUDICATIONS)}")
    current = review.store.current()
    kept: dict[str, list[Item]] = {}
    who: dict[str, dict[str, str]] = {"accept": {}, "edit": {}, "reject": {}, "disputed": {}}
    for key, unit in review.units.items():
        verdicts = {name: current[key][name] for name in sorted(current.get(key, ()))}
        if not verdicts:
            continue
        decision = decide(verdicts, adjudicate)
        if decision is None:
            who["disputed"][key] = "; ".join(f"{name}: {_told(verdict)}" for name, verdict in verdicts.items())
        elif decision.verdict == "reject":
            rejecting = {name: one for name, one in verdicts.items() if one.verdict == "reject"}
            who["reject"][key] = "; ".join(f"{name}: {verdict.reason}" for name, verdict in rejecting.items())
        else:
            who[decision.verdict][key] = "; ".join(
                name for name, verdict in verdicts.items() if verdict.outcome == decision.outcome
            )
            kept[key] = with_edit(unit, decision.edited) if decision.edited else list(unit.items)
    summary = summarise(len(review.units), current, review.store.gold())
    about: dict[str, Any] = {
        "of": {"name": review.suite.name, "version": review.suite.version, "sha256": review.suite.sha256},
        "adjudicate": adjudicate,
        "units": {
            "all": len(review.units),
            "accepted": len(who["accept"]),
            "edited": len(who["edit"]),
            "rejected": len(who["reject"]),
            "disputed": len(who["disputed"]),
            "unreviewed": len(review.units) - summary.judged,
        },
        "annotators": {
            one.name: {"accept": one.accepted, "reject": one.rejected, "edit": one.edited}
            | ({"gold": f"{one.gold_right} of {one.gold_judged}"} if one.gold_judged else {})
            for one in summary.annotators
        },
        "agreement": summary.agreement.to_dict(),
        "reasons": dict(summary.reasons),
        "accepted_by": who["accept"],
        "edited_by": who["edit"],
        "rejected_by": who["reject"],
        "disputed": who["disputed"],
    }
    return _in_suite_order(review, kept), about


def _in_suite_order(review: Review, kept: Mapping[str, list[Item]]) -> list[Item]:
    """The items as they stood in the suite: those of a unit need not stand together."""
    by_id = {item.id: item for items in kept.values() for item in items}
    return [by_id[item.id] for item in review.suite.items if item.id in by_id]


def _told(verdict: Verdict) -> str:
    return f"reject ({verdict.reason})" if verdict.verdict == "reject" else verdict.verdict
