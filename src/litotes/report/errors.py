"""What the errors of many models have in common: agreement, lexical overlap and difficulty."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from litotes.evaluation.error_analysis import (
    PROPERTIES,
    DifficultyBin,
    OverlapPreference,
    difficulty_bins,
    model_agreements,
    overlap_preference,
    word_overlap,
)
from litotes.evaluation.result import RunResult
from litotes.report.formats import CORRELATION, COUNT, MISSING, PERCENT
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import Cell, Column, Table, Value, view_href

NO_OPTION = -1
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class ItemProperty:
    """A property of items, its values, and the index of the value of each item; -1 if unknown."""

    name: str
    values: tuple[str, ...]
    value_of_item: tuple[int, ...]


def item_properties(suite: SuiteRuns) -> list[ItemProperty]:
    """Return the properties in which the items of a suite differ."""
    properties = []
    for name, (values, read) in PROPERTIES.items():
        index: dict[str | None, int] = {value: number for number, value in enumerate(values)}
        value_of_item = tuple(index.get(read(item), -1) for item in suite.items)
        if len(set(value_of_item) - {-1}) > 1:
            properties.append(ItemProperty(name, values, value_of_item))
    return properties


def has_overlap(suite: SuiteRuns) -> bool:
    """Return whether all options are pairs of sentences, so that their lexical overlap is defined."""
    return (
        not suite.is_labelled
        and bool(suite.items)
        and all(
            index is not None and suite.layout.pairs[index].count("~") == 1 for index in suite.layout.pair_of_option
        )
    )


def highest_overlap(suite: SuiteRuns) -> list[int]:
    """Return per item the option with the most words in common; -1 if several share the maximum."""
    if not has_overlap(suite):
        return []
    layout = suite.layout
    pairs = [layout.pairs[index].split("~") for index in layout.pair_of_option if index is not None]
    options = []
    for item in suite.items:
        overlaps = [word_overlap(*(item.sentences.get(role, "") for role in pair)) for pair in pairs]
        highest = max(overlaps)
        tied = [option for option, overlap in enumerate(overlaps) if overlap >= highest - _TOLERANCE]
        options.append(tied[0] if len(tied) == 1 else NO_OPTION)
    return options


def complete_runs(suite: SuiteRuns) -> list[int]:
    """Return the indexes of the runs with a credit for every item."""
    return [
        index
        for index, run in enumerate(suite.runs)
        if run.items and all(math.isfinite(item.credit) for item in run.items)
    ]


def kappa_matrix(runs: Sequence[RunResult]) -> list[list[float]]:
    """Return Cohen's kappa of every two runs as a symmetric matrix."""
    matrix = [[1.0] * len(runs) for _ in runs]
    pairs = ((a, b) for a in range(len(runs)) for b in range(a + 1, len(runs)))
    for (a, b), agreement in zip(pairs, model_agreements(runs), strict=True):
        matrix[a][b] = matrix[b][a] = agreement.kappa
    return matrix


def overlap_preferences(suite: SuiteRuns) -> list[OverlapPreference]:
    """Return how far each run follows lexical overlap; nothing for options that are not pairs of sentences."""
    if not has_overlap(suite):
        return []
    return [replace(overlap_preference(run), model=name) for name, run in zip(suite.names, suite.runs, strict=True)]


def agreement_table(suite: SuiteRuns, max_models: int) -> Table | None:
    """Return the kappa of every two of the best models, each with a link to the two side by side."""
    indexes = complete_runs(suite)[:max_models]
    if len(indexes) < 2:
        return None
    names = [suite.names[index] for index in indexes]
    matrix = kappa_matrix([suite.runs[index] for index in indexes])

    def cell(a: int, b: int) -> Value | Cell:
        if a == b:
            return Cell(math.nan)
        state = {"view": "compare", "suite": suite.label, "a": names[a], "b": names[b]}
        label = f"{CORRELATION.page(matrix[a][b])}, {names[a]} and {names[b]}"
        return Cell(matrix[a][b], href=view_href(state), label=label)

    return Table(
        f"Agreement on {suite.label}",
        [
            Column("model", "", [f"{number}. {name}" for number, name in enumerate(names, 1)], style="name"),
            *(
                Column(str(b + 1), "", [cell(a, b) for a in range(len(names))], CORRELATION, style="shade")
                for b in range(len(names))
            ),
        ],
    )


def overlap_table(suite: SuiteRuns, preferences: Sequence[OverlapPreference]) -> Table:
    """Return how often each model chooses the option with the most words in common, with a link to these items."""
    chosen = [
        Cell(
            preference.chosen,
            href=view_href({"suite": suite.label, "model": preference.model, "overlap": "yes"}),
            label=f"{PERCENT.page(preference.chosen)}, {preference.model}",
        )
        for preference in preferences
    ]
    correlations = [MISSING if preference.correlation is None else preference.correlation for preference in preferences]
    return Table(
        f"Preference for lexical overlap on {suite.label}",
        [
            Column("model", "", [preference.model for preference in preferences], style="name"),
            Column("chose the option with most words in common", "", chosen, PERCENT, style="shade"),
            Column("correlation of similarity and common words", "", correlations, CORRELATION),
        ],
    )


def difficulty_table(suite: SuiteRuns) -> Table | None:
    """Return the mean accuracy on items with a property, each with a link to these items."""
    runs = [suite.runs[index] for index in complete_runs(suite)]
    bins = difficulty_bins(runs) if runs else []
    # A property with one value does not distinguish items.
    n_values: Mapping[str, int] = Counter(row.property for row in bins)
    rows = [row for row in bins if n_values[row.property] > 1 and math.isfinite(row.accuracy)]
    if not rows:
        return None
    return Table(
        f"Difficulty of items of {suite.label}",
        [
            Column("property", "", [row.property for row in rows], style="name"),
            Column("value", "", [_link_to_items(suite, row) for row in rows], style="text"),
            Column("items", "", [row.items for row in rows], COUNT),
            Column(
                "accuracy",
                "",
                [Cell(row.accuracy, row.ci, suite.chance) for row in rows],
                PERCENT,
                style="bar",
                unit="mean over models, 95 % interval",
            ),
        ],
    )


def _link_to_items(suite: SuiteRuns, row: DifficultyBin) -> Cell:
    """Return a link to all items of a bin, whether or not a model misses them."""
    state = {"view": "errors", "suite": suite.label, "least": "0", f"with {row.property}": row.value}
    return Cell(row.value, href=view_href(state), label=f"{row.property}: {row.value}")
