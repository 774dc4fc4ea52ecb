"""What a paper is made again of: tables and figures with names, and the texts they are written as."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from litotes.report.tables import Table, as_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_COUNT = re.compile(r"\d{1,3}(,\d{3})*")
_LONGEST = 80
"""Letters of a file's name: the end of a model's name says more than its beginning."""


@dataclass(frozen=True)
class PaperTable:
    """A table and the name of its files."""

    stem: str
    table: Table


@dataclass(frozen=True)
class PaperFigure:
    """A figure that is drawn when it is wanted, the name of its files and what it shows."""

    stem: str
    caption: str
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class Pieces:
    """The tables and figures of one suite, or of the published data alone."""

    label: str
    """The suite's, or `published`; a folder is called like it."""
    tables: Sequence[PaperTable] = ()
    figures: Sequence[PaperFigure] = ()


@dataclass(frozen=True)
class Choices:
    """What is left to whoever asks for the pieces."""

    beside: bool = False
    """Whether the published figures stand beside those of the runs."""
    best: int = 12
    """How many of the best models the error analysis is about; SemAntoNeg's Table 7 has twelve."""
    missed_by: int | None = None
    """How many of these must miss an item; None: all."""


def table_csv(label: str, table: Table) -> str:
    """The table as CSV; one that has no keys for programs is given them by its headings.

    >>> from litotes.report.tables import Column
    >>> table_csv("made-up", Table("", [Column("model", "model", ["a"]), Column("95 %", "", ["1–2"])]))
    'suite,model,95\\nmade-up,a,1–2\\n'
    """
    bare = sum(bool(column.key) for column in table.columns) < 2
    return as_csv([(label, [_keyed(table) if bare else table])])


def _keyed(table: Table) -> Table:
    seen: list[str] = []
    columns = []
    for column in table.columns:
        key = column.key or slug(column.heading).replace("-", "_")
        while key in seen:
            key += "_"
        seen.append(key)
        columns.append(replace(column, key=key, values=[_plain(value) for value in column.values]))
    return replace(table, columns=columns)


def _plain(value: str | int | float) -> str | int | float:
    """A count that is written for people as a number for programs.

    >>> _plain("1,842"), _plain("a, b")
    (1842, 'a, b')
    """
    return int(value.replace(",", "")) if isinstance(value, str) and _COUNT.fullmatch(value) else value


def slug(text: str) -> str:
    """The text as part of a file's name.

    >>> slug("all-MiniLM-L6-v2 by category, %")
    'all-minilm-l6-v2-by-category'
    """
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")[-_LONGEST:].strip("-.") or "table"
