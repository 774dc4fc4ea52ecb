"""What the best model and the worst ones choose, a bar a model (SemAntoNeg, Figure 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from litotes.evaluation.result import RunResult
from litotes.report.html_words import display_name
from litotes.report.papers.drawing import DARK, INK, LIGHT, MIDDLE, new_figure, shortened
from litotes.report.papers.pieces import PaperTable
from litotes.report.tables import Column, Table, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORST = 4
"""As many as the paper shows."""
Named = Sequence[tuple[str, RunResult]]
_WRONG = ((LIGHT, "////"), (MIDDLE, ""), ("#bdbdbd", "...."), ("#f0f0f0", "xxxx"), ("#d9d9d9", "++++"))
_TIE = ("#ffffff", "")
_NARROW = 0.07
"""A part that is a smaller share of the bar has no room for its number."""


def best_and_worst(runs: Named) -> list[tuple[str, RunResult]]:
    """The best run and the worst four, of runs that stand best first."""
    ordered = list(runs)
    return ordered[:1] + ordered[1:][-WORST:]


def choices_table(stem: str, caption: str, runs: Named) -> PaperTable:
    """How often each option was chosen."""
    options = list(dict.fromkeys(option for _, run in runs for option in run.suite.options))
    return PaperTable(
        stem,
        Table(
            caption,
            [
                Column("model", "model", [name for name, _ in runs]),
                Column("right %", "accuracy", [run.metrics.accuracy for _, run in runs], percent),
                *(
                    Column(display_name(option), f"chosen_{option}", [run.choices.get(option, 0) for _, run in runs])
                    for option in options
                ),
                Column("ties", "ties", [run.metrics.ties for _, run in runs]),
            ],
        ),
    )


def choices_figure(runs: Named) -> Figure:
    """Bars of equal length, the right option first; the dashed line is where it would end by guessing."""
    figure, axes = new_figure(0.62 + 0.36 * len(runs))
    info = runs[0][1].suite
    options = [info.right, *(option for option in info.options if option != info.right)]
    looks = [(DARK, ""), *_WRONG * len(options)][: len(options)]
    for place, (name, run) in enumerate(runs):
        counts = [run.choices.get(option, 0) for option in options]
        _bar(axes, place, [*counts, run.metrics.ties], [*looks, _TIE], run.metrics.items)
        axes.text(0, place - 0.33, shortened(name, 42), fontsize=6.5, va="bottom", color=INK)
        axes.text(1, place - 0.33, f"{100 * run.metrics.accuracy:.1f} % right", fontsize=6.5, va="bottom", ha="right")
    chance = runs[0][1].metrics.chance
    if math.isfinite(chance):
        for place in range(len(runs)):
            axes.plot([chance, chance], [place - 0.3, place + 0.36], color="white", linewidth=2, zorder=3)
            axes.plot([chance, chance], [place - 0.3, place + 0.36], color=INK, linewidth=0.9, linestyle="--", zorder=4)
    axes.set_ylim(len(runs) - 0.5, -0.75)
    axes.set_xlim(0, 1)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}")
    axes.set_xlabel(f"share of the {runs[0][1].metrics.items:,} items, % (dashed: guessing)")
    _legend(figure, options, looks, ties=any(run.metrics.ties for _, run in runs))
    return figure


def _bar(axes: Axes, place: int, counts: Sequence[int], looks: Sequence[tuple[str, str]], items: int) -> None:
    start = 0.0
    for count, (colour, hatch) in zip(counts, looks, strict=True):
        share = count / items if items else 0.0
        axes.barh(
            place,
            share,
            left=start,
            height=0.52,
            color=colour,
            hatch=hatch,
            edgecolor=INK,
            linewidth=0.4,
        )
        if share >= _NARROW:
            ground = {"boxstyle": "square,pad=0.12", "facecolor": colour, "edgecolor": "none"}
            ink = "white" if colour == DARK else "black"
            axes.text(
                start + share / 2,
                place,
                f"{count:,}",
                ha="center",
                va="center",
                fontsize=6,
                color=ink,
                bbox=ground,
                zorder=5,
            )
        start += share


def _legend(figure: Figure, options: Sequence[str], looks: Sequence[tuple[str, str]], *, ties: bool) -> None:
    from matplotlib.patches import Patch

    shown = list(zip(options, looks, strict=True)) + ([("tie", _TIE)] if ties else [])
    marks = [Patch(facecolor=colour, hatch=hatch, edgecolor=INK, linewidth=0.4) for _, (colour, hatch) in shown]
    words = [display_name(option) + (" (right)" if place == 0 else "") for place, (option, _) in enumerate(shown)]
    figure.legend(
        marks, words, loc="outside upper left", ncols=4 if max(map(len, words)) < 14 else 2, columnspacing=1.2
    )
