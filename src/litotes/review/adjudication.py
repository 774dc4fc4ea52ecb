"""Apply a review: combine the verdicts on each unit, apply edits and write the reviewed suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import read_json, write_atomic
from litotes.review.import_export import verdicts_to_jsonl
from litotes.review.store import ReviewSession, open_review
from litotes.review.summary import summarise
from litotes.review.units import apply_edit
from litotes.review.verdicts import Verdict
from litotes.suites.base import Item
from litotes.suites.folder import save_folder

ADJUDICATIONS = ("majority", "any-reject", "unanimous")
"""Ways to combine several verdicts on a unit."""

LINES = "review.jsonl"
_STANDARD_FIELDS = {"name", "version", "kind", "roles", "source", "licence", "items", "groups", "sha256", "review"}


def decide(verdicts: Mapping[str, Verdict], adjudicate: str = "majority") -> Verdict | None:
    """Return the combined verdict on a unit, or None if it is disputed.

    `majority`: more than half agree, and edits give the same sentences. `any-reject`: one rejection is enough;
    otherwise the majority. `unanimous`: all agree.
    """
    if adjudicate == "any-reject":
        rejections = [verdict for verdict in verdicts.values() if verdict.verdict == "reject"]
        if rejections:
            return rejections[0]
    outcomes = Counter(verdict.outcome for verdict in verdicts.values())
    [(outcome, count)] = outcomes.most_common(1)
    needed = len(verdicts) if adjudicate == "unanimous" else len(verdicts) // 2 + 1
    if count < needed:
        return None
    return next(verdict for verdict in verdicts.values() if verdict.outcome == outcome)


def apply_review(folder: Path, *, adjudicate: str = "majority") -> tuple[list[Item], dict[str, Any]]:
    """Return the accepted and edited items, and the record of the review for suite.json.

    Rejected, disputed and unreviewed units are left out and counted.
    """
    with open_review(folder, create=False) as review:
        return _adjudicate(review, adjudicate)


def write_reviewed_suite(
    folder: Path, out: Path, *, adjudicate: str = "majority", name: str | None = None
) -> list[str]:
    """Write the reviewed suite and all verdicts (review.jsonl), and return a summary as lines of text."""
    if out.resolve() == folder.resolve():
        raise UsageError("L102", f"{out}: is the suite under review", hint="write the reviewed suite to another folder")
    with open_review(folder, create=False) as review:
        items, about = _adjudicate(review, adjudicate)
        lines = verdicts_to_jsonl(review)
        suite = review.suite
    if not items:
        raise LitotesError("L204", f"{folder}: no unit was accepted", hint=f"continue with litotes review {folder}")
    other_fields = {
        key: value for key, value in read_json(folder / "suite.json").items() if key not in _STANDARD_FIELDS
    }
    write_atomic(out / LINES, lines)
    save_folder(replace(suite, name=name or f"{suite.name}-reviewed", items=items), out, **other_fields, review=about)
    units = about["units"]
    return [
        f"wrote {out}: {len(items):,} items; units: {units['accepted']:,} accepted, {units['edited']:,} edited",
        f"left out: {units['rejected']:,} rejected, {units['disputed']:,} disputed, {units['unreviewed']:,} unreviewed",
    ]


def _adjudicate(review: ReviewSession, adjudicate: str) -> tuple[list[Item], dict[str, Any]]:
    if adjudicate not in ADJUDICATIONS:
        raise UsageError(
            "L102", f'unknown adjudication "{adjudicate}"', hint=f"choose one of {', '.join(ADJUDICATIONS)}"
        )
    current = review.store.current()
    accepted: dict[str, list[Item]] = {}
    annotators: dict[str, dict[str, str]] = {"accept": {}, "edit": {}, "reject": {}, "disputed": {}}
    for key, unit in review.units.items():
        verdicts = {name: current[key][name] for name in sorted(current.get(key, ()))}
        if not verdicts:
            continue
        decision = decide(verdicts, adjudicate)
        if decision is None:
            annotators["disputed"][key] = "; ".join(
                f"{name}: {_describe(verdict)}" for name, verdict in verdicts.items()
            )
        elif decision.verdict == "reject":
            rejections = {name: verdict for name, verdict in verdicts.items() if verdict.verdict == "reject"}
            annotators["reject"][key] = "; ".join(f"{name}: {verdict.reason}" for name, verdict in rejections.items())
        else:
            annotators[decision.verdict][key] = "; ".join(
                name for name, verdict in verdicts.items() if verdict.outcome == decision.outcome
            )
            accepted[key] = apply_edit(unit, decision.edited) if decision.edited else list(unit.items)
    summary = summarise(len(review.units), current, review.store.gold())
    about: dict[str, Any] = {
        "of": {"name": review.suite.name, "version": review.suite.version, "sha256": review.suite.sha256},
        "adjudicate": adjudicate,
        "units": {
            "all": len(review.units),
            "accepted": len(annotators["accept"]),
            "edited": len(annotators["edit"]),
            "rejected": len(annotators["reject"]),
            "disputed": len(annotators["disputed"]),
            "unreviewed": len(review.units) - summary.judged,
        },
        "annotators": {
            person.name: {"accept": person.accepted, "reject": person.rejected, "edit": person.edited}
            | ({"gold": f"{person.gold_right} of {person.gold_judged}"} if person.gold_judged else {})
            for person in summary.annotators
        },
        "agreement": summary.agreement.to_dict(),
        "reasons": dict(summary.reasons),
        "accepted_by": annotators["accept"],
        "edited_by": annotators["edit"],
        "rejected_by": annotators["reject"],
        "disputed": annotators["disputed"],
    }
    return _in_suite_order(review, accepted), about


def _in_suite_order(review: ReviewSession, accepted: Mapping[str, list[Item]]) -> list[Item]:
    """Return the items in the order of the suite; those of one unit need not be adjacent."""
    by_id = {item.id: item for items in accepted.values() for item in items}
    return [by_id[item.id] for item in review.suite.items if item.id in by_id]


def _describe(verdict: Verdict) -> str:
    return f"reject ({verdict.reason})" if verdict.verdict == "reject" else verdict.verdict
