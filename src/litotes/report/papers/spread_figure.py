"""The spread of accuracies by group: boxes, a dot a model, guessing as a dashed line (SemAntoNeg, Figure 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.report.papers.accuracies import Spread
from litotes.report.papers.drawing import ACCENT, DARK, INK, LIGHT, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HALF, _ACROSS = 0.27, 5
_FEW = 4
"""Groups of fewer values have no box: it would say more than is known."""
_MANY_GROUPS = 5


def spread_figure(found: Sequence[Spread], chance: float, *, printed_word: str = "published") -> Figure:
    """A column a group; the line across each is its median."""
    figure, axes = new_figure(2.5)
    beside = any(one.printed for one in found) and any(one.own for one in found)
    for place, one in enumerate(found):
        _box(axes, place, one, beside=beside)
    axes.axhline(100 * chance, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    right = len(found) - 0.45
    axes.text(
        right,
        100 * chance + 1,
        f"guessing {100 * chance:.1f}",
        ha="right",
        va="bottom",
        fontsize=6,
        color=INK,
        zorder=5,
    )
    small = len(found) > _MANY_GROUPS
    between = " " if small else "\n"
    # Two lines that lean would reach into those of the next group.
    names = [f"{one.group}{between}({len(one.values)})" for one in found]
    turn: dict[str, Any] = {"rotation": 28, "ha": "right", "rotation_mode": "anchor"} if small else {}
    axes.set_xticks(range(len(found)), names, fontsize=6 if small else 7, **turn)
    axes.set_xlim(-0.55, len(found) - 0.35)
    axes.set_ylim(-3, 103)
    axes.set_ylabel("accuracy, %")
    axes.yaxis.grid(visible=True, color="#e3e3e3", linewidth=0.5)
    axes.set_axisbelow(True)
    if beside:
        _legend(figure, printed_word)
    return figure


def _box(axes: Axes, place: int, one: Spread, *, beside: bool) -> None:
    from matplotlib.patches import Rectangle

    low, high = one.quartiles
    if len(one.values) >= _FEW:
        box = Rectangle((place - _HALF, low), 2 * _HALF, high - low, facecolor=LIGHT, edgecolor=DARK, linewidth=0.7)
        axes.add_patch(box)
    axes.plot(
        [place - _HALF, place + _HALF], [one.median] * 2, color=DARK, linewidth=1.8, solid_capstyle="butt", zorder=3
    )
    axes.text(place + _HALF + 0.03, one.median, f"{one.median:.1f}", fontsize=6, va="center", color=DARK, zorder=5)
    if one.printed:
        _dots(axes, place, one.printed, face="white", edge=DARK, marker="o")
    if one.own:
        _dots(
            axes,
            place,
            one.own,
            face=ACCENT if beside else "white",
            edge=INK if beside else DARK,
            marker="D" if beside else "o",
        )


def _dots(axes: Axes, place: int, values: Sequence[float], *, face: str, edge: str, marker: str) -> None:
    """Side by side in a fixed order, so that equal values do not hide each other and every drawing is the same."""
    ordered = sorted(values)
    shifts = [
        ((number % _ACROSS) - (_ACROSS - 1) / 2) * 0.085 if len(ordered) > 1 else 0.0 for number in range(len(ordered))
    ]
    axes.plot(
        [place + shift for shift in shifts],
        ordered,
        linestyle="",
        marker=marker,
        markersize=3,
        markerfacecolor=face,
        markeredgecolor=edge,
        markeredgewidth=0.6,
        zorder=4,
    )


def _legend(figure: Figure, printed_word: str) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], linestyle="", marker="o", markersize=3, markerfacecolor="white", markeredgecolor=DARK),
        Line2D([], [], linestyle="", marker="D", markersize=3, markerfacecolor=ACCENT, markeredgecolor=INK),
    ]
    figure.legend(marks, [printed_word, "these runs"], loc="outside upper right", ncols=2)
