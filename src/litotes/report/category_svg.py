"""The figure of accuracies by category: a panel a model, a dot a category, beside what is got without reading."""

from __future__ import annotations

import math

from litotes.evaluation.result import CategoryMetrics
from litotes.report.figure_svg import in_panels
from litotes.report.html_words import display_name, escape, percent, percent_interval
from litotes.report.label_figures import ALL_ITEMS, by_category, largest_label
from litotes.report.suite_runs import SuiteRuns

_NAME, _PLOT, _FIGURE, _ROW, _TOP = 92, 190, 62, 23, 8
_WIDTH = _NAME + _PLOT + _FIGURE
_MOST_LETTERS = 14


def category_figure(suite: SuiteRuns, number: int) -> str:
    """How often each model is right in each category, all on one scale."""
    panels = [
        _panel(name, by_category(suite, run), suite.chance, key=f"categories-{number}-{place}")
        for place, (name, run) in enumerate(zip(suite.names, suite.runs, strict=True))
    ]
    caption = (
        "The dot is the share of items that the model gets right, the line through it the 95\u00a0% interval. The "
        "dashed line is guessing; the short upright mark is the share of the category’s largest label, which a model "
        "gets that always answers the same."
    )
    return f'<figure class="choices">{in_panels(suite.names, panels)}<figcaption>{caption}</figcaption></figure>'


def _panel(name: str, rows: dict[str, CategoryMetrics], chance: float, *, key: str) -> str:
    bottom = _TOP + _ROW * len(rows)
    height = bottom + 20
    drawn = [_scale(bottom)]
    if math.isfinite(chance):
        drawn.append(f'<path class="guess" d="M{_x(chance)} {_TOP}V{bottom}"/>')
    drawn += [_row(category, one, _TOP + _ROW * place) for place, (category, one) in enumerate(rows.items())]
    told = "; ".join(_in_words(category, one) for category, one in rows.items())
    return (
        f'<svg class="category-panel" role="img" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" aria-labelledby="{key}-title {key}-desc">'
        f'<title id="{key}-title">Accuracy of {escape(name)} by category</title>'
        f'<desc id="{key}-desc">{escape(told)}. Guessing gives {percent(chance)}.</desc>{"".join(drawn)}</svg>'
    )


def _in_words(category: str, one: CategoryMetrics) -> str:
    label, share = largest_label(one.labels)
    return (
        f"{display_name(category)}: {percent(one.accuracy)} right ({percent_interval(one.accuracy_ci)}), "
        f"always {label} {percent(share)}"
    )


def _scale(bottom: int) -> str:
    return "".join(
        f'<path class="grid" d="M{_x(share)} {_TOP}V{bottom}"/>'
        f'<text class="scale" x="{_x(share)}" y="{bottom + 15}" text-anchor="middle">{100 * share:.0f}</text>'
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    )


def _row(category: str, one: CategoryMetrics, top: int) -> str:
    middle = top + _ROW / 2
    name = display_name(category)
    shown = name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1]}…"
    whole = ' class="whole"' if category == ALL_ITEMS else ""
    rule = f'<path class="grid" d="M0 {top}H{_WIDTH}"/>' if whole else ""
    largest = _x(largest_label(one.labels)[1])
    parts = [f'<path class="largest" d="M{largest} {middle - 7:g}V{middle + 7:g}"/>']
    if all(math.isfinite(end) for end in one.accuracy_ci):
        low, high = map(_x, one.accuracy_ci)
        parts.append(f'<path class="whisker" d="M{low} {middle:g}H{high}"/>')
    if math.isfinite(one.accuracy):
        parts.append(f'<circle class="dot" cx="{_x(one.accuracy)}" cy="{middle:g}" r="4.5"/>')
    return (
        f'{rule}<g{whole}><text class="category" x="{_NAME - 10}" y="{middle + 4:g}" text-anchor="end">{escape(shown)}'
        f'</text>{"".join(parts)}<text class="category" x="{_WIDTH}" y="{middle + 4:g}" text-anchor="end">'
        f"{percent(one.accuracy)}</text></g>"
    )


def _x(share: float) -> str:
    return f"{_NAME + _PLOT * min(max(share, 0.0), 1.0):.1f}"
