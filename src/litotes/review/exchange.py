"""Verdicts out and in: JSON lines, or Label Studio's tasks; an import is taken whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import read_json_lines, to_json, write_atomic, write_together
from litotes.review import label_studio
from litotes.review.opening import Review
from litotes.review.units import Unit
from litotes.review.verdicts import Verdict, WrongVerdict, checked_verdict

FORMATS = ("jsonl", "label-studio")

Located = tuple[str, dict[str, Any]]
"""Where a record stands, and the record: unit, annotator, verdict, reason, sentences, edited, note."""


def verdict_lines(review: Review) -> str:
    """The verdicts that hold, a JSON line each; the same verdicts give the same bytes."""
    return "".join(f"{to_json(_record(review.units[one.unit], one))}\n" for one in review.in_order())


def _record(unit: Unit, verdict: Verdict) -> dict[str, object]:
    return {
        "unit": verdict.unit,
        "annotator": verdict.annotator,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "sentences": dict(unit.sentences),
        "edited": dict(verdict.edited),
        "note": verdict.note,
    }


def export_review(review: Review, path: Path, form: str = "jsonl") -> list[Path]:
    """Write the verdicts that hold; gives the files that were written."""
    if form == "jsonl":
        write_atomic(path, verdict_lines(review))
        return [path]
    config = path.with_suffix(".xml")
    if config == path:
        raise LitotesError("L401", f"{path}: the tasks need a name that does not end in .xml", hint="call it .json")
    tasks = to_json(label_studio.tasks(review.units.values(), review.in_order()), indent=1)
    write_together({path: f"{tasks}\n", config: label_studio.labelling_config(review.suite.kind)})
    return [path, config]


@dataclass(frozen=True)
class Imported:
    """What an import did."""

    new: int
    changed: int
    same: int


def import_review(review: Review, path: Path, form: str = "jsonl") -> Imported:
    """Take in the verdicts of a file; what an annotator had said before on the same unit gives way."""
    records = _json_lines(path) if form == "jsonl" else label_studio.read_tasks(path, review.suite.kind)
    current, counts = review.store.current(), {"new": 0, "changed": 0, "same": 0}
    fresh = []
    for verdict in _checked(records, review.units, path):
        before = current.get(verdict.unit, {}).get(verdict.annotator)
        kind = "new" if before is None else "same" if before == verdict else "changed"
        counts[kind] += 1
        if kind != "same":
            fresh.append(verdict)
    review.store.add_all(fresh)
    return Imported(**counts)


def _json_lines(path: Path) -> Iterator[Located]:
    return ((f"{path}:{line}", record) for line, record in read_json_lines(path))


def _checked(records: Iterable[Located], units: Mapping[str, Unit], path: Path) -> list[Verdict]:
    found: dict[tuple[str, str], Verdict] = {}
    for where, record in records:
        key, sentences = record.get("unit"), record.get("sentences")
        if not isinstance(key, str) or key not in units:
            raise LitotesError("L203", f'{where}: there is no unit "{key}" in this suite')
        if sentences is not None and sentences != dict(units[key].sentences):
            raise LitotesError(
                "L203",
                f'{where}: unit "{key}" has other sentences in this suite',
                hint="a verdict holds only for the sentences that were seen; leave it out",
            )
        try:
            verdict = checked_verdict(units[key], record.get("annotator"), record)
        except WrongVerdict as wrong:
            raise LitotesError("L203", f"{where}: {wrong}") from None
        if (verdict.unit, verdict.annotator) in found:
            raise LitotesError("L205", f'{where}: {verdict.annotator} judged unit "{key}" already in this file')
        found[verdict.unit, verdict.annotator] = verdict
    if not found:
        raise LitotesError("L204", f"{path}: has no verdicts")
    return list(found.values())
