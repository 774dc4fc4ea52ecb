"""HEROS's figures, drawn with matplotlib: heat maps, and scatter plots against the correlation with human scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litotes.report.formats import MISSING, SIMILARITY, display_name
from litotes.report.papers.drawing import COLUMN_WIDTH, GRID, INK, MARKERS, short_name
from litotes.report.similarity_figures import is_light, scale_start, scaled_share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW, _FOOT, _EDGE = 0.135, 0.42, 0.09
"""Inches."""
_BLOCK_GAP = 0.4
"""In rows."""
_FONT_SIZE, _MAX_NAME_LETTERS, _SLOPE = 5.6, 32, 40


@dataclass(frozen=True)
class HeatRow:
    """A row of a heat map: a model's similarities, NaN where there is none."""

    block: str
    label: str
    values: Sequence[float]
    is_published: bool
    model: str = ""
    """The repository of the model, if known."""


def draw_heat_map(columns: Sequence[str], rows: Sequence[HeatRow]) -> Figure:
    """Draw one row per model with the number in each cell, and a gap between blocks."""
    from matplotlib.figure import Figure

    tops = _row_tops(rows)
    n_rows = tops[-1] + 1
    names = [short_name(row.label, _MAX_NAME_LETTERS) for row in rows]
    headings = [display_name(name) for name in columns]
    head = max(map(_text_width, headings)) * math.sin(math.radians(_SLOPE)) + 0.14
    height = n_rows * _ROW + head + _FOOT
    figure = Figure(figsize=(COLUMN_WIDTH, height))
    left = (max(map(_text_width, names)) + _EDGE) / COLUMN_WIDTH
    width = 1 - left - _EDGE / COLUMN_WIDTH
    axes = figure.add_axes((left, _FOOT / height, width, n_rows * _ROW / height))
    low = scale_start([value for row in rows for value in row.values])
    for top, row in zip(tops, rows, strict=True):
        for x, value in enumerate(row.values):
            _draw_cell(axes, x, top, value, low)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(n_rows, 0)
    axes.set_yticks([top + 0.5 for top in tops], names, fontsize=_FONT_SIZE)
    axes.set_xticks([])
    for x, heading in enumerate(headings):
        axes.text(x + 0.4, -0.35, heading, fontsize=_FONT_SIZE, rotation=_SLOPE, rotation_mode="anchor", va="bottom")
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)
    _draw_scale(figure.add_axes((left, 0.2 / height, width, 0.07 / height)), low)
    return figure


def _row_tops(rows: Sequence[HeatRow]) -> list[float]:
    """Return the top of each row, in rows, with a gap before each block."""
    tops, top = [], 0.0
    for index, row in enumerate(rows):
        top += _BLOCK_GAP if index and row.block != rows[index - 1].block else 0.0
        tops.append(top)
        top += 1
    return tops


def _draw_cell(axes: Axes, x: int, top: float, value: float, low: float) -> None:
    import matplotlib
    from matplotlib.patches import Rectangle

    if not math.isfinite(value):
        axes.text(x + 0.5, top + 0.5, MISSING, ha="center", va="center", fontsize=_FONT_SIZE)
        return
    colour = matplotlib.colormaps["Blues"](scaled_share(value, low))
    axes.add_patch(Rectangle((x, top), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.5))
    ink = "black" if is_light(*colour[:3]) else "white"
    axes.text(x + 0.5, top + 0.53, SIMILARITY(value), ha="center", va="center", fontsize=_FONT_SIZE, color=ink)


_SCATTER_COLUMNS = 2


def draw_scatters(columns: Sequence[str], rows: Sequence[HeatRow], correlations: Sequence[float], name: str) -> Figure:
    """Draw a panel per column: similarity above the baseline against the STS correlation, a marker per row."""
    from matplotlib.figure import Figure

    n_rows = math.ceil(len(columns) / _SCATTER_COLUMNS)
    height = 1.15 * n_rows + 0.2 + 0.13 * len(rows)
    figure = Figure(figsize=(COLUMN_WIDTH, height), layout="constrained")
    panels = figure.subplots(n_rows, _SCATTER_COLUMNS, sharex=True, sharey=True, squeeze=False)
    lines = []
    for index, (column, axes) in enumerate(zip(columns, panels.flat, strict=False)):
        axes.set_title(display_name(column), fontsize=7)
        axes.grid(visible=True, color=GRID, linewidth=0.5)
        axes.set_axisbelow(True)
        for number, (row, x) in enumerate(zip(rows, correlations, strict=True)):
            marker, face = MARKERS[number % len(MARKERS)]
            [line] = axes.plot(
                [x], [row.values[index]], marker=marker, linestyle="", markersize=4, markerfacecolor=face,
                markeredgecolor=INK, markeredgewidth=0.6,
            )  # fmt: skip
            lines += [line] if index == 0 else []
    figure.supxlabel(name, fontsize=7)
    labels = [short_name(row.label, 52) for row in rows]
    figure.legend(lines, labels, loc="outside upper left", ncols=1)
    return figure


def _text_width(text: str) -> float:
    """Return the width of a text in inches."""
    from matplotlib.textpath import TextPath

    return float(TextPath((0, 0), text, size=_FONT_SIZE).get_extents().x1) / 72


def _draw_scale(axes: Axes, low: float) -> None:
    gradient = [[number / 99 for number in range(100)]]
    axes.imshow(gradient, cmap="Blues", vmin=0, vmax=1, aspect="auto", extent=(low, 1, 0, 1))
    axes.set_yticks([])
    n_steps = 4
    axes.set_xticks([low + number * (1 - low) / n_steps for number in range(n_steps + 1)])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.2f}")
    axes.tick_params(labelsize=_FONT_SIZE, length=2, width=0.4, pad=1.5, colors=INK)
    axes.spines[:].set_visible(False)
