"""The tables and figures of a paper: each table as Markdown, LaTeX and CSV, each figure as SVG, PNG and PDF."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from litotes.core.errors import LitotesError, UsageError
from litotes.core.escaping import markdown_text
from litotes.core.files import write_together
from litotes.core.registry import unknown_name
from litotes.evaluation.result import RunResult
from litotes.report.papers.drawing import FIGURE_FORMATS, check_matplotlib, figure_bytes, figure_style
from litotes.report.suite_runs import by_suite
from litotes.report.table import Column, Table, as_csv, as_latex, as_markdown
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


PAPERS = ("semantoneg", "heros", "triplets", "developmental")
TABLE_FORMATS = ("md", "tex", "csv")
FORMATS = (*TABLE_FORMATS, *FIGURE_FORMATS)


def check_paper(paper: str, formats: Sequence[str] = FORMATS) -> None:
    """Raise an error for an unknown paper or format, or if figures are requested without matplotlib."""
    _module(paper)
    for name in formats:
        if name not in FORMATS:
            raise unknown_name("format", name, FORMATS)
    if not formats:
        raise UsageError("L102", "no format is given", hint=f"choose from {', '.join(FORMATS)}")
    if set(formats) & set(FIGURE_FORMATS):
        check_matplotlib()


def paper_sections(paper: str, results: Sequence[RunResult], options: PaperOptions | None = None) -> list[PaperSection]:
    """Return the tables and figures of a paper: of its published numbers, if requested, and of every suite."""
    options = options or PaperOptions()
    module = _module(paper)
    of_paper = [result for result in results if result.suite.kind in module.KINDS]
    sections: list[PaperSection] = [module.published_section()] if options.with_published else []
    sections += [module.suite_section(suite, options) for suite in by_suite(of_paper, ()) if suite.items]
    if not sections:
        kinds = " or ".join(module.KINDS)
        raise LitotesError("L204", f"no run is on a suite of the kind {kinds}", hint="--published needs no runs")
    return sections


def write_paper(
    paper: str,
    results: Sequence[RunResult],
    folder: Path,
    options: PaperOptions | None = None,
    *,
    formats: Sequence[str] = FORMATS,
) -> list[Path]:
    """Write all tables and figures, one folder per suite, and return the paths of the files."""
    check_paper(paper, formats)
    contents: dict[Path, str | bytes] = {}
    names: list[str] = []
    for section in paper_sections(paper, results, options):
        name = slug(section.label)
        while name in names:  # a suite may have the label "published"
            name += "-2"
        names.append(name)
        contents |= _files(section, folder / name, formats)
    write_together(contents)
    return list(contents)


def _files(section: PaperSection, folder: Path, formats: Sequence[str]) -> dict[Path, str | bytes]:
    contents: dict[Path, str | bytes] = {}
    for item in section.tables:
        if "md" in formats:
            contents[folder / f"{item.stem}.md"] = as_markdown(item.table)
        if "tex" in formats:
            contents[folder / f"{item.stem}.tex"] = as_latex(item.table)
        if "csv" in formats:
            contents[folder / f"{item.stem}.csv"] = table_csv(section.label, item.table)
    figure_formats = [name for name in FIGURE_FORMATS if name in formats]
    for figure in section.figures if figure_formats else ():
        with figure_style():
            drawn = figure.draw()
            contents |= {folder / f"{figure.stem}.{name}": figure_bytes(drawn, name) for name in figure_formats}
    if "md" in formats:
        image_format = next((name for name in figure_formats if name != "pdf"), "")
        contents[folder / "index.md"] = _index(section, image_format)
    return contents


def _index(section: PaperSection, image_format: str) -> str:
    """Return all figures, then all tables, as one Markdown page."""
    parts = [f"# {markdown_text(section.label)}\n"]
    for figure in section.figures if image_format else ():
        caption = markdown_text(figure.caption)
        parts.append(f"![{caption}]({figure.stem}.{image_format})\n\n{caption}\n")
    parts += [as_markdown(item.table) for item in section.tables]
    return "\n".join(parts)


def _module(paper: str) -> ModuleType:
    if paper not in PAPERS:
        raise unknown_name("paper", paper, PAPERS)
    return importlib.import_module(f"litotes.report.papers.{paper}")
