"""Inline SVG for the report: bars that need no script, no style attribute and no file beside the page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from litotes.evaluation.result import Interval, RunResult
from litotes.report.html_words import counted, display_name, escape, percent
from litotes.report.suite_runs import SuiteRuns

MANY_PANELS = 12
"""The panels of more models than these are folded away."""

_LEFT, _TOP, _LINE = 46, 22, 14
_SLOT, _BAR, _PLOT_HEIGHT = 68, 38, 128


def accuracy_bar(accuracy: float, interval: Interval, chance: float) -> str:
    """A small bar of an accuracy, with its interval and a tick where guessing would be."""
    if not math.isfinite(accuracy):
        return ""
    parts = ['<rect class="track" x="0" y="3" width="100" height="8"/>']
    parts.append(f'<rect class="fill" x="0" y="3" width="{_hundred(accuracy)}" height="8"/>')
    if all(math.isfinite(end) for end in interval):
        low, high = map(_hundred, interval)
        parts.append(f'<path class="whisker" d="M{low} 7H{high}M{low} 4.5V9.5M{high} 4.5V9.5"/>')
    if math.isfinite(chance):
        parts.append(f'<path class="tick" d="M{_hundred(chance)} 0V14"/>')
    return (
        '<svg class="bar" width="104" height="14" viewBox="-2 0 104 14" aria-hidden="true" focusable="false">'
        f"{''.join(parts)}</svg>"
    )


def _hundred(share: float) -> str:
    return f"{min(max(share, 0.0), 1.0) * 100:.4g}"


def choices_figure(suite: SuiteRuns, number: int) -> str:
    """How often each model chose each option: a panel a model, all on one scale."""
    ties = any(run.metrics.ties for run in suite.runs)
    highest = max(
        (count for run in suite.runs for count in (*run.choices.values(), run.metrics.ties if ties else 0)),
        default=0,
    )
    panels = [
        _panel(run, name, top=_round_up(highest), ties=ties, key=f"choices-{number}-{place}")
        for place, (name, run) in enumerate(zip(suite.names, suite.runs, strict=True))
    ]
    right = escape(display_name(suite.info.right))
    return (
        f'<figure class="choices">{in_panels(suite.names, panels)}'
        f"<figcaption>Times each option was chosen. The filled bar marked ✓ is the right option, {right}; "
        "the outlined bars are wrong. The dashed line shows how often each would be chosen by guessing."
        f"{' An item in which no option was alone the most similar is a tie.' if ties else ''}"
        "</figcaption></figure>"
    )


def in_panels(names: Sequence[str], drawn: Sequence[str]) -> str:
    """What is drawn of each model under its name, side by side; of many models the rest is folded away."""
    panels = [
        f'<li class="panel"><p class="panel-name">{escape(name)}</p>{one}</li>'
        for name, one in zip(names, drawn, strict=True)
    ]
    shown, folded = panels[:MANY_PANELS], panels[MANY_PANELS:]
    rest = (
        f"<details><summary>Show {counted(len(folded), 'more model')}</summary>"
        f'<ul class="panels">{"".join(folded)}</ul></details>'
        if folded
        else ""
    )
    return f'<ul class="panels">{"".join(shown)}</ul>{rest}'


def _panel(run: RunResult, name: str, *, top: int, ties: bool, key: str) -> str:
    options = run.suite.options
    bars = [(option, run.choices.get(option, 0)) for option in options]
    if ties:
        bars.append(("tie", run.metrics.ties))
    width = max(_LEFT + _SLOT * len(bars) + 12, 200)
    height = _TOP + _PLOT_HEIGHT + 8 + _LINE * max(len(_label_lines(label, "wrong")) for label, _ in bars)
    drawn = [_grid(top, width)]
    for place, (label, count) in enumerate(bars):
        kind = "tie" if place >= len(options) else "right" if label == run.suite.right else "wrong"
        drawn.append(_bar(_LEFT + _SLOT * place + _SLOT / 2, label, count, kind, top))
    if math.isfinite(run.metrics.chance):
        level = _y(run.metrics.items * run.metrics.chance, top)
        drawn.insert(1, f'<path class="guess" d="M{_LEFT} {level}H{_LEFT + _SLOT * len(options)}"/>')
    told = "; ".join(_in_words(label, count, run) for label, count in bars)
    told += f". The right option is {display_name(run.suite.right)}."
    return (
        f'<svg class="choices-panel" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" aria-labelledby="{key}-title {key}-desc">'
        f'<title id="{key}-title">Choices of {escape(name)}</title>'
        f'<desc id="{key}-desc">{escape(told)}</desc>'
        f"{''.join(drawn)}</svg>"
    )


def _in_words(label: str, count: int, run: RunResult) -> str:
    share = percent(count / run.metrics.items) if run.metrics.items else "no items"
    return f"{display_name(label)}: {counted(count, 'time')} ({share})"


def _grid(top: int, width: int) -> str:
    lines = []
    for value in (0, top // 2, top):
        level = _y(value, top)
        lines.append(
            f'<path class="grid" d="M{_LEFT} {level}H{width - 4}"/>'
            f'<text class="scale" x="{_LEFT - 6}" y="{level + 4}" text-anchor="end">{value:,}</text>'
        )
    return "".join(lines)


def _bar(middle: float, label: str, count: int, kind: str, top: int) -> str:
    level, floor = _y(count, top), _y(0, top)
    lines = _label_lines(label, kind)
    labels = "".join(
        f'<text class="option {kind}" x="{middle:g}" y="{floor + 15 + _LINE * place:g}" text-anchor="middle">'
        f"{escape(_shortened(line))}</text>"
        for place, line in enumerate(lines)
    )
    place = f'x="{middle - _BAR / 2:g}" y="{level:g}" width="{_BAR}" height="{floor - level:g}"'
    number = f'<text class="count" x="{middle:g}" y="{level - 5:g}" text-anchor="middle">{count:,}</text>'
    return f'<rect class="{kind}" {place}/>{number}{labels}'


def _label_lines(label: str, kind: str) -> list[str]:
    """What stands below a bar: the option, a word a line, and whether it is right.

    >>> _label_lines("original~quantifier_negated", "right")
    ['original ~', 'quantifier', 'negated', '✓ right']
    """
    names = [name.split("_") for name in label.split("~")]
    for words in names[:-1]:
        words[-1] += " ~"
    lines = [word for words in names for word in words]
    return lines + {"right": ["✓ right"], "wrong": ["wrong"], "tie": []}[kind]


def _shortened(label: str, length: int = 11) -> str:
    return label if len(label) <= length else f"{label[: length - 1]}…"


def _y(count: float, top: int) -> float:
    return round(_TOP + _PLOT_HEIGHT * (1 - count / top), 1)


def _round_up(count: int) -> int:
    """The next number that makes a plain scale.

    >>> _round_up(2910), _round_up(0), _round_up(240)
    (3000, 2, 240)
    """
    if count <= 2:
        return 2
    unit = 10 ** max(len(str(count)) - 1, 0)
    return next(int(unit * step) for step in (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10) if unit * step >= count)
