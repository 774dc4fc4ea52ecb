"""Texts of others, such as names of models and suites, on a terminal and in Markdown, CSV and YAML files."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Control characters except tab and line feed, and characters that change the direction of text.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_MARKDOWN = re.compile(r"[\\`*|]|\](?=[(\[:])")
_HTML = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)")
_LINE_BREAK = re.compile(r"\s*[\t\n]\s*")
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMERIC = re.compile(r"[-+\d.,% eE–]*( to [-+\d.,% eE]*)?")


def terminal_text(text: str) -> str:
    r"""Return the text without characters that a terminal executes; JSON remains JSON with the same meaning.

    >>> terminal_text('{"name": "a\x7f\u202eb"}')
    '{"name": "a\\u007f\\u202eb"}'
    """
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def flat_text(text: str) -> str:
    r"""Return the text on one line and without characters that a terminal executes.

    >>> flat_text("  two\nlines \x1b[2J")
    '  two lines \\u001b[2J'
    """
    return terminal_text(_LINE_BREAK.sub(" ", text))


def markdown_text(text: str) -> str:
    r"""Return the text as Markdown that shows it as it is, on one line and without HTML.

    >>> markdown_text("<script> | [a](b) snake_case, p < 0.001")
    '&lt;script> \\| [a\\](b) snake_case, p < 0.001'
    """
    escaped = _MARKDOWN.sub(lambda match: f"\\{match[0]}", flat_text(text))
    return _HTML.sub(lambda match: "&lt;" if match[0] == "<" else "&amp;", escaped)


def markdown_table(header: Iterable[str], rows: Iterable[Iterable[str]], *, align: str = "---:") -> str:
    """Return a Markdown table; `align` is the rule below the columns after the first.

    >>> print(markdown_table(["setting", "value"], [["a|b", "1"]]))
    | setting | value |
    | --- | ---: |
    | a\\|b | 1 |
    """
    names = list(header)
    lines = [f"| {' | '.join(map(markdown_text, row))} |" for row in (names, *rows)]
    lines.insert(1, f"| {' | '.join(['---', *[align] * (len(names) - 1)])} |")
    return "\n".join(lines)


def csv_text(text: str) -> str:
    """Return the text of a CSV cell so that a spreadsheet does not take it for a formula; numbers do not change.

    >>> csv_text("=1+1"), csv_text("-0.5"), csv_text("-0.1 to 0.2"), csv_text("-1+cmd|' /C calc'!A0")
    ("'=1+1", '-0.5', '-0.1 to 0.2', "'-1+cmd|' /C calc'!A0")
    """
    flat = flat_text(text)
    return f"'{flat}" if _FORMULA.match(text) and not _NUMERIC.fullmatch(flat) else flat
