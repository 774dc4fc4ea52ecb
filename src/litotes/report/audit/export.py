"""An audit on disk: `audit.json`, `audit.html` and the mined pairs as `opposites.jsonl`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from litotes.audit.result import Audit
from litotes.audit.settings import Plan
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import cannot_write, ensure_writable, is_file, read_json, to_json, write_together
from litotes.report.audit.page import render_audit

RESULT, PAGE, PAIRS = "audit.json", "audit.html", "opposites.jsonl"


def check_free(folder: Path, plan: Plan, *, fresh: bool, fingerprint: str | None = None) -> None:
    """Raise if there is another audit in a folder, unless it may be written over, or if nothing can be written there.

    The same audit may be written again: it gives the same. Without a fingerprint the model is known by its name.
    """
    if is_file(folder / RESULT) and not fresh:
        try:
            there = read_json(folder / RESULT)
        except LitotesError:
            there = {}
        asked = json.loads(to_json({"corpus": plan.corpus.described, "settings": plan.settings()}))
        same = all(there.get(name) == value for name, value in asked.items())
        if not same or fingerprint not in (None, there.get("fingerprint")):
            hint = "--fresh writes over it, or take another --out"
            raise UsageError("L102", f"{folder}: there is another audit already", hint=hint)
    elif not fresh and (others := [name for name in (PAGE, PAIRS) if is_file(folder / name)]):
        hint = "--fresh writes over it, or take another --out"
        raise UsageError("L102", f"{folder / others[0]}: is there already, and of no audit", hint=hint)
    ensure_writable(folder)


def write_audit(folder: Path, audit: Audit) -> list[Path]:
    """Write all files of an audit, or none; gives their paths, what people look at first."""
    written = {
        folder / PAGE: render_audit(audit),
        folder / RESULT: to_json(audit.to_dict(), indent=2) + "\n",
    }
    if audit.mining is not None:
        written = {folder / PAIRS: "".join(to_json(asdict(pair)) + "\n" for pair in audit.mining.pairs), **written}
    write_together(written)
    if audit.mining is None:
        _remove(folder / PAIRS)  # no pairs of an earlier audit may stay; an empty file would say that there are none
    return list(reversed(written))


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error
