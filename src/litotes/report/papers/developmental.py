"""Developmental negation (Laverghetta Jr. and Licato, 2022): NLI models by category, as tables and a figure.

What its experiments show over the course of training, litotes experiment draws.
"""

from __future__ import annotations

from functools import partial

from litotes.languages.negation_categories import CODES
from litotes.report.label_figures import categories_of
from litotes.report.label_tables import label_tables
from litotes.report.papers.category_figure import MOST, category_figure
from litotes.report.papers.error_tables import error_tables
from litotes.report.papers.pieces import Choices, PaperFigure, PaperTable, Pieces, slug
from litotes.report.papers.published_table import published_table
from litotes.report.suite_runs import SuiteRuns
from litotes.suites.published_results import published_tables

PAPER = "developmental"
KINDS = ("nli",)


def published_pieces() -> list[Pieces]:
    """The sizes of the sets: the paper prints no other numbers."""
    return [Pieces("published", [published_table(printed) for printed in published_tables(PAPER)])]


def suite_pieces(suite: SuiteRuns, choices: Choices) -> Pieces:
    """Every table of labels and categories, and the accuracy by category as a figure."""
    prefix = f"{suite.label}: "
    stems: list[str] = []
    tables = []
    for table in label_tables(suite):
        stem = slug(table.caption.removeprefix(prefix).partition(";")[0].partition(", %")[0].partition(" (")[0])
        stem = "models" if not stems else stem
        while stem in stems:
            stem += "-2"
        stems.append(stem)
        tables.append(PaperTable(stem, table))
    told = ", ".join(f"{CODES[name]} {name}" for name in categories_of(suite) if name in CODES)
    which = f" of the {MOST} best models" if len(suite.runs) > MOST else ""
    caption = f"{suite.label}: accuracy{which} by category ({told}), with 95 % intervals"
    figure = PaperFigure("figure-categories", caption, partial(category_figure, suite))
    return Pieces(
        suite.label,
        [*tables, *error_tables(suite, best=choices.best, missed_by=choices.missed_by)],
        [figure] if categories_of(suite) else [],
    )
