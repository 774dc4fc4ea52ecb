"""HEROS (Chiang, Chuang, Glass and Lee, 2023): the heat maps of Figures 1 and 2, and their cells as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

from litotes.report.formats import SIMILARITY, display_name
from litotes.report.papers.accuracies import group_of
from litotes.report.papers.error_tables import error_tables
from litotes.report.papers.negation_subsets import negations_table
from litotes.report.papers.sections import PaperFigure, PaperOptions, PaperSection, PaperTable, published_table, slug
from litotes.report.papers.similarity_drawing import HeatRow, draw_heat_map, draw_scatters
from litotes.report.ranking_tables import OTHER_SENTENCES, is_on_paper_sentences
from litotes.report.suite_runs import SuiteRuns
from litotes.report.suite_tables import accuracy_table, criteria_table
from litotes.report.table import Column, Table
from litotes.suites.heros import KIND, SUBSETS
from litotes.suites.published_results import published_results

PAPER = "heros"
KINDS = (KIND.name,)
RUNS_BLOCK = "these runs"
_FIGURES = (1, 2)


def published_rows(figure: int) -> list[HeatRow]:
    """Return the models of a figure with their cells, block by block."""
    published = published_results(PAPER, figure=figure)
    return [
        HeatRow(row["group"], row["label"], [float(row[subset]) for subset in SUBSETS], True, row["model"])
        for row in published.rows
    ]


def published_section() -> PaperSection:
    """Return both figures with their cells, and the two tables."""
    maps = []
    for number in _FIGURES:
        published = published_results(PAPER, figure=number)
        caption = f"{published.source}: mean similarity above the baseline, {published.description}"
        maps.append((f"figure-{number}", caption, published_rows(number)))
    sts = published_results(PAPER, section="3.2")
    tables = [*(published_results(PAPER, table=number) for number in (1, 3)), sts]
    by_label = {row.label: row for *_, rows in maps for row in rows}
    figure = _scatter(
        "sts",
        f"{sts.source}: similarity above the baseline against {sts.description}",
        [(by_label[row["figure_label"]], float(row["sts"])) for row in sts.rows],
        "mean STS correlation, Spearman × 100",
    )
    return PaperSection(
        "published",
        [*(cells_table(*heat_map) for heat_map in maps), *map(published_table, tables)],
        [*_figures(maps), figure],
    )


def suite_section(suite: SuiteRuns, options: PaperOptions) -> PaperSection:
    """Return the heat map of runs and, if requested, the runs above each heat map of the paper."""
    rows = run_rows(suite)
    caption = f"{suite.label}: mean similarity above the baseline"
    maps = [("heat-map", caption, rows)] if rows else []
    if options.with_published and rows:
        block = [HeatRow(RUNS_BLOCK, row.label, row.values, False) for row in rows]
        caution = "" if is_on_paper_sentences(suite) else f"; {OTHER_SENTENCES}"
        for number in _FIGURES:
            source = published_results(PAPER, figure=number).source
            full_caption = f"{caption}; first these runs, then {source}{caution}"
            maps.append((f"figure-{number}", full_caption, [*block, *published_rows(number)]))
    criteria, negations = criteria_table(suite), negations_table(suite)
    return PaperSection(
        suite.label,
        [
            PaperTable("accuracy", accuracy_table(suite)),
            *([PaperTable("accuracy-over-one-other", criteria)] if criteria else []),
            *(cells_table(*heat_map) for heat_map in maps),
            *([PaperTable("negations", negations)] if negations else []),
            *error_tables(suite, best=options.best, missed_by=options.missed_by),
        ],
        [*_figures(maps), *_sts_figures(suite, rows)],
    )


def _sts_figures(suite: SuiteRuns, rows: Sequence[HeatRow]) -> Iterator[PaperFigure]:
    """Yield the similarities of the runs against their correlation with each file of human scores."""
    for file in suite.sts_files:
        measured = zip(suite.names, suite.runs, strict=True)
        spearman = {name: run.sts[file].spearman for name, run in measured if file in run.sts}
        points = [(row, 100 * spearman[row.label]) for row in rows if row.label in spearman]
        if points:
            caption = f"{suite.label}: similarity above the baseline against the correlation with {file}"
            yield _scatter(f"sts-{slug(file)}", caption, points, f"{file}, Spearman × 100")


def _scatter(stem: str, caption: str, points: Sequence[tuple[HeatRow, float]], name: str) -> PaperFigure:
    rows, correlations = [row for row, _ in points], [correlation for _, correlation in points]
    return PaperFigure(stem, caption, partial(draw_scatters, SUBSETS, rows, correlations, name))


def _figures(maps: Sequence[tuple[str, str, Sequence[HeatRow]]]) -> list[PaperFigure]:
    return [PaperFigure(stem, caption, partial(draw_heat_map, SUBSETS, rows)) for stem, caption, rows in maps]


def run_rows(suite: SuiteRuns) -> list[HeatRow]:
    """Return the runs with similarities above a baseline, by group in the order of their first occurrence."""
    rows = []
    for name, run in zip(suite.names, suite.runs, strict=True):
        values = [run.metrics.normalised.get(f"original~{subset}", math.nan) for subset in SUBSETS]
        if any(map(math.isfinite, values)):
            rows.append(HeatRow(group_of(run, PAPER), name, values, False, run.model))
    order = list(dict.fromkeys(row.block for row in rows))
    return sorted(rows, key=lambda row: order.index(row.block))


def cells_table(stem: str, caption: str, rows: Sequence[HeatRow]) -> PaperTable:
    """Return the cells of a heat map."""
    has_both = len({row.is_published for row in rows}) > 1
    columns = [
        Column("model", "model", [row.label for row in rows]),
        Column("block", "block", [row.block for row in rows]),
        Column("from" if has_both else "", "from", ["paper" if row.is_published else "run" for row in rows]),
        *(
            Column(display_name(subset), subset, [row.values[index] for row in rows], SIMILARITY)
            for index, subset in enumerate(SUBSETS)
        ),
        Column("", "repository", [row.model for row in rows]),
    ]
    return PaperTable(stem, Table(caption, columns))
