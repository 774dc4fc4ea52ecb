"""The report's tables: models, comparisons of models, groups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from litotes.evaluation.comparison import Comparison
from litotes.evaluation.result import Interval, RunResult
from litotes.report.figure_svg import MANY_PANELS, accuracy_bar
from litotes.report.html_words import (
    NOTHING,
    counted,
    display_name,
    escape,
    p_value,
    percent,
    percent_interval,
    points,
    points_interval,
    similarity,
    similarity_interval,
    view_link,
)
from litotes.report.suite_runs import Layout, SuiteRuns

MANY_COMPARISONS = 45
"""More than these (ten models) are folded away: the table of models says most of it."""

MOST_COMPARISONS = 1000
"""More than these are not listed: any two models can be put side by side."""

MANY_ROWS = 25
"""A longer table of models scrolls in its box."""

RIGHT_MARK = ' <span class="right-word">✓ right</span>'

_COMPARISON_COLUMNS = ("Difference", "95\u00a0% interval", "p, corrected")
NO_INTERVAL = (math.nan, math.nan)


def models_table(suite: SuiteRuns) -> str:
    """A row a model and one for guessing, best first."""
    layout = suite.layout()
    rows = [
        (run.metrics.accuracy, _model_row(name, run, suite, layout))
        for name, run in zip(suite.names, suite.runs, strict=True)
    ]
    # Guessing stands in its place among the models, so that one sees at once who is below it.
    place = sum(accuracy >= suite.chance for accuracy, _ in rows) if math.isfinite(suite.chance) else len(rows)
    body = [row for _, row in rows]
    body.insert(place, _guessing_row(suite, layout))
    caption = f"Models on {escape(suite.label)}, best first"
    return table(caption, _models_head(suite, layout), body, classes="models sortable", tall=len(body) > MANY_ROWS)


def _models_head(suite: SuiteRuns, layout: Layout) -> str:
    options, before = suite.info.options, 3 if suite.grouped else 2
    chosen = "".join(
        f'<th scope="col" class="number" data-column="{before + place}">'
        f"{escape(display_name(option))}{RIGHT_MARK if option == suite.info.right else ''}</th>"
        for place, option in enumerate(options)
    )
    alike = "".join(
        f'<th scope="col" class="number" data-column="{before + 1 + len(options) + place}">{escape(name)}</th>'
        for place, name in enumerate(_pair_names(layout))
    )
    compared_to = "" if layout.anchor is None else f" to {display_name(suite.info.roles[layout.anchor])}"
    by_group = (
        f'<th scope="col" rowspan="2" data-column="2">Mean over {escape(suite.info.group_word)}s '
        '<span class="unit">95 % interval</span></th>'
        if suite.grouped
        else ""
    )
    return (
        '<tr><th scope="col" rowspan="2" class="name" data-column="0">Model</th>'
        '<th scope="col" rowspan="2" data-column="1">Accuracy <span class="unit">95 % interval</span></th>'
        f'{by_group}<th scope="colgroup" colspan="{len(options)}" class="over">How often chosen</th>'
        f'<th scope="col" rowspan="2" class="number" data-column="{before + len(options)}">Ties</th>'
        f"{over(len(layout.pairs), f'Mean similarity{escape(compared_to)}')}</tr>"
        f"<tr>{chosen}{alike}</tr>"
    )


def _pair_names(layout: Layout) -> list[str]:
    """The pairs for people; where all have one role in common, the other role is enough."""
    return [display_name(pair.split("~")[-1] if layout.anchor is not None else pair) for pair in layout.pairs]


def over(columns: int, text: str) -> str:
    """A heading over several columns; nothing over none."""
    return f'<th scope="colgroup" colspan="{columns}" class="over">{text}</th>' if columns else ""


def _model_row(name: str, run: RunResult, suite: SuiteRuns, layout: Layout) -> str:
    metrics = run.metrics
    shares = [run.choices.get(option, 0) / metrics.items if metrics.items else math.nan for option in run.suite.options]
    by_group = accuracy_cell(metrics.group_accuracy, metrics.group_accuracy_ci, metrics.chance)
    return (
        f'<tr><th scope="row" class="name">{escape(name)}</th>'
        f"{accuracy_cell(metrics.accuracy, metrics.accuracy_ci, metrics.chance)}{by_group if suite.grouped else ''}"
        f"{number_cells(map(percent, shares))}{number_cells([f'{metrics.ties:,}'])}"
        f"{number_cells(similarity(metrics.similarities.get(pair, math.nan)) for pair in layout.pairs)}</tr>"
    )


def _guessing_row(suite: SuiteRuns, layout: Layout) -> str:
    options = suite.info.options
    return (
        '<tr class="guessing"><th scope="row" class="name">guessing</th>'
        f"{accuracy_cell(suite.chance, NO_INTERVAL, suite.chance) * (2 if suite.grouped else 1)}"
        f"{number_cells([percent(1 / len(options))] * len(options))}"
        f"{number_cells([NOTHING] * (1 + len(layout.pairs)))}</tr>"
    )


def readings_table(suite: SuiteRuns) -> str:
    """The accuracy of each model by every other reading."""
    columns = "".join(
        f'<th scope="col" data-column="{1 + place}">{escape(display_name(name))}</th>'
        for place, name in enumerate(suite.readings)
    )
    head = f'<tr><th scope="col" class="name" data-column="0">Model</th>{columns}</tr>'
    rows = []
    for name, run in zip(suite.names, suite.runs, strict=True):
        found = [run.metrics.also.get(reading) for reading in suite.readings]
        cells = [
            accuracy_cell(one.accuracy, one.accuracy_ci, one.chance) if one else f"<td>{NOTHING}</td>" for one in found
        ]
        rows.append(f'<tr><th scope="row" class="name">{escape(name)}</th>{"".join(cells)}</tr>')
    return table(f"Other readings of {escape(suite.label)}", head, rows, classes="readings sortable")


def normalised_table(suite: SuiteRuns) -> str:
    """The similarities above the baseline with their intervals, and the baseline."""
    layout = suite.layout()
    names = [display_name(pair.split("~")[-1] if layout.anchor is not None else pair) for pair in suite.normalised]
    columns = "".join(
        f'<th scope="col" class="number" data-column="{1 + place}">{escape(name)}</th>'
        for place, name in enumerate([*names, "baseline"])
    )
    head = f'<tr><th scope="col" class="name" data-column="0">Model</th>{columns}</tr>'
    rows = []
    for name, run in zip(suite.names, suite.runs, strict=True):
        metrics = run.metrics
        figures = [
            (metrics.normalised.get(pair, math.nan), metrics.normalised_ci.get(pair, NO_INTERVAL))
            for pair in suite.normalised
        ]
        cells = "".join(
            f'<td class="number">{similarity(mean)}<span class="interval below">{similarity_interval(ends)}</span></td>'
            for mean, ends in figures
        )
        baseline = similarity(math.nan if metrics.baseline is None else metrics.baseline)
        rows.append(
            f'<tr><th scope="row" class="name">{escape(name)}</th>{cells}<td class="number">{baseline}</td></tr>'
        )
    return table(f"Similarity above the baseline on {escape(suite.label)}", head, rows, classes="models sortable")


def accuracy_cell(share: float, interval: Interval, chance: float, *, letters: str = "") -> str:
    """A table cell with a bar, the share, its interval and the letters that it shares with others."""
    within = percent_interval(interval)
    between = "" if within == NOTHING else f' <span class="interval">{within}</span>'
    shared = f' <span class="letters">{letters}</span>' if letters else ""
    sort = f"{share:.6f}" if math.isfinite(share) else ""
    return (
        f'<td class="accuracy" data-sort="{sort}">{accuracy_bar(share, interval, chance)}'
        f'<span class="figure"><b>{percent(share)}</b>{between}{shared}</span></td>'
    )


def number_cells(texts: Iterable[str]) -> str:
    """Table cells with numbers."""
    return "".join(f'<td class="number">{text}</td>' for text in texts)


def comparisons_table(suite: SuiteRuns) -> str:
    """Which models differ, in words and figures; nothing for a single model."""
    if len(suite.runs) < 2:
        return ""
    if not suite.comparisons:
        return "<h3>Do the models differ?</h3><p>The models were not compared with each other.</p>"
    rank = {run.model: place for place, run in reversed(list(enumerate(suite.runs)))}
    turned = sorted(map(_better_first, suite.comparisons), key=lambda one: (rank[one.a], rank[one.b]))
    differing = sum(one.differ for one in turned)
    lead = (
        f"<p>Of {counted(len(turned), 'pair')} of models, {differing:,} "
        f"{'differs' if differing == 1 else 'differ'} by more than chance would explain (corrected p below "
        "0.05). Differences are in percentage points of accuracy, measured on the same items.</p>"
    )
    if len(turned) > MOST_COMPARISONS:
        return (
            f'<h3>Do the models differ?</h3>{lead}<p>In the <a href="#leaderboard">leaderboard</a> models that do not '
            'differ share a letter; <a href="#compare">choose any two</a> to see how they compare.</p>'
        )
    columns = "".join(f'<th scope="col" class="number">{name}</th>' for name in _COMPARISON_COLUMNS)
    head = f'<tr><th scope="col">What was found</th>{columns}</tr>'
    drawn = table("Comparisons of two models", head, map(_comparison_row, turned), classes="comparisons")
    if len(turned) > MANY_COMPARISONS:
        drawn = f"<details><summary>Show all {counted(len(turned), 'comparison')}</summary>{drawn}</details>"
    return f"<h3>Do the models differ?</h3>{lead}{drawn}"


def _better_first(one: Comparison) -> Comparison:
    if not one.difference < 0:
        return one
    low, high = one.ci
    return Comparison(one.suite, one.b, one.a, -one.difference, (-high, -low), one.p, one.p_adjusted)


def _comparison_row(one: Comparison) -> str:
    a, b = f"<b>{escape(one.a)}</b>", f"<b>{escape(one.b)}</b>"
    words = f"{a} is better than {b}" if one.differ else f"no difference shown between {a} and {b}"
    numbers = (points(one.difference), points_interval(one.ci), escape(p_value(one.p_adjusted)))
    return f'<tr><th scope="row" class="words">{words}</th>{number_cells(numbers)}</tr>'


def groups_table(suite: SuiteRuns) -> str:
    """A row a group: how many items, and the share that each model, or each of the best, got right."""
    shown = [[item.credit for item in run.items] for run in suite.runs[:MANY_PANELS]]
    members: dict[str, list[int]] = {}
    for place, item in enumerate(suite.items):
        members.setdefault(item.group, []).append(place)
    ordered = sorted(members.items(), key=lambda member: (-len(member[1]), member[0]))
    rows = [_group_row(suite, shown, group, places) for group, places in ordered]
    names = "".join(
        f'<th scope="col" class="number" data-column="{2 + place}">{escape(name)}</th>'
        for place, name in enumerate(suite.names[:MANY_PANELS])
    )
    word = escape(suite.info.group_word)
    head = (
        f'<tr><th scope="col" rowspan="2" class="name" data-column="0">{word.capitalize()}</th>'
        '<th scope="col" rowspan="2" class="number" data-column="1">Items</th>'
        f"{over(len(shown), 'Right, % of the items')}</tr><tr>{names}</tr>"
    )
    return table(f"Results by {word}", head, rows, classes="groups sortable", tall=True)


def _group_row(suite: SuiteRuns, shown: Sequence[Sequence[float]], group: str, places: Sequence[int]) -> str:
    cells = [share_cell(sum(credit[place] for place in places) / len(places)) for credit in shown]
    link = view_link(escape(group), {"suite": suite.label, "group": group})
    return f'<tr><th scope="row" class="name">{link}</th><td class="number">{len(places):,}</td>{"".join(cells)}</tr>'


def share_cell(share: float, shown: str | None = None) -> str:
    """A table cell that is the darker the larger the share; it shows the share in per cent, or what is given."""
    if not math.isfinite(share):
        return f'<td class="number">{NOTHING}</td>'
    shade = min(int(max(share, 0.0) * 5), 4)
    return f'<td class="number q{shade}">{f"{share * 100:.1f}" if shown is None else shown}</td>'


def table(caption: str, head: str, rows: Iterable[str], *, classes: str, tall: bool = False) -> str:
    """A table in a box that scrolls."""
    # A box that scrolls must take the focus, or the keyboard cannot scroll it.
    return (
        f'<div class="scroll{" tall" if tall else ""}" role="region" aria-label="{caption}" tabindex="0">'
        f'<table class="{classes}"><caption>{caption}</caption>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )
