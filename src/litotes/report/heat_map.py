"""The heat map of models by role pairs: how similar each finds the changed sentences, above the baseline.

The form of Figures 1 and 2 of HEROS (Chiang, Chuang, Glass and Lee, 2023), as SVG that stands in the page or alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from litotes.report.html_words import display_name, escape, similarity
from litotes.report.suite_runs import SuiteRuns

_CELL_WIDTH, _CELL_HEIGHT = 74, 28
_HEAD, _FOOT, _MARGIN = 40, 48, 8
_LETTER = 6.6
_MOST_LETTERS = 34
_STEPS = 40

_COLOURS = ((0.0, (239, 245, 250)), (0.4, (158, 202, 225)), (0.75, (49, 130, 189)), (1.0, (8, 48, 107)))
_LOWEST = 0.6
"""Where the paper's scale begins; ours begins lower if a value does, but not below 0."""

_FONT = "system-ui, 'Segoe UI', 'Liberation Sans', Arial, sans-serif"


@dataclass(frozen=True)
class _Drawing:
    width: int
    height: int
    body: str


def heat_map(suite: SuiteRuns, key: str) -> str:
    """The figure of one suite for the page; its letters take the page's colour."""
    drawn = _draw(suite)
    told = "; ".join(
        f"{name}: "
        + ", ".join(f"{label} {similarity(value)}" for label, value in zip(_labels(suite), row, strict=True))
        for name, row in zip(suite.names, _values(suite), strict=True)
    )
    return (
        f'<svg class="heat-map" role="img" width="{drawn.width}" height="{drawn.height}" '
        f'viewBox="0 0 {drawn.width} {drawn.height}" aria-labelledby="{key}-title {key}-desc">'
        f'<title id="{key}-title">Similarity above the baseline on {escape(suite.label)}</title>'
        f'<desc id="{key}-desc">{escape(told)}.</desc>{drawn.body}</svg>'
    )


def heat_map_file(suites: Sequence[SuiteRuns]) -> str:
    """The figures of several suites, one below the other, as a file of its own."""
    drawings = [_draw(suite) for suite in suites]
    width = max(drawing.width for drawing in drawings) + 2 * _MARGIN
    parts, top = [], _MARGIN
    for suite, drawing in zip(suites, drawings, strict=True):
        parts.append(
            f'<text x="{_MARGIN}" y="{top + 14}" font-weight="600">{escape(suite.label)}: '
            "mean similarity above the baseline</text>"
            f'<g transform="translate({_MARGIN} {top + 24})">{drawing.body}</g>'
        )
        top += drawing.height + 40
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" viewBox="0 0 {width} {top}" '
        f'color="#1c2126" fill="currentColor" font-family="{_FONT}" font-size="12">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _labels(suite: SuiteRuns) -> list[str]:
    anchored = suite.layout().anchor is not None
    return [display_name(pair.split("~")[-1] if anchored else pair) for pair in suite.normalised]


def _values(suite: SuiteRuns) -> list[list[float]]:
    return [[run.metrics.normalised.get(pair, math.nan) for pair in suite.normalised] for run in suite.runs]


def _draw(suite: SuiteRuns) -> _Drawing:
    labels, values = _labels(suite), _values(suite)
    names = [_short(name) for name in suite.names]
    left = math.ceil(max(map(len, names)) * _LETTER) + 12
    low = _scale_start([value for row in values for value in row if math.isfinite(value)])
    parts = [_heading(left + place * _CELL_WIDTH + _CELL_WIDTH / 2, label) for place, label in enumerate(labels)]
    for line, (name, row) in enumerate(zip(names, values, strict=True)):
        top = _HEAD + line * _CELL_HEIGHT
        parts.append(_text(left - 8, top + _CELL_HEIGHT / 2 + 4, name, anchor="end"))
        parts += [_cell(left + place * _CELL_WIDTH, top, value, low) for place, value in enumerate(row)]
    bottom = _HEAD + len(values) * _CELL_HEIGHT
    parts.append(_scale(left, bottom + 12, len(labels) * _CELL_WIDTH, low))
    return _Drawing(left + len(labels) * _CELL_WIDTH + 12, bottom + _FOOT, "".join(parts))


def _short(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else "…" + name[1 - _MOST_LETTERS :]


def _scale_start(values: Sequence[float]) -> float:
    """Where the colours begin: as in the paper, or at the next tenth below the lowest value.

    >>> _scale_start([0.7, 0.9]), _scale_start([0.43]), _scale_start([-0.2])
    (0.6, 0.4, 0.0)
    """
    lowest = min(values, default=_LOWEST)
    return max(0.0, min(_LOWEST, math.floor(lowest * 10) / 10))


def _heading(middle: float, label: str) -> str:
    first, _, second = label.partition(" ")
    lines = [first, second] if second else ["", first]
    return "".join(_text(middle, 14 + 15 * place, line, anchor="middle") for place, line in enumerate(lines) if line)


def _text(x: float, y: float, text: str, *, anchor: str, fill: str = "currentColor") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'


def _cell(x: float, y: float, value: float, low: float) -> str:
    middle, base = x + _CELL_WIDTH / 2, y + _CELL_HEIGHT / 2 + 4
    if not math.isfinite(value):
        return _text(middle, base, "–", anchor="middle")
    share = _share(value, low)
    place = f'x="{x + 1:g}" y="{y + 1:g}" width="{_CELL_WIDTH - 2}" height="{_CELL_HEIGHT - 2}"'
    ground = _colour(share)
    number = _text(middle, base, similarity(value), anchor="middle", fill=_ink(ground))
    return f'<rect {place} fill="{ground}"/>{number}'


def _share(value: float, low: float) -> float:
    return min(max((value - low) / (1 - low), 0.0), 1.0)


def _colour(share: float) -> str:
    """The colour of a part of the scale.

    >>> _colour(0.0), _colour(1.0)
    ('#eff5fa', '#08306b')
    """
    (start, one), (end, other) = next((before, after) for before, after in pairwise(_COLOURS) if share <= after[0])
    part = (share - start) / (end - start)
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in zip(one, other, strict=True))


def _ink(ground: str) -> str:
    """Black or white, whichever stands out more: at least 4.5 to 1, as the rules for readable text ask.

    >>> _ink("#eff5fa"), _ink("#08306b")
    ('#000000', '#ffffff')
    """
    parts = [int(ground[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
    return "#000000" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "#ffffff"


def _scale(left: float, top: float, width: float, low: float) -> str:
    step = width / _STEPS
    bars = "".join(
        f'<rect x="{left + place * step:.2f}" y="{top:g}" width="{step + 0.3:.2f}" height="8" '
        f'fill="{_colour((place + 0.5) / _STEPS)}"/>'
        for place in range(_STEPS)
    )
    marks = "".join(
        _text(left + part * width, top + 22, f"{low + part * (1 - low):.2f}", anchor=anchor)
        for part, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    )
    return bars + marks
