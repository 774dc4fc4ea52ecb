"""What came of an experiment, and where it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from litotes._version import __version__
from litotes.core.errors import LitotesError
from litotes.core.files import is_file, read_json, to_json, write_atomic
from litotes.training.experiments.aggregation import Cell
from litotes.training.experiments.plan import Plan
from litotes.training.experiments.rows import DEV, Row

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
"""Where the categories of an experiment are ranked by accuracy."""

_HEAD = """# Developmental negation: what the experiments found

Accuracies in per cent, changes in points; intervals are of 95%, in brackets. Rankings are compared by Kendall's tau-b,
whose p is exact: the share of all arrangements of the categories that agree, or disagree, at least as far. An order of
acquisition that names few categories cannot give a small p: even perfect agreement with it may be chance.
"""


@dataclass(frozen=True)
class Results:
    """The rows of every run, and what they are over all seeds."""

    number: int
    plan: Plan
    data: Mapping[str, Any]
    """Sizes and hashes of the data."""
    rows: Sequence[Row]
    cells: Sequence[Cell]
    mixtures: Mapping[str, Mapping[str, int]]
    """Of experiment 4, how many pairs of each category a mixture has."""

    @cached_property
    def _found(self) -> dict[tuple[str, str, str], Cell]:
        return {(cell.model, cell.step, cell.category): cell for cell in self.cells}

    @property
    def models(self) -> list[str]:
        """In the plan's order."""
        return [model.name for model in self.plan.models]

    @property
    def steps(self) -> list[str]:
        """In the order in which they were reached."""
        return list(dict.fromkeys(cell.step for cell in self.cells))

    @property
    def has_dev(self) -> bool:
        """Whether there was NLI without negation to test on."""
        return any(cell.category == DEV for cell in self.cells)

    def cell(self, model: str, step: str, category: str) -> Cell:
        """One cell."""
        return self._found[model, step, category]

    def ranked(self, model: str) -> dict[str, Cell]:
        """The cell of each category by which categories are ranked: see RANKED."""
        steps = {2: None, 4: self.steps[min(1, len(self.steps) - 1)]}
        step = steps.get(self.number, self.steps[-1])
        return {name: self.cell(model, step or name, name) for name in self.plan.categories}

    def to_dict(self) -> dict[str, Any]:
        """As results.json keeps it."""
        return {
            "title": TITLES[self.number],
            "plan": self.plan.to_dict(),
            "data": dict(self.data),
            **({"mixtures": {name: dict(one) for name, one in self.mixtures.items()}} if self.mixtures else {}),
            "cells": [cell.to_dict() for cell in self.cells],
            "runs": [row.to_dict() for row in self.rows],
        }


def keep_results(out: Path, results: Results, summary: str, more: Mapping[str, Any]) -> list[Path]:
    """Write results.json and summary.md, in which the other experiments of the folder stay as they are."""
    path = out / RESULTS
    known: dict[str, Any] = {}
    if is_file(path):
        try:
            kept = read_json(path).get("experiments", {})
            known = kept if isinstance(kept, dict) else {}
        except LitotesError:  # damaged: what can be counted again is
            known = {}
    known[str(results.number)] = {**results.to_dict(), **more, "summary": summary}
    ordered = {key: known[key] for key in sorted(known)}
    write_atomic(path, to_json({"litotes": __version__, "experiments": ordered}, indent=2) + "\n")
    texts = [str(one.get("summary", "")) for one in ordered.values() if isinstance(one, dict)]
    page = out / SUMMARY
    write_atomic(page, "\n".join([_HEAD, *texts]))
    return [path, page]
