"""The heat map of models by subsets in blocks: similarity above the baseline (HEROS, Figures 1 and 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litotes.report.papers.drawing import COLUMN, INK, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW, _GAP, _FOOT, _EDGE = 0.135, 0.4, 0.42, 0.09
"""Inches, but the gap between blocks, which is in rows."""
_LETTERS, _MOST_LETTERS, _SLOPE = 5.6, 32, 40
_LOWEST = 0.6
"""Where the paper's scale begins; ours begins lower if a value does, but not below 0."""


@dataclass(frozen=True)
class HeatRow:
    """One model: its block, its name and the cells as numbers; not a number for one that is not there."""

    block: str
    label: str
    values: Sequence[float]
    published: bool
    model: str = ""
    """The repository that the paper's label means, if one is known."""


def heat_map_figure(columns: Sequence[str], rows: Sequence[HeatRow]) -> Figure:
    """A row a model with the number in each cell, a gap between blocks."""
    from matplotlib.figure import Figure

    tops = _tops(rows)
    lines = tops[-1] + 1
    names, headings = (
        [shortened(row.label, _MOST_LETTERS) for row in rows],
        [name.replace("_", " ") for name in columns],
    )
    head = max(map(_inches, headings)) * math.sin(math.radians(_SLOPE)) + 0.14
    height = lines * _ROW + head + _FOOT
    figure = Figure(figsize=(COLUMN, height))
    left = (max(map(_inches, names)) + _EDGE) / COLUMN
    wide = 1 - left - _EDGE / COLUMN
    axes = figure.add_axes((left, _FOOT / height, wide, lines * _ROW / height))
    finite = [value for row in rows for value in row.values if math.isfinite(value)]
    low = max(0.0, min(_LOWEST, math.floor(min(finite, default=_LOWEST) * 10) / 10))
    for top, row in zip(tops, rows, strict=True):
        for place, value in enumerate(row.values):
            _cell(axes, place, top, value, low)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(lines, 0)
    axes.set_yticks([top + 0.5 for top in tops], names, fontsize=_LETTERS)
    axes.set_xticks([])
    for place, heading in enumerate(headings):
        axes.text(place + 0.4, -0.35, heading, fontsize=_LETTERS, rotation=_SLOPE, rotation_mode="anchor", va="bottom")
    axes.tick_params(length=0, pad=2)
    for side in axes.spines.values():
        side.set_visible(False)
    _scale(figure, (left, 0.2 / height, wide, 0.07 / height), low)
    return figure


def _tops(rows: Sequence[HeatRow]) -> list[float]:
    """Where each row begins, in rows, a new block a little lower."""
    tops, top = [], 0.0
    for place, row in enumerate(rows):
        top += _GAP if place and row.block != rows[place - 1].block else 0.0
        tops.append(top)
        top += 1
    return tops


def _cell(axes: Axes, place: int, top: float, value: float, low: float) -> None:
    import matplotlib
    from matplotlib.patches import Rectangle

    if not math.isfinite(value):
        axes.text(place + 0.5, top + 0.5, "–", ha="center", va="center", fontsize=_LETTERS)
        return
    share = min(max((value - low) / (1 - low), 0.0), 1.0)
    colour = matplotlib.colormaps["Blues"](share)
    axes.add_patch(Rectangle((place, top), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.5))
    middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": _LETTERS, "color": _ink(colour)}
    axes.text(place + 0.5, top + 0.53, f"{value:.3f}", **middle)


def _inches(text: str) -> float:
    """How wide a text will be."""
    from matplotlib.textpath import TextPath

    return float(TextPath((0, 0), text, size=_LETTERS).get_extents().x1) / 72


def _ink(colour: tuple[float, float, float, float]) -> str:
    """Black or white, whichever stands out more from a ground.

    >>> _ink((1.0, 1.0, 1.0, 1.0)), _ink((0.0, 0.1, 0.4, 1.0))
    ('black', 'white')
    """
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
    return "black" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "white"


def _scale(figure: Figure, place: tuple[float, float, float, float], low: float) -> None:
    axes = figure.add_axes(place)
    axes.imshow(
        [[number / 99 for number in range(100)]], cmap="Blues", vmin=0, vmax=1, aspect="auto", extent=(low, 1, 0, 1)
    )
    axes.set_yticks([])
    steps = 4
    axes.set_xticks([low + number * (1 - low) / steps for number in range(steps + 1)])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.2f}")
    axes.tick_params(labelsize=_LETTERS, length=2, width=0.4, pad=1.5, colors=INK)
    for side in axes.spines.values():
        side.set_visible(False)
