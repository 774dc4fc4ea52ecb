"""One table type, with renderers for plain text, Markdown, CSV, LaTeX and HTML."""

from __future__ import annotations

import csv
import io
import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from urllib.parse import quote, urlencode

from jinja2 import Environment
from markupsafe import Markup

from litotes.core.escaping import csv_text, flat_text, markdown_table, markdown_text
from litotes.evaluation.result import Interval
from litotes.report.formats import (
    CORRELATION,
    MISSING,
    NO_INTERVAL,
    PERCENT,
    SIMILARITY,
    NumberFormat,
    capitalised,
    counted,
    display_name,
    format_date,
    format_setting,
    short_model_name,
)
from litotes.web.pages import clean, template_environment

Value = str | int | float


@dataclass(frozen=True)
class Cell:
    """A value with its interval and with details that only pages show."""

    value: Value
    interval: Interval = NO_INTERVAL
    chance: float = math.nan
    """The accuracy of guessing, marked in the bar."""
    text: str = ""
    """Shown on pages instead of the formatted value."""
    note: str = ""
    """Shown on pages below or beside the value."""
    href: str = ""
    label: str = ""
    """The accessible name of the link; default: the text of the cell."""
    is_right: bool = False

    @property
    def number(self) -> float:
        """The value as a number; NaN for text."""
        return math.nan if isinstance(self.value, str) else self.value

    @property
    def has_interval(self) -> bool:
        """Whether both ends of the interval are known."""
        return all(map(math.isfinite, self.interval))

    @property
    def shade(self) -> int:
        """The depth of the background for a share, 0 to 4."""
        return min(int(max(self.number, 0.0) * 5), 4)


@dataclass(frozen=True)
class Column:
    """A heading for readers, a key for programs, and the values below them.

    A column without a heading is left out of plain text, Markdown and LaTeX, one without a key out of CSV, and one
    without heading and title out of pages.
    """

    heading: str
    key: str
    values: Sequence[Value | Cell]
    format: NumberFormat | None = None
    title: str = ""
    """The heading on pages; default: the heading, capitalised."""
    style: str = "number"
    """How pages show the cells: as a row `name`, `words`, `text`, `number`, `bar`, `shade` or another CSS class."""
    over: str = ""
    """A page heading over neighbouring columns."""
    unit: str = ""
    """Small print below the page heading."""
    marks_right: bool = False
    """Whether the page heading is marked as that of the right option."""
    interval_heading: str = ""
    """The heading of the intervals in plain text; default: they are left out."""
    interval_key: bool = False
    """Whether CSV has the ends of the intervals, as `key_low` and `key_high`."""

    @property
    def page_title(self) -> str:
        """The heading on pages; empty if pages leave the column out."""
        return self.title or capitalised(display_name(self.heading))

    def cells(self) -> Iterator[Cell]:
        """Yield every value as a cell."""
        for value in self.values:
            yield value if isinstance(value, Cell) else Cell(value)

    def texts(self) -> list[str]:
        """Return the values as plain text."""
        return [self._text(cell.value) for cell in self.cells()]

    def _text(self, value: Value) -> str:
        return str(value) if self.format is None or isinstance(value, str) else self.format(value)

    def page_text(self, cell: Cell) -> str:
        """Return the text of a cell on a page."""
        if cell.text:
            return cell.text
        if isinstance(cell.value, str):
            return cell.value
        return str(cell.value) if self.format is None else self.format.page(cell.value)

    def intervals(self) -> list[str]:
        """Return the intervals of the cells as plain text."""
        return [self.format.interval(cell.interval) if self.format else MISSING for cell in self.cells()]


@dataclass(frozen=True)
class Table:
    """Columns of equal length under a caption; the first column names the rows."""

    caption: str
    columns: Sequence[Column]
    row_attributes: Sequence[Mapping[str, str]] = ()
    """The HTML attributes of each row; empty: none."""

    def with_row(self, index: int, values: Sequence[Value | Cell], attributes: Mapping[str, str]) -> Table:
        """Return the table with a row inserted at `index`."""
        columns = [
            replace(column, values=[*column.values[:index], value, *column.values[index:]])
            for column, value in zip(self.columns, values, strict=True)
        ]
        rows = self.row_attributes or [{}] * len(self.columns[0].values)
        return replace(self, columns=columns, row_attributes=[*rows[:index], attributes, *rows[index:]])

    def text_columns(self) -> list[list[str]]:
        """Return the columns of plain text, Markdown and LaTeX, each with its heading first."""
        columns = []
        for column in self.columns:
            if column.heading:
                columns.append([column.heading, *map(flat_text, column.texts())])
            if column.interval_heading:
                columns.append([column.interval_heading, *column.intervals()])
        return columns

    def csv_columns(self) -> dict[str, list[Value]]:
        """Return the columns of CSV by key."""
        columns: dict[str, list[Value]] = {}
        for column in self.columns:
            if not column.key:
                continue
            columns[column.key] = [cell.value for cell in column.cells()]
            if column.interval_key:
                for end, suffix in enumerate(("low", "high")):
                    columns[f"{column.key}_{suffix}"] = [cell.interval[end] for cell in column.cells()]
        return columns

    @property
    def page_columns(self) -> list[Column]:
        """The columns that pages show."""
        return [column for column in self.columns if column.page_title]

    @property
    def page_headings(self) -> list[tuple[str, list[tuple[int, Column]]]]:
        """The columns of a page with their positions, grouped under the headings over them."""
        numbered = enumerate(self.page_columns)
        return [(over, list(members)) for over, members in groupby(numbered, key=lambda member: member[1].over)]

    @property
    def page_rows(self) -> Iterator[tuple[Mapping[str, str], list[tuple[Column, Cell]]]]:
        """The attributes of each row of a page, and its cells with their columns."""
        columns = self.page_columns
        rows = zip(*(column.cells() for column in columns), strict=True)
        for index, cells in enumerate(rows):
            attributes = self.row_attributes[index] if self.row_attributes else {}
            yield attributes, list(zip(columns, cells, strict=True))


def as_text(table: Table, *, width: int = 80) -> str:
    """Return the table as aligned plain text.

    If it is too wide, its headings are broken into lines, then the first column is shortened, and last the remaining
    columns continue in another block below.
    """
    columns = table.text_columns()
    if _width(columns) > width:
        columns = [_with_broken_heading(column) for column in columns]
    blocks = ["\n".join(_aligned(block, width)) for block in _blocks(columns, width)]
    # No line break between a number and its unit.
    caption = textwrap.fill(flat_text(table.caption).replace(" %", "\u00a0%"), width).replace("\u00a0", " ")
    return "\n".join([caption, "", "\n\n".join(blocks)])


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(map(_column_width, columns)) + 2 * (len(columns) - 1)


def _column_width(column: Sequence[str]) -> int:
    return max(len(line) for cell in column for line in cell.split("\n"))


_MIN_NAME = 16
"""Names of models are not shortened below this width."""
_MIN_HEADING = 9


def _with_broken_heading(column: Sequence[str]) -> list[str]:
    """Return the column with a long heading broken into lines at `~`, `_` and spaces.

    >>> _with_broken_heading(["original~quantifier_negated", "0.5"])
    ['original\\n~quantifier_\\nnegated', '0.5']
    """
    heading, *cells = column
    width = max([_MIN_HEADING, *map(len, cells)])
    lines = [""]
    for part in re.findall(r"~?[^~_ ]+[_ ]?", heading):
        if lines[-1] and len((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return ["\n".join(line.rstrip() for line in lines), *cells]


def _blocks(columns: Sequence[Sequence[str]], width: int) -> list[list[Sequence[str]]]:
    """Return the columns in blocks that fit the width, each beginning with the first column."""
    first = columns[0]
    name_width = min(_MIN_NAME, _column_width(first))
    blocks = [[first]]
    for column in columns[1:]:
        if len(blocks[-1]) > 1 and name_width + 2 + _width([*blocks[-1][1:], column]) > width:
            blocks.append([first])
        blocks[-1].append(column)
    return blocks


def _aligned(columns: Sequence[Sequence[str]], width: int) -> list[str]:
    widths = [_column_width(column) for column in columns]
    available = width - sum(widths[1:]) - 2 * len(widths[1:])
    widths[0] = min(widths[0], max(available, 12))
    heading_lines = max(column[0].count("\n") for column in columns)
    lines = []
    for heading, *cells in columns:
        parts = heading.split("\n")
        lines.append([""] * (heading_lines + 1 - len(parts)) + [*parts, *cells])
    return [
        "  ".join(
            shorten_start(short_model_name(cell), size).ljust(size) if index == 0 else cell.rjust(size)
            for index, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in zip(*lines, strict=True)
    ]


def shorten_start(text: str, length: int) -> str:
    """Return the end of a long text: the end of a model's name is more telling than its start.

    >>> shorten_start("sentence-transformers/all-MiniLM-L6-v2", 20)
    '…rs/all-MiniLM-L6-v2'
    """
    return text if len(text) <= length else "…" + text[len(text) - length + 1 :]


def as_markdown(table: Table) -> str:
    """Return the table as a Markdown pipe table."""
    header, *rows = zip(*table.text_columns(), strict=True)
    return f"{markdown_text(table.caption)}\n\n{markdown_table(header, rows)}\n"


def as_csv(tables_by_suite: Sequence[tuple[str, Sequence[Table]]]) -> str:
    """Return the tables as CSV with unformatted numbers: one row per model and suite, with all tables of the suite."""
    suites = []
    for suite, tables in tables_by_suite:
        columns: dict[str, list[Value]] = {}
        for table in tables:
            columns |= table.csv_columns()
        suites.append((suite, columns))
    keys = list(dict.fromkeys(key for _, columns in suites for key in columns))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["suite", *keys])
    for suite, columns in suites:
        for index in range(len(next(iter(columns.values())))):
            values = [columns[key][index] if key in columns else "" for key in keys]
            writer.writerow(map(_csv_value, [suite, *values]))
    return out.getvalue()


def _csv_value(value: Value) -> Value:
    if isinstance(value, str):
        return csv_text(value)
    return "" if isinstance(value, float) and not math.isfinite(value) else value


_LATEX = {"–": "--", "′": "$'$", "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX.update({character: f"\\{character}" for character in "&%$#_{}"})


def as_latex(table: Table) -> str:
    """Return the table as a LaTeX table with booktabs rules."""
    columns = [[_latex_safe(cell) for cell in column] for column in table.text_columns()]
    head, *body = [" & ".join(row) + r" \\" for row in zip(*columns, strict=True)]
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            f"  \\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}",
            r"    \toprule",
            f"    {head}",
            r"    \midrule",
            *(f"    {row}" for row in body),
            r"    \bottomrule",
            r"  \end{tabular}",
            f"  \\caption{{{_latex_safe(table.caption)}}}",
            r"\end{table}",
            "",
        ]
    )


def _latex_safe(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in flat_text(text))


PACKAGE = "litotes.report"


@cache
def environment() -> Environment:
    """Return the environment of the report's templates."""
    templates = template_environment(PACKAGE)
    templates.filters |= {
        "bar_length": lambda share: f"{min(max(share, 0.0), 1.0) * 100:.4g}",
        "correlation": CORRELATION.page,
        "correlation_interval": CORRELATION.page_interval,
        "counted": counted,
        "date": format_date,
        "display_name": display_name,
        "percent": PERCENT.page,
        "percent_interval": PERCENT.page_interval,
        "setting": format_setting,
        "similarity": SIMILARITY.page,
    }
    templates.globals |= {"MISSING": MISSING, "as_html": as_html, "view_href": view_href}
    return templates


def as_html(table: Table, classes: str = "", *, caption: str = "", is_tall: bool = False) -> Markup:
    """Return the table in a box that scrolls; a script makes tables of the class `sortable` sortable."""
    html = (
        environment()
        .get_template("table.html")
        .render(table=table, classes=classes, caption=caption or table.caption, is_tall=is_tall)
    )
    return Markup(html)  # noqa: S704 (escaped by the template)


def view_href(state: Mapping[str, str]) -> str:
    """Return the target of a link to a view of the page, with what is selected in it.

    >>> view_href({"view": "errors", "with frequency": "rare"})
    '#view=errors&with%20frequency=rare'
    """
    return "#" + urlencode({key: clean(value) for key, value in state.items()}, quote_via=quote)
