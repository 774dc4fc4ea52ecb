"""The results of an experiment, its tables as Markdown and CSV, and the files that contain them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from litotes._version import __version__
from litotes.core.errors import LitotesError
from litotes.core.escaping import csv_text, markdown_text
from litotes.core.files import is_file, read_json, to_json, write_atomic
from litotes.languages.negation_categories import CODES
from litotes.training.experiments.metrics import BEFORE, DEV, AggregatedCell, Estimate, ResultRow, difference
from litotes.training.experiments.plan import ExperimentPlan

RESULTS, SUMMARY = "results.json", "summary.md"

TITLES = {
    1: "categories over the epochs of a training without negation",
    2: "trained on one category, tested on all",
    3: "trained through the categories in sequence",
    4: "trained on all categories at once",
}

RANKED = {
    1: "after the last epoch",
    2: "each after training on it",
    3: "at the end of the sequence",
    4: "after the first mixture",
}
"""When the categories of each experiment are ranked by accuracy."""

_HEADER = """# Developmental negation: results of the experiments

Accuracies are in per cent and changes in percentage points, with 95% confidence intervals in brackets. Rankings are
compared by Kendall's tau-b with an exact p-value: the share of all permutations of the categories that agree, or
disagree, at least as much. An order of acquisition with few categories cannot give a small p-value.
"""


@dataclass(frozen=True)
class ExperimentResults:
    """The rows of all runs, and their aggregation over seeds."""

    number: int
    plan: ExperimentPlan
    data: Mapping[str, Any]
    """Sizes and hashes of the data."""
    rows: Sequence[ResultRow]
    cells: Sequence[AggregatedCell]
    mixtures: Mapping[str, Mapping[str, int]]
    """Mixture of experiment 4 → number of pairs by category."""
    label: str = ""
    """Beginning of the names of runs; empty for the split by premise."""
    published_split: ExperimentResults | None = None
    """The results on the authors' split, if requested."""

    @property
    def name(self) -> str:
        """The stem of the names of files."""
        return f"experiment-{self.number}{'-' if self.label else ''}{self.label.rstrip('-')}"

    @cached_property
    def _cells_by_key(self) -> dict[tuple[str, str, str], AggregatedCell]:
        return {(cell.model, cell.step, cell.category): cell for cell in self.cells}

    @property
    def models(self) -> list[str]:
        """The names of the models, in the order of the plan."""
        return [model.name for model in self.plan.models]

    @property
    def steps(self) -> list[str]:
        """The steps in chronological order."""
        return list(dict.fromkeys(cell.step for cell in self.cells))

    @property
    def has_dev(self) -> bool:
        """Whether models were tested on NLI without negation."""
        return any(cell.category == DEV for cell in self.cells)

    def cell(self, model: str, step: str, category: str) -> AggregatedCell:
        """Return a cell."""
        return self._cells_by_key[model, step, category]

    def ranked(self, model: str) -> dict[str, AggregatedCell]:
        """Return the cells by which the categories are ranked; see `RANKED`."""
        steps = {2: None, 4: self.steps[min(1, len(self.steps) - 1)]}
        step = steps.get(self.number, self.steps[-1])
        return {name: self.cell(model, step or name, name) for name in self.plan.categories}

    def to_dict(self) -> dict[str, Any]:
        """Return the content of results.json."""
        return {
            "title": TITLES[self.number],
            "plan": self.plan.to_dict(),
            "data": dict(self.data),
            **({"mixtures": {name: dict(counts) for name, counts in self.mixtures.items()}} if self.mixtures else {}),
            "cells": [asdict(cell) for cell in self.cells],
            "runs": [asdict(row) for row in self.rows],
            **({"published_split": self._split_fields(self.published_split)} if self.published_split else {}),
        }

    def _split_fields(self, published: ExperimentResults) -> dict[str, Any]:
        differences = [
            {"model": cell.model, "step": cell.step, "category": cell.category, **asdict(self.split_difference(cell))}
            for cell in self.cells
        ]
        fields = published.to_dict()
        return {**{name: fields[name] for name in ("data", "cells", "runs")}, "differences": differences}

    def split_difference(self, cell: AggregatedCell) -> Estimate:
        """Return the accuracy on the authors' split minus that of a cell, which is on the split by premise."""
        if self.published_split is None:
            raise ValueError("these results have no published split")
        return difference(self.published_split.cell(cell.model, cell.step, cell.category).accuracy, cell.accuracy)


def write_results(out: Path, results: ExperimentResults, summary: str, extra: Mapping[str, Any]) -> None:
    """Write results.json and summary.md; the results of other experiments in them are preserved."""
    path = out / RESULTS
    experiments: dict[str, Any] = {}
    if is_file(path):
        try:
            stored = read_json(path).get("experiments", {})
            experiments = stored if isinstance(stored, dict) else {}
        except LitotesError:  # a damaged file is replaced
            experiments = {}
    experiments[str(results.number)] = {**results.to_dict(), **extra, "summary": summary}
    ordered = {key: experiments[key] for key in sorted(experiments)}
    write_atomic(path, to_json({"litotes": __version__, "experiments": ordered}, indent=2) + "\n")
    texts = [str(entry.get("summary", "")) for entry in ordered.values() if isinstance(entry, dict)]
    write_atomic(out / SUMMARY, "\n".join([_HEADER, *texts]))


FormatCell = Callable[[AggregatedCell], str]

_STEP_HEADERS = {1: "after", 2: "trained on", 3: "trained up to", 4: "mixture"}


def markdown_tables(results: ExperimentResults) -> str:
    """Return tables of accuracy, Matthews correlation and change for every model."""
    lines = [f"# Experiment {results.number}: {TITLES[results.number]}", "", _interval_note(results), ""]
    for model in results.models:
        title = markdown_text(model)
        lines += _table(results, model, f"## {title}: accuracy", lambda cell: _percent(cell.accuracy))
        lines += _table(results, model, f"## {title}: Matthews correlation", lambda cell: _number(cell.mcc))
        if any(cell.change is not None for cell in results.cells):
            title = f"## {title}: change of the accuracy from “{BEFORE}”"
            lines += _table(results, model, title, _change, except_step=BEFORE)
    head = _row(["category", "", "train", "undersampled", "test", "test pairs in train", "largest label"])
    lines += ["## Data", "", head, "|---|---|---:|---:|---:|---:|---:|"]
    for name, sizes in results.data["categories"].items():
        numbers = [f"{sizes[key]:,}" for key in ("train", "undersampled", "test", "test_in_train")]
        lines.append(_row([name, CODES[name], *numbers, f"{100 * sizes['largest_label']:.1f}%"]))
    lines += ["", "The largest label is the accuracy of a model that always predicts the most frequent label.", ""]
    if results.mixtures:
        lines += ["## Mixtures", "", _row(["mixture", *map(_short, results.plan.categories)])]
        lines.append("|---|" + "---:|" * len(results.plan.categories))
        for name, counts in results.mixtures.items():
            lines.append(_row([name, *(f"{counts[category]:,}" for category in results.plan.categories)]))
        lines.append("")
    return "\n".join(lines)


def split_tables(results: ExperimentResults) -> str:
    """Return for every model the accuracies on both splits and the difference between them."""
    published = results.published_split
    if published is None:
        raise ValueError("these results have no published split")
    lines = [
        f"# Experiment {results.number}: the authors' split and the split by premise",
        "",
        "Each cell has the accuracy on the authors' split, on the split by premise, and the difference in points with",
        "its 95% interval, in bold if the interval excludes 0. The two splits have different test pairs. No premise of",
        "the split by premise is in train and test.",
        "",
    ]
    for model in results.models:

        def all_three(cell: AggregatedCell) -> str:
            on_published = published.cell(cell.model, cell.step, cell.category).accuracy
            both = f"{100 * on_published.mean:.1f} / {100 * cell.accuracy.mean:.1f}"
            return f"{both} / {_points(results.split_difference(cell))}"

        lines += _table(results, model, f"## {model}", all_three)
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
    name, *values = entries
    return f"| {' | '.join([markdown_text(name), *values])} |"


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
    return _points(cell.change)


def _points(change: Estimate) -> str:
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
        key = [results.number, csv_text(cell.model), cell.step, cell.category, cell.items]
        writer.writerow([*key, *figures, cell.accuracy.seeds, cell.accuracy.interval])
    return out.getvalue()
