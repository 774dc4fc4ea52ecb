"""The SVG figures of runs: choices of options, accuracy by category and by layer.

The functions compute positions and words; the template `figures.html` draws them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from litotes.evaluation.result import CategoryMetrics, RunResult
from litotes.report.formats import PERCENT, counted, display_name
from litotes.report.label_tables import ALL_ITEMS, largest_label, metrics_by_category
from litotes.report.suite_runs import SuiteRuns, layer_variants

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
