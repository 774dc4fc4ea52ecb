"""Tables of an experiment: Markdown to read, CSV to count with."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from litotes.languages.negation_categories import CODES
from litotes.training.experiments.aggregation import Cell, Estimate
from litotes.training.experiments.results import TITLES, Results
from litotes.training.experiments.rows import BEFORE, DEV

Shown = Callable[[Cell], str]

_STEP = {1: "after", 2: "trained on", 3: "trained up to", 4: "mixture"}


def markdown_tables(results: Results) -> str:
    """Accuracy, Matthews' correlation and the change, a table each for every model."""
    lines = [f"# Experiment {results.number}: {TITLES[results.number]}", "", _interval_words(results), ""]
    for model in results.models:
        lines += _table(results, model, f"## {model}: accuracy", lambda cell: _share(cell.accuracy))
        lines += _table(results, model, f"## {model}: Matthews' correlation", lambda cell: _number(cell.mcc))
        if any(cell.change is not None for cell in results.cells):
            title = f"## {model}: change of the accuracy against “{BEFORE}”"
            lines += _table(results, model, title, _changed, without=BEFORE)
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
    lines += ["", "The largest label is what a model gets that gives every pair the most frequent label.", ""]
    if results.mixtures:
        lines += ["## Mixtures", "", _row(["mixture", *map(_short, results.plan.categories)])]
        lines.append("|---|" + "---:|" * len(results.plan.categories))
        for name, counts in results.mixtures.items():
            lines.append(_row([name, *(f"{counts[category]:,}" for category in results.plan.categories)]))
        lines.append("")
    return "\n".join(lines)


def _interval_words(results: Results) -> str:
    seeds = len(results.plan.seeds)
    if seeds == 1:
        return "One seed: the intervals (95%) are over premises of that run, and say nothing of other seeds."
    return f"Means over {seeds} seeds, with t-intervals (95%) over seeds."


def _table(results: Results, model: str, title: str, shown: Shown, *, without: str = "") -> list[str]:
    columns = [*([DEV] if results.has_dev else []), *results.plan.categories]
    lines = [title, "", _row([_STEP[results.number], *map(_short, columns)]), "|---|" + "---:|" * len(columns)]
    for step in results.steps:
        if step != without:
            lines.append(_row([step, *(shown(results.cell(model, step, column)) for column in columns)]))
    return [*lines, ""]


def _row(entries: Sequence[str]) -> str:
    return f"| {' | '.join(entries)} |"


def _short(category: str) -> str:
    return "dev" if category == DEV else CODES[category]


def _share(one: Estimate) -> str:
    return f"{100 * one.mean:.1f} [{100 * one.low:.1f}, {100 * one.high:.1f}]"


def _number(one: Estimate) -> str:
    return f"{one.mean:.2f} [{one.low:.2f}, {one.high:.2f}]"


def _changed(cell: Cell) -> str:
    """In points; in bold where the interval does not hold 0."""
    if cell.change is None:
        return ""
    one = cell.change
    text = f"{100 * one.mean:+.1f}"
    return (f"**{text}**" if one.apart_from(0.0) else text) + f" [{100 * one.low:+.1f}, {100 * one.high:+.1f}]"


def csv_table(results: Results) -> str:
    """A line for each model, step and category; shares between 0 and 1."""
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
            "" if one is None else f"{value:.6f}"
            for one in (cell.accuracy, cell.mcc, cell.change)
            for value in ((one.mean, one.low, one.high) if one is not None else (0.0, 0.0, 0.0))
        ]
        about = [results.number, cell.model, cell.step, cell.category, cell.items]
        writer.writerow([*about, *figures, cell.accuracy.seeds, cell.accuracy.interval])
    return out.getvalue()
