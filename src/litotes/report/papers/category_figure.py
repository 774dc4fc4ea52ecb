"""The accuracy of models by category of negation: a marker a model, guessing and the largest label beside it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from litotes.languages.negation_categories import CODES
from litotes.report.label_figures import ALL_ITEMS, by_category, largest_label
from litotes.report.papers.drawing import ACCENT, DARK, INK, MIDDLE, new_figure, shortened
from litotes.report.suite_runs import SuiteRuns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 6
"""More models than these cannot be told apart; the best are drawn."""
_LOOKS = (("o", DARK), ("s", "white"), ("^", ACCENT), ("D", MIDDLE), ("v", INK), ("P", "white"))


def category_figure(suite: SuiteRuns) -> Figure:
    """A place a category, all items last; the dashed line is guessing, the grey bar the share of the largest label."""
    shown = list(zip(suite.names, suite.runs, strict=True))[:MOST]
    figure, axes = new_figure(2.3 + 0.13 * len(shown))
    names = list(by_category(suite, shown[0][1]))
    width = 0.76 / len(shown)
    for place, one in enumerate(by_category(suite, shown[0][1]).values()):
        largest = 100 * largest_label(one.labels)[1]
        axes.plot(
            [place - 0.43, place + 0.43], [largest] * 2, color="#9a9a9a", linewidth=2.2, zorder=1, solid_capstyle="butt"
        )
    for number, ((name, run), (marker, face)) in enumerate(zip(shown, _LOOKS, strict=False)):
        found = list(by_category(suite, run).values())
        shift = (number - (len(shown) - 1) / 2) * width
        for place, one in enumerate(found):
            if all(math.isfinite(end) for end in one.accuracy_ci):
                ends = [100 * end for end in one.accuracy_ci]
                axes.plot([place + shift] * 2, ends, color=INK, linewidth=0.5, zorder=2)
        axes.plot(
            [place + shift for place in range(len(found))],
            [100 * one.accuracy for one in found],
            linestyle="",
            marker=marker,
            markersize=3.4,
            markerfacecolor=face,
            markeredgecolor=INK,
            markeredgewidth=0.6,
            zorder=3,
            label=shortened(name, 52),
        )
    axes.axhline(100 * suite.chance, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axes.text(len(names) - 0.5, 100 * suite.chance + 1, f"guessing {100 * suite.chance:.1f}", ha="right", fontsize=6)
    axes.plot([], [], color="#9a9a9a", linewidth=2.2, label="always the largest label")
    axes.set_xticks(range(len(names)), ["all" if name == ALL_ITEMS else CODES.get(name, name) for name in names])
    axes.set_xlim(-0.55, len(names) - 0.45)
    axes.set_ylim(-3, 103)
    axes.set_ylabel("accuracy, %")
    axes.yaxis.grid(visible=True, color="#e3e3e3", linewidth=0.5)
    axes.set_axisbelow(True)
    figure.legend(loc="outside lower left", ncols=1)
    return figure
