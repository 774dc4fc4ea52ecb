"""Label Studio tasks and labelling configuration for a review."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file
from litotes.review.units import Unit, role_label
from litotes.review.verdicts import REASONS, VERDICTS, Verdict
from litotes.suites.base import SuiteKind


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
    check_is_file(path)
    try:
        content = json.loads(path.read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise LitotesError("L207", f"{path}: is not UTF-8 text", hint="save it as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise LitotesError("L203", f"{path}: is not JSON", hint="export from Label Studio as “JSON”") from error
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
