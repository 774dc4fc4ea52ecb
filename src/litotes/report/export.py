"""Runs as files, whose extension selects the format, and as a data frame."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.escaping import markdown_text
from litotes.core.files import is_stream, write_atomic
from litotes.evaluation.published_ranking import published_ranks
from litotes.evaluation.result import RunResult
from litotes.evaluation.result_store import find_runs, read_run
from litotes.evaluation.statistics import Comparison, compare_models
from litotes.report.page import render_report
from litotes.report.similarity_figures import heat_map_file
from litotes.report.suite_runs import SuiteRuns, by_suite
from litotes.report.suite_tables import brief_tables, comparison_lines, overview_table, sts_table, suite_tables
from litotes.report.table import Table, as_csv, as_latex, as_markdown, as_text

if TYPE_CHECKING:
    import pandas


Runs = Sequence[RunResult]
Comparisons = Sequence[Comparison]

FEW_SUITES = 2
"""Brief output shows the tables of at most this many suites."""


def report_format(path: Path, stream_format: str = "txt") -> str:
    """Return the extension of a report's path, or of a pipe or /dev/stdout, whose names have none.

    >>> report_format(Path("REPORT.HTML"))
    '.html'
    """
    extension = path.suffix.lower() or (f".{stream_format}" if is_stream(path) else "")
    if extension not in _RENDERERS:
        raise UsageError("L102", f"{path}: the extension of a report is one of {', '.join(_RENDERERS)}")
    return extension


def write_report(path: Path, results: Runs, stream_format: str = "txt") -> None:
    """Write a report as .html, .md, .csv, .tex, .txt, .json or .svg."""
    render = _RENDERERS[report_format(path, stream_format)]
    write_atomic(path, render(results, compare_models(results)))


def json_document(results: Runs, comparisons: Comparisons, **extra: Any) -> dict[str, Any]:
    """Return runs with their ranks among published models, and comparisons, for programs."""
    return {
        "runs": [
            {**result.to_dict(), "published": [asdict(rank) for rank in published_ranks(result)]} for result in results
        ],
        "comparisons": [{**asdict(comparison), "differ": comparison.differ} for comparison in comparisons],
        **extra,
    }


def _markdown(results: Runs, comparisons: Comparisons) -> str:
    suites = by_suite(results, comparisons)
    parts = [as_markdown(overview_table(suites))] if len(suites) > 1 else []
    parts += [as_markdown(table) for table in _all_tables(suites)]
    parts.append("".join(f"- {markdown_text(line)}\n" for line in comparison_lines(comparisons)))
    return "\n".join(part for part in parts if part)


def _text(results: Runs, comparisons: Comparisons) -> str:
    return "\n\n".join(text_tables(by_suite(results, comparisons), comparisons, brief=False)) + "\n"


def text_tables(suites: Sequence[SuiteRuns], comparisons: Comparisons, *, width: int = 80, brief: bool) -> list[str]:
    """Return tables and comparisons as plain text; if brief, many suites are summarised in one table."""
    lines = "\n".join(textwrap.fill(line, width, subsequent_indent="  ") for line in comparison_lines(comparisons))
    has_overview = len(suites) > FEW_SUITES
    tables = [
        table
        for suite in suites
        for table in (brief_tables(suite, has_overview=has_overview) if brief else suite_tables(suite))
    ]
    sts = sts_table(suites)
    parts = [as_text(table, width=width) for table in [*tables, *([sts] if sts else [])]] + [lines]
    # The overview comes last, where a terminal shows it first.
    parts += [as_text(overview_table(suites), width=width)] if len(suites) > 1 else []
    return [part for part in parts if part]


def _csv(results: Runs, comparisons: Comparisons) -> str:
    suites = by_suite(results, comparisons)
    tables = [(suite.label, suite_tables(suite)) for suite in suites]
    sts = sts_table(suites)
    return as_csv([*tables, *([("sts", [sts])] if sts else [])])


def _latex(results: Runs, comparisons: Comparisons) -> str:
    suites = by_suite(results, comparisons)
    return "\n".join(map(as_latex, _all_tables(suites)))


def _all_tables(suites: Sequence[SuiteRuns]) -> list[Table]:
    """Return the tables of every suite and the one of STS."""
    tables = [table for suite in suites for table in suite_tables(suite)]
    return [*tables, *([sts] if (sts := sts_table(suites)) else [])]


def _svg(results: Runs, comparisons: Comparisons) -> str:
    suites = [suite for suite in by_suite(results, comparisons) if suite.normalised_pairs]
    if not suites:
        raise LitotesError(
            "L204",
            "no run has similarities above a baseline, which the figure shows",
            hint="suites of the kind heros have them",
        )
    return heat_map_file(suites)


def _json(results: Runs, comparisons: Comparisons) -> str:
    return json.dumps(json_document(results, comparisons), ensure_ascii=False, indent=2) + "\n"


_RENDERERS: dict[str, Callable[[Runs, Comparisons], str]] = {
    ".html": render_report,
    ".md": _markdown,
    ".csv": _csv,
    ".tex": _latex,
    ".txt": _text,
    ".json": _json,
    ".svg": _svg,
}


def runs_frame(runs: str | Path | RunResult | Iterable[RunResult]) -> pandas.DataFrame:
    """Return the metrics of runs as a data frame with one row per run.

    `runs` is a folder that `litotes run` wrote, results, or a single result. Shares are between 0 and 1; metrics that
    a suite does not have are NaN. `RunResult.to_frame()` returns the items of a run.
    """
    try:
        import pandas
    except ImportError as error:
        raise missing_package("pandas", "report") from error
    return pandas.DataFrame([_row(run) for run in _results(runs)])


def _results(runs: str | Path | RunResult | Iterable[RunResult]) -> list[RunResult]:
    if isinstance(runs, RunResult):
        return [runs]
    if not isinstance(runs, (str, Path)):
        return list(runs)
    folder = Path(runs).expanduser()
    results = [read_run(path) for path in find_runs(folder)]
    if not results:
        raise LitotesError("L204", f"{folder}: contains no runs", hint="litotes run writes them")
    return results


def _row(run: RunResult) -> dict[str, Any]:
    metrics = run.metrics
    row: dict[str, Any] = {
        "model": run.model,
        "group": run.group,
        "suite": run.suite.name,
        "kind": run.suite.kind,
        "items": metrics.items,
        "groups": metrics.groups,
        "accuracy": metrics.accuracy,
        "accuracy_low": metrics.accuracy_ci[0],
        "accuracy_high": metrics.accuracy_ci[1],
        "group_accuracy": metrics.group_accuracy,
        "group_accuracy_low": metrics.group_accuracy_ci[0],
        "group_accuracy_high": metrics.group_accuracy_ci[1],
        "chance": metrics.chance,
        "ties": metrics.ties,
        "baseline": math.nan if metrics.baseline is None else metrics.baseline,
        "mcc": math.nan if metrics.nli is None else metrics.nli.mcc,
    }
    row |= {f"chosen_{option}": count / metrics.items for option, count in run.choices.items() if metrics.items}
    row |= {f"similarity_{pair}": value for pair, value in metrics.similarities.items()}
    row |= {f"normalised_{pair}": value for pair, value in metrics.normalised.items()}
    row |= {f"sts_{name}": metrics.spearman for name, metrics in run.sts.items()}
    return row
