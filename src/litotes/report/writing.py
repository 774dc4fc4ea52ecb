"""Reports as files: the ending says which kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from litotes.bench.compare_models import Comparison, compare_models
from litotes.bench.result import RunResult
from litotes.core.errors import UsageError
from litotes.core.files import write_atomic
from litotes.report.html import render_html
from litotes.report.suite_runs import by_suite
from litotes.report.tables import (
    accuracy_table,
    as_csv,
    as_latex,
    as_markdown,
    comparison_lines,
    similarity_table,
)

Runs = Sequence[RunResult]
Found = Sequence[Comparison]


def check_ending(path: Path) -> None:
    """Raise if no report ends like that."""
    if path.suffix.lower() not in _KINDS:
        raise UsageError("L102", f"{path}: a report ends in {', '.join(_KINDS)}")


def write_report(path: Path, results: Runs) -> None:
    """Write what the ending asks for: .html, .md, .csv, .tex or .json."""
    check_ending(path)
    render = _KINDS[path.suffix.lower()]
    write_atomic(path, render(results, compare_models(results)))


def json_document(results: Runs, comparisons: Found, **more: Any) -> dict[str, Any]:
    """Runs and comparisons for programs."""
    return {
        "runs": [result.to_dict() for result in results],
        "comparisons": [{**asdict(found), "differ": found.differ} for found in comparisons],
        **more,
    }


def _markdown(results: Runs, comparisons: Found) -> str:
    parts = []
    for suite in by_suite(results, comparisons):
        parts += [as_markdown(accuracy_table(suite)), as_markdown(similarity_table(suite))]
    parts.append("".join(f"- {line}\n" for line in comparison_lines(comparisons)))
    return "\n".join(part for part in parts if part)


def _csv(results: Runs, comparisons: Found) -> str:
    suites = by_suite(results, comparisons)
    return as_csv([accuracy_table(suite) for suite in suites], [suite.label for suite in suites])


def _latex(results: Runs, comparisons: Found) -> str:
    return "\n".join(as_latex(accuracy_table(suite)) for suite in by_suite(results, comparisons))


def _json(results: Runs, comparisons: Found) -> str:
    return json.dumps(json_document(results, comparisons), ensure_ascii=False, indent=2) + "\n"


_KINDS: dict[str, Callable[[Runs, Found], str]] = {
    ".html": render_html,
    ".md": _markdown,
    ".csv": _csv,
    ".tex": _latex,
    ".json": _json,
}
