"""The figures of an audit: how similarities are spread, and what thresholds let through.

The drawings are stretched to the width of the page, so that nothing is to be read inside them: names, numbers and
axes are text beside them, which stays of one size on a telephone too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from litotes.audit.result import Audit, Distribution, ThresholdPoint
from litotes.audit.summary import RELATION_WORDS, RULE_WORDS
from litotes.report.html_words import counted, escape, percent, similarity

_WIDTH = 1000
_MIRROR, _ROW, _CURVE, _EDGE = 220, 40, 300, 4
_UNSEEN = 0.005
"""So small a share of a distribution may lie left of what is drawn; the caption tells how many."""

OPPOSITE, SAME, NOISE = "opposite", "same", "noise"


@dataclass(frozen=True)
class Span:
    """The similarities from end to end of the drawings, and the ticks below them."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def x(self, value: float) -> float:
        """How far to the right a similarity stands."""
        share = (value - self.low) / (self.high - self.low)
        return round(min(max(share, 0.0), 1.0) * _WIDTH, 1)


def span_of(audit: Audit) -> Span:
    """What all drawings of an audit show, so that they can be compared: to 1, from where the similarities begin."""
    # Slips of the keyboard are spread wide and are not what the figures are about.
    lows = [_begin(one, audit.bins) for one in audit.distributions if one.count and one.relation != NOISE]
    low = min(lows, default=0.0)
    step = 0.1 if low >= 0.4 else 0.2 if low >= -0.2 else 0.4
    steps = max(math.ceil(round((1.0 - low) / step, 6)), 2)
    return Span(round(1.0 - steps * step, 4), 1.0, tuple(round(1.0 - n * step, 4) for n in range(steps, -1, -1)))


def _begin(one: Distribution, bins: Sequence[float]) -> float:
    total = sum(one.histogram)
    below = 0
    for edge, count in zip(bins, one.histogram, strict=False):
        below += count
        if below > total * _UNSEEN:
            return edge
    return bins[0]


def mirror_figure(audit: Audit, span: Span) -> str:
    """Paraphrases above the line, opposites below it: a model that sees has them apart."""
    above, below = (_together(audit, relation) for relation in (SAME, OPPOSITE))
    high, deep = (max(_shares(counts), default=0.0) for counts in (above, below))
    unit = (_MIRROR - 2 * _EDGE) / ((high + deep) or 1.0)
    floor = round(_EDGE + high * unit, 1)  # the line stands where both sides have room on one scale
    drawn = (
        f'<path class="same" d="{_steps(above, audit.bins, span, floor, unit)}"/>'
        f'<path class="opposite" d="{_steps(below, audit.bins, span, floor, -unit)}"/>'
        f'<path class="floor" d="M0 {floor}H{_WIDTH}"/>'
    )
    left = sum(_left_of(one, audit.bins, span) for one in audit.distributions if one.relation in (SAME, OPPOSITE))
    unseen = f" Further left, not drawn: {counted(left, 'pair')}." if left else ""
    told = "; ".join(
        f"{RELATION_WORDS[relation]}s: {counted(sum(counts), 'pair')}"
        for relation, counts in ((SAME, above), (OPPOSITE, below))
    )
    return (
        '<figure class="spread"><p class="side"><b class="same-word">▲ paraphrases</b>, filled</p>'
        f"{_svg('mirror', _MIRROR, drawn, 'Similarities of paraphrases and of opposites', told)}"
        '<p class="side"><b class="opposite-word">▼ opposites</b>, outlined</p>'
        f"{_axis(span)}"
        "<figcaption>How often the model gives a sentence and its variant which similarity; each side is 100\u00a0% of "
        f"its pairs. In a model that sees, the opposites are left of the paraphrases.{unseen}</figcaption></figure>"
    )


def rule_rows(audit: Audit, span: Span) -> str:
    """A small drawing for each rewrite, all on one scale, with the mean and the middle half in figures."""
    rows = "".join(_rule_row(one, audit.bins, span) for one in audit.distributions if one.count)
    return f'<ul class="rule-rows">{rows}</ul><div class="rule-rows"><div class="rule-axis">{_axis(span)}</div></div>'


def _rule_row(one: Distribution, bins: Sequence[float], span: Span) -> str:
    unit = (_ROW - 1 - _EDGE) / (max(_shares(one.histogram), default=0.0) or 1.0)
    left = _left_of(one, bins, span)
    unseen = f" · {left:,} further left" if left else ""
    median = span.x(one.quantiles[2])
    drawn = (
        f'<path class="{one.relation}" d="{_steps(one.histogram, bins, span, _ROW - 1, unit)}"/>'
        f'<path class="floor" d="M0 {_ROW - 1}H{_WIDTH}"/><path class="median" d="M{median} 0V{_ROW}"/>'
    )
    name = escape(RULE_WORDS.get(one.rule, one.rule))
    told = (
        f"mean {similarity(one.mean)}; half between {similarity(one.quantiles[1])} and {similarity(one.quantiles[3])}"
    )
    return (
        f'<li><p class="rule-name"><b class="{one.relation}-word">{RELATION_WORDS[one.relation]}</b> {name}</p>'
        f"{_svg('row', _ROW, drawn, f'Similarities: {name}', told)}"
        f'<p class="rule-figures">{counted(one.count, "pair")} · mean {similarity(one.mean)} · middle half '
        f"{similarity(one.quantiles[1])}–{similarity(one.quantiles[3])}{unseen}</p></li>"
    )


def points_in(audit: Audit, span: Span) -> list[ThresholdPoint]:
    """The thresholds that the curve shows."""
    return [one for one in audit.thresholds if span.low <= one.threshold <= span.high] or list(audit.thresholds)


def curve_figure(audit: Audit, span: Span) -> str:
    """What passes and what is lost over all thresholds; a script lets people move along it."""
    points = points_in(audit, span)
    drawn = "".join(f'<path class="grid" d="M0 {_y(share)}H{_WIDTH}"/>' for share in (0.0, 0.5, 1.0))
    drawn += _line("opposite", ((one.threshold, one.opposites_pass) for one in points), span)
    drawn += _line("same", ((one.threshold, one.paraphrases_lost) for one in points), span)
    advised = audit.advice.point
    if audit.advice.holds and advised is not None:
        drawn += f'<path class="advised" d="M{span.x(advised.threshold)} 0V{_CURVE}"/>'
    drawn += f'<path id="here" class="here" d="M0 0V{_CURVE}" visibility="hidden"/>'
    return (
        '<figure class="curve"><p class="legend"><span class="key opposite-key">opposites that pass</span> '
        '<span class="key same-key">paraphrases that are lost</span></p>'
        '<div class="curve-box"><div class="shares" aria-hidden="true"><span>100\u00a0%</span><span>50\u00a0%</span>'
        "<span>0\u00a0%</span></div>"
        f"{_svg('plot', _CURVE, drawn, 'Thresholds', 'The table below has the figures.')}"
        f'{_axis(span)}<div class="slider" hidden><label for="threshold">Threshold</label>'
        '<input id="threshold" type="range" min="0" value="0" step="1"></div></div>'
        '<p id="at-threshold" class="at-threshold" role="status" aria-live="polite" hidden></p></figure>'
    )


def _line(kind: str, points: Iterable[tuple[float, float]], span: Span) -> str:
    path = "L".join(f"{span.x(threshold)} {_y(share)}" for threshold, share in points)
    return f'<path class="line-of {kind}" d="M{path}"/>' if path else ""


def _y(share: float) -> float:
    return round((1 - share) * _CURVE, 1)


def _together(audit: Audit, relation: str) -> list[int]:
    rows = [one.histogram for one in audit.distributions if one.relation == relation]
    return [sum(column) for column in zip(*rows, strict=True)] if rows else []


def _left_of(one: Distribution, bins: Sequence[float], span: Span) -> int:
    """How many pairs lie left of what is drawn."""
    return sum(count for edge, count in zip(bins, one.histogram, strict=False) if edge < span.low - 1e-9)


def _shares(counts: Sequence[int]) -> list[float]:
    total = sum(counts)
    return [count / total for count in counts] if total else []


def _steps(counts: Sequence[int], bins: Sequence[float], span: Span, floor: float, unit: float) -> str:
    """The outline of a histogram as one path; a share of 1 would be `unit` high, or deep if that is below 0."""
    path: list[str] = []
    for edge, end, share in zip(bins, bins[1:], _shares(counts), strict=False):
        if edge < span.low - 1e-9:
            continue
        level = round(floor - share * unit, 1)
        path.append(f"{'L' if path else f'M{span.x(edge)} {floor}L'}{span.x(edge)} {level}L{span.x(end)} {level}")
    return "".join([*path, f"L{_WIDTH} {floor}Z"]) if path else f"M0 {floor}H{_WIDTH}"


def _axis(span: Span) -> str:
    return f'<div class="axis" aria-hidden="true">{"".join(f"<span>{tick:.1f}</span>" for tick in span.ticks)}</div>'


def _svg(kind: str, height: int, drawn: str, title: str, told: str) -> str:
    return (
        f'<svg class="{kind}" role="img" viewBox="0 0 {_WIDTH} {height}" preserveAspectRatio="none" '
        f'aria-label="{escape(title)}. {escape(told)}">{drawn}</svg>'
    )


def threshold_row(one: ThresholdPoint) -> str:
    """A row of the table of thresholds."""
    shares = (one.opposites_pass, one.different_pass, one.paraphrases_lost, one.typos_lost)
    cells = "".join(f'<td class="number">{percent(math.nan if share is None else share)}</td>' for share in shares)
    return f'<tr><th scope="row" class="number">{one.threshold:.2f}</th>{cells}</tr>'
