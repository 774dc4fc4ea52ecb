"""Sentence triplets (Zhu, Li and de Melo, 2018): Tables 2 to 6, three similarities and the accuracy."""

from __future__ import annotations

from dataclasses import replace

from litotes.report.papers.error_tables import error_tables
from litotes.report.papers.pieces import Choices, PaperTable, Pieces
from litotes.report.papers.published_table import published_table
from litotes.report.placing_tables import OTHER_SENTENCES
from litotes.report.suite_runs import SuiteRuns
from litotes.report.suite_tables import accuracy_table, readings_table, similarity_table
from litotes.report.tables import Column, Table
from litotes.suites.base import SuiteKind, pair_name
from litotes.suites.published_results import published_results
from litotes.suites.triplets import KINDS as SETS

PAPER = "triplets"
KINDS = tuple(kind.name for kind in SETS)
_CELLS = ("s_s_plus", "s_s_star", "s_plus_s_star", "accuracy")


def table_number(kind: str) -> int:
    """Which table of the paper has the figures of a kind.

    >>> table_number("negation-detection"), table_number("fixed-point-reorder")
    (2, 6)
    """
    return 2 + KINDS.index(kind)


def published_pieces() -> list[Pieces]:
    """The sizes, and Tables 2 to 6 in the form in which runs are shown."""
    tables = [published_table(published_results(PAPER, table=1)), *map(_published, SETS)]
    return [Pieces("published", tables)]


def _published(kind: SuiteKind) -> PaperTable:
    number = table_number(kind.name)
    printed = published_results(PAPER, table=number)
    pairs = [pair_name(pair) for pair in kind.compare]
    keys = [*(f"similarity_{pair}" for pair in pairs), "accuracy"]
    columns = [
        Column("model", "model", printed.column("method")),
        *(
            Column(heading, key, _shares(number, cell), _two)
            for heading, key, cell in zip([*pairs, "accuracy"], keys, _CELLS, strict=True)
        ),
    ]
    return PaperTable(_stem(kind.name), Table(f"{printed.source}: {printed.what}, %", columns))


def suite_pieces(suite: SuiteRuns, choices: Choices) -> Pieces:
    """The runs in the form of the paper's table, with its rows below if they are wanted."""
    own = similarity_table(suite)
    readings = readings_table(suite)
    return Pieces(
        suite.label,
        [
            PaperTable(_stem(suite.info.kind), _with_paper(own, suite.info.kind) if choices.beside else own),
            PaperTable("accuracy", accuracy_table(suite)),
            *([PaperTable("accuracy-other-readings", readings)] if readings else []),
            *error_tables(suite, best=choices.best, missed_by=choices.missed_by),
        ],
    )


def _with_paper(own: Table, kind: str) -> Table:
    """The paper's rows below those of the runs; no file of its sentences is published, so they are always others."""
    number = table_number(kind)
    printed = published_results(PAPER, table=number)
    runs = len(own.columns[0].values)
    origin = Column("from", "from", ["run"] * runs + ["paper"] * len(printed.rows))
    named, *cells = own.columns
    below = [
        replace(column, values=[*column.values, *_shares(number, cell)])
        for column, cell in zip(cells, _CELLS, strict=True)
    ]
    models = replace(named, values=[*named.values, *printed.column("method")])
    return Table(f"{own.caption}; paper: {OTHER_SENTENCES}", [models, origin, *below])


def _shares(number: int, cell: str) -> list[float]:
    """A column of the paper, which is in per cent, as shares."""
    values = published_results(PAPER, table=number).numbers(cell)
    # Rounded: 97.42 / 100 is 0.9742 to the reader of the CSV, whatever the machine makes of it.
    return [float("nan") if value is None else round(value / 100, 6) for value in values]


def _two(value: float) -> str:
    return f"{100 * value:.2f}"


def _stem(kind: str) -> str:
    return f"table-{table_number(kind)}-{kind}"
