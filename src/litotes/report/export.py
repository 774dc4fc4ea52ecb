"""Reports as files: the ending says which kind."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import write_atomic
from litotes.evaluation.comparison import Comparison, compare_models
from litotes.evaluation.published_ranking import published_ranks
from litotes.evaluation.result import RunResult
from litotes.report.heat_map import heat_map_file
from litotes.report.html import render_html
from litotes.report.suite_runs import SuiteRuns, by_suite
from litotes.report.suite_tables import brief_tables, comparison_lines, overview_table, suite_tables
from litotes.report.tables import as_csv, as_latex, as_markdown, as_text

Runs = Sequence[RunResult]
Found = Sequence[Comparison]

FEW_SUITES = 2
"""The tables of more suites than these are left to the report, if it is to be brief."""


def check_ending(path: Path) -> None:
    """Raise if no report ends like that."""
    if path.suffix.lower() not in _KINDS:
        raise UsageError("L102", f"{path}: a report ends in {', '.join(_KINDS)}")


def write_report(path: Path, results: Runs) -> None:
    """Write what the ending asks for: .html, .md, .csv, .tex, .txt, .json or .svg."""
    check_ending(path)
    render = _KINDS[path.suffix.lower()]
    write_atomic(path, render(results, compare_models(results)))


def json_document(results: Runs, comparisons: Found, **more: Any) -> dict[str, Any]:
    """Runs, where they stand among the published, and comparisons, for programs."""
    return {
        "runs": [
            {**result.to_dict(), "published": [asdict(one) for one in published_ranks(result)]} for result in results
        ],
        "comparisons": [{**asdict(found), "differ": found.differ} for found in comparisons],
        **more,
    }


def _markdown(results: Runs, comparisons: Found) -> str:
    suites = by_suite(results, comparisons)
    parts = [as_markdown(overview_table(suites))] if len(suites) > 1 else []
    parts += [as_markdown(table) for suite in suites for table in suite_tables(suite)]
    parts.append("".join(f"- {line}\n" for line in comparison_lines(comparisons)))
    return "\n".join(part for part in parts if part)


def _text(results: Runs, comparisons: Found) -> str:
    return "\n\n".join(text_tables(by_suite(results, comparisons), comparisons, brief=False)) + "\n"


def text_tables(suites: Sequence[SuiteRuns], comparisons: Found, *, width: int = 80, brief: bool) -> list[str]:
    """The tables and what was found by comparing, as plain text; in brief, many suites are one table."""
    told = "\n".join(textwrap.fill(line, width, subsequent_indent="  ") for line in comparison_lines(comparisons))
    several = len(suites) > 1
    of_many = len(suites) > FEW_SUITES
    tables = [brief_tables(suite, of_many=of_many) if brief else suite_tables(suite) for suite in suites]
    parts = [as_text(table, width=width) for of_suite in tables for table in of_suite] + [told]
    # Last, where people look first.
    parts += [as_text(overview_table(suites), width=width)] if several else []
    return [part for part in parts if part]


def _csv(results: Runs, comparisons: Found) -> str:
    return as_csv([(suite.label, suite_tables(suite)) for suite in by_suite(results, comparisons)])


def _latex(results: Runs, comparisons: Found) -> str:
    suites = by_suite(results, comparisons)
    return "\n".join(as_latex(table) for suite in suites for table in suite_tables(suite))


def _svg(results: Runs, comparisons: Found) -> str:
    suites = [suite for suite in by_suite(results, comparisons) if suite.normalised]
    if not suites:
        raise LitotesError(
            "L204",
            "no run has similarities above a baseline, of which the figure is drawn",
            hint="suites of the kind heros have them",
        )
    return heat_map_file(suites)


def _json(results: Runs, comparisons: Found) -> str:
    return json.dumps(json_document(results, comparisons), ensure_ascii=False, indent=2) + "\n"


_KINDS: dict[str, Callable[[Runs, Found], str]] = {
    ".html": render_html,
    ".md": _markdown,
    ".csv": _csv,
    ".tex": _latex,
    ".txt": _text,
    ".json": _json,
    ".svg": _svg,
}
