"""HEROS (Chiang, Chuang, Glass and Lee, 2023): the heat maps of Figures 1 and 2, and their cells as tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from litotes.report.papers.error_tables import error_tables
from litotes.report.papers.groups import group_of
from litotes.report.papers.heat_map_figure import HeatRow, heat_map_figure
from litotes.report.papers.pieces import Choices, PaperFigure, PaperTable, Pieces
from litotes.report.papers.published_table import published_table
from litotes.report.placing_tables import OTHER_SENTENCES, on_the_papers_sentences
from litotes.report.suite_runs import SuiteRuns
from litotes.report.suite_tables import accuracy_table, readings_table
from litotes.report.tables import Column, Table
from litotes.suites.heros import KIND, SUBSETS
from litotes.suites.published_results import published_results

PAPER = "heros"
KINDS = (KIND.name,)
OWN = "these runs"
_FIGURES = (1, 2)


def published_rows(figure: int) -> list[HeatRow]:
    """The models of a figure with its cells, block by block."""
    printed = published_results(PAPER, figure=figure)
    return [
        HeatRow(row["group"], row["label"], [float(row[subset]) for subset in SUBSETS], True, row["model"])
        for row in printed.rows
    ]


def published_pieces() -> list[Pieces]:
    """Both figures and their cells, and the two tables."""
    tables, figures = [], []
    for number in _FIGURES:
        printed = published_results(PAPER, figure=number)
        caption = f"{printed.source}: mean similarity above the baseline, {printed.what}"
        found = published_rows(number)
        tables.append(cells_table(f"figure-{number}", caption, found))
        figures.append(PaperFigure(f"figure-{number}", caption, partial(heat_map_figure, SUBSETS, found)))
    tables += [published_table(published_results(PAPER, table=number)) for number in (1, 3)]
    return [Pieces("published", tables, figures)]


def suite_pieces(suite: SuiteRuns, choices: Choices) -> Pieces:
    """The heat map of runs, and on request on top of each of the paper's."""
    blocks = own_rows(suite)
    told = f"{suite.label}: mean similarity above the baseline"
    drawn: list[tuple[str, str, list[HeatRow]]] = [("heat-map", told, blocks)] if blocks else []
    if choices.beside and blocks:
        on_top = [HeatRow(OWN, row.label, row.values, False) for row in blocks]
        caution = "" if on_the_papers_sentences(suite) else f"; {OTHER_SENTENCES}"
        for number in _FIGURES:
            source = published_results(PAPER, figure=number).source
            caption = f"{told}; first these runs, then {source}{caution}"
            drawn.append((f"figure-{number}", caption, [*on_top, *published_rows(number)]))
    readings = readings_table(suite)
    return Pieces(
        suite.label,
        [
            PaperTable("accuracy", accuracy_table(suite)),
            *([PaperTable("accuracy-over-one-other", readings)] if readings else []),
            *(cells_table(*one) for one in drawn),
            *error_tables(suite, best=choices.best, missed_by=choices.missed_by),
        ],
        [PaperFigure(stem, caption, partial(heat_map_figure, SUBSETS, found)) for stem, caption, found in drawn],
    )


def own_rows(suite: SuiteRuns) -> list[HeatRow]:
    """The runs that have similarities above a baseline, by group in the order in which groups first come."""
    found = []
    for name, run in zip(suite.names, suite.runs, strict=True):
        values = [run.metrics.normalised.get(f"original~{subset}", math.nan) for subset in SUBSETS]
        if any(map(math.isfinite, values)):
            found.append(HeatRow(group_of(run, PAPER), name, values, False, run.model))
    order = list(dict.fromkeys(row.block for row in found))
    return sorted(found, key=lambda row: order.index(row.block))


def cells_table(stem: str, caption: str, found: Sequence[HeatRow]) -> PaperTable:
    """The cells of a heat map."""
    mixed = len({row.published for row in found}) > 1
    origin = Column("from" if mixed else "", "from", ["paper" if row.published else "run" for row in found])
    cells = [
        Column(subset.replace("_", " "), subset, [row.values[place] for row in found], _three)
        for place, subset in enumerate(SUBSETS)
    ]
    named = [
        Column("model", "model", [row.label for row in found]),
        Column("block", "block", [row.block for row in found]),
    ]
    return PaperTable(
        stem, Table(caption, [*named, origin, *cells, Column("", "repository", [row.model for row in found])])
    )


def _three(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "–"
