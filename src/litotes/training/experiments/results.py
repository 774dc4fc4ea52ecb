"""The results of an experiment, and the files that contain them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from litotes._version import __version__
from litotes.core.errors import LitotesError
from litotes.core.files import is_file, read_json, to_json, write_atomic
from litotes.training.experiments.aggregation import AggregatedCell
from litotes.training.experiments.plan import ExperimentPlan
from litotes.training.experiments.rows import DEV, ResultRow

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
            "cells": [cell.to_dict() for cell in self.cells],
            "runs": [row.to_dict() for row in self.rows],
        }


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
