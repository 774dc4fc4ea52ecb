"""The tables and figures of a paper, and the names of their files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from litotes.report.table import Column, Table, as_csv
from litotes.suites.published_results import PublishedTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MAX_STEM = 80


@dataclass(frozen=True)
class PaperTable:
    """A table and the stem of its file names."""

    stem: str
    table: Table


@dataclass(frozen=True)
class PaperFigure:
    """A figure that is drawn on demand, the stem of its file names and its caption."""

    stem: str
    caption: str
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class PaperSection:
    """The tables and figures of one suite, or of the published numbers alone."""

    label: str
    """The label of the suite, or `published`; names the folder."""
    tables: Sequence[PaperTable] = ()
    figures: Sequence[PaperFigure] = ()


@dataclass(frozen=True)
class PaperOptions:
    """What the user selects for the tables of runs."""

    with_published: bool = False
    """Whether the published numbers are shown next to those of the runs."""
    best: int = 12
    """The number of best models in the error analysis; SemAntoNeg's Table 7 has twelve."""
    missed_by: int | None = None
    """How many of these must miss an item; default: all."""


def published_table(published: PublishedTable) -> PaperTable:
    """Return a published table with every cell as printed."""
    columns = [Column(name.replace("_", " "), name, published.column(name)) for name in published.columns]
    return PaperTable(slug(published.name), Table(f"{published.source}: {published.description}", columns))


def table_csv(label: str, table: Table) -> str:
    """Return the table as CSV; columns without keys get them from their headings if the table has no keys.

    >>> table_csv("made-up", Table("", [Column("model", "model", ["a"]), Column("95 %", "", ["1–2"])]))
    'suite,model,95\\nmade-up,a,1–2\\n'
    """
    has_keys = sum(bool(column.key) for column in table.columns) > 1
    return as_csv([(label, [table if has_keys else _with_keys(table)])])


def _with_keys(table: Table) -> Table:
    keys: list[str] = []
    columns = []
    for column in table.columns:
        shown = [column]
        if column.interval_heading:
            shown.append(Column(column.interval_heading, "", column.intervals()))
        for part in shown:
            key = part.key or slug(part.heading).replace("-", "_")
            while key in keys:
                key += "_"
            keys.append(key)
            columns.append(replace(part, key=key, interval_key=False))
    return replace(table, columns=columns)


def slug(text: str) -> str:
    """Return the text as part of a file name; a long text is cut at the start, which says least about a model.

    >>> slug("all-MiniLM-L6-v2 by category, %")
    'all-minilm-l6-v2-by-category'
    """
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")[-_MAX_STEM:].strip("-.") or "table"
