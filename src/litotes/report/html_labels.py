"""The part of the HTML report for a suite whose items have labels: models, categories, and what is taken for what."""

from __future__ import annotations

import math

from litotes.evaluation.result import CategoryMetrics, Interval, RunResult
from litotes.report.category_svg import category_figure
from litotes.report.figure_svg import in_panels
from litotes.report.html_tables import MANY_ROWS, NO_INTERVAL, accuracy_cell, number_cells, over, share_cell, table
from litotes.report.html_words import (
    NOTHING,
    correlation,
    correlation_interval,
    counted,
    display_name,
    escape,
    percent,
    view_link,
)
from litotes.report.label_figures import (
    ALL_ITEMS,
    all_items,
    alone_largest,
    by_category,
    categories_of,
    figures_of,
    largest_label,
)
from litotes.report.suite_runs import SuiteRuns

_COLUMNS_OF_MODEL = ("Accuracy", "MCC")


def label_models_table(suite: SuiteRuns) -> str:
    """A row a model, best first, and among them guessing and always the same answer."""
    label, share = largest_label(figures_of(suite.runs[0]).labels)
    options = suite.info.options
    rows = [
        (run.metrics.accuracy, _model_row(name, run, suite)) for name, run in zip(suite.names, suite.runs, strict=True)
    ]
    even, one_label = [1 / len(options)] * len(options), [float(option == label) for option in options]
    rows += [
        (share, _thoughtless_row(f"always {display_name(label)}", share, math.nan, one_label, suite)),
        (suite.chance, _thoughtless_row("guessing", suite.chance, suite.chance, even, suite)),
    ]
    # Sorting keeps the order of equals: a model that is no better than a constant stands above it.
    rows.sort(key=lambda row: -row[0] if math.isfinite(row[0]) else math.inf)
    caption = f"Models on {escape(suite.label)}, best first"
    drawn = [row for _, row in rows]
    return table(caption, _models_head(suite), drawn, classes="models sortable", tall=len(drawn) > MANY_ROWS)


def _models_head(suite: SuiteRuns) -> str:
    mcc = 3 if suite.grouped else 2
    by_group = (
        f'<th scope="col" rowspan="2" data-column="2">Mean over {escape(suite.info.group_word)}s '
        '<span class="unit">95 % interval</span></th>'
        if suite.grouped
        else ""
    )
    chosen = "".join(
        f'<th scope="col" class="number" data-column="{mcc + 1 + place}">{escape(display_name(option))}</th>'
        for place, option in enumerate(suite.info.options)
    )
    return (
        '<tr><th scope="col" rowspan="2" class="name" data-column="0">Model</th>'
        '<th scope="col" rowspan="2" data-column="1">Accuracy <span class="unit">95 % interval</span></th>'
        f'{by_group}<th scope="col" rowspan="2" class="number" data-column="{mcc}">MCC '
        '<span class="unit">95 % interval</span></th>'
        f"{over(len(suite.info.options), 'How often chosen')}"
        f'<th scope="col" rowspan="2" class="number" data-column="{mcc + 1 + len(suite.info.options)}">Ties</th></tr>'
        f"<tr>{chosen}</tr>"
    )


def _model_row(name: str, run: RunResult, suite: SuiteRuns) -> str:
    metrics, figures = run.metrics, figures_of(run)
    shares = [run.choices.get(option, 0) / metrics.items if metrics.items else math.nan for option in run.suite.options]
    by_group = accuracy_cell(metrics.group_accuracy, metrics.group_accuracy_ci, metrics.chance)
    return (
        f'<tr><th scope="row" class="name">{escape(name)}</th>'
        f"{accuracy_cell(metrics.accuracy, metrics.accuracy_ci, metrics.chance)}{by_group if suite.grouped else ''}"
        f"{_mcc_cell(figures.mcc, figures.mcc_ci)}{number_cells(map(percent, shares))}"
        f"{number_cells([f'{metrics.ties:,}'])}</tr>"
    )


def _thoughtless_row(name: str, accuracy: float, by_group: float, chosen: list[float], suite: SuiteRuns) -> str:
    """What is got without reading."""
    return (
        f'<tr class="guessing"><th scope="row" class="name">{escape(name)}</th>'
        f"{accuracy_cell(accuracy, NO_INTERVAL, suite.chance)}"
        f"{accuracy_cell(by_group, NO_INTERVAL, suite.chance) if suite.grouped else ''}{_mcc_cell(0.0, NO_INTERVAL)}"
        f"{number_cells(map(percent, chosen))}{number_cells([NOTHING])}</tr>"
    )


def _mcc_cell(mcc: float, ends: Interval) -> str:
    within = correlation_interval(ends)
    below = "" if within == NOTHING else f'<span class="interval below">{within}</span>'
    return f'<td class="number" data-sort="{mcc:.6f}">{correlation(mcc)}{below}</td>'


def label_details(number: int, suite: SuiteRuns) -> str:
    """The categories as a figure and a table, and of each model which label is taken for which."""
    return f"{_categories(number, suite)}{_confusions(suite)}"


def _categories(number: int, suite: SuiteRuns) -> str:
    if not categories_of(suite):
        return ""
    return (
        "<h3>How right in each category of negation?</h3>"
        "<p>An item may be in several categories, or in none. Each name in the table leads to its items below.</p>"
        f"{category_figure(suite, number)}{_category_table(suite)}"
    )


def _category_table(suite: SuiteRuns) -> str:
    word = escape(suite.info.group_word)
    width = len(_COLUMNS_OF_MODEL)
    names = "".join(over(width, escape(name)) for name in suite.names)
    # The models' columns come behind the name, the items, the groups and the largest label.
    columns = "".join(
        f'<th scope="col" data-column="{4 + width * place + offset}"{" class=number" if offset else ""}>{heading}</th>'
        for place in range(len(suite.names))
        for offset, heading in enumerate(_COLUMNS_OF_MODEL)
    )
    head = (
        '<tr><th scope="col" rowspan="2" class="name" data-column="0">Category</th>'
        '<th scope="col" rowspan="2" class="number" data-column="1">Items</th>'
        f'<th scope="col" rowspan="2" class="number" data-column="2">{word.capitalize()}s</th>'
        f'<th scope="col" rowspan="2" class="number" data-column="3">Largest label</th>{names}</tr><tr>{columns}</tr>'
    )
    by_run = [by_category(suite, run) for run in suite.runs]
    rows = [_category_row(suite, name, [rows[name] for rows in by_run]) for name in by_run[0]]
    return table(f"Categories of {escape(suite.label)}", head, rows, classes="models categories sortable")


def _category_row(suite: SuiteRuns, name: str, found: list[CategoryMetrics]) -> str:
    label, share = largest_label(found[0].labels)
    which = escape(display_name(label)) if alone_largest(found[0].labels) else "shared"
    shown = escape(display_name(name))
    if name != ALL_ITEMS:
        shown = view_link(shown, {"suite": suite.label, "category": name})
    cells = "".join(
        f"{accuracy_cell(one.accuracy, one.accuracy_ci, suite.chance)}{_mcc_cell(one.mcc, one.mcc_ci)}" for one in found
    )
    return (
        f'<tr{" class=whole" if name == ALL_ITEMS else ""}><th scope="row" class="name">{shown}</th>'
        f'<td class="number">{found[0].items:,}</td>'
        f'<td class="number">{found[0].groups:,}</td><td class="number" data-sort="{share:.6f}">{percent(share)}'
        f'<span class="interval below">{which}</span></td>{cells}</tr>'
    )


def _confusions(suite: SuiteRuns) -> str:
    tables = [_confusion(name, run) for name, run in zip(suite.names, suite.runs, strict=True)]
    return (
        "<h3>Which label is taken for which?</h3>"
        "<p>A row holds the items that have a label, and says how many of them were given each label; the right ones "
        "are marked ✓. The stronger the shade, the larger the share of the row. Precision is the share of the items "
        "given a label that have it, recall the share of the items with a label that were given it, F1 the harmonic "
        "mean of the two.</p>"
        f"{in_panels(suite.names, tables)}"
    )


def _confusion(name: str, run: RunResult) -> str:
    figures, labels = figures_of(run), run.suite.options
    chosen = "".join(f'<th scope="col" class="number">{escape(display_name(label))}</th>' for label in labels)
    tied = '<th scope="col" rowspan="2" class="number">Tie</th>' if run.metrics.ties else ""
    head = (
        '<tr><th scope="col" rowspan="2">Label</th><th scope="col" rowspan="2" class="number">Items</th>'
        f"{over(len(labels), 'Taken as')}{tied}"
        + "".join(f'<th scope="col" rowspan="2" class="number">{word}</th>' for word in ("Precision", "Recall", "F1"))
        + f"</tr><tr>{chosen}</tr>"
    )
    rows = []
    for gold in labels:
        found, counts = figures.labels[gold], figures.confusion[gold]
        cells = "".join(
            share_cell(counts[label] / found.items if found.items else math.nan, _count(counts[label], gold == label))
            for label in labels
        )
        ties = number_cells([f"{found.items - sum(counts.values()):,}"]) if run.metrics.ties else ""
        shares = number_cells(map(percent, (found.precision, found.recall, found.f1)))
        rows.append(
            f'<tr><th scope="row">{escape(display_name(gold))}</th>{number_cells([f"{found.items:,}"])}'
            f"{cells}{ties}{shares}</tr>"
        )
    return table(f"Labels as {escape(name)} takes them", head, rows, classes="confusion")


def _count(number: int, right: bool) -> str:
    return f'<b class="right-word">✓ {number:,}</b>' if right else f"{number:,}"


def label_words(suite: SuiteRuns) -> str:
    """What accuracy and correlation say, above the table of models."""
    metrics = suite.runs[0].metrics
    label, share = largest_label(all_items(suite.runs[0]).labels)
    word = escape(suite.info.group_word)
    over_groups = (
        f"The mean over the {counted(metrics.groups, word)} counts each {word} once. " if suite.grouped else ""
    )
    return (
        f"<p>Accuracy is the share of the {counted(metrics.items, 'item')} that the model gives the right label. "
        f"{over_groups}The upright tick in each bar is guessing, {percent(suite.chance)}; the thin line is the "
        f"95\u00a0% interval. Always answering {escape(display_name(label))} gets {percent(share)}. MCC, Matthews’ "
        "correlation, counts what is gained beyond both: 1 is all right, 0 is no better than guessing or than always "
        "the same answer.</p>"
    )
