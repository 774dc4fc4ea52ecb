"""Results as tables: one form, written as plain text, Markdown, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from litotes.bench.compare_models import Comparison
from litotes.report.suite_runs import SuiteRuns


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
    return f"{100 * share:.1f}"


def accuracy_table(suite: SuiteRuns) -> Table:
    """Accuracy with its interval, the mean over groups, and what was chosen."""
    runs, metrics = suite.runs, [run.metrics for run in suite.runs]
    shares = [
        Column(option, f"chosen_{option}", [run.choices[option] / run.metrics.items for run in runs], percent)
        for option in suite.info.options
    ]
    groups = f"{metrics[0].groups:,} {suite.info.group_word}s"
    return Table(
        f"{suite.label}: {metrics[0].items:,} items, {groups}; guessing gives {percent(suite.chance)} %",
        [
            Column("model", "model", suite.names),
            Column("right %", "accuracy", [m.accuracy for m in metrics], percent),
            Column("95 %", "", [f"{percent(m.accuracy_ci[0])}–{percent(m.accuracy_ci[1])}" for m in metrics]),
            Column("", "accuracy_low", [m.accuracy_ci[0] for m in metrics]),
            Column("", "accuracy_high", [m.accuracy_ci[1] for m in metrics]),
            Column(
                "by pair" if "pair" in suite.info.group_word else "by group",
                "group_accuracy",
                [m.group_accuracy for m in metrics],
                percent,
            ),
            *shares,
            Column("ties", "ties", [m.ties for m in metrics], lambda count: f"{count:,.0f}"),
        ],
    )


def similarity_table(suite: SuiteRuns) -> Table:
    """The mean similarity of each role pair."""
    return Table(
        f"{suite.label}: mean similarity",
        [
            Column("model", "model", suite.names),
            *(
                Column(
                    pair,
                    pair,
                    [run.metrics.similarities[pair] for run in suite.runs],
                    lambda value: f"{value:.3f}",
                )
                for pair in suite.layout().pairs
            ),
        ],
    )


def comparison_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """Which models differ, in words."""
    return [_comparison_line(comparison) for comparison in comparisons]


def _comparison_line(found: Comparison) -> str:
    p = "< 0.001" if found.p_holm < 0.001 else f"= {found.p_holm:.3f}"
    figures = f"{100 * found.difference:+.1f} points, 95 % {100 * found.ci[0]:.1f} to {100 * found.ci[1]:.1f}; p {p}"
    verdict = "is better than" if found.differ else "does not differ significantly from"
    return f"{found.suite}: {found.a} {verdict} {found.b} ({figures})"


def as_text(table: Table, *, width: int = 80) -> str:
    """For the terminal: aligned, without lines or colour; the first column gives way if it must."""
    columns = table.shown()
    widths = [max(len(cell) for cell in column) for column in columns]
    room = width - sum(widths[1:]) - 2 * len(widths[1:])
    widths[0] = min(widths[0], max(room, 12))
    lines = [
        "  ".join(
            _cut(cell.partition("?")[0], size).ljust(size) if place == 0 else cell.rjust(size)
            for place, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in zip(*columns, strict=True)
    ]
    return "\n".join([table.caption, "", *lines])


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


def as_csv(tables: Sequence[Table], suites: Sequence[str]) -> str:
    """Bare numbers, a row a model and suite; columns that a suite does not have stay empty."""
    keys = list(dict.fromkeys(column.key for table in tables for column in table.columns if column.key))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["suite", *keys])
    for suite, table in zip(suites, tables, strict=True):
        columns = {column.key: column.values for column in table.columns}
        for place in range(len(table.columns[0].values)):
            writer.writerow([suite, *(columns[key][place] if key in columns else "" for key in keys)])
    return out.getvalue()


_LATEX = {"–": "--", "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
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
