"""The papers' figures, drawn with matplotlib: one column wide, readable in grey, with reproducible bytes."""

from __future__ import annotations

import contextlib
import io
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from litotes.core.errors import missing_package, single_line
from litotes.core.versions import installed_version
from litotes.evaluation.result import RunResult
from litotes.languages.negation_categories import CODES
from litotes.report.formats import COUNT, display_name, short_model_name
from litotes.report.label_tables import ALL_ITEMS, largest_label, metrics_by_category
from litotes.report.papers.accuracies import GroupSpread
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import shorten_start
from litotes.web.pages import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN_WIDTH = 3.35
"""The width of one column of a two-column page, in inches."""
FIGURE_FORMATS = ("svg", "png", "pdf")
DARK, MEDIUM, LIGHT, INK = "#08519c", "#6baed6", "#deebf7", "#1c2126"
"""Blues that differ as much in grey as in colour."""
ACCENT, GREY, GRID = "#d55e00", "#9a9a9a", "#e3e3e3"
_DASHES = (0, (4, 3))
_DOTS_PER_INCH = 300
_WITHOUT_DATES: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
}
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "litotes",
    "pdf.fonttype": 42,  # publishers reject Type 3 fonts
    "font.family": "DejaVu Sans",  # part of matplotlib: the same font on every machine
    "font.size": 7,
    "axes.titlesize": 8,
    "axes.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "text.parse_math": False,  # a dollar sign in a model's name is literal
}


def check_matplotlib() -> None:
    """Raise an error if matplotlib is not installed."""
    if installed_version("matplotlib") is None:
        raise missing_package("matplotlib", "report")


@contextlib.contextmanager
def figure_style() -> Iterator[None]:
    """Apply the settings of all figures, whatever the user's own settings are."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def figure_bytes(figure: Figure, file_format: str) -> bytes:
    """Return the figure as SVG, PNG or PDF, without its creation time."""
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # characters that the font lacks are drawn as boxes
        figure.savefig(out, format=file_format, dpi=_DOTS_PER_INCH, metadata=_WITHOUT_DATES[file_format])
    return out.getvalue()


def _new_figure(height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(COLUMN_WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def short_name(name: str, length: int) -> str:
    """Return the end of a model's name without its options."""
    return shorten_start(single_line(clean(short_model_name(name))), length)


def _accuracy_axis(axes: Axes) -> None:
    axes.set_ylim(-3, 103)
    axes.set_ylabel("accuracy, %")
    axes.yaxis.grid(visible=True, color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)


# The spread of accuracies by group (SemAntoNeg, Figure 1) -----------------------------------------

_HALF_WIDTH, _DOTS_ACROSS = 0.27, 5
_MIN_BOX_VALUES = 4
"""Groups with fewer values have no box, which would suggest more than is known."""
_MAX_LEVEL_LABELS = 5
"""The labels of more groups are slanted."""


def draw_spreads(spreads: Sequence[GroupSpread], chance: float, *, published_label: str = "published") -> Figure:
    """Draw one column per group: median, box, mean and deviation, and a dot per model; the dashed line is guessing."""
    figure, axes = _new_figure(2.5)
    has_both = any(spread.published for spread in spreads) and any(spread.runs for spread in spreads)
    for x, spread in enumerate(spreads):
        _draw_box(axes, x, spread, has_both=has_both)
    axes.axhline(100 * chance, color=INK, linewidth=0.8, linestyle=_DASHES, zorder=1)
    axes.text(
        len(spreads) - 0.45,
        100 * chance + 1,
        f"guessing {100 * chance:.1f}",
        ha="right",
        va="bottom",
        fontsize=6,
        color=INK,
        zorder=5,
    )
    is_slanted = len(spreads) > _MAX_LEVEL_LABELS
    # Two slanted lines would overlap those of the next group.
    labels = [f"{spread.group}{' ' if is_slanted else chr(10)}({len(spread.values)})" for spread in spreads]
    slant: dict[str, Any] = {"rotation": 28, "ha": "right", "rotation_mode": "anchor"} if is_slanted else {}
    axes.set_xticks(range(len(spreads)), labels, fontsize=6 if is_slanted else 7, **slant)
    axes.set_xlim(-0.55, len(spreads) - 0.35)
    _accuracy_axis(axes)
    if has_both:
        from matplotlib.lines import Line2D

        markers = [
            Line2D([], [], linestyle="", marker="o", markersize=3, markerfacecolor="white", markeredgecolor=DARK),
            Line2D([], [], linestyle="", marker="D", markersize=3, markerfacecolor=ACCENT, markeredgecolor=INK),
        ]
        figure.legend(markers, [published_label, "these runs"], loc="outside upper right", ncols=2)
    return figure


def _draw_box(axes: Axes, x: int, spread: GroupSpread, *, has_both: bool) -> None:
    from matplotlib.patches import Rectangle

    low, high = spread.quartiles
    if len(spread.values) >= _MIN_BOX_VALUES:
        box = Rectangle(
            (x - _HALF_WIDTH, low), 2 * _HALF_WIDTH, high - low, facecolor=LIGHT, edgecolor=DARK, linewidth=0.7
        )
        axes.add_patch(box)
    median = spread.median
    axes.plot(
        [x - _HALF_WIDTH, x + _HALF_WIDTH], [median] * 2, color=DARK, linewidth=1.8, solid_capstyle="butt", zorder=3
    )
    axes.text(x + _HALF_WIDTH + 0.03, median, f"{median:.1f}", fontsize=6, va="center", color=DARK, zorder=5)
    if math.isfinite(spread.variance):
        left, deviation = x - _HALF_WIDTH - 0.09, math.sqrt(spread.variance)
        axes.plot([left] * 2, [spread.mean - deviation, spread.mean + deviation], color=INK, linewidth=0.7, zorder=3)
        axes.plot([left], [spread.mean], linestyle="", marker="x", markersize=4, color=INK, zorder=4)
    if spread.published:
        _draw_dots(axes, x, spread.published, face="white", edge=DARK, marker="o")
    if spread.runs and has_both:
        _draw_dots(axes, x, spread.runs, face=ACCENT, edge=INK, marker="D")
    elif spread.runs:
        _draw_dots(axes, x, spread.runs, face="white", edge=DARK, marker="o")


def _draw_dots(axes: Axes, x: int, values: Sequence[float], *, face: str, edge: str, marker: str) -> None:
    """Draw dots side by side in a fixed order, so that equal values do not hide each other."""
    ordered = sorted(values)
    shifts = [
        ((number % _DOTS_ACROSS) - (_DOTS_ACROSS - 1) / 2) * 0.085 if len(ordered) > 1 else 0.0
        for number in range(len(ordered))
    ]
    axes.plot(
        [x + shift for shift in shifts],
        ordered,
        linestyle="",
        marker=marker,
        markersize=3,
        markerfacecolor=face,
        markeredgecolor=edge,
        markeredgewidth=0.6,
        zorder=4,
    )


# Accuracy by size (SemAntoNeg, section 9) ---------------------------------------------------------


def draw_sizes(points: Mapping[str, Sequence[tuple[float, float]]], chance: float) -> Figure:
    """Draw a marker per model by millions of parameters and accuracy, one kind per group."""
    figure, axes = _new_figure(2.6)
    for (group, members), (marker, face) in zip(points.items(), MARKERS, strict=False):
        axes.plot(
            *zip(*members, strict=True),
            linestyle="",
            marker=marker,
            markersize=3.6,
            markerfacecolor=face,
            markeredgecolor=INK,
            markeredgewidth=0.6,
            label=group,
        )
    axes.axhline(100 * chance, color=INK, linewidth=0.8, linestyle=_DASHES, zorder=1)
    axes.set_xscale("log")
    ticks = (10, 20, 50, 100, 200, 500, 1000)
    axes.set_xticks(ticks, [COUNT(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("million parameters (dashed: guessing)")
    _accuracy_axis(axes)
    figure.legend(loc="outside upper center", ncols=len(points), columnspacing=0.8, handletextpad=0.1)
    return figure


# Accuracy by layer (SemAntoNeg, section 5.2) ------------------------------------------------------


def draw_layers(by_layer: SuiteRuns) -> Figure:
    """Draw the accuracy of a model after each layer with its 95 % interval; the dashed line is guessing."""
    figure, axes = _new_figure(2.0)
    layers = [int(name) for name in by_layer.names]
    metrics = [run.metrics for run in by_layer.runs]
    accuracies = [100 * m.accuracy for m in metrics]
    ends = [
        [abs(100 * m.accuracy_ci[end] - accuracy) for m, accuracy in zip(metrics, accuracies, strict=True)]
        for end in (0, 1)
    ]
    axes.errorbar(layers, accuracies, yerr=ends, color=DARK, marker="o", markersize=3, linewidth=1, elinewidth=0.7)
    axes.axhline(100 * by_layer.chance, color=INK, linewidth=0.8, linestyle=_DASHES, zorder=1)
    axes.set_xticks(layers)
    axes.set_xlabel("layer (dashed: guessing)")
    _accuracy_axis(axes)
    axes.set_ylim(-1, 1.1 * max(100 * by_layer.chance, *(100 * m.accuracy_ci[1] for m in metrics)))
    return figure


# What models choose (SemAntoNeg, Figure 2) --------------------------------------------------------

_WRONG_FILLS = ((LIGHT, "////"), (MEDIUM, ""), ("#bdbdbd", "...."), ("#f0f0f0", "xxxx"), ("#d9d9d9", "++++"))
_TIE_FILL = ("#ffffff", "")
_MIN_NUMBERED_SHARE = 0.07
"""Smaller parts of a bar have no number."""


def draw_choices(runs: Sequence[tuple[str, RunResult]]) -> Figure:
    """Draw one bar per model, the right option first; the dashed line is where it would end by guessing."""
    from matplotlib.patches import Patch

    figure, axes = _new_figure(0.62 + 0.36 * len(runs))
    first = runs[0][1]
    options = [first.suite.right, *(option for option in first.suite.options if option != first.suite.right)]
    fills = [(DARK, ""), *_WRONG_FILLS * len(options)][: len(options)]
    for y, (name, run) in enumerate(runs):
        counts = [*(run.choices.get(option, 0) for option in options), run.metrics.ties]
        _draw_bar(axes, y, counts, [*fills, _TIE_FILL], run.metrics.items)
        axes.text(0, y - 0.33, short_name(name, 42), fontsize=6.5, va="bottom", color=INK)
        axes.text(1, y - 0.33, f"{100 * run.metrics.accuracy:.1f} % right", fontsize=6.5, va="bottom", ha="right")
    chance = first.metrics.chance
    if math.isfinite(chance):
        for y in range(len(runs)):
            axes.plot([chance, chance], [y - 0.3, y + 0.36], color="white", linewidth=2, zorder=3)
            axes.plot([chance, chance], [y - 0.3, y + 0.36], color=INK, linewidth=0.9, linestyle="--", zorder=4)
    axes.set_ylim(len(runs) - 0.5, -0.75)
    axes.set_xlim(0, 1)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}")
    axes.set_xlabel(f"share of the {COUNT(first.metrics.items)} items, % (dashed: guessing)")
    labels = [display_name(option) + (" (right)" if option == first.suite.right else "") for option in options]
    if any(run.metrics.ties for _, run in runs):
        labels, fills = [*labels, "tie"], [*fills, _TIE_FILL]
    patches = [Patch(facecolor=colour, hatch=hatch, edgecolor=INK, linewidth=0.4) for colour, hatch in fills]
    n_columns = 4 if max(map(len, labels)) < 14 else 2
    figure.legend(patches, labels, loc="outside upper left", ncols=n_columns, columnspacing=1.2)
    return figure


def _draw_bar(axes: Axes, y: int, counts: Sequence[int], fills: Sequence[tuple[str, str]], items: int) -> None:
    start = 0.0
    for count, (colour, hatch) in zip(counts, fills, strict=True):
        share = count / items if items else 0.0
        axes.barh(y, share, left=start, height=0.52, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.4)
        if share >= _MIN_NUMBERED_SHARE:
            axes.text(
                start + share / 2,
                y,
                COUNT(count),
                ha="center",
                va="center",
                fontsize=6,
                color="white" if colour == DARK else "black",
                bbox={"boxstyle": "square,pad=0.12", "facecolor": colour, "edgecolor": "none"},
                zorder=5,
            )
        start += share


# Accuracy by category of negation -----------------------------------------------------------------

MAX_CATEGORY_MODELS = 6
"""With more models only the best are drawn, so that the markers remain distinguishable."""
MARKERS = (("o", DARK), ("s", "white"), ("^", ACCENT), ("D", MEDIUM), ("v", INK), ("P", "white"))


def draw_categories(suite: SuiteRuns) -> Figure:
    """Draw a marker per model and category, guessing as a dashed line and the share of the largest label in grey."""
    models = list(zip(suite.names, suite.runs, strict=True))[:MAX_CATEGORY_MODELS]
    figure, axes = _new_figure(2.3 + 0.13 * len(models))
    by_model = [metrics_by_category(suite, run) for _, run in models]
    categories = list(by_model[0])
    for x, metrics in enumerate(by_model[0].values()):
        largest = 100 * largest_label(metrics.labels)[1]
        axes.plot([x - 0.43, x + 0.43], [largest] * 2, color=GREY, linewidth=2.2, zorder=1, solid_capstyle="butt")
    spacing = 0.76 / len(models)
    for number, ((name, _), by_category, (marker, face)) in enumerate(zip(models, by_model, MARKERS, strict=False)):
        shift = (number - (len(models) - 1) / 2) * spacing
        for x, metrics in enumerate(by_category.values()):
            if all(map(math.isfinite, metrics.accuracy_ci)):
                ends = [100 * end for end in metrics.accuracy_ci]
                axes.plot([x + shift] * 2, ends, color=INK, linewidth=0.5, zorder=2)
        axes.plot(
            [x + shift for x in range(len(categories))],
            [100 * metrics.accuracy for metrics in by_category.values()],
            linestyle="",
            marker=marker,
            markersize=3.4,
            markerfacecolor=face,
            markeredgecolor=INK,
            markeredgewidth=0.6,
            zorder=3,
            label=short_name(name, 52),
        )
    chance = 100 * suite.chance
    axes.axhline(chance, color=INK, linewidth=0.8, linestyle=_DASHES, zorder=1)
    axes.text(len(categories) - 0.5, chance + 1, f"guessing {chance:.1f}", ha="right", fontsize=6)
    axes.plot([], [], color=GREY, linewidth=2.2, label="always the largest label")
    labels = ["all" if name == ALL_ITEMS else CODES.get(name, name) for name in categories]
    axes.set_xticks(range(len(categories)), labels)
    axes.set_xlim(-0.55, len(categories) - 0.45)
    _accuracy_axis(axes)
    figure.legend(loc="outside lower left", ncols=1)
    return figure
