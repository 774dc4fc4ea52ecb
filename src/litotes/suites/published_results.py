"""The papers' tables and figures: read as printed, with where each stands and what its columns are."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.registry import unknown_name

_NUMBER = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True)
class PublishedTable:
    """One table or figure of a paper, its cells as printed."""

    paper: str
    """The short name: semantoneg, heros, triplets or developmental."""
    name: str
    """What the paper calls it: Table 8, Figure 1."""
    source: str
    """Paper and name, for captions."""
    citation: str
    where: str
    """The section in which it stands."""
    what: str
    columns: Mapping[str, str]
    """What each column holds."""
    notes: tuple[str, ...]
    """What is odd in it, and what was put right."""
    rows: tuple[Mapping[str, str], ...]
    """The cells as printed, by column."""

    def column(self, name: str) -> list[str]:
        """A column, as printed."""
        if name not in self.columns:
            raise unknown_name(f"column of {self.source}", name, self.columns)
        return [row[name] for row in self.rows]

    def numbers(self, name: str) -> list[float | None]:
        """A column as numbers; None where no number is printed."""
        return [float(cell) if _NUMBER.fullmatch(cell) else None for cell in self.column(name)]


def published_results(paper: str, table: int | None = None, *, figure: int | None = None) -> PublishedTable:
    """A table or a figure of one of the papers.

    >>> all_models = published_results("semantoneg", table=8)
    >>> accuracies = dict(zip(all_models.column("model"), all_models.numbers("accuracy")))
    >>> accuracies["all-MiniLM-L6-v2"]
    1.9
    >>> published_results("heros", figure=1).rows[0]["synonym"]
    '0.923'
    """
    if (table is None) == (figure is None):
        hint = 'published_results("semantoneg", table=8), published_results("heros", figure=1)'
        raise UsageError("L102", "name a table or a figure", hint=hint)
    _check_paper(paper)
    name = f"Figure {figure}" if table is None else f"Table {table}"
    found = {one.name: one for one in published_tables(paper)}
    if name not in found:
        raise UsageError("L102", f"{paper}: {name} is not among the data", hint=f"there are {', '.join(found)}")
    return found[name]


def published_tables(paper: str | None = None) -> tuple[PublishedTable, ...]:
    """Every table and figure of a paper, or of all.

    >>> [table.name for table in published_tables("heros")]
    ['Table 1', 'Table 3', 'Figure 1', 'Figure 2']
    """
    if paper is not None:
        _check_paper(paper)
    return tuple(table for name in ([paper] if paper else _sources()) for table in _tables_of(name))


def _check_paper(paper: str) -> None:
    if paper not in _sources():
        raise unknown_name("paper", paper, _sources())


@cache
def _sources() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_text("sources.json"))
    return found


@cache
def _tables_of(paper: str) -> tuple[PublishedTable, ...]:
    told = _sources()[paper]
    return tuple(
        PublishedTable(
            paper=paper,
            name=name,
            source=f"{told['short']}, {name}",
            citation=told["citation"],
            where=about["where"],
            what=about["what"],
            columns=about["columns"],
            notes=tuple(about.get("notes", ())),
            rows=tuple(csv.DictReader(io.StringIO(_text(f"{paper}_{name.lower().replace(' ', '_')}.csv")))),
        )
        for name, about in told["tables"].items()
    )


def _text(name: str) -> str:
    return (files("litotes.suites.published") / name).read_text("utf-8")
