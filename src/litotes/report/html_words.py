"""Words and numbers as they stand in the HTML report."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from litotes.bench.result import Interval, SuiteInfo

NOTHING = "–"
"""What stands where there is no number."""

_SPACE = "\u00a0"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: object) -> str:
    """A text that can be written as UTF-8, whatever a data file held."""
    return _LONE_SURROGATE.sub("\ufffd", str(text))


def escape(text: object) -> str:
    """A text for the inside of an element or of a quoted attribute."""
    return html.escape(clean(text), quote=True)


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.0194).replace("\\u00a0", " ")
    '1.9 %'
    """
    return f"{_fixed(share * 100, 1)}{_SPACE}%" if math.isfinite(share) else NOTHING


def percent_interval(interval: Interval) -> str:
    """An interval of shares.

    >>> percent_interval((0.014, 0.026)).replace("\\u00a0", " ")
    '1.4–2.6 %'
    """
    low, high = interval
    if not (math.isfinite(low) and math.isfinite(high)):
        return NOTHING
    return f"{_fixed(low * 100, 1)}–{_fixed(high * 100, 1)}{_SPACE}%"


def points(difference: float) -> str:
    """A difference of shares in percentage points, with its sign.

    >>> points(-0.031)
    '−3.1'
    """
    if not math.isfinite(difference):
        return NOTHING
    text = _fixed(difference * 100, 1)
    return text if text.startswith("−") or text == "0.0" else f"+{text}"


def points_interval(interval: Interval) -> str:
    """An interval of differences in percentage points.

    >>> points_interval((-0.01, 0.025))
    '−1.0 to +2.5'
    """
    return NOTHING if any(not math.isfinite(end) for end in interval) else " to ".join(map(points, interval))


def similarity(value: float) -> str:
    """A similarity to three places."""
    return _fixed(value, 3) if math.isfinite(value) else NOTHING


def p_value(p: float) -> str:
    """A p-value, as exact as it deserves.

    >>> p_value(0.0002), p_value(0.0312), p_value(0.4)
    ('< 0.001', '0.031', '0.40')
    """
    if not math.isfinite(p):
        return NOTHING
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "item"), counted(3152, "item")
    ('1 item', '3,152 items')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def date_of(moment: object) -> str:
    """The day of a time stamp; a stamp of another form is shown as it is.

    >>> date_of("2026-03-01T12:30:00+00:00")
    '1 March 2026'
    """
    try:
        parsed = datetime.fromisoformat(str(moment).replace("Z", "+00:00"))
    except ValueError:
        return clean(moment)
    return f"{parsed.day} {parsed:%B %Y}"


def setting(value: object) -> str:
    """A setting of a run as one line of text."""
    return clean(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _fixed(value: float, places: int) -> str:
    text = f"{value:.{places}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


@dataclass(frozen=True)
class KindWords:
    """What a kind of suite asks, in plain words."""

    right_answer: str
    task: str
    roles: Mapping[str, str] = field(default_factory=dict)


_SEMANTONEG = KindWords(
    right_answer="the right paraphrase",
    task="Each item is an input sentence and three rewordings of it. One of them means the same as the "
    "input; the other two mean the opposite. The model is right when it finds the one with the same meaning "
    "the most similar to the input.",
    roles={
        "input": "the sentence that is to be matched: “It is good.”",
        "antonym": "one word replaced by its antonym, so it means the opposite: “It is bad.”",
        "polarity": "negation put in or taken out, so it means the opposite: “It is not good.”",
        "both": "both changes, so it means the same again: “It is not bad.”",
    },
)


def kind_words(suite: SuiteInfo) -> KindWords:
    """The words for a suite; a kind that is not known here is described by its options."""
    if suite.kind == "semantoneg":
        return _SEMANTONEG
    right = display_name(suite.right)
    options = " or ".join(map(display_name, suite.options))
    return KindWords(
        right_answer="the right option",
        task=f"Each item is a choice: {options}. The model is right when it finds {right} the most alike.",
    )


def display_name(name: str) -> str:
    """A role, option or pair name for people.

    >>> display_name("input~both")
    'input ~ both'
    """
    return name.replace("~", " ~ ")
