"""The files of an audit: `audit.json`, `audit.html` and the mined pairs as `opposites.jsonl`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from litotes.audit.corpus import Corpus
from litotes.audit.result import Audit
from litotes.audit.settings import AuditSettings
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import cannot_write, ensure_writable, is_file, read_json, to_json, write_together
from litotes.report.audit.page import render_audit

RESULT, PAGE, PAIRS = "audit.json", "audit.html", "opposites.jsonl"


def check_free(
    folder: Path, corpus: Corpus, settings: AuditSettings, *, fresh: bool, fingerprint: str | None = None
) -> None:
    """Raise an error if the folder contains another audit (unless `fresh`), or if it is not writable.

    The same audit may be written again. Before the model is loaded, its fingerprint is not known and not compared.
    """
    hint = "use --fresh to overwrite it, or another --out"
    if is_file(folder / RESULT) and not fresh:
        try:
            existing = read_json(folder / RESULT)
        except LitotesError:
            existing = {}
        expected = json.loads(to_json({"corpus": corpus.files, "settings": settings.to_dict()}))
        is_same = all(existing.get(name) == value for name, value in expected.items())
        if not is_same or fingerprint not in (None, existing.get("fingerprint")):
            raise UsageError("L102", f"{folder}: contains another audit", hint=hint)
    elif not fresh and (foreign := [name for name in (PAGE, PAIRS) if is_file(folder / name)]):
        raise UsageError("L102", f"{folder / foreign[0]}: exists and does not belong to an audit", hint=hint)
    ensure_writable(folder)


def write_audit(folder: Path, audit: Audit) -> list[Path]:
    """Write all files of an audit, or none, and return their paths."""
    contents = {
        folder / PAGE: render_audit(audit),
        folder / RESULT: to_json(audit.to_dict(), indent=2) + "\n",
    }
    if audit.mining is not None:
        contents = {folder / PAIRS: "".join(to_json(asdict(pair)) + "\n" for pair in audit.mining.pairs), **contents}
    write_together(contents)
    if audit.mining is None:
        _remove(folder / PAIRS)  # otherwise the pairs of an earlier audit would remain
    return list(reversed(contents))


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error
