"""The figures of an audit: the distribution of similarities and the effect of thresholds.

The drawings are stretched to the width of the page, so they contain no text: names, numbers and axes are HTML next to
them, which keeps its size on a phone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from litotes.audit.result import Audit, SimilarityDistribution, ThresholdPoint

WIDTH = 1000
MIRROR_HEIGHT, ROW_HEIGHT, CURVE_HEIGHT = 220, 40, 300
_MARGIN = 4
_MAX_HIDDEN = 0.005
"""The share of a distribution that may lie left of the drawing; the caption gives the number."""

OPPOSITE, SAME, NOISE = "opposite", "same", "noise"


@dataclass(frozen=True)
class SimilarityAxis:
    """The range of similarities that all drawings of an audit share, and its ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def x(self, value: float) -> float:
        """Return the horizontal position of a similarity."""
        share = (value - self.low) / (self.high - self.low)
        return round(min(max(share, 0.0), 1.0) * WIDTH, 1)


@dataclass(frozen=True)
class MirrorFigure:
    """The similarities of paraphrases above a line and of opposites below it, as outlines of histograms."""

    same: str
    opposite: str
    floor: float
    counts: tuple[tuple[str, int], ...]
    n_hidden: int


@dataclass(frozen=True)
class RuleRow:
    """The similarities of one rewrite as the outline of a histogram."""

    distribution: SimilarityDistribution
    outline: str
    median: float
    n_hidden: int


@dataclass(frozen=True)
class ThresholdCurves:
    """What passes and what is lost by threshold, as paths."""

    grid: tuple[float, ...]
    opposite: str
    same: str
    advised: float | None


def similarity_axis(audit: Audit) -> SimilarityAxis:
    """Return the axis of all drawings of an audit: from where the similarities begin to 1."""
    # Typing slips are spread widely and are not what the figures are about.
    starts = [_start(row, audit.bins) for row in audit.distributions if row.count and row.relation != NOISE]
    low = min(starts, default=0.0)
    step = 0.1 if low >= 0.4 else 0.2 if low >= -0.2 else 0.4
    n_steps = max(math.ceil(round((1.0 - low) / step, 6)), 2)
    ticks = tuple(round(1.0 - number * step, 4) for number in range(n_steps, -1, -1))
    return SimilarityAxis(ticks[0], 1.0, ticks)


def _start(distribution: SimilarityDistribution, bins: Sequence[float]) -> float:
    total = sum(distribution.histogram)
    below = 0
    for edge, count in zip(bins, distribution.histogram, strict=False):
        below += count
        if below > total * _MAX_HIDDEN:
            return edge
    return bins[0]


def mirror_figure(audit: Audit, axis: SimilarityAxis) -> MirrorFigure:
    """Return the figure of paraphrases and opposites, both sides on one scale."""
    above, below = (_total_histogram(audit, relation) for relation in (SAME, OPPOSITE))
    height, depth = (max(_shares(counts), default=0.0) for counts in (above, below))
    unit = (MIRROR_HEIGHT - 2 * _MARGIN) / ((height + depth) or 1.0)
    floor = round(_MARGIN + height * unit, 1)
    return MirrorFigure(
        same=_outline(above, audit.bins, axis, floor, unit),
        opposite=_outline(below, audit.bins, axis, floor, -unit),
        floor=floor,
        counts=((SAME, sum(above)), (OPPOSITE, sum(below))),
        n_hidden=sum(
            _count_hidden(row, audit.bins, axis) for row in audit.distributions if row.relation in (SAME, OPPOSITE)
        ),
    )


def rule_rows(audit: Audit, axis: SimilarityAxis) -> list[RuleRow]:
    """Return a row for each rewrite that made pairs."""
    rows = []
    for distribution in audit.distributions:
        if distribution.count:
            unit = (ROW_HEIGHT - 1 - _MARGIN) / (max(_shares(distribution.histogram), default=0.0) or 1.0)
            outline = _outline(distribution.histogram, audit.bins, axis, ROW_HEIGHT - 1, unit)
            n_hidden = _count_hidden(distribution, audit.bins, axis)
            rows.append(RuleRow(distribution, outline, axis.x(distribution.quantiles[2]), n_hidden))
    return rows


def points_on_axis(audit: Audit, axis: SimilarityAxis) -> list[ThresholdPoint]:
    """Return the thresholds that the curves show."""
    points = [point for point in audit.thresholds if axis.low <= point.threshold <= axis.high]
    return points or list(audit.thresholds)


def threshold_curves(audit: Audit, axis: SimilarityAxis) -> ThresholdCurves:
    """Return the opposites that pass and the paraphrases that are lost, by threshold."""
    points = points_on_axis(audit, axis)
    advised = audit.advice.point
    return ThresholdCurves(
        grid=tuple(_curve_y(share) for share in (0.0, 0.5, 1.0)),
        opposite=_curve(((point.threshold, point.opposites_pass) for point in points), axis),
        same=_curve(((point.threshold, point.paraphrases_lost) for point in points), axis),
        advised=axis.x(advised.threshold) if audit.advice.holds and advised is not None else None,
    )


def _curve(points: Iterable[tuple[float, float]], axis: SimilarityAxis) -> str:
    return "L".join(f"{axis.x(threshold)} {_curve_y(share)}" for threshold, share in points)


def _curve_y(share: float) -> float:
    return round((1 - share) * CURVE_HEIGHT, 1)


def _total_histogram(audit: Audit, relation: str) -> list[int]:
    rows = [row.histogram for row in audit.distributions if row.relation == relation]
    return [sum(column) for column in zip(*rows, strict=True)] if rows else []


def _count_hidden(distribution: SimilarityDistribution, bins: Sequence[float], axis: SimilarityAxis) -> int:
    """Return how many pairs lie left of the drawing."""
    return sum(count for edge, count in zip(bins, distribution.histogram, strict=False) if edge < axis.low - 1e-9)


def _shares(counts: Sequence[int]) -> list[float]:
    total = sum(counts)
    return [count / total for count in counts] if total else []


def _outline(counts: Sequence[int], bins: Sequence[float], axis: SimilarityAxis, floor: float, unit: float) -> str:
    """Return the outline of a histogram as a path; a share of 1 has the height `unit`, downwards if negative."""
    path: list[str] = []
    for edge, end, share in zip(bins, bins[1:], _shares(counts), strict=False):
        if edge < axis.low - 1e-9:
            continue
        level = round(floor - share * unit, 1)
        path.append(f"{'L' if path else f'M{axis.x(edge)} {floor}L'}{axis.x(edge)} {level}L{axis.x(end)} {level}")
    return "".join([*path, f"L{WIDTH} {floor}Z"]) if path else f"M0 {floor}H{WIDTH}"
