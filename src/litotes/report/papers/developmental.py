"""Developmental negation (Laverghetta Jr. and Licato, 2022): NLI models by category, as tables and a figure.

`litotes experiment` draws what its experiments show over the course of training.
"""

from __future__ import annotations

from functools import partial

from litotes.report.label_tables import category_legend, label_tables, shared_categories
from litotes.report.papers.drawing import MAX_CATEGORY_MODELS, draw_categories
from litotes.report.papers.error_tables import error_tables
from litotes.report.papers.sections import PaperFigure, PaperOptions, PaperSection, PaperTable, published_table, slug
from litotes.report.suite_runs import SuiteRuns
from litotes.suites.published_results import published_tables

PAPER = "developmental"
KINDS = ("nli",)


def published_section() -> PaperSection:
    """Return the sizes of the sets; the paper prints no other numbers."""
    return PaperSection("published", [published_table(published) for published in published_tables(PAPER)])


def suite_section(suite: SuiteRuns, options: PaperOptions) -> PaperSection:
    """Return every table of labels and categories, and the accuracy by category as a figure."""
    stems: list[str] = []
    tables = []
    for table in label_tables(suite):
        title = table.caption.removeprefix(f"{suite.label}: ")
        stem = slug(title.partition(";")[0].partition(", %")[0].partition(" (")[0]) if stems else "models"
        while stem in stems:
            stem += "-2"
        stems.append(stem)
        tables.append(PaperTable(stem, table))
    categories = shared_categories(suite)
    models = f" of the {MAX_CATEGORY_MODELS} best models" if len(suite.runs) > MAX_CATEGORY_MODELS else ""
    caption = f"{suite.label}: accuracy{models} by category ({category_legend(categories)}), with 95 % intervals"
    figure = PaperFigure("figure-categories", caption, partial(draw_categories, suite))
    return PaperSection(
        suite.label,
        [*tables, *error_tables(suite, best=options.best, missed_by=options.missed_by)],
        [figure] if categories else [],
    )
