"""Figures 1 to 3 of the paper on developmental negation, of published models and of runs, one panel per model.

The figures that `litotes experiment` draws have the intervals of a single experiment; these show models side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from litotes.languages.negation_categories import CATEGORIES, CODES
from litotes.report.papers.drawing import COLUMN_WIDTH, GRID, INK
from litotes.training.experiments.figures import COLOUR, MARKER
from litotes.training.experiments.metrics import BEFORE
from litotes.training.experiments.published import Accuracies

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL_HEIGHT, _LEGEND_HEIGHT = 1.55, 0.35
"""Inches."""
_MAX_TICKS = 8


def draw_experiment(number: int, panels: Mapping[str, Accuracies]) -> Figure:
    """Draw Figure 1, 2 or 3 with a panel per model; the titles of the panels are the keys."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    n_columns = 1 if number == 2 or len(panels) == 1 else 2
    n_rows = -(-len(panels) // n_columns)
    height = n_rows * _PANEL_HEIGHT + _LEGEND_HEIGHT
    figure = Figure(figsize=(2 * COLUMN_WIDTH, height), layout="constrained")
    grid = figure.subplots(n_rows, n_columns, squeeze=False, sharey=True)
    axes = [panel for row in grid for panel in row]
    for spare in axes[len(panels) :]:
        spare.set_visible(False)
    draw: Callable[[Axes, int, Accuracies], None] = _draw_bars if number == 2 else _draw_lines
    for index, ((title, accuracies), panel) in enumerate(zip(panels.items(), axes, strict=False)):
        panel.set_title(title, loc="left")
        panel.set_ylim(0, 1.03)
        panel.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}")
        panel.yaxis.grid(visible=True, color=GRID, linewidth=0.5)
        panel.set_axisbelow(True)
        panel.set_ylabel("accuracy, %")
        draw(panel, number, accuracies)
        if index < len(panels) - n_columns:
            panel.set_xlabel("")
    marks = [
        Line2D([], [], color=COLOUR[name], marker=MARKER[name], linestyle="" if number == 2 else "-", markersize=3)
        for name in CATEGORIES
    ]
    labels = [f"{CODES[name]} {name}" for name in CATEGORIES]
    figure.legend(marks, labels, loc="outside upper left", ncols=len(CATEGORIES), columnspacing=0.9, handlelength=1.4)
    return figure


def _draw_lines(axes: Axes, number: int, accuracies: Accuracies) -> None:
    """Draw a line per category over the steps."""
    steps = list(accuracies)
    positions = list(range(len(steps)))
    for category in accuracies[steps[0]]:
        heights = [accuracies[step][category] for step in steps]
        axes.plot(positions, heights, color=COLOUR[category], marker=MARKER[category], markersize=2.6, linewidth=0.9)
    every = -(-len(steps) // _MAX_TICKS)
    axes.set_xticks(positions[::every], [_tick(step) for step in steps[::every]])
    unit = "epoch" if steps[0].startswith("epoch") else "training step"
    axes.set_xlabel(unit if number == 1 else "after training on")


def _tick(step: str) -> str:
    """Return the label of a step.

    >>> _tick("epoch 2"), _tick("3 rejection"), _tick("42000")
    ('2', 'R', '42,000')
    """
    if step.isdecimal():
        return f"{int(step):,}"
    first, _, second = step.partition(" ")
    return CODES.get(second, second) or first


def _draw_bars(axes: Axes, number: int, accuracies: Accuracies) -> None:
    """Draw a group of bars per tested category with a bar per category of the training; its own has an outline."""
    trained = [step for step in accuracies if step != BEFORE]
    tested = list(accuracies[trained[0]])
    ticks = []
    for group, category in enumerate(tested):
        start = group * (len(trained) + 1.5)
        positions = [start + index for index in range(len(trained))]
        edges = [INK if step == category else "none" for step in trained]
        heights = [accuracies[step][category] for step in trained]
        axes.bar(positions, heights, width=0.86, color=COLOUR[category], edgecolor=edges, linewidth=0.9)
        if BEFORE in accuracies:
            before = accuracies[BEFORE][category]
            axes.hlines(before, start - 0.6, positions[-1] + 0.6, color=INK, linewidth=0.9, linestyle="--")
        ticks += positions
    axes.set_xticks(ticks, [CODES[step] for _ in tested for step in trained], fontsize=4)
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-1.2, ticks[-1] + 1.2)
    axes.set_xlabel("trained on; the colour is the tested category, an outline marks that it is the same")
