"""The SVG figures of runs: choices of options, accuracy by category, and similarity above the baseline.

The functions compute positions and words; the templates `figures.html` and `heat_map.svg` draw them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from litotes.evaluation.result import CategoryMetrics, RunResult
from litotes.report.formats import PERCENT, SIMILARITY, counted, display_name
from litotes.report.label_tables import ALL_ITEMS, largest_label, metrics_by_category
from litotes.report.suite_runs import SuiteRuns, layer_variants
from litotes.report.table import environment, shorten_start
from litotes.web.pages import clean

# Choices of options ------------------------------------------------------------------------------

_LEFT, _TOP, _LINE = 46, 22, 14
_SLOT, _BAR, _PLOT_HEIGHT = 68, 38, 128
_MAX_OPTION_LETTERS = 11


@dataclass(frozen=True)
class ChoiceBar:
    """How often one option was chosen."""

    kind: str
    """`right`, `wrong` or `tie`."""
    count: int
    middle: float
    top: float
    height: float
    lines: tuple[str, ...]
    """The option below the bar."""


@dataclass(frozen=True)
class ChoicesPanel:
    """How often a model chose each option, as bars."""

    name: str
    description: str
    width: int
    height: int
    bars: tuple[ChoiceBar, ...]
    grid: tuple[tuple[int, float], ...]
    """Values and positions of the horizontal lines."""
    guessing: float | None
    left: int = _LEFT
    right: int = 0
    floor: float = _TOP + _PLOT_HEIGHT
    bar_width: int = _BAR
    line_height: int = _LINE


def choices_panels(suite: SuiteRuns) -> list[ChoicesPanel]:
    """Return a panel for every model, all on one scale."""
    has_ties = any(run.metrics.ties for run in suite.runs)
    counts = [count for run in suite.runs for count in run.choices.values()]
    counts += [run.metrics.ties for run in suite.runs]
    top = _round_up(max(counts, default=0))
    return [
        _choices_panel(run, name, top, has_ties=has_ties) for name, run in zip(suite.names, suite.runs, strict=True)
    ]


def _choices_panel(run: RunResult, name: str, top: int, *, has_ties: bool) -> ChoicesPanel:
    def y(count: float) -> float:
        return round(_TOP + _PLOT_HEIGHT * (1 - count / top), 1)

    options = run.suite.options
    counts = [(option, run.choices.get(option, 0)) for option in options]
    counts += [("tie", run.metrics.ties)] if has_ties else []
    bars = []
    for index, (label, count) in enumerate(counts):
        kind = "tie" if index >= len(options) else "right" if label == run.suite.right else "wrong"
        middle = _LEFT + _SLOT * index + _SLOT / 2
        lines = tuple(_shortened(line, _MAX_OPTION_LETTERS) for line in _option_lines(label, kind))
        bars.append(ChoiceBar(kind, count, middle, y(count), y(0) - y(count), lines))
    shares = [count / run.metrics.items if run.metrics.items else math.nan for _, count in counts]
    description = "; ".join(
        f"{display_name(label)}: {counted(count, 'time')} ({PERCENT.page(share)})"
        for (label, count), share in zip(counts, shares, strict=True)
    )
    return ChoicesPanel(
        name=name,
        description=f"{description}. The right option is {display_name(run.suite.right)}.",
        width=max(_LEFT + _SLOT * len(bars) + 12, 200),
        height=_TOP + _PLOT_HEIGHT + 8 + _LINE * max(len(bar.lines) for bar in bars),
        bars=tuple(bars),
        grid=tuple((value, y(value)) for value in (0, top // 2, top)),
        guessing=y(run.metrics.items * run.metrics.chance) if math.isfinite(run.metrics.chance) else None,
        right=_LEFT + _SLOT * len(options),
    )


def _option_lines(label: str, kind: str) -> list[str]:
    """Return the name of an option with one word per line, and whether it is right.

    >>> _option_lines("original~quantifier_negated", "right")
    ['original ~', 'quantifier', 'negated', '✓ right']
    """
    names = [name.split("_") for name in label.split("~")]
    for words in names[:-1]:
        words[-1] += " ~"
    return [word for words in names for word in words] + {"right": ["✓ right"], "wrong": ["wrong"], "tie": []}[kind]


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _round_up(count: int) -> int:
    """Return the next number that gives a simple scale.

    >>> _round_up(2910), _round_up(0), _round_up(240)
    (3000, 2, 240)
    """
    if count <= 2:
        return 2
    unit = 10 ** max(len(str(count)) - 1, 0)
    return next(int(unit * step) for step in (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10) if unit * step >= count)


# Accuracy by category ----------------------------------------------------------------------------

_NAME_WIDTH, _PLOT_WIDTH, _FIGURE_WIDTH, _ROW_HEIGHT, _ROWS_TOP = 92, 190, 62, 23, 8
_MAX_CATEGORY_LETTERS = 14


@dataclass(frozen=True)
class CategoryRow:
    """The accuracy in one category, as positions."""

    name: str
    middle: float
    is_total: bool
    accuracy: str
    largest_label: str
    whisker: tuple[str, str] | None
    dot: str | None


@dataclass(frozen=True)
class CategoryPanel:
    """The accuracy of a model in every category, as a dot per category."""

    name: str
    description: str
    rows: tuple[CategoryRow, ...]
    height: int
    bottom: int
    scale: tuple[tuple[int, str], ...]
    guessing: str | None
    width: int = _NAME_WIDTH + _PLOT_WIDTH + _FIGURE_WIDTH
    top: int = _ROWS_TOP
    name_end: int = _NAME_WIDTH - 10


def category_panels(suite: SuiteRuns) -> list[CategoryPanel]:
    """Return a panel for every model, all on one scale."""
    return [
        _category_panel(name, metrics_by_category(suite, run), suite.chance)
        for name, run in zip(suite.names, suite.runs, strict=True)
    ]


def _category_panel(name: str, by_category: dict[str, CategoryMetrics], chance: float) -> CategoryPanel:
    bottom = _ROWS_TOP + _ROW_HEIGHT * len(by_category)
    descriptions, rows = [], []
    for index, (category, metrics) in enumerate(by_category.items()):
        label, share = largest_label(metrics.labels)
        descriptions.append(
            f"{display_name(category)}: {PERCENT.page(metrics.accuracy)} right "
            f"({PERCENT.page_interval(metrics.accuracy_ci)}), always {label} {PERCENT.page(share)}"
        )
        has_interval = all(map(math.isfinite, metrics.accuracy_ci))
        rows.append(
            CategoryRow(
                name=_shortened(display_name(category), _MAX_CATEGORY_LETTERS),
                middle=_ROWS_TOP + _ROW_HEIGHT * (index + 0.5),
                is_total=category == ALL_ITEMS,
                accuracy=PERCENT.page(metrics.accuracy),
                largest_label=_share_x(share),
                whisker=(_share_x(metrics.accuracy_ci[0]), _share_x(metrics.accuracy_ci[1])) if has_interval else None,
                dot=_share_x(metrics.accuracy) if math.isfinite(metrics.accuracy) else None,
            )
        )
    return CategoryPanel(
        name=name,
        description=f"{'; '.join(descriptions)}. Guessing gives {PERCENT.page(chance)}.",
        rows=tuple(rows),
        height=bottom + 20,
        bottom=bottom,
        scale=tuple((percent, _share_x(percent / 100)) for percent in (0, 25, 50, 75, 100)),
        guessing=_share_x(chance) if math.isfinite(chance) else None,
    )


def _share_x(share: float) -> str:
    return f"{_NAME_WIDTH + _PLOT_WIDTH * min(max(share, 0.0), 1.0):.1f}"


# Accuracy by layer -------------------------------------------------------------------------------

_LAYER_STEP, _LAYERS_HEIGHT = 34, 150


@dataclass(frozen=True)
class LayerPoint:
    """The accuracy after one layer, as positions."""

    layer: str
    x: int
    y: float
    whisker: tuple[float, float]


@dataclass(frozen=True)
class LayerCurve:
    """The accuracy of a model after each layer."""

    name: str
    description: str
    points: tuple[LayerPoint, ...]
    width: int
    scale: tuple[tuple[int, float], ...]
    guessing: float
    left: int = _LEFT
    floor: int = _TOP + _LAYERS_HEIGHT
    height: int = _TOP + _LAYERS_HEIGHT + 24

    @property
    def line(self) -> str:
        """The path through all points."""
        return "M" + "L".join(f"{point.x} {point.y}" for point in self.points)


def layer_curves(suite: SuiteRuns) -> list[LayerCurve]:
    """Return a curve for every model that ran with several layers."""
    return [_layer_curve(model, by_layer) for model, by_layer in layer_variants(suite).items()]


def _layer_curve(model: str, by_layer: SuiteRuns) -> LayerCurve:
    def y(share: float) -> float:
        return round(_TOP + _LAYERS_HEIGHT * (1 - share), 1)

    points, descriptions = [], []
    for index, (layer, run) in enumerate(zip(by_layer.names, by_layer.runs, strict=True)):
        accuracy, (low, high) = run.metrics.accuracy, run.metrics.accuracy_ci
        points.append(LayerPoint(layer, _LEFT + _LAYER_STEP // 2 + _LAYER_STEP * index, y(accuracy), (y(low), y(high))))
        descriptions.append(f"layer {layer}: {PERCENT.page(accuracy)}")
    return LayerCurve(
        name=model,
        description=f"{'; '.join(descriptions)}. Guessing gives {PERCENT.page(by_layer.chance)}.",
        points=tuple(points),
        width=_LEFT + _LAYER_STEP * len(points) + 12,
        scale=tuple((percent, y(percent / 100)) for percent in (0, 50, 100)),
        guessing=y(by_layer.chance),
    )


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
