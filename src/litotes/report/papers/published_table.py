"""A published table as it was printed."""

from __future__ import annotations

from litotes.report.papers.pieces import PaperTable, slug
from litotes.report.tables import Column, Table
from litotes.suites.published_results import PublishedTable


def published_table(printed: PublishedTable) -> PaperTable:
    """Every cell as printed, under the names that the data give the columns."""
    columns = [Column(name.replace("_", " "), name, printed.column(name)) for name in printed.columns]
    return PaperTable(slug(printed.name), Table(f"{printed.source}: {printed.what}", columns))
