"""The SVG figures of similarity above the baseline: a heat map, and scatter plots against human similarity scores.

The functions compute positions and words; the templates `figures.html` and `heat_map.svg` draw them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from litotes.report.formats import BARE_PERCENT, SIMILARITY
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import environment, shorten_start
from litotes.web.pages import clean

# Similarity above the baseline, as in Figures 1 and 2 of HEROS (Chiang et al., 2023) ---------------

_CELL_WIDTH, _CELL_HEIGHT = 74, 28
_HEAD, _FOOT, _MARGIN = 40, 48, 8
_LETTER_WIDTH = 6.6
_MAX_NAME_LETTERS = 34
_STEPS = 40
_COLOURS = ((0.0, (239, 245, 250)), (0.4, (158, 202, 225)), (0.75, (49, 130, 189)), (1.0, (8, 48, 107)))
_SCALE_START = 0.6


@dataclass(frozen=True)
class SvgText:
    """A text in a figure."""

    text: str
    x: float
    y: float
    anchor: str = "middle"
    fill: str = "currentColor"


@dataclass(frozen=True)
class SvgRect:
    """A filled rectangle in a figure."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True)
class HeatMap:
    """The similarities of models and role pairs as shaded cells."""

    label: str
    description: str
    width: int
    height: int
    rects: tuple[SvgRect, ...]
    texts: tuple[SvgText, ...]


def heat_map(suite: SuiteRuns) -> HeatMap:
    """Return the heat map of a suite: one row per model, one column per role pair."""
    labels = [suite.layout.pair_name(pair) for pair in suite.normalised_pairs]
    values = [[run.metrics.normalised.get(pair, math.nan) for pair in suite.normalised_pairs] for run in suite.runs]
    names = [shorten_start(name, _MAX_NAME_LETTERS) for name in suite.names]
    left = math.ceil(max(map(len, names)) * _LETTER_WIDTH) + 12
    low = scale_start([value for row in values for value in row])
    rects, texts = [], []
    for column, label in enumerate(labels):
        first, _, second = label.partition(" ")
        middle = left + (column + 0.5) * _CELL_WIDTH
        lines = [first, second] if second else ["", first]
        texts += [SvgText(line, middle, 14 + 15 * number) for number, line in enumerate(lines) if line]
    for row, (name, row_values) in enumerate(zip(names, values, strict=True)):
        top = _HEAD + row * _CELL_HEIGHT
        baseline = top + _CELL_HEIGHT / 2 + 4
        texts.append(SvgText(name, left - 8, baseline, "end"))
        for column, value in enumerate(row_values):
            x, fill = left + column * _CELL_WIDTH, "currentColor"
            if math.isfinite(value):
                colour = _colour(scaled_share(value, low))
                rects.append(SvgRect(x + 1, top + 1, _CELL_WIDTH - 2, _CELL_HEIGHT - 2, colour))
                red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
                fill = "#000000" if is_light(red, green, blue) else "#ffffff"
            texts.append(SvgText(SIMILARITY.page(value), x + _CELL_WIDTH / 2, baseline, fill=fill))
    bottom, width = _HEAD + len(values) * _CELL_HEIGHT, len(labels) * _CELL_WIDTH
    step = width / _STEPS
    rects += [
        SvgRect(round(left + number * step, 2), bottom + 12, round(step + 0.3, 2), 8, _colour((number + 0.5) / _STEPS))
        for number in range(_STEPS)
    ]
    texts += [
        SvgText(f"{low + share * (1 - low):.2f}", left + share * width, bottom + 34, anchor)
        for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    ]
    description = "; ".join(
        f"{name}: " + ", ".join(f"{label} {SIMILARITY.page(value)}" for label, value in zip(labels, row, strict=True))
        for name, row in zip(suite.names, values, strict=True)
    )
    return HeatMap(suite.label, f"{description}.", left + width + 12, bottom + _FOOT, tuple(rects), tuple(texts))


def heat_map_file(suites: Sequence[SuiteRuns]) -> str:
    """Return the heat maps of several suites, one below the other, as an SVG file."""
    maps, tops, top = [], [], _MARGIN
    for suite in suites:
        maps.append(heat_map(suite))
        tops.append(top)
        top += maps[-1].height + 40
    width = max(drawn.width for drawn in maps) + 2 * _MARGIN
    template = environment().get_template("heat_map.svg")
    svg = template.render(maps=list(zip(maps, tops, strict=True)), width=width, height=top, margin=_MARGIN)
    return clean(f"{svg}\n")


# STS against similarity above the baseline (section 3.2 of HEROS) ----------------------------------

_PANEL, _PANEL_LEFT, _PANEL_TOP = 180, 44, 24
_MAX_FILE_LETTERS = 28
_PANEL_MARGIN = 0.06
"""Space around the dots, as a share of the scale."""


@dataclass(frozen=True)
class ScatterDot:
    """A model in a scatter plot."""

    x: float
    y: float
    label: str


@dataclass(frozen=True)
class ScatterPanel:
    """The models by their correlation on a file of human scores (x) and their similarity on a subset (y)."""

    name: str
    description: str
    dots: tuple[ScatterDot, ...]
    x_scale: tuple[tuple[str, float], ...]
    y_scale: tuple[tuple[str, float], ...]
    x_name: str
    width: int = _PANEL_LEFT + _PANEL + 26
    height: int = _PANEL_TOP + _PANEL + 38
    left: int = _PANEL_LEFT
    right: int = _PANEL_LEFT + _PANEL
    top: int = _PANEL_TOP
    floor: int = _PANEL_TOP + _PANEL


def scatter_panels(suite: SuiteRuns) -> list[ScatterPanel]:
    """Return a panel per file of human scores and role pair, all panels of a file on one scale."""
    return [panel for file in suite.sts_files for panel in _panels_of_file(suite, file)]


def _panels_of_file(suite: SuiteRuns, file: str) -> Iterator[ScatterPanel]:
    runs = [(name, run) for name, run in zip(suite.names, suite.runs, strict=True) if file in run.sts]
    x_ends = _scale([run.sts[file].spearman for _, run in runs])
    y_ends = _scale([value for _, run in runs for value in run.metrics.normalised.values()])

    def x(value: float) -> float:
        return _PANEL_LEFT + _PANEL * (value - x_ends[0]) / (x_ends[1] - x_ends[0])

    def y(value: float) -> float:
        return _PANEL_TOP + _PANEL * (y_ends[1] - value) / (y_ends[1] - y_ends[0])

    for pair in suite.normalised_pairs:
        label = suite.layout.pair_name(pair)
        dots = []
        for name, run in runs:
            spearman, value = run.sts[file].spearman, run.metrics.normalised.get(pair, math.nan)
            if math.isfinite(value):
                text = f"{name}: {file} {BARE_PERCENT(spearman)}, {label} {SIMILARITY(value)}"
                dots.append(ScatterDot(x(spearman), y(value), text))
        yield ScatterPanel(
            name=label,
            description="; ".join(dot.label for dot in dots),
            dots=tuple(dots),
            x_scale=tuple((BARE_PERCENT(end), x(end)) for end in x_ends),
            y_scale=tuple((f"{end:.2f}", y(end)) for end in y_ends),
            x_name=shorten_start(file, _MAX_FILE_LETTERS),
        )


def _scale(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a scale that shows all values.

    >>> _scale([0.5, 0.7, 1.0]), _scale([0.8])
    ((0.47, 1.03), (0.75, 0.8500000000000001))
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    space = _PANEL_MARGIN * (high - low) or 0.05
    return low - space, high + space


def scale_start(values: Sequence[float]) -> float:
    """Return where the colours begin: as in the paper, or at the next tenth below the lowest value.

    >>> scale_start([0.7, 0.9]), scale_start([0.43]), scale_start([-0.2])
    (0.6, 0.4, 0.0)
    """
    lowest = min(filter(math.isfinite, values), default=_SCALE_START)
    return max(0.0, min(_SCALE_START, math.floor(lowest * 10) / 10))


def scaled_share(value: float, low: float) -> float:
    """Return the position of a value on the scale from `low` to 1, between 0 and 1."""
    return min(max((value - low) / (1 - low), 0.0), 1.0)


def _colour(share: float) -> str:
    """Return the colour at a position of the scale.

    >>> _colour(0.0), _colour(1.0)
    ('#eff5fa', '#08306b')
    """
    (start, first), (end, second) = next((low, high) for low, high in pairwise(_COLOURS) if share <= high[0])
    part = (share - start) / (end - start)
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in zip(first, second, strict=True))


def is_light(red: float, green: float, blue: float) -> bool:
    """Return whether black text has more contrast on a colour than white (WCAG relative luminance).

    >>> is_light(1.0, 1.0, 1.0), is_light(0.0, 0.1, 0.4)
    (True, False)
    """
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05)
