"""The results that the papers report: tables, figures and numbers of the text, as printed, with descriptions."""

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
    """One table or figure of a paper, or the numbers in the text of a section, as printed."""

    paper: str
    """The short name of the paper: semantoneg, heros, triplets or developmental."""
    name: str
    """The name in the paper, such as Table 8."""
    source: str
    """Paper and table for captions."""
    citation: str
    section: str
    """The section of the paper."""
    description: str
    columns: Mapping[str, str]
    """The meaning of each column."""
    notes: tuple[str, ...]
    """Peculiarities and corrections."""
    rows: tuple[Mapping[str, str], ...]
    """The cells of each row by column, as printed."""

    def column(self, name: str) -> list[str]:
        """Return the cells of a column as printed."""
        if name not in self.columns:
            raise unknown_name(f"column of {self.source}", name, self.columns)
        return [row[name] for row in self.rows]

    def numbers(self, name: str) -> list[float | None]:
        """Return a column as numbers, with None for cells without a number."""
        return [float(cell) if _NUMBER.fullmatch(cell) else None for cell in self.column(name)]


@dataclass(frozen=True)
class PublishedModel:
    """What other sources say about a model in a table of a paper."""

    model: str
    """The name in the table."""
    same_as: str
    """Another name of the same model in the table, under which it counts; empty: none."""
    base_model: str
    base_model_source: str
    """Where the base model is documented; `name` and `config.json` are those of the model itself."""
    parameters: int | None
    """The parameters of the base model with its embeddings, counted from its configuration; None: unknown."""
    training_data: str
    """The data of the fine-tuning; empty: unknown."""
    training_data_source: str


@cache
def published_models(paper: str) -> Mapping[str, PublishedModel]:
    """Return size and fine-tuning data of the models of a paper by name.

    >>> model = published_models("semantoneg")["all-MiniLM-L6-v2"]
    >>> model.parameters, model.training_data, model.training_data_source
    (22713216, '1B pairs', 'sbert.net table of models')
    """
    rows = csv.DictReader(io.StringIO(_text(f"{paper}_models.csv")))
    models = ({**row, "parameters": int(row["parameters"]) if row["parameters"] else None} for row in rows)
    return {model.model: model for model in (PublishedModel(**model) for model in models)}  # type: ignore[arg-type]


def published_results(
    paper: str, table: int | None = None, *, figure: int | None = None, section: str | int | None = None
) -> PublishedTable:
    """Return a table or figure of a paper, or the numbers in the text of a section.

    >>> all_models = published_results("semantoneg", table=8)
    >>> accuracies = dict(zip(all_models.column("model"), all_models.numbers("accuracy")))
    >>> accuracies["all-MiniLM-L6-v2"]
    1.9
    >>> published_results("heros", figure=1).rows[0]["synonym"]
    '0.923'
    >>> published_results("semantoneg", section=6).rows[0]
    {'antonym_pair': 'all', 'missed': '105'}
    """
    requested = [
        f"{kind} {number}"
        for kind, number in (("Table", table), ("Figure", figure), ("Section", section))
        if number is not None
    ]
    if len(requested) != 1:
        hint = 'published_results("semantoneg", table=8), published_results("heros", figure=1)'
        raise UsageError("L102", "either a table, a figure or a section is needed", hint=f"for example {hint}")
    _check_paper(paper)
    (name,) = requested
    tables = {table.name: table for table in published_tables(paper)}
    if name not in tables:
        raise UsageError("L102", f"{paper}: {name} is not available", hint=f"available: {', '.join(tables)}")
    return tables[name]


def published_tables(paper: str | None = None) -> tuple[PublishedTable, ...]:
    """Return all tables, figures and sections with numbers of a paper, or of all papers.

    >>> [table.name for table in published_tables("heros")]
    ['Table 1', 'Table 3', 'Figure 1', 'Figure 2', 'Section 3.2']
    """
    if paper is not None:
        _check_paper(paper)
    return tuple(table for name in ([paper] if paper else _sources()) for table in _tables_of(name))


def _check_paper(paper: str) -> None:
    if paper not in _sources():
        raise unknown_name("paper", paper, _sources())


@cache
def _sources() -> dict[str, Any]:
    sources: dict[str, Any] = json.loads(_text("sources.json"))
    return sources


@cache
def _tables_of(paper: str) -> tuple[PublishedTable, ...]:
    source = _sources()[paper]
    return tuple(
        PublishedTable(
            paper=paper,
            name=name,
            source=f"{source['short']}, {name}",
            citation=source["citation"],
            section=table["section"],
            description=table["description"],
            columns=table["columns"],
            notes=tuple(table.get("notes", ())),
            rows=tuple(csv.DictReader(io.StringIO(_text(f"{paper}_{name.lower().replace(' ', '_')}.csv")))),
        )
        for name, table in source["tables"].items()
    )


def _text(name: str) -> str:
    return (files("litotes.suites.published") / name).read_text("utf-8")
