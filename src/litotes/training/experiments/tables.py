"""The tables of an experiment as Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from litotes.languages.negation_categories import CODES
from litotes.training.experiments.aggregation import AggregatedCell, Estimate
from litotes.training.experiments.results import TITLES, ExperimentResults
from litotes.training.experiments.rows import BEFORE, DEV

FormatCell = Callable[[AggregatedCell], str]

_STEP_HEADERS = {1: "after", 2: "trained on", 3: "trained up to", 4: "mixture"}


def markdown_tables(results: ExperimentResults) -> str:
    """Return tables of accuracy, Matthews correlation and change for every model."""
    lines = [f"# Experiment {results.number}: {TITLES[results.number]}", "", _interval_note(results), ""]
    for model in results.models:
        lines += _table(results, model, f"## {model}: accuracy", lambda cell: _percent(cell.accuracy))
        lines += _table(results, model, f"## {model}: Matthews correlation", lambda cell: _number(cell.mcc))
        if any(cell.change is not None for cell in results.cells):
            title = f"## {model}: change of the accuracy from “{BEFORE}”"
            lines += _table(results, model, title, _change, except_step=BEFORE)
    lines += ["## Data", "", "| category | | train | test | largest label |", "|---|---|---:|---:|---:|"]
    for name, sizes in results.data["categories"].items():
        row = [
            name,
            CODES[name],
            f"{sizes['train']:,}",
            f"{sizes['test']:,}",
            f"{100 * sizes['largest_label']:.1f}%",
        ]
        lines.append(f"| {' | '.join(row)} |")
    lines += ["", "The largest label is the accuracy of a model that always predicts the most frequent label.", ""]
    if results.mixtures:
        lines += ["## Mixtures", "", _row(["mixture", *map(_short, results.plan.categories)])]
        lines.append("|---|" + "---:|" * len(results.plan.categories))
        for name, counts in results.mixtures.items():
            lines.append(_row([name, *(f"{counts[category]:,}" for category in results.plan.categories)]))
        lines.append("")
    return "\n".join(lines)


def _interval_note(results: ExperimentResults) -> str:
    seeds = len(results.plan.seeds)
    if seeds == 1:
        return "One seed: the 95% intervals are over premises of this run and do not cover other seeds."
    return f"Means over {seeds} seeds, with 95% t-intervals over seeds."


def _table(
    results: ExperimentResults, model: str, title: str, format_cell: FormatCell, *, except_step: str = ""
) -> list[str]:
    columns = [*([DEV] if results.has_dev else []), *results.plan.categories]
    lines = [title, "", _row([_STEP_HEADERS[results.number], *map(_short, columns)]), "|---|" + "---:|" * len(columns)]
    for step in results.steps:
        if step != except_step:
            lines.append(_row([step, *(format_cell(results.cell(model, step, column)) for column in columns)]))
    return [*lines, ""]


def _row(entries: Sequence[str]) -> str:
    return f"| {' | '.join(entries)} |"


def _short(category: str) -> str:
    return "dev" if category == DEV else CODES[category]


def _percent(value: Estimate) -> str:
    return f"{100 * value.mean:.1f} [{100 * value.low:.1f}, {100 * value.high:.1f}]"


def _number(value: Estimate) -> str:
    return f"{value.mean:.2f} [{value.low:.2f}, {value.high:.2f}]"


def _change(cell: AggregatedCell) -> str:
    """Return the change in percentage points, in bold if the interval excludes 0."""
    if cell.change is None:
        return ""
    change = cell.change
    text = f"{100 * change.mean:+.1f}"
    interval = f"[{100 * change.low:+.1f}, {100 * change.high:+.1f}]"
    return f"**{text}** {interval}" if change.excludes(0.0) else f"{text} {interval}"


def csv_table(results: ExperimentResults) -> str:
    """Return a line for each model, step and category; accuracies are between 0 and 1."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ("accuracy", "mcc", "change")
    writer.writerow(
        [
            "experiment",
            "model",
            "step",
            "category",
            "items",
            *(f"{name}{end}" for name in names for end in ("", "_low", "_high")),
            "seeds",
            "interval",
        ]
    )
    for cell in results.cells:
        figures = [
            "" if estimate is None else f"{value:.6f}"
            for estimate in (cell.accuracy, cell.mcc, cell.change)
            for value in ((estimate.mean, estimate.low, estimate.high) if estimate is not None else (0.0, 0.0, 0.0))
        ]
        key = [results.number, cell.model, cell.step, cell.category, cell.items]
        writer.writerow([*key, *figures, cell.accuracy.seeds, cell.accuracy.interval])
    return out.getvalue()
