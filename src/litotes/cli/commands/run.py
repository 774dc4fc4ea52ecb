"""`litotes run`: evaluate models on suites."""

from __future__ import annotations

import json
import math
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import AsJson, SuiteOptions
from litotes.core.errors import single_line
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.access import Access

if TYPE_CHECKING:
    from litotes.evaluation.api import EvaluationResult
    from litotes.evaluation.model_list import ModelEntry
    from litotes.evaluation.result import RunResult
    from litotes.evaluation.sweep import ModelOutcome

MAX_SIDE_BY_SIDE = 5
"""The number of models up to which tables have one column per model."""
_MAX_SUITES_PER_LINE = 3
_MAX_COLUMN_WIDTH = 32


def run(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL]...",
            help="A folder, a hub id, a short name (all-MiniLM-L6-v2), name@revision, or scheme:rest. "
            "Default: the built-in model.",
        ),
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--models",
            metavar="FILE|NAME",
            help="A list of models, a TOML file or a built-in one; repeatable. Failures do not stop the other models.",
        ),
    ] = None,
    group: Annotated[list[str] | None, typer.Option(help="Only models of this group of the lists; repeatable.")] = None,
    *,
    suites: SuiteOptions,
    out: Annotated[Path, typer.Option(help="Folder for the results and the report.")] = Path("runs"),
    json_: AsJson = False,
    report: Annotated[bool, typer.Option(help="Write report.html.")] = True,
    settings: EvaluationSettings,
    access: Access,
) -> None:
    """Evaluate models on suites and write a report."""
    # Mistakes are reported before anything slow is imported.
    chosen = suites.load() if suites.is_explicit() else None
    entries = _entries(models, lists, group, retry=settings.retry)

    from litotes.core.progress import terminal_progress
    from litotes.evaluation.api import evaluate_models
    from litotes.evaluation.model_list import expand_entries
    from litotes.report.export import FEW_SUITES

    entries = expand_entries(entries, settings.prompt, access)
    with terminal_progress() as progress:
        result = evaluate_models(
            entries,
            chosen,
            settings=settings.replace(keep_going=bool(lists)),
            access=access,
            out=out,
            progress=progress,
            warn=warn,
            on_outcome=SweepLog(len(entries)).log if lists else _log_run,
        )
    page = _write_report(out, result, only_if_outdated=bool(lists)) if report and result.runs else None
    # The comparisons of many models would fill many screens.
    is_brief = len({run.model for run in result.runs}) > MAX_SIDE_BY_SIDE
    if json_:
        # ASCII, so that the output does not depend on the encoding of the terminal.
        put(json.dumps({**_document(result, page), **(sweep_document(result.outcomes) if lists else {})}, indent=2))
    elif result.runs:
        _print_tables(result, is_brief=is_brief)
        is_shortened = is_brief or len({run.suite.name for run in result.runs}) > FEW_SUITES
        more = f" (all tables: litotes report {shlex.quote(str(out))} --out tables.txt)" if is_shortened else ""
        say(f"\nresults: {out}{more}" + (f"\nreport:  {page}" if page else ""))
    if lists:
        say_summary(result.outcomes)
    if result.failures:
        raise typer.Exit(1)


def _entries(
    names: list[str] | None, lists: list[str] | None, groups: list[str] | None, *, retry: bool
) -> list[ModelEntry]:
    from litotes.core.errors import UsageError
    from litotes.evaluation.model_list import filter_groups, load_model_list, merge_entries, model_entry
    from litotes.models.hub import DEFAULT_MODEL

    if not lists:
        for option, is_given in (("--group", bool(groups)), ("--retry", retry)):
            if is_given:
                raise UsageError("L102", f"{option} needs a list of models", hint="add --models")
        names = names or [DEFAULT_MODEL]
    listed = merge_entries(load_model_list(name).entries for name in dict.fromkeys(lists or ()))
    if groups:
        listed = filter_groups(listed, groups)
    return merge_entries([[model_entry(name) for name in names or ()], listed])


# Messages during and after the run, on standard error


def _log_run(outcome: ModelOutcome) -> None:
    """Print cache usage and notes of a model."""
    computed, cached = (outcome.runs[0].times[key] for key in ("computed", "cached")) if outcome.runs else (0, 0)
    if computed:
        say(f"{outcome.entry.label}: {computed:,} encoded, {cached:,} from the cache")
    else:
        say(f"{outcome.entry.label}: nothing to encode, all {cached:,} are in the cache")
    for result in outcome.runs:
        for note in result.notes:
            say(f"note: {result.model} on {result.suite.name}: {note}")


class SweepLog:
    """Prints one line per model; models that were done before are only counted."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._count = 0

    def log(self, outcome: ModelOutcome) -> None:
        """Print the line of a model."""
        self._count += 1
        if outcome.state not in ("ran", "failed"):
            return
        if outcome.failure is not None:
            text = f"failed: {outcome.failure.line}"
        else:
            shown = [
                f"{result.suite.name} {100 * result.metrics.accuracy:.1f} %"
                for result in outcome.runs[:_MAX_SUITES_PER_LINE]
            ]
            n_more = len(outcome.runs) - len(shown)
            text = ", ".join(shown) + (f", … {n_more} more" if n_more > 0 else "")
        say(f"[{self._count}/{self._total}] {outcome.entry.label}: {text} ({outcome.seconds:.0f} s)")


def say_summary(outcomes: Sequence[ModelOutcome]) -> None:
    """Print how many models ran, were done, failed or run elsewhere; the latter two by name."""
    by_state: dict[str, list[ModelOutcome]] = {}
    for outcome in outcomes:
        by_state.setdefault(outcome.state, []).append(outcome)
    descriptions = {
        "ran": "run now",
        "done": "done before",
        "failed": "failed",
        "left out": "failed before and skipped",
        "elsewhere": "running elsewhere",
    }
    counts = [f"{len(by_state[state])} {text}" for state, text in descriptions.items() if state in by_state]
    say(f"\n{len(outcomes)} {'model' if len(outcomes) == 1 else 'models'}: {', '.join(counts)}")
    for outcome in by_state.get("elsewhere", ()):
        if (owner := outcome.owner) is not None:
            say(
                "  " + single_line(f"{outcome.entry.label}: process {owner.pid} on {owner.host}, since {owner.started}")
            )
    _say_failures(outcomes)
    if "left out" in by_state:
        say("--retry tries models again that failed before")


def _say_failures(outcomes: Sequence[ModelOutcome]) -> None:
    """Print a table of model, group and error; on a terminal, it is cut to the width of the screen."""
    from litotes.core.errors import shorten

    rows = [
        (outcome.entry.label, outcome.entry.group, outcome.failure.line)
        for outcome in outcomes
        if outcome.failure is not None
    ]
    if not rows:
        return
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else 0
    label_width, group_width = (min(max(len(row[column]) for row in rows), _MAX_COLUMN_WIDTH) for column in (0, 1))
    say("\nfailed:")
    for label, group, line in rows:
        start = f"  {shorten(label, label_width).ljust(label_width)}  "
        start += f"{shorten(group, group_width).ljust(group_width)}  " if group_width else ""
        say(start + (shorten(line, max(width - len(start), _MAX_COLUMN_WIDTH)) if width else line))


# Results


def _write_report(out: Path, result: EvaluationResult, *, only_if_outdated: bool) -> Path:
    """Write the report of all runs in the folder, so that models that ran in different calls are compared."""
    from litotes.core.files import is_file, write_atomic
    from litotes.evaluation.result_store import find_runs
    from litotes.report.page import render_report

    page = out / "report.html"
    if only_if_outdated and is_file(page):
        latest = max(path.stat().st_mtime for path in find_runs(out))
        if page.stat().st_mtime >= latest:
            return page
    complete = result.with_stored_runs(out, warn)
    write_atomic(page, render_report(complete.runs, complete.comparisons))
    return page


def _document(result: EvaluationResult, page: Path | None) -> dict[str, Any]:
    from litotes.report.export import json_document

    document = json_document(result.runs, result.comparisons, report=str(page) if page else None)
    for run, path in zip(document["runs"], result.paths, strict=True):
        run["result_path"] = str(path)
        run["items_path"] = str(path.with_name("items.jsonl"))
    return document


def sweep_document(outcomes: Sequence[ModelOutcome]) -> dict[str, Any]:
    """Return the part of the JSON document that only sweeps have."""
    return {
        "failures": [asdict(outcome.failure) for outcome in outcomes if outcome.failure is not None],
        "elsewhere": [
            {
                "model": outcome.entry.label,
                "host": outcome.owner.host,
                "pid": outcome.owner.pid,
                "started": outcome.owner.started,
            }
            for outcome in outcomes
            if outcome.owner is not None
        ],
    }


def _print_tables(result: EvaluationResult, *, is_brief: bool) -> None:
    from litotes.report.export import text_tables
    from litotes.report.suite_runs import by_suite
    from litotes.report.suite_tables import variant_tables
    from litotes.report.table import as_text

    width = shutil.get_terminal_size((80, 24)).columns
    if is_brief:
        variants = [table for suite in by_suite(result.runs, ()) for table in variant_tables(suite)]
        tables = [sweep_table(result.runs, width=width), *(as_text(table, width=width) for table in variants)]
        put("\n\n".join(tables))
        return
    comparisons = result.comparisons
    put("\n\n".join(text_tables(by_suite(result.runs, comparisons), comparisons, width=width, brief=True)))


def sweep_table(results: Sequence[RunResult], *, width: int) -> str:
    """Return a table of accuracies with one line per model and one column per suite."""
    from litotes.report.formats import PERCENT
    from litotes.report.table import Column, Table, as_text

    models = list(dict.fromkeys(result.model for result in results))
    accuracies = {(result.model, result.suite.name): result.metrics.accuracy for result in results}
    columns = [Column("model", "model", models)]
    for suite in dict.fromkeys(result.suite.name for result in results):
        values = [accuracies.get((model, suite), math.nan) for model in models]
        # Headings are broken at spaces; a name with hyphens would be too wide.
        columns.append(Column(suite.replace("-", " "), suite, values, PERCENT))
    return as_text(Table("right %", columns), width=width)
