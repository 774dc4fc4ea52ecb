"""Results as tables: one form, written as plain text, Markdown, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
import math
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """A heading for people, a key for programs, and the numbers below them.

    A column without a heading stands only in CSV, one without a key only where people read.
    """

    heading: str
    key: str
    values: Sequence[str | int | float]
    show: Callable[[float], str] | None = None

    def cells(self) -> list[str]:
        """The values as people read them."""
        return [self.show(value) if self.show and not isinstance(value, str) else str(value) for value in self.values]


@dataclass(frozen=True)
class Table:
    """Columns of equal length under a caption; the first column names the rows."""

    caption: str
    columns: Sequence[Column]

    def shown(self) -> list[list[str]]:
        """The columns that people read, each with its heading on top."""
        return [[column.heading, *column.cells()] for column in self.columns if column.heading]


def percent(share: float) -> str:
    """A share in per cent, with one decimal.

    >>> percent(0.01935)
    '1.9'
    """
    return f"{100 * share:.1f}" if math.isfinite(share) else "–"


def as_text(table: Table, *, width: int = 80) -> str:
    """For the terminal: aligned, without lines or colour.

    A table that is too wide stacks its headings, then shortens the first column a little, then goes on below.
    """
    columns = table.shown()
    if _width(columns) > width:
        columns = [_stacked(column) for column in columns]
    blocks = ["\n".join(_aligned(block, width)) for block in _blocks(columns, width)]
    # A number stays with its unit: the wrapper does not break at a no-break space.
    caption = textwrap.fill(table.caption.replace(" %", "\u00a0%"), width).replace("\u00a0", " ")
    return "\n".join([caption, "", "\n\n".join(blocks)])


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(map(_column_width, columns)) + 2 * (len(columns) - 1)


def _column_width(column: Sequence[str]) -> int:
    return max(len(line) for cell in column for line in cell.split("\n"))


_NAME = 16
"""The names of models are shortened to no less than this."""
_HEADING = 9


def _stacked(column: Sequence[str]) -> list[str]:
    """The column with a long heading broken where it has a sign for it.

    >>> _stacked(["original~quantifier_negated", "0.5"])
    ['original\\n~quantifier_\\nnegated', '0.5']
    """
    heading, *cells = column
    pieces = re.findall(r"~?[^~_ ]+[_ ]?", heading)
    room = max([_HEADING, *map(len, cells)])
    lines = [""]
    for piece in pieces:
        if lines[-1] and len((lines[-1] + piece).rstrip()) > room:
            lines.append("")
        lines[-1] += piece
    return ["\n".join(line.rstrip() for line in lines), *cells]


def _blocks(columns: Sequence[Sequence[str]], width: int) -> list[list[Sequence[str]]]:
    """The columns in as many blocks as the width needs, the first column in each."""
    first = columns[0]
    name = min(_NAME, _column_width(first))
    blocks = [[first]]
    for column in columns[1:]:
        if len(blocks[-1]) > 1 and name + 2 + _width([*blocks[-1][1:], column]) > width:
            blocks.append([first])
        blocks[-1].append(column)
    return blocks


def _aligned(columns: Sequence[Sequence[str]], width: int) -> list[str]:
    widths = [_column_width(column) for column in columns]
    room = width - sum(widths[1:]) - 2 * len(widths[1:])
    widths[0] = min(widths[0], max(room, 12))
    heads = max(column[0].count("\n") for column in columns)
    lines = [[""] * (heads - column[0].count("\n")) + [*column[0].split("\n"), *column[1:]] for column in columns]
    return [
        "  ".join(
            _cut(cell.partition("?")[0], size).ljust(size) if place == 0 else cell.rjust(size)
            for place, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in zip(*lines, strict=True)
    ]


def _cut(text: str, size: int) -> str:
    """The end of a long name says more than its beginning.

    >>> _cut("sentence-transformers/all-MiniLM-L6-v2", 20)
    '…rs/all-MiniLM-L6-v2'
    """
    return text if len(text) <= size else "…" + text[len(text) - size + 1 :]


def as_markdown(table: Table) -> str:
    """A pipe table."""
    columns = [[_pipe_safe(cell) for cell in column] for column in table.shown()]
    rows = list(zip(*columns, strict=True))
    marks = ["---", *("---:" for _ in columns[1:])]
    lines = ["| " + " | ".join(row) + " |" for row in (rows[0], tuple(marks), *rows[1:])]
    return "\n".join([table.caption, "", *lines]) + "\n"


def _pipe_safe(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def as_csv(rows: Sequence[tuple[str, Sequence[Table]]]) -> str:
    """Bare numbers, a row a model and suite, all tables of a suite in it; what a suite does not have stays empty."""
    named = [
        (suite, {column.key: column.values for table in tables for column in table.columns}) for suite, tables in rows
    ]
    keys = [key for key in dict.fromkeys(key for _, columns in named for key in columns) if key]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["suite", *keys])
    for suite, columns in named:
        for place in range(len(next(iter(columns.values())))):
            writer.writerow([suite, *(_bare(columns[key][place]) if key in columns else "" for key in keys)])
    return out.getvalue()


def _bare(value: str | int | float) -> str | int | float:
    return "" if isinstance(value, float) and not math.isfinite(value) else value


_LATEX = {"–": "--", "′": "$'$", "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX.update({character: f"\\{character}" for character in "&%$#_{}"})


def as_latex(table: Table) -> str:
    """A booktabs table."""
    columns = [[_latex_safe(cell) for cell in column] for column in table.shown()]
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
    return "".join(_LATEX.get(character, character) for character in text)
