"""Sentence triplets (Zhu, Li and de Melo, 2018): Tables 2 to 6 with three similarities and the accuracy."""

from __future__ import annotations

import math
from dataclasses import replace

from litotes.report.formats import MISSING, PERCENT_2
from litotes.report.papers.error_tables import error_tables
from litotes.report.papers.sections import PaperOptions, PaperSection, PaperTable, published_table
from litotes.report.ranking_tables import OTHER_SENTENCES
from litotes.report.suite_runs import SuiteRuns
from litotes.report.suite_tables import FORM_TAG, accuracy_table, criteria_table, form_table, similarity_table
from litotes.report.table import Cell, Column, Table, Value
from litotes.suites.base import SuiteKind, pair_name
from litotes.suites.published_results import published_results
from litotes.suites.triplets import CLAUSE_RELATEDNESS
from litotes.suites.triplets import KINDS as SUITE_KINDS

PAPER = "triplets"
KINDS = tuple(kind.name for kind in SUITE_KINDS)
_FORM_SECTION, _FORM_STEM = "3.3", "section-3.3-clause-relatedness-by-form"
"""Where the paper compares two forms of sentences."""
_CELLS = ("s_s_plus", "s_s_star", "s_plus_s_star", "accuracy")


def table_number(kind: str) -> int:
    """Return the number of the paper's table for a kind of suite.

    >>> table_number("negation-detection"), table_number("fixed-point-reorder")
    (2, 6)
    """
    return 2 + KINDS.index(kind)


def published_section() -> PaperSection:
    """Return the sizes of the sets, and Tables 2 to 6 in the form of those of runs."""
    sizes = published_table(published_results(PAPER, table=1))
    by_form = published_results(PAPER, section=_FORM_SECTION)
    forms = PaperTable(_FORM_STEM, published_table(by_form).table)
    return PaperSection("published", [sizes, *map(_published_table, SUITE_KINDS), forms])


def _published_table(kind: SuiteKind) -> PaperTable:
    number = table_number(kind.name)
    published = published_results(PAPER, table=number)
    pairs = [pair_name(pair) for pair in kind.pairs]
    keys = [*(f"similarity_{pair}" for pair in pairs), "accuracy"]
    columns = [
        Column("model", "model", published.column("method")),
        *(
            Column(heading, key, _published_shares(number, cell), PERCENT_2)
            for heading, key, cell in zip([*pairs, "accuracy"], keys, _CELLS, strict=True)
        ),
    ]
    return PaperTable(_stem(kind.name), Table(f"{published.source}: {published.description}, %", columns))


def suite_section(suite: SuiteRuns, options: PaperOptions) -> PaperSection:
    """Return the runs in the form of the paper's table, followed by its rows if requested."""
    kind, similarities, criteria = suite.info.kind, similarity_table(suite), criteria_table(suite)
    forms = form_table(suite)
    if forms is not None and kind == CLAUSE_RELATEDNESS.name and options.with_published:
        forms = _forms_with_published(forms)
    table = _with_published(similarities, kind) if options.with_published else similarities
    return PaperSection(
        suite.label,
        [
            PaperTable(_stem(kind), table),
            *([PaperTable(_FORM_STEM, forms)] if forms else []),
            PaperTable("accuracy", accuracy_table(suite)),
            *([PaperTable("accuracy-other-readings", criteria)] if criteria else []),
            *error_tables(suite, best=options.best, missed_by=options.missed_by),
        ],
    )


def _with_published(table: Table, kind: str) -> Table:
    """Append the paper's rows; its sentences are not published, so the runs are always on others."""
    number = table_number(kind)
    published = published_results(PAPER, table=number)
    models, *cells = table.columns
    origin = Column("from", "from", ["run"] * len(models.values) + ["paper"] * len(published.rows))
    columns = [
        replace(models, values=[*models.values, *published.column("method")]),
        origin,
        *(
            replace(column, values=[*column.values, *_published_shares(number, cell)])
            for column, cell in zip(cells, _CELLS, strict=True)
        ),
    ]
    return Table(f"{table.caption}; paper: {OTHER_SENTENCES}", columns)


def _forms_with_published(table: Table) -> Table:
    """Append the paper's rows; the text has neither the numbers of items nor all similarities."""
    rows = published_results(PAPER, section=_FORM_SECTION).rows
    missing: list[Value | Cell] = [math.nan] * len(rows)
    s_star = pair_name(CLAUSE_RELATEDNESS.pairs[1])
    published: dict[str, list[Value | Cell]] = {
        "model": [row["method"] for row in rows],
        FORM_TAG: [row["form"] for row in rows],
        "items": [MISSING] * len(rows),
        s_star: [float(row["s_s_star"]) / 100 if row["s_s_star"] else math.nan for row in rows],
        "accuracy": [round(float(row["accuracy"]) / 100, 6) for row in rows],
    }
    models, *columns = table.columns
    origin = Column("from", "from", ["run"] * len(models.values) + ["paper"] * len(rows))
    extended = [
        replace(column, values=[*column.values, *published.get(column.heading, missing)])
        for column in (models, *columns)
    ]
    return Table(f"{table.caption}; paper: {OTHER_SENTENCES}", [extended[0], origin, *extended[1:]])


def _published_shares(number: int, cell: str) -> list[float]:
    """Return a column of the paper, which is in per cent, as shares."""
    values = published_results(PAPER, table=number).numbers(cell)
    # Rounded so that CSV has 0.9742 for 97.42 on every machine.
    return [math.nan if value is None else round(value / 100, 6) for value in values]


def _stem(kind: str) -> str:
    return f"table-{table_number(kind)}-{kind}"
