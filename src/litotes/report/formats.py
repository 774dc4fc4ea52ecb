"""How numbers, names and dates are written in tables, figures and pages."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from datetime import datetime

from litotes.evaluation.result import Interval

MISSING = "–"
"""Shown in place of a number that does not exist."""
NO_INTERVAL = (math.nan, math.nan)
_NO_BREAK_SPACE = "\u00a0"


@dataclass(frozen=True)
class NumberFormat:
    """How a number is written.

    Plain text (terminals, Markdown, LaTeX) has an ASCII minus and leaves the unit to the heading; pages have both.
    """

    places: int
    scale: float = 1
    unit: str = ""
    to: str = "–"
    """Between the two ends of an interval."""
    is_signed: bool = False
    grouping: str = ""

    def __call__(self, value: float) -> str:
        """Return the number as plain text.

        >>> PERCENT(0.01935), CORRELATION(-0.001), COUNT(3152), PERCENT(float("nan"))
        ('1.9', '0.00', '3,152', '–')
        """
        if not math.isfinite(value):
            return MISSING
        text = f"{self.scale * value:{self.grouping}.{self.places}f}"
        if float(text.replace(",", "")) == 0:
            return text.removeprefix("-")
        return f"+{text}" if self.is_signed and value > 0 else text

    def interval(self, ends: Interval) -> str:
        """Return an interval as plain text.

        >>> PERCENT.interval((0.014, 0.026)), CORRELATION.interval((-0.081, 0.2))
        ('1.4–2.6', '-0.08 to 0.20')
        """
        return self.to.join(map(self, ends)) if all(map(math.isfinite, ends)) else MISSING

    def page(self, value: float) -> str:
        """Return the number as pages show it.

        >>> PERCENT.page(0.0194).replace(_NO_BREAK_SPACE, " "), POINTS.page(-0.031)
        ('1.9 %', '−3.1')
        """
        return self._with_unit(self(value))

    def page_interval(self, ends: Interval) -> str:
        """Return an interval as pages show it.

        >>> PERCENT.page_interval((0.014, 0.026)).replace(_NO_BREAK_SPACE, " "), POINTS.page_interval((-0.01, 0.025))
        ('1.4–2.6 %', '−1.0 to +2.5')
        """
        return self._with_unit(self.interval(ends))

    def _with_unit(self, text: str) -> str:
        if text == MISSING:
            return text
        return text.replace("-", "−") + (f"{_NO_BREAK_SPACE}{self.unit}" if self.unit else "")


COUNT = NumberFormat(0, grouping=",")
PERCENT = NumberFormat(1, scale=100, unit="%")
BARE_PERCENT = NumberFormat(1, scale=100)
"""Without the unit on pages too, for dense tables."""
PERCENT_2 = NumberFormat(2, scale=100, unit="%")
POINTS = NumberFormat(1, scale=100, to=" to ", is_signed=True)
SIMILARITY = NumberFormat(3)
CORRELATION = NumberFormat(2, to=" to ")


def format_p_value(p: float) -> str:
    """Return a p-value with two or three decimals.

    >>> format_p_value(0.0002), format_p_value(0.0312), format_p_value(0.4)
    ('< 0.001', '0.031', '0.40')
    """
    if not math.isfinite(p):
        return MISSING
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "item"), counted(3152, "item")
    ('1 item', '3,152 items')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def display_name(name: str) -> str:
    """Return the readable form of a role, option or pair.

    >>> display_name("original~negation_main")
    'original ~ negation main'
    """
    return name.replace("~", " ~ ").replace("_", " ")


def capitalised(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def format_date(timestamp: str) -> str:
    """Return the day of an ISO time stamp; any other text is returned unchanged.

    >>> format_date("2026-03-01T12:30:00+00:00")
    '1 March 2026'
    """
    try:
        moment = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
    except ValueError:
        return timestamp
    return f"{moment.day} {moment:%B %Y}"


def format_setting(value: object) -> str:
    """Return the value of a setting as one line of text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


_VARIANT = re.compile(r"[?&]((?:layer|prompt)=[^&]*)")


def short_model_name(name: str) -> str:
    """Return the name of a model without options, except those that several runs of a model may differ in.

    >>> short_model_name("onnx:a.onnx?output=461"), short_model_name("hf:NAME?layer=3&dtype=float16")
    ('onnx:a.onnx', 'hf:NAME?layer=3')
    """
    kept = _VARIANT.findall(name)
    return name.partition("?")[0] + ("?" + "&".join(kept) if kept else "")
