"""The leaderboard: the accuracy of every model on every suite, with a compact letter display."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from statistics import fmean

from litotes.evaluation.statistics import compact_letter_display
from litotes.report.formats import MISSING, PERCENT
from litotes.report.suite_runs import SuiteRuns
from litotes.report.suite_tables import accuracy_cell
from litotes.report.table import Cell, Column, Table, Value, view_href

_LETTER = re.compile("[a-z]′*")
_N_COLOURS = 8
"""The number of colours in the style sheet; with more kinds of model they repeat."""


def leaderboard_table(suites: Sequence[SuiteRuns]) -> Table:
    """Return all models, best first, and guessing at its rank among them."""
    models, kinds = ranked_names(suites), model_kinds(suites)
    kind_of = dict.fromkeys(models, "") | {
        name: run.group for suite in suites for name, run in zip(suite.names, suite.runs, strict=True) if run.group
    }
    columns = [
        Column(
            "model",
            "",
            [Cell(name, href=view_href({"view": "profile", "model": name})) for name in models],
            style="name",
        )
    ]
    if kinds:
        chips = [Cell(kind_of[name] or MISSING, note=colour_class(kind_of[name], kinds)) for name in models]
        columns.append(Column("kind", "", chips, style="kind-name"))
    if len(suites) > 1:
        means = [mean_accuracy(name, suites) for name in models]
        columns.append(Column("mean of suites", "", means, PERCENT, style="mean"))
    columns += [
        Column(
            suite.label,
            "",
            _accuracy_cells(suite, models),
            PERCENT,
            title=suite.label,
            style="bar",
            unit="accuracy, 95 % interval",
        )
        for suite in suites
    ]
    attributes = [
        {"class": colour_class(kind_of[name], kinds), "data-kind": str(kinds.index(kind_of[name]))}
        if kind_of[name]
        else {"data-kind": "-1"}
        for name in models
    ]
    table = Table("Leaderboard, best first", columns, attributes)
    mean_chance = fmean(suite.chance for suite in suites)
    rank = len(models)
    if math.isfinite(mean_chance):
        rank = sum(mean_accuracy(name, suites) >= mean_chance for name in models)
    guessing: list[Value | Cell] = ["guessing", *([MISSING] if kinds else [])]
    guessing += [mean_chance] if len(suites) > 1 else []
    guessing += [Cell(suite.chance, chance=suite.chance) for suite in suites]
    return table.with_row(rank, guessing, {"class": "guessing", "data-kind": "-1"})


def _accuracy_cells(suite: SuiteRuns, models: Sequence[str]) -> list[Cell]:
    letters = letter_display(suite)
    cells = []
    for name in models:
        run, cell = suite.run_of(name), accuracy_cell(suite, name)
        note = letter_ranges(letters.get(run.model, "")) if run is not None else ""
        cells.append(Cell(cell.value, cell.interval, cell.chance, note=note))
    return cells


def letter_display(suite: SuiteRuns) -> dict[str, str]:
    """Return the compact letter display of the models; empty unless every two were compared.

    Models that share a letter do not differ significantly.
    """
    models = list(dict.fromkeys(run.model for run in suite.runs))
    pairs = [comparison for comparison in suite.comparisons if comparison.a != comparison.b]
    n_compared = len({frozenset((comparison.a, comparison.b)) for comparison in pairs})
    if len(models) < 2 or n_compared < math.comb(len(models), 2):
        return {}
    return compact_letter_display(models, [(comparison.a, comparison.b) for comparison in pairs if comparison.differ])


def letter_ranges(letters: str) -> str:
    """Return letters with three or more consecutive ones abbreviated to a range.

    >>> letter_ranges("a"), letter_ranges("bc"), letter_ranges("bcdeg")
    ('a', 'bc', 'b–eg')
    """
    runs: list[list[str]] = []
    for letter in _LETTER.findall(letters):
        if runs and _is_next(letter, runs[-1][-1]):
            runs[-1].append(letter)
        else:
            runs.append([letter])
    return "".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else "".join(run) for run in runs)


def _is_next(letter: str, previous: str) -> bool:
    return len(letter) == len(previous) and ord(letter[0]) == ord(previous[0]) + 1


def model_kinds(suites: Sequence[SuiteRuns]) -> list[str]:
    """Return the groups of models that the runs name, in alphabetical order."""
    return sorted({run.group for suite in suites for run in suite.runs if run.group}, key=str.casefold)


def colour_class(kind: str, kinds: Sequence[str]) -> str:
    """Return the CSS class with the colour of a kind; empty for a model without a kind."""
    return f"kind-{kinds.index(kind) % _N_COLOURS}" if kind else ""


def mean_accuracy(name: str, suites: Sequence[SuiteRuns]) -> float:
    """Return the mean accuracy over suites; NaN for a model that lacks one."""
    runs = [suite.run_of(name) for suite in suites]
    return fmean(math.nan if run is None else run.metrics.accuracy for run in runs)


def ranked_names(suites: Sequence[SuiteRuns]) -> list[str]:
    """Return the model names: those with a mean over all suites first, then the others by the suites that they have."""
    names = list(dict.fromkeys(name for suite in suites for name in suite.names))

    def rank(name: str) -> tuple[bool, float]:
        mean = mean_accuracy(name, suites)
        if math.isfinite(mean):
            return False, -mean
        runs = [suite.run_of(name) for suite in suites]
        known = [run.metrics.accuracy for run in runs if run is not None and math.isfinite(run.metrics.accuracy)]
        return True, -fmean(known) if known else math.inf

    return sorted(names, key=rank)


def kinds_with_colours(suites: Sequence[SuiteRuns]) -> Mapping[str, str]:
    """Return the kinds of model with their CSS classes."""
    kinds = model_kinds(suites)
    return {kind: colour_class(kind, kinds) for kind in kinds}
