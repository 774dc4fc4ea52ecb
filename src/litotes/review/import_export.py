"""Verdicts as JSON lines, and as tasks and annotations of Label Studio."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from litotes.core.errors import LitotesError
from litotes.core.files import is_stream, read_json_lines, read_json_value, to_json, write_atomic, write_together
from litotes.review.store import ReviewSession
from litotes.review.units import Unit, role_label
from litotes.review.verdicts import REASONS, VERDICTS, InvalidVerdictError, Verdict, check_verdict
from litotes.suites.base import SuiteKind

_MAX_EXPORT_BYTES = 1 << 26


def make_tasks(units: Iterable[Unit], verdicts: Iterable[Verdict]) -> list[dict[str, object]]:
    """Return every unit as a task, with its verdicts as annotations."""
    by_unit: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_unit.setdefault(verdict.unit, []).append(verdict)
    return [_task(unit, by_unit.get(unit.key, [])) for unit in units]


def _task(unit: Unit, verdicts: list[Verdict]) -> dict[str, object]:
    names = _field_names(unit.sentences)
    data = {"unit": unit.key, "group": unit.shown.group}
    return {
        "data": {**data, **{names[role]: text for role, text in unit.sentences.items()}},
        "annotations": [
            {"result": _results(verdict, names), "was_cancelled": False, "ground_truth": False} for verdict in verdicts
        ],
    }


def _results(verdict: Verdict, names: Mapping[str, str]) -> list[dict[str, object]]:
    # The annotator is a separate field: Label Studio rejects annotations by people without an account.
    fields: list[tuple[str, str, str]] = [
        ("annotator", "textarea", verdict.annotator),
        ("verdict", "choices", verdict.verdict),
        ("reason", "choices", verdict.reason),
        *((f"edit_{names[role]}", "textarea", text) for role, text in verdict.edited.items()),
        ("note", "textarea", verdict.note),
    ]
    shown = next(iter(names.values()))
    return [
        {
            "id": name,
            "from_name": name,
            "to_name": name.removeprefix("edit_") if name.startswith("edit_") else shown,
            "type": kind,
            "value": {"choices" if kind == "choices" else "text": [text]},
        }
        for name, kind, text in fields
        if text
    ]


def labelling_config(kind: SuiteKind) -> str:
    """Return the labelling configuration of a Label Studio project for these tasks."""
    names = _field_names(kind.roles)
    shown = names[kind.roles[0]]
    lines = ["<View>"]
    for role in kind.roles:
        name = names[role]
        lines += [
            f'  <Header value={quoteattr(role_label(role))} size="5"/>',
            f'  <Text name="{name}" value="${name}"/>',
        ]
    lines += _choices("verdict", shown, VERDICTS, 'required="true"')
    only_if = 'visibleWhen="choice-selected" whenTagName="verdict" whenChoiceValue='
    lines += _choices("reason", shown, tuple(REASONS), f'{only_if}"reject"')
    lines += [
        f'  <TextArea name="edit_{name}" toName="{name}" value="${name}" maxSubmissions="1" editable="true" '
        f'{only_if}"edit"/>'
        for name in names.values()
    ]
    lines += [
        f'  <TextArea name="note" toName="{shown}" maxSubmissions="1" placeholder="note"/>',
        f'  <TextArea name="annotator" toName="{shown}" maxSubmissions="1" placeholder="your name"/>',
        "</View>",
    ]
    return "\n".join(lines) + "\n"


def _choices(name: str, shown: str, values: tuple[str, ...], more: str) -> list[str]:
    return [
        f'  <Choices name="{name}" toName="{shown}" choice="single-radio" showInline="true" {more}>',
        *(f"    <Choice value={quoteattr(value)}/>" for value in values),
        "  </Choices>",
    ]


def _field_names(roles: Iterable[str]) -> dict[str, str]:
    """Return a field name per role that is valid in Label Studio.

    >>> _field_names(["input", "with both"])
    {'input': 's1_input', 'with both': 's2_with_both'}
    """
    return {role: f"s{number}_{re.sub(r'[^A-Za-z0-9]+', '_', role)}" for number, role in enumerate(roles, 1)}


def read_tasks(path: Path, kind: SuiteKind) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the verdicts in a JSON file of Label Studio, each with its location."""
    names = _field_names(kind.roles)
    for number, task in enumerate(_read_list(path), 1):
        where = f"{path}: task {number}"
        if not isinstance(task, dict) or not isinstance(data := task.get("data"), dict):
            raise LitotesError("L203", f'{where}: "data" is missing or not an object')
        annotations = task.get("annotations", [])
        if not isinstance(annotations, list):
            raise LitotesError("L203", f'{where}: "annotations" must be a list')
        sentences = {role: data.get(name) for role, name in names.items()}
        for index, annotation in enumerate(annotations, 1):
            here = f"{where}, annotation {index}"
            if not isinstance(annotation, dict) or not isinstance(annotation.get("result"), list):
                raise LitotesError("L203", f'{here}: "result" is missing or not a list')
            if not annotation.get("was_cancelled"):  # skipped by the annotator
                yield (
                    here,
                    {"unit": data.get("unit"), "sentences": sentences, **_parse_annotation(annotation, names, here)},
                )


def _read_list(path: Path) -> list[Any]:
    content = read_json_value(path, _MAX_EXPORT_BYTES)
    if not isinstance(content, list):
        raise LitotesError("L203", f"{path}: is not a list of tasks", hint="export from Label Studio as “JSON”")
    return content


def _parse_annotation(annotation: Mapping[str, Any], names: Mapping[str, str], where: str) -> dict[str, Any]:
    values: dict[str, str] = {}
    for result in annotation["result"]:
        name, text = _value(result)
        if name is None or text is None or name in values:
            raise LitotesError(
                "L203", f"{where}: a result has no name, is duplicated or does not have exactly one value"
            )
        values[name] = text
    edited = {role: values[f"edit_{name}"] for role, name in names.items() if f"edit_{name}" in values}
    verdict = values.get("verdict")
    return {
        "annotator": values.get("annotator") or _account(annotation.get("completed_by")),
        "verdict": verdict,
        # Label Studio also exports text areas that were filled in before the choice was changed.
        "reason": values.get("reason", "") if verdict == "reject" else "",
        "edited": edited if verdict == "edit" else {},
        "note": values.get("note", ""),
    }


def _value(result: object) -> tuple[str | None, str | None]:
    if not isinstance(result, dict) or not isinstance(value := result.get("value"), dict):
        return None, None
    texts = value.get("choices", value.get("text"))
    if isinstance(texts, list) and len(texts) == 1:
        texts = texts[0]
    name = result.get("from_name")
    return name if isinstance(name, str) else None, texts if isinstance(texts, str) else None


def _account(account: object) -> str | None:
    """Return the Label Studio account, used if the annotator has no name."""
    if isinstance(account, dict):
        account = account.get("email") or account.get("id")
    if isinstance(account, int):
        return f"Label Studio {account}"
    return account if isinstance(account, str) else None


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
    if is_stream(path):
        raise LitotesError("L401", f"{path}: label-studio has two files, which need a name", hint="use FILE.json")
    tasks = to_json(make_tasks(review.units.values(), review.ordered_verdicts()), indent=1)
    write_together({path: f"{tasks}\n", config: labelling_config(review.suite.kind)})
    return [path, config]


@dataclass(frozen=True)
class ImportCounts:
    """The number of verdicts that an import added, changed or left unchanged."""

    new: int
    changed: int
    same: int


def import_review(review: ReviewSession, path: Path, form: str = "jsonl") -> ImportCounts:
    """Import the verdicts of a file; they replace earlier verdicts of the same annotator on the same unit."""
    records = _read_json_lines(path) if form == "jsonl" else read_tasks(path, review.suite.kind)
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
