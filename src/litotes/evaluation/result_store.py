"""The run store: `<out>/<model>/<suite>/result.json` and `items.jsonl`."""

from __future__ import annotations

import functools
import hashlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from json.encoder import encode_basestring, encode_basestring_ascii
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, read_json, read_json_lines, to_json, write_together
from litotes.evaluation.result import (
    CategoryMetrics,
    CriterionAccuracy,
    Interval,
    ItemResult,
    LabelMetrics,
    Metrics,
    NliMetrics,
    RunResult,
    SuiteInfo,
)

_ITEMS = "items.jsonl"
_PAUSES = (0.05, 0.2, 0.0)
"""How long a reader waits for a writer, in seconds."""


def run_folder(out: Path, model: str, suite: str) -> Path:
    """Where a run is kept."""
    return model_folder(out, model) / _folder_name(suite)


def model_folder(out: Path, model: str) -> Path:
    """Where the runs of a model are kept."""
    return out / _folder_name(model)


def _folder_name(name: str) -> str:
    """A name that every file system takes; where it had to be changed, a hash keeps it unique.

    >>> _folder_name("all-MiniLM-L6-v2")
    'all-MiniLM-L6-v2'
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-80:]
    if safe and safe == name:
        return safe
    return f"{safe or 'model'}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def write_run(out: Path, result: RunResult) -> Path:
    """Keep a run; gives the path of its result.json.

    The items go first and the result, which holds their sha256, last: a result that can be read is whole.
    """
    folder = run_folder(out, result.model, result.suite.name)
    content = _item_lines(result.items)
    document = {**result.to_dict(), "items_sha256": hashlib.sha256(content).hexdigest()}
    path = folder / "result.json"
    write_together({folder / _ITEMS: content, path: to_json(document, indent=2) + "\n"})
    return path


def _item_lines(items: Sequence[ItemResult]) -> bytes:
    """One JSON line an item; halves of characters, which UTF-8 cannot hold, are escaped."""
    try:
        return _written(items, _quoted).encode()
    except UnicodeEncodeError:
        return _written(items, encode_basestring_ascii).encode()


_quoted = functools.lru_cache(maxsize=32_768)(encode_basestring)
"""A text as JSON has it, quoted once: the same sentences stand in several items, and in a sweep in every model's."""


def _written(items: Sequence[ItemResult], quote: Callable[[str], str]) -> str:
    """Put together by hand: a run has thousands of lines of one shape, and json takes several times as long."""
    lines: list[str] = []
    names: tuple[object, ...] = ()
    shape = ""
    numbers = (repr(float(number)) for item in items for number in (*item.similarities.values(), item.margin))
    for identity, group, sentences, similarities, choice, credit, _, tags in items:
        own = (len(sentences), len(tags), *sentences, *similarities, *tags)
        if own != names:  # as good as never: the items of a suite have the same roles
            names, shape = own, _shape(tuple(sentences), tuple(similarities), tuple(tags), quote)
        lines.append(
            shape
            % (
                quote(identity),
                quote(group),
                *map(quote, sentences.values()),
                *islice(numbers, len(similarities)),
                "null" if choice is None else quote(choice),
                "true" if credit == 1.0 else "false",
                credit,
                next(numbers),
                *map(quote, tags.values()),
            )
        )
    return "".join(lines)


def _shape(roles: Sequence[str], pairs: Sequence[str], tags: Sequence[str], quote: Callable[[str], str]) -> str:
    """A line with places for an item's values: %s for what is text already, %r for the credit."""

    def named(keys: Sequence[str], place: str) -> str:
        return "{" + ", ".join(quote(key).replace("%", "%%") + f": {place}" for key in keys) + "}"

    return (
        f'{{"id": %s, "group": %s, "sentences": {named(roles, "%s")}, "similarities": {named(pairs, "%s")}, '
        f'"choice": %s, "passed": %s, "credit": %r, "margin": %s, "tags": {named(tags, "%s")}}}\n'
    )


def read_run(path: Path, *, with_items: bool = True) -> RunResult:
    """A kept run, its items checked against the recorded sha256, but left out if they are not wanted."""
    for pause in _PAUSES:
        document, data = read_json(path), _read_items(path)
        if document.get("items_sha256") == hashlib.sha256(data).hexdigest():
            return _run(document, path, with_items=with_items)
        time.sleep(pause)  # another process may be between its items and its result
    raise LitotesError("L206", f"{path.with_name(_ITEMS)}: does not belong to its result.json", hint="run it again")


def _read_items(path: Path) -> bytes:
    items = path.with_name(_ITEMS)
    check_is_file(items)
    return items.read_bytes()


def _run(document: Mapping[str, Any], path: Path, *, with_items: bool) -> RunResult:
    try:
        return RunResult(
            model=_text(document["model"]),
            suite=SuiteInfo(**{**document["suite_info"], **_tuples(document["suite_info"])}),
            metrics=_metrics(document["metrics"]),
            choices={role: int(count) for role, count in document["choices"].items()},
            fingerprint=dict(document["fingerprint"]),
            settings=dict(document["settings"]),
            versions=dict(document["versions"]),
            items=[_item(line) for _, line in read_json_lines(path.with_name(_ITEMS))] if with_items else (),
            notes=[_text(note) for note in document.get("notes", [])],
            times=dict(document["times"]),
            group=_text(document.get("group", "")),
        )
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise LitotesError("L203", f"{path}: is no result of this version ({error})", hint="run it again") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a name is not a text")
    return value


def _tuples(info: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(info[key]) for key in ("roles", "options")}


def _metrics(found: Mapping[str, Any]) -> Metrics:
    """The figures; those that results of earlier versions do not have keep their defaults."""
    intervals = {key: _interval(found[key]) for key in ("accuracy_ci", "group_accuracy_ci")}
    also = {
        name: CriterionAccuracy(**{**reading, "accuracy_ci": _interval(reading["accuracy_ci"])})
        for name, reading in found.get("also", {}).items()
    }
    normalised_ci = {pair: _interval(ends) for pair, ends in found.get("normalised_ci", {}).items()}
    nli = None if found.get("nli") is None else _nli_metrics(found["nli"])
    return Metrics(**{**found, **intervals, "also": also, "normalised_ci": normalised_ci, "nli": nli})


def _nli_metrics(found: Mapping[str, Any]) -> NliMetrics:
    return NliMetrics(
        **{
            **found,
            "mcc_ci": _interval(found["mcc_ci"]),
            "labels": _label_figures(found["labels"]),
            "categories": {name: _category(one) for name, one in found["categories"].items()},
        }
    )


def _category(found: Mapping[str, Any]) -> CategoryMetrics:
    intervals = {key: _interval(found[key]) for key in ("accuracy_ci", "mcc_ci")}
    return CategoryMetrics(**{**found, **intervals, "labels": _label_figures(found["labels"])})


def _label_figures(found: Mapping[str, Any]) -> dict[str, LabelMetrics]:
    return {label: LabelMetrics(**figure) for label, figure in found.items()}


def _interval(ends: Sequence[float]) -> Interval:
    return ends[0], ends[1]


def _item(line: Mapping[str, Any]) -> ItemResult:
    return ItemResult(**{key: value for key, value in line.items() if key != "passed"})


def find_runs(out: Path) -> list[Path]:
    """The result files below a folder, in order."""
    if out.exists() and not out.is_dir():
        raise LitotesError("L202", f"{out}: is a file, a folder of runs is needed")
    if not out.is_dir():
        raise LitotesError("L201", f"{out}: no such folder", hint="litotes run makes one")
    return sorted(out.glob("*/*/result.json"))
