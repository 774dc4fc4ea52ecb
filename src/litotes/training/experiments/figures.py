"""The figures of the experiments as reproducible SVG and PNG files."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.core.files import write_together
from litotes.languages.negation_categories import CATEGORIES, CODES
from litotes.training.experiments.metrics import BEFORE, DEV, Estimate
from litotes.training.experiments.results import ExperimentResults

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind people can distinguish; markers and labels are redundant.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#B8860B", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
COLOUR = dict(zip(CATEGORIES, _COLOURS, strict=True))
MARKER = dict(zip(CATEGORIES, _MARKERS, strict=True))
_GREY = "#777777"
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "litotes",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "figure.dpi": 100,
}
_PANEL = (5.2, 3.9)


def draw_figures(results: ExperimentResults, folder: Path) -> list[Path]:
    """Draw the figures of an experiment into a folder and return their paths."""
    import matplotlib

    matplotlib.use("Agg")
    drawings: Mapping[str, Callable[[ExperimentResults], Figure]] = {
        1: {"curves": _curves},
        2: {"transfer": _transfer, "changes": _changes},
        3: {"sequence": _curves},
        4: {"mixtures": _mixtures},
    }[results.number]
    contents: dict[Path, str | bytes] = {}
    with matplotlib.rc_context(_SETTINGS):
        for name, draw in drawings.items():
            figure = draw(results)
            for kind, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
                out = io.BytesIO()
                figure.savefig(out, format=kind, dpi=150, metadata=metadata)
                contents[folder / f"{results.name}-{name}.{kind}"] = out.getvalue()
    write_together(contents)
    return list(contents)


def _panels(
    results: ExperimentResults, *, width: float = _PANEL[0], height: float = _PANEL[1]
) -> tuple[Figure, list[Axes]]:
    """Return a figure with one panel per model in at most two columns, on the same scale."""
    from matplotlib.figure import Figure

    count = len(results.models)
    columns = 1 if width > 8 else min(2, count)
    lines = -(-count // columns)
    figure = Figure(figsize=(width * columns, height * lines), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False, sharey=True)
    axes = [panel for line in grid for panel in line]
    for spare in axes[count:]:
        spare.set_visible(False)
    for model, panel in zip(results.models, axes, strict=False):
        panel.set_title(model, loc="left", fontweight="bold")
        panel.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
        panel.yaxis.grid(visible=True, color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
        panel.tick_params(labelleft=True)
    return figure, axes[:count]


def _curves(results: ExperimentResults) -> Figure:
    """Draw the accuracy at each step, one line per category: the paper's Figures 1 and 3."""
    figure, panels = _panels(results)
    steps = results.steps
    positions = list(range(len(steps)))
    for model, axes in zip(results.models, panels, strict=True):
        for category in [*([DEV] if results.has_dev else []), *results.plan.categories]:
            estimates = [results.cell(model, step, category).accuracy for step in steps]
            colour = COLOUR.get(category, _GREY)
            means, lows, highs = _columns(estimates)
            axes.fill_between(positions, lows, highs, color=colour, alpha=0.08, linewidth=0)
            axes.plot(
                positions,
                means,
                color=colour,
                marker=MARKER.get(category, ""),
                markersize=5,
                linewidth=1.6,
                linestyle="--" if category == DEV else "-",
            )
            _ring_own_steps(axes, results, category, means)
        axes.set_xticks(positions, [_tick(results.number, step) for step in steps])
        axes.set_xlim(-0.15, positions[-1] + 0.15 + 0.17 * max(1, positions[-1]))
        axes.set_xlabel("epoch" if results.number == 1 else "trained up to (a ring marks the category itself)")
        axes.set_ylabel("accuracy")
    _label_ends(results, panels)
    return figure


def _columns(estimates: Sequence[Estimate]) -> tuple[list[float], ...]:
    columns = zip(*((estimate.mean, estimate.low, estimate.high) for estimate in estimates), strict=True)
    return tuple(map(list, columns))


def _ring_own_steps(axes: Axes, results: ExperimentResults, category: str, means: Sequence[float]) -> None:
    if results.number != 3:
        return
    for position, step in enumerate(results.steps):
        if step.partition(" ")[2] == category:
            axes.plot(position, means[position], "o", markersize=12, markerfacecolor="none", color=COLOUR[category])


def _tick(number: int, step: str) -> str:
    """Return the label of a step on the axis.

    >>> _tick(1, "epoch 2"), _tick(3, "2 rejection"), _tick(3, "before")
    ('2', '+R', 'before')
    """
    if number == 1:
        return step.removeprefix("epoch ")
    category = step.partition(" ")[2]
    return f"+{CODES[category]}" if category in CODES else step


def _label_ends(results: ExperimentResults, panels: Sequence[Axes]) -> None:
    """Label each line at its end; overlapping labels are moved apart."""
    low, high = panels[0].get_ylim()
    distance = (high - low) * 0.05
    last = len(results.steps) - 1
    for model, axes in zip(results.models, panels, strict=True):
        names = [*([DEV] if results.has_dev else []), *results.plan.categories]
        ends = {name: results.cell(model, results.steps[-1], name).accuracy.mean for name in names}
        for name, height in _move_apart(ends, distance).items():
            colour, start = COLOUR.get(name, _GREY), last + 0.06 * max(1, last)
            axes.plot([last, start], [ends[name], height], color=colour, linewidth=0.5, alpha=0.6)
            axes.text(
                start + 0.05,
                height,
                "no negation" if name == DEV else CODES[name],
                color=colour,
                fontweight="bold",
                fontsize=8,
                va="center",
            )
        axes.set_ylim(low, high)


def _move_apart(heights: dict[str, float], distance: float) -> dict[str, float]:
    """Return heights with a minimum distance, moved as little as possible.

    >>> moved = _move_apart({"a": 0.5, "b": 0.5, "c": 0.9}, 0.1)
    >>> {name: round(height, 3) for name, height in moved.items()}
    {'a': 0.45, 'b': 0.55, 'c': 0.9}
    """
    groups: list[tuple[list[str], float]] = []  # names from bottom to top, and the middle of the group
    for name, height in sorted(heights.items(), key=lambda entry: entry[1]):
        groups.append(([name], height))
        while len(groups) > 1 and _bottom(groups[-1], distance) - _top(groups[-2], distance) < distance:
            (above, up), (below, down) = groups.pop(), groups.pop()
            middle = (up * len(above) + down * len(below)) / (len(above) + len(below))
            groups.append(([*below, *above], middle))
    return {
        name: _bottom(group, distance) + distance * index for group in groups for index, name in enumerate(group[0])
    }


def _bottom(group: tuple[list[str], float], distance: float) -> float:
    return group[1] - distance * (len(group[0]) - 1) / 2


def _top(group: tuple[list[str], float], distance: float) -> float:
    return group[1] + distance * (len(group[0]) - 1) / 2


def _transfer(results: ExperimentResults) -> Figure:
    """Draw the accuracy after training on each category, grouped by the tested category: the paper's Figure 2."""
    categories = results.plan.categories
    figure, panels = _panels(results, width=0.17 * len(categories) ** 2 + 2.6, height=3.6)
    for model, axes in zip(results.models, panels, strict=True):
        ticks: list[float] = []
        for number, target in enumerate(categories):
            start = number * (len(categories) + 1.5)
            before = results.cell(model, BEFORE, target).accuracy.mean
            axes.hlines(before, start - 0.6, start + len(categories) - 0.4, color="black", linewidth=1.4, zorder=3)
            for offset, trained in enumerate(categories):
                estimate = results.cell(model, trained, target).accuracy
                is_own = trained == target
                axes.bar(
                    start + offset,
                    estimate.mean,
                    width=0.86,
                    color=COLOUR[target],
                    alpha=1.0 if is_own else 0.45,
                    hatch="//" if is_own else None,
                    edgecolor="white",
                    linewidth=0.4,
                )
                for colour, linewidth in (("white", 2.2), ("black", 0.9)):  # visible on every bar
                    axes.vlines(start + offset, estimate.low, estimate.high, color=colour, linewidth=linewidth)
                ticks.append(start + offset)
            middle = start + (len(categories) - 1) / 2
            axes.text(middle, 1.02, f"{target} ({CODES[target]})", ha="center", fontweight="bold", color=COLOUR[target])
        axes.set_xticks(ticks, [CODES[trained] for _ in categories for trained in categories], fontsize=6)
        axes.tick_params(axis="x", length=0)
        axes.set_xlim(-1.2, ticks[-1] + 1.2)
        axes.set_ylim(0, 1.08)
        axes.set_xlabel("trained on (hatched: the tested category); black line: accuracy before")
        axes.set_ylabel("accuracy")
    return figure


def _changes(results: ExperimentResults) -> Figure:
    """Draw a heat map of the change in accuracy on each category by training on each."""
    categories = results.plan.categories
    figure, panels = _panels(results, height=4.4)
    changes = [cell.change for cell in results.cells if cell.change is not None and cell.category != DEV]
    largest = max((abs(change.mean) for change in changes), default=0.0) or 0.01
    image: Any = None
    for model, axes in zip(results.models, panels, strict=True):
        changes_by_row = [
            [results.cell(model, trained, target).change for target in categories] for trained in categories
        ]
        values = [[change.mean if change is not None else 0.0 for change in line] for line in changes_by_row]
        image = axes.imshow(values, cmap="PuOr_r", vmin=-largest, vmax=largest, aspect="auto")
        for row, line in enumerate(changes_by_row):
            for column, change in enumerate(line):
                if change is not None:
                    axes.text(
                        column,
                        row,
                        f"{100 * change.mean:+.1f}",
                        ha="center",
                        va="center",
                        fontsize=8,
                        color="white" if abs(change.mean) > 0.62 * largest else "black",
                        fontweight="bold" if change.excludes(0.0) else "normal",
                    )
        names = [CODES[category] for category in categories]
        axes.set_xticks(range(len(names)), names)
        axes.set_yticks(range(len(names)), names)  # instead of percentages
        axes.yaxis.grid(visible=False)
        axes.set_xlabel("tested on")
        axes.set_ylabel("trained on")
    bar = figure.colorbar(image, ax=panels, shrink=0.8)
    bar.set_label("change of the accuracy, points\n(bold: the interval excludes 0)")
    bar.ax.yaxis.set_major_formatter(lambda value, _: f"{100 * value:+.0f}")
    return figure


def _mixtures(results: ExperimentResults) -> Figure:
    """Draw the accuracy by category before and after each mixture."""
    categories = results.plan.categories
    figure, panels = _panels(results, width=max(_PANEL[0], 0.22 * len(categories) * (len(results.steps) + 1) + 1.5))
    colours = dict(zip(results.steps, (_GREY, *_COLOURS * len(results.steps)), strict=False))
    for model, axes in zip(results.models, panels, strict=True):
        for number, step in enumerate(results.steps):
            shift = (number - (len(results.steps) - 1) / 2) * 0.8 / len(results.steps)
            estimates = [results.cell(model, step, category).accuracy for category in categories]
            positions = [index + shift for index in range(len(categories))]
            means, lows, highs = _columns(estimates)
            axes.vlines(positions, lows, highs, color=colours[step], alpha=0.6)
            axes.plot(
                positions,
                means,
                linestyle="",
                marker=_MARKERS[number % len(_MARKERS)],
                color=colours[step],
                label=step,
            )
        axes.set_xticks(range(len(categories)), [CODES[category] for category in categories])
        axes.set_ylabel("accuracy")
        axes.set_xlabel("tested on")
        axes.legend(fontsize=7, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, frameon=False)
    return figure
