"""What the report says first: the finding on each suite, or, on many, a table of all."""

from __future__ import annotations

import math
from collections.abc import Sequence

from litotes.evaluation.result import RunResult
from litotes.report.html_placing import placed_in_a_sentence
from litotes.report.html_tables import accuracy_cell, table
from litotes.report.html_words import NOTHING, correlation, correlation_interval, counted, display_name, escape, percent
from litotes.report.kind_words import kind_words
from litotes.report.label_figures import figures_of, largest_label
from litotes.report.suite_runs import SuiteRuns

_TOLD_ONE_BY_ONE = 2
"""The findings on more suites than these are a table."""

_COLUMNS = 6
"""The table of suites has no more columns of models than these."""


def findings(suites: Sequence[SuiteRuns]) -> str:
    """The main findings: a sentence a suite, or a sentence a model above a table of all suites."""
    if not suites:
        return "<p>There are no runs to show.</p>"
    if len(suites) <= _TOLD_ONE_BY_ONE:
        return "".join(f"<p>{_on_suite(suite)}</p>" for suite in suites)
    models = list(dict.fromkeys(name for suite in suites for name in suite.names))
    told = "".join(f"<p>{_of_model(name, suites)}</p>" for name in models[:4])
    # A column a model is too wide for many; they stand in the leaderboard, a row each.
    return f"{told}{_overview(suites, models)}" if len(models) <= _COLUMNS else told


def _on_suite(suite: SuiteRuns) -> str:
    """The main finding on a suite in one sentence."""
    best, worst = suite.runs[0].metrics, suite.runs[-1].metrics
    picks = f"picks {kind_words(suite.info).right_answer} in <b>{percent(best.accuracy)}</b>"
    of_items = f"of {counted(best.items, 'item')}"
    guessing = f"guessing gives {percent(suite.chance)}{_constant(suite)}.{placed_in_a_sentence(suite)}"
    name = f"<b>{escape(suite.names[0])}</b>"
    if len(suite.runs) == 1:
        return f"{name} {picks} {of_items}; {guessing}"
    return (
        f"{name}, the best of {counted(len(suite.runs), 'model')}, {picks} {of_items}; the weakest, "
        f"<b>{escape(suite.names[-1])}</b>, in <b>{percent(worst.accuracy)}</b>; {guessing}"
    )


def _constant(suite: SuiteRuns) -> str:
    """What always the same answer gets, where items have labels, and how to take the best model's figure."""
    if not suite.labelled:
        return ""
    figures = figures_of(suite.runs[0])
    label, share = largest_label(figures.labels)
    whose = "Its" if len(suite.runs) == 1 else "The best model’s"
    return (
        f", always answering {escape(display_name(label))} {percent(share)}. {whose} correlation with the right labels "
        f"(MCC) is <b>{correlation(figures.mcc)}</b>, {correlation_interval(figures.mcc_ci)} with 95\u00a0% confidence"
    )


def _of_model(name: str, suites: Sequence[SuiteRuns]) -> str:
    """How often a model is clearly above guessing, and how often clearly below, by the intervals."""
    runs = [(suite, run) for suite in suites if (run := _run(suite, name)) is not None]
    above = [suite.label for suite, run in runs if run.metrics.accuracy_ci[0] > run.metrics.chance]
    below = [suite.label for suite, run in runs if run.metrics.accuracy_ci[1] < run.metrics.chance]
    return (
        f"<b>{escape(name)}</b> is better than guessing on <b>{len(above)} of {counted(len(runs), 'suite')}</b>, "
        f"worse on <b>{len(below)}</b>."
    )


def _run(suite: SuiteRuns, name: str) -> RunResult | None:
    return dict(zip(suite.names, suite.runs, strict=True)).get(name)


def _overview(suites: Sequence[SuiteRuns], models: Sequence[str]) -> str:
    columns = "".join(
        f'<th scope="col" data-column="{1 + place}">{escape(name)}</th>' for place, name in enumerate(models)
    )
    head = (
        f'<tr><th scope="col" class="name" data-column="0">Suite</th>{columns}'
        f'<th scope="col" class="number" data-column="{1 + len(models)}">Guessing</th>'
        f'<th scope="col" class="number" data-column="{2 + len(models)}">Items</th></tr>'
    )
    rows = [_row(number, suite, models) for number, suite in enumerate(suites)]
    return table("Accuracy of each model on each suite", head, rows, classes="overview sortable")


def _row(number: int, suite: SuiteRuns, models: Sequence[str]) -> str:
    cells = []
    for name in models:
        run = _run(suite, name)
        if run is None or not math.isfinite(run.metrics.accuracy):
            cells.append(f'<td class="accuracy">{NOTHING}</td>')
        else:
            cells.append(accuracy_cell(run.metrics.accuracy, run.metrics.accuracy_ci, run.metrics.chance))
    return (
        f'<tr><th scope="row" class="name"><a href="#suite-{number}">{escape(suite.label)}</a></th>{"".join(cells)}'
        f'<td class="number">{percent(suite.chance)}</td><td class="number">{suite.runs[0].metrics.items:,}</td></tr>'
    )
