"""Suites on disk: folders with suite.json and items.jsonl."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import is_encodable, read_json, read_json_lines, sha256_file, to_json, write_together
from litotes.suites.base import Item, Suite, SuiteKind
from litotes.suites.kinds import KINDS, suite_kind

_REQUIRED_KEYS = ("name", "kind", "sha256")


def load_folder(folder: Path) -> Suite:
    """Load the suite in a folder and verify the sha256 of its items."""
    meta_path, items_path = folder / "suite.json", folder / "items.jsonl"
    if not meta_path.exists():
        raise LitotesError(
            "L201", f"{meta_path}: no such file", hint="a suite is a folder with suite.json and items.jsonl"
        )
    meta = read_json(meta_path, unique_keys=True)
    for key in _REQUIRED_KEYS:
        if not isinstance(meta.get(key), str) or not meta[key].strip():
            raise LitotesError("L203", f'{meta_path}: "{key}" is missing, empty or not a string')
    if not meta["name"].isprintable():  # it reaches terminals and reports
        raise LitotesError("L203", f'{meta_path}: "name" contains a line break or another control character')
    if meta["kind"] not in KINDS:
        raise LitotesError(
            "L203",
            f'{meta_path}: unknown suite kind "{meta["kind"]}"',
            hint=f"known: {', '.join(KINDS.names())}",
        )
    kind = suite_kind(meta["kind"])
    items = list(_read_items(items_path, kind))
    if not items:
        raise LitotesError("L204", f"{items_path}: has no items")
    if (sha256 := sha256_file(items_path)) != meta["sha256"]:
        raise LitotesError(
            "L206",
            f"{items_path}: sha256 is {sha256[:12]}…, but suite.json has {meta['sha256'][:12]}…",
            hint="the items were changed after the suite was written; if that is intended, update suite.json",
        )
    return Suite(
        name=meta["name"],
        kind=kind,
        items=items,
        sha256=sha256,
        version=str(meta.get("version", "")),
        source=str(meta.get("source", "")),
        licence=str(meta.get("licence", "")),
    )


def _read_items(path: Path, kind: SuiteKind) -> Iterator[Item]:
    seen: dict[str, int] = {}
    for line, record in read_json_lines(path):
        item = _item(record, kind, f"{path}:{line}")
        if item.id in seen:
            raise LitotesError("L205", f'{path}:{line}: id "{item.id}" is already used in line {seen[item.id]}')
        seen[item.id] = line
        yield item


def _item(record: dict[str, Any], kind: SuiteKind, where: str) -> Item:
    item_id, group, sentences = record.get("id"), record.get("group", ""), record.get("sentences")
    if not isinstance(item_id, str) or not item_id:
        raise LitotesError("L203", f'{where}: "id" is missing, empty or not a string')
    if not isinstance(group, str):
        raise LitotesError("L203", f'{where}: "group" must be a string')
    if not isinstance(sentences, dict):
        raise LitotesError("L203", f'{where}: "sentences" is missing or not an object')
    for role in kind.roles:
        text = sentences.get(role)
        if text is None:
            raise LitotesError(
                "L203", f'{where}: role "{role}" is missing', hint=f"this suite needs {', '.join(kind.roles)}"
            )
        if not isinstance(text, str) or not text.strip():
            raise LitotesError("L203", f'{where}: the sentence under "{role}" is empty or not a string')
    tags = record.get("tags", {})
    if not isinstance(tags, dict):
        raise LitotesError("L203", f'{where}: "tags" must be an object')
    if not is_encodable(json.dumps(record, ensure_ascii=False)):
        raise LitotesError("L203", f"{where}: contains a lone surrogate, which is not valid Unicode")
    return Item(
        id=item_id,
        group=group or item_id,
        sentences={role: sentences[role] for role in kind.roles},
        tags={str(key): str(value) for key, value in tags.items()},
    )


def save_folder(suite: Suite, folder: Path, **more: Any) -> None:
    """Write a suite; `more` contains additional fields of suite.json."""
    lines = [
        to_json({"id": item.id, "group": item.group, "sentences": dict(item.sentences), "tags": dict(item.tags)})
        for item in suite.items
    ]
    items = "".join(f"{line}\n" for line in lines).encode()
    meta = {
        "name": suite.name,
        "version": suite.version,
        "kind": suite.kind.name,
        "roles": list(suite.kind.roles),
        "source": suite.source,
        "licence": suite.licence,
        "items": len(suite.items),
        "groups": suite.count_groups(),
        **more,
        "sha256": hashlib.sha256(items).hexdigest(),
    }
    write_together({folder / "items.jsonl": items, folder / "suite.json": to_json(meta, indent=2) + "\n"})
