"""Store of results on disk: `<out>/<model>/<suite>/result.json` and `items.jsonl`."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, read_json, to_json, write_together
from litotes.evaluation.result import Count, ItemResult, Metrics, RunResult, StsMetrics, SuiteInfo

_ITEMS = "items.jsonl"
_ITEM_LINE = msgspec.defstruct(
    "_ItemLine",
    [*get_type_hints(ItemResult, include_extras=True).items(), ("passed", bool)],
    forbid_unknown_fields=True,
)
"""A line of items.jsonl."""
_READ_DELAYS = (0.05, 0.2, 0.0)
"""Seconds to wait after each attempt to read a run that another process is writing."""


def run_folder(out: Path, model: str, suite: str) -> Path:
    """Return the folder of a run."""
    return model_folder(out, model) / _folder_name(suite)


def model_folder(out: Path, model: str) -> Path:
    """Return the folder with the runs of a model."""
    return out / _folder_name(model)


def _folder_name(name: str) -> str:
    """Return a name that is valid on every file system; a changed name gets a hash so that it stays unique.

    >>> _folder_name("all-MiniLM-L6-v2")
    'all-MiniLM-L6-v2'
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-80:]
    if safe and safe == name:
        return safe
    return f"{safe or 'model'}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def write_run(out: Path, result: RunResult) -> Path:
    """Write a run and return the path of its result.json.

    The result, which contains the sha256 of the items, is written after them: a result that can be read is complete.
    """
    folder = run_folder(out, result.model, result.suite.name)
    content = "".join(to_json(_item_document(item)) + "\n" for item in result.items).encode()
    document = {**result.to_dict(), "items_sha256": hashlib.sha256(content).hexdigest()}
    path = folder / "result.json"
    write_together({folder / _ITEMS: content, path: to_json(document, indent=2) + "\n"})
    return path


def _item_document(item: ItemResult) -> dict[str, Any]:
    return {
        "id": item.id,
        "group": item.group,
        "sentences": dict(item.sentences),
        "similarities": dict(item.similarities),
        "choice": item.choice,
        "passed": item.credit == 1.0,
        "credit": item.credit,
        "margin": item.margin,
        "tags": dict(item.tags),
    }


class _StoredRun(msgspec.Struct):
    """The content of result.json, except what is derived from it."""

    model: str
    suite: SuiteInfo = msgspec.field(name="suite_info")
    metrics: Metrics
    choices: dict[str, Count]
    fingerprint: dict[str, Any]
    settings: dict[str, Any]
    versions: dict[str, str]
    times: dict[str, Any]
    notes: list[str] = []
    group: str = ""
    sts: dict[str, StsMetrics] = {}


class StoredItems(Sequence[ItemResult]):
    """The items of a stored run; they are parsed when they are first used, as many uses only need the metrics."""

    def __init__(self, path: Path) -> None:
        check_is_file(path)
        self.suite: SuiteInfo | None = None
        """The suite to which the items must belong, once it is known."""
        self._path = path
        self._content = path.read_bytes()
        self.sha256 = hashlib.sha256(self._content).hexdigest()

    @cached_property
    def _items(self) -> list[ItemResult]:
        try:
            lines = (msgspec.convert(json.loads(line), _ITEM_LINE) for line in self._content.split(b"\n") if line)
            items = [ItemResult(*msgspec.structs.astuple(line)[:-1]) for line in lines]
            if self.suite is not None:
                _check_items(items, self.suite)
        except (ValueError, RecursionError) as error:
            raise _unreadable(self._path, error) from error
        self._content = b""
        return items

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __eq__(self, items: object) -> bool:
        return isinstance(items, Sequence) and self._items == list(items)

    __hash__ = None  # type: ignore[assignment]


def read_run(path: Path) -> RunResult:
    """Read the run of a result.json and check the items against their sha256."""
    for delay in _READ_DELAYS:
        document, items = read_json(path, unique_keys=True), StoredItems(path.with_name(_ITEMS))
        if document.get("items_sha256") == items.sha256:
            return _run(document, items, path)
        time.sleep(delay)  # another process may have written the items but not yet the result
    raise LitotesError("L206", f"{path.with_name(_ITEMS)}: does not belong to its result.json", hint="run it again")


def _check_items(items: Iterable[ItemResult], suite: SuiteInfo) -> None:
    """Raise ValueError if an item has other roles or options than its suite."""
    roles, choices = set(suite.roles), {*suite.options, None}
    for item in items:
        if not roles <= item.sentences.keys() or item.choice not in choices:
            raise ValueError(f'item "{item.id}" has other roles or options than its suite')


def _run(document: Mapping[str, Any], items: StoredItems, path: Path) -> RunResult:
    try:
        stored = msgspec.convert(document, _StoredRun)
        _refuse_unknown_metrics(document["metrics"])
        values = msgspec.structs.asdict(stored)
        run = RunResult(**values, items=items)
        _check_options(run)
    except ValueError as error:  # also msgspec.ValidationError
        raise _unreadable(path, error) from error
    items.suite = run.suite
    return run


def _check_options(run: RunResult) -> None:
    """Raise ValueError if the options of the suite do not fit the metrics."""
    options = set(run.suite.options)
    if len(options) < len(run.suite.options) or not options or not run.suite.roles:
        raise ValueError("suite_info has no roles, or no different options")
    if run.suite.right not in options and (run.suite.right or run.metrics.nli is None):
        raise ValueError("suite_info.right is not an option")
    if not run.choices.keys() <= options:
        raise ValueError("choices has other options than suite_info")


def _unreadable(path: Path, error: Exception) -> LitotesError:
    return LitotesError("L203", f"{path}: is not a result of this version ({error})", hint="run it again")


def _refuse_unknown_metrics(values: Mapping[str, Any]) -> None:
    unknown = sorted(values.keys() - {field.name for field in fields(Metrics)})
    if unknown:
        raise ValueError(f"unknown key {unknown[0]}")


def find_runs(out: Path) -> list[Path]:
    """Return the paths of all result.json files in a folder of runs, sorted."""
    if out.exists() and not out.is_dir():
        raise LitotesError("L202", f"{out}: is a file, a folder of runs is needed")
    if not out.is_dir():
        raise LitotesError("L201", f"{out}: no such folder", hint="litotes run creates it")
    return sorted(out.glob("*/*/result.json"))
