"""Export and import verdicts as JSON lines or Label Studio tasks; an import is atomic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import read_json_lines, to_json, write_atomic, write_together
from litotes.review import label_studio
from litotes.review.session import ReviewSession
from litotes.review.units import Unit
from litotes.review.verdicts import InvalidVerdictError, Verdict, check_verdict

FORMATS = ("jsonl", "label-studio")

Located = tuple[str, dict[str, Any]]
"""The location of a record, and the record: unit, annotator, verdict, reason, sentences, edited, note."""


def verdicts_to_jsonl(review: ReviewSession) -> str:
    """Return the current verdicts as JSON lines; equal verdicts give equal bytes."""
    return "".join(f"{to_json(_record(review.units[v.unit], v))}\n" for v in review.ordered_verdicts())


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


def export_review(review: ReviewSession, path: Path, form: str = "jsonl") -> list[Path]:
    """Write the current verdicts and return the files written."""
    if form == "jsonl":
        write_atomic(path, verdicts_to_jsonl(review))
        return [path]
    config = path.with_suffix(".xml")
    if config == path:
        raise LitotesError("L401", f"{path}: the file name of the tasks must not end in .xml", hint="use .json")
    tasks = to_json(label_studio.make_tasks(review.units.values(), review.ordered_verdicts()), indent=1)
    write_together({path: f"{tasks}\n", config: label_studio.labelling_config(review.suite.kind)})
    return [path, config]


@dataclass(frozen=True)
class ImportCounts:
    """The number of verdicts that an import added, changed or left unchanged."""

    new: int
    changed: int
    same: int


def import_review(review: ReviewSession, path: Path, form: str = "jsonl") -> ImportCounts:
    """Import the verdicts of a file; they replace earlier verdicts of the same annotator on the same unit."""
    records = _read_json_lines(path) if form == "jsonl" else label_studio.read_tasks(path, review.suite.kind)
    current, counts = review.store.current(), {"new": 0, "changed": 0, "same": 0}
    additions = []
    for verdict in _check_records(records, review.units, path):
        before = current.get(verdict.unit, {}).get(verdict.annotator)
        kind = "new" if before is None else "same" if before == verdict else "changed"
        counts[kind] += 1
        if kind != "same":
            additions.append(verdict)
    review.store.add_all(additions)
    return ImportCounts(**counts)


def _read_json_lines(path: Path) -> Iterator[Located]:
    return ((f"{path}:{line}", record) for line, record in read_json_lines(path))


def _check_records(records: Iterable[Located], units: Mapping[str, Unit], path: Path) -> list[Verdict]:
    verdicts: dict[tuple[str, str], Verdict] = {}
    for where, record in records:
        key, sentences = record.get("unit"), record.get("sentences")
        if not isinstance(key, str) or key not in units:
            raise LitotesError("L203", f'{where}: unknown unit "{key}"')
        if sentences is not None and sentences != dict(units[key].sentences):
            raise LitotesError(
                "L203",
                f'{where}: unit "{key}" has different sentences in this suite',
                hint="a verdict is valid only for the sentences that were judged; remove it",
            )
        try:
            verdict = check_verdict(units[key], record.get("annotator"), record)
        except InvalidVerdictError as error:
            raise LitotesError("L203", f"{where}: {error}") from None
        if (verdict.unit, verdict.annotator) in verdicts:
            raise LitotesError("L205", f'{where}: second verdict of {verdict.annotator} on unit "{key}"')
        verdicts[verdict.unit, verdict.annotator] = verdict
    if not verdicts:
        raise LitotesError("L204", f"{path}: contains no verdicts")
    return list(verdicts.values())
