"""The report's pages on errors: who errs alike, who goes by common words, what is hard for all."""

from __future__ import annotations

import math
from collections.abc import Sequence

from litotes.evaluation.analysis.difficulty import DifficultyBin, difficulty_bins
from litotes.report.error_figures import judged, kappas, overlap_preferences
from litotes.report.figure_svg import MANY_PANELS
from litotes.report.html_tables import MANY_ROWS, accuracy_cell, number_cells, share_cell, table
from litotes.report.html_words import NOTHING, correlation, counted, escape, percent, view_link
from litotes.report.suite_runs import SuiteRuns


def error_pages(suites: Sequence[SuiteRuns]) -> str:
    """What the errors on each suite have in common, folded away where there are several."""
    parts = []
    for suite in suites:
        told = _agreement(suite) + _overlap(suite) + _difficulty(suite)
        if told:
            opened = " open" if len(suites) == 1 else ""
            parts.append(
                f'<details class="common"{opened}><summary>What errors on {escape(suite.label)} share</summary>'
                f"{told}</details>"
            )
    return "".join(parts)


def _agreement(suite: SuiteRuns) -> str:
    places = judged(suite)[:MANY_PANELS]
    if len(places) < 2:
        return ""
    square = kappas([suite.runs[place] for place in places])
    heads = "".join(f'<th scope="col" class="number">{1 + number}</th>' for number in range(len(places)))
    rows = [
        f'<tr><th scope="row" class="name">{1 + number}. {escape(suite.names[place])}</th>'
        + "".join(
            f'<td class="number">{NOTHING}</td>'
            if number == other
            else share_cell(value, _side_by_side(suite, place, places[other], correlation(value)))
            for other, value in enumerate(square[number])
        )
        + "</tr>"
        for number, place in enumerate(places)
    ]
    of_best = f" Shown are the {len(places)} best." if len(suite.runs) > len(places) else ""
    return (
        "<h3>Who chooses alike?</h3><p>Cohen’s kappa of every two models: 1, they always choose the same; 0, only as "
        "often as chance would have it. The stronger the shade, the more alike. Each figure leads to the two side by "
        f"side.{of_best}</p>"
        + table(
            f"Agreement on {escape(suite.label)}",
            f'<tr><th scope="col" class="name">Model</th>{heads}</tr>',
            rows,
            classes="kappa",
        )
    )


def _side_by_side(suite: SuiteRuns, one: int, other: int, shown: str) -> str:
    """A link to the comparison of two models."""
    a, b = suite.names[one], suite.names[other]
    return view_link(shown, {"view": "compare", "suite": suite.label, "a": a, "b": b}, f"{shown}, {a} and {b}")


def _overlap(suite: SuiteRuns) -> str:
    found = overlap_preferences(suite)
    if not found or not found[0].items:
        return ""
    first = found[0]
    rows = [
        f'<tr><th scope="row" class="name">{escape(one.model)}</th>'
        f"{share_cell(one.chosen, _chosen_by_words(suite, one.model, percent(one.chosen)))}"
        f"{number_cells([NOTHING if one.correlation is None else correlation(one.correlation)])}</tr>"
        for one in found
    ]
    head = (
        '<tr><th scope="col" class="name" data-column="0">Model</th>'
        '<th scope="col" class="number" data-column="1">Chose the option with most words in common</th>'
        '<th scope="col" class="number" data-column="2">Correlation of similarity and common words</th></tr>'
    )
    return (
        "<h3>Do they go by the words in common?</h3>"
        f"<p>In {counted(first.items, 'item')} one option has more words in common than any other; going by that "
        f"alone would be right in {percent(first.right)} of them. Each share leads to its items. The correlation is "
        "Spearman’s, over all options.</p>"
        + table(
            f"Preference for lexical overlap on {escape(suite.label)}",
            head,
            rows,
            classes="overlap sortable",
            tall=len(rows) > MANY_ROWS,
        )
    )


def _chosen_by_words(suite: SuiteRuns, model: str, shown: str) -> str:
    """A link to the items in which a model chose the option with most words in common."""
    return view_link(shown, {"suite": suite.label, "model": model, "overlap": "yes"}, f"{shown}, {model}")


def _difficulty(suite: SuiteRuns) -> str:
    runs = [suite.runs[place] for place in judged(suite)]
    bins = difficulty_bins(runs) if runs else []
    # A property that all items share makes none of them harder than another.
    shared = {one.property for one in bins if sum(other.property == one.property for other in bins) < 2}
    rows = [
        f'<tr><th scope="row" class="name">{escape(one.property)}</th><td>{_items_with(suite, one)}</td>'
        f"{number_cells([f'{one.items:,}'])}{accuracy_cell(one.accuracy, one.ci, suite.chance)}</tr>"
        for one in bins
        if one.property not in shared and math.isfinite(one.accuracy)
    ]
    if not rows:
        return ""
    head = (
        '<tr><th scope="col" class="name">Property</th><th scope="col">Value</th>'
        '<th scope="col" class="number">Items</th>'
        '<th scope="col">Accuracy <span class="unit">mean over models, 95 % interval</span></th></tr>'
    )
    return (
        f"<h3>What is hard?</h3><p>The mean accuracy of {counted(len(runs), 'model')} on items that have something in "
        "common. Each value leads to its items.</p>"
        + table(f"Difficulty of items of {escape(suite.label)}", head, rows, classes="difficulty")
    )


def _items_with(suite: SuiteRuns, found: DifficultyBin) -> str:
    """A link to all items of a bin, whoever misses them."""
    state = {"view": "errors", "suite": suite.label, "least": "0", f"with {found.property}": found.value}
    return view_link(escape(found.value), state, f"{found.property}: {found.value}")
