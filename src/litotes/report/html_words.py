"""Words and numbers as they stand in the HTML report."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import quote, urlencode

from litotes.evaluation.result import Interval

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


def view_link(shown: str, state: Mapping[str, str], label: str = "") -> str:
    """A link to a view of the page with what is chosen there; `shown` is HTML, `label` what it is called if not that.

    >>> view_link("rare", {"view": "errors", "with frequency": "rare"})
    '<a href="#view=errors&amp;with%20frequency=rare">rare</a>'
    """
    target = urlencode({key: clean(value) for key, value in state.items()}, quote_via=quote)
    called = f' aria-label="{escape(label)}"' if label else ""
    return f'<a href="#{escape(target)}"{called}>{shown}</a>'


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


def similarity_interval(interval: Interval) -> str:
    """An interval of similarities.

    >>> similarity_interval((0.8123, 0.9))
    '0.812–0.900'
    """
    return NOTHING if any(not math.isfinite(end) for end in interval) else "–".join(map(similarity, interval))


def correlation(value: float) -> str:
    """A correlation to two places."""
    return _fixed(value, 2) if math.isfinite(value) else NOTHING


def correlation_interval(interval: Interval) -> str:
    """An interval of correlations.

    >>> correlation_interval((-0.081, 0.2))
    '−0.08 to 0.20'
    """
    return NOTHING if any(not math.isfinite(end) for end in interval) else " to ".join(map(correlation, interval))


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


def display_name(name: str) -> str:
    """A role, option or pair name for people.

    >>> display_name("original~negation_main")
    'original ~ negation main'
    """
    return name.replace("~", " ~ ").replace("_", " ")
