"""A paper made again, into a folder: each table as Markdown, LaTeX and CSV, each figure as SVG, PNG and PDF."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import write_together
from litotes.core.registry import unknown_name
from litotes.evaluation.result import RunResult
from litotes.report.papers.drawing import FIGURE_KINDS, check_drawing, drawing, rendered
from litotes.report.papers.pieces import Choices, Pieces, slug, table_csv
from litotes.report.suite_runs import by_suite
from litotes.report.tables import as_latex, as_markdown

PAPERS = ("semantoneg", "heros", "triplets", "developmental")
TABLE_KINDS = ("md", "tex", "csv")
FORMATS = (*TABLE_KINDS, *FIGURE_KINDS)


def check_paper(paper: str, formats: Sequence[str] = FORMATS) -> None:
    """Raise if there is no such paper or format, or if figures are wanted that cannot be drawn here."""
    _module(paper)
    for kind in formats:
        if kind not in FORMATS:
            raise unknown_name("format", kind, FORMATS)
    if not formats:
        raise UsageError("L102", "no format is named", hint=f"there are {', '.join(FORMATS)}")
    if set(formats) & set(FIGURE_KINDS):
        check_drawing()


def paper_pieces(
    paper: str, results: Sequence[RunResult], *, published: bool = False, best: int = 12, missed_by: int | None = None
) -> list[Pieces]:
    """The tables and figures of a paper: of what it printed, if that is wanted, and of every suite of its kind."""
    module = _module(paper)
    mine = [result for result in results if result.suite.kind in module.KINDS]
    choices = Choices(beside=published, best=best, missed_by=missed_by)
    pieces: list[Pieces] = list(module.published_pieces()) if published else []
    pieces += [module.suite_pieces(suite, choices) for suite in by_suite(mine, ()) if suite.items]
    if not pieces:
        kinds = " or ".join(module.KINDS)
        raise LitotesError("L204", f"no run is of a suite of the kind {kinds}", hint="--published needs none")
    return pieces


def write_paper(
    paper: str,
    results: Sequence[RunResult],
    folder: Path,
    *,
    published: bool = False,
    formats: Sequence[str] = FORMATS,
    best: int = 12,
    missed_by: int | None = None,
) -> list[Path]:
    """Write all tables and figures, a folder a suite; gives the files."""
    check_paper(paper, formats)
    contents: dict[Path, str | bytes] = {}
    names: list[str] = []
    for pieces in paper_pieces(paper, results, published=published, best=best, missed_by=missed_by):
        name = slug(pieces.label)
        while name in names:  # a suite may be called published
            name += "-2"
        names.append(name)
        contents |= _files(pieces, folder / name, formats)
    write_together(contents)
    return list(contents)


def _files(pieces: Pieces, folder: Path, formats: Sequence[str]) -> dict[Path, str | bytes]:
    contents: dict[Path, str | bytes] = {}
    for piece in pieces.tables:
        written = {
            "md": lambda: as_markdown(piece.table),  # noqa: B023 (called before the next piece)
            "tex": lambda: as_latex(piece.table),  # noqa: B023
            "csv": lambda: table_csv(pieces.label, piece.table),  # noqa: B023
        }
        contents |= {folder / f"{piece.stem}.{kind}": written[kind]() for kind in TABLE_KINDS if kind in formats}
    wanted = [kind for kind in FIGURE_KINDS if kind in formats]
    for drawn in pieces.figures if wanted else ():
        with drawing():
            figure = drawn.draw()
            contents |= {folder / f"{drawn.stem}.{kind}": rendered(figure, kind) for kind in wanted}
    if "md" in formats:
        contents[folder / "index.md"] = _index(pieces, next((kind for kind in wanted if kind != "pdf"), ""))
    return contents


def _index(pieces: Pieces, picture: str) -> str:
    """All of it on one page: the figures, then the tables."""
    parts = [f"# {pieces.label}\n"]
    for drawn in pieces.figures if picture else ():
        parts.append(f"![{drawn.caption}]({drawn.stem}.{picture})\n\n{drawn.caption}\n")
    parts += [as_markdown(piece.table) for piece in pieces.tables]
    return "\n".join(parts)


def _module(paper: str) -> ModuleType:
    if paper not in PAPERS:
        raise unknown_name("paper", paper, PAPERS)
    return importlib.import_module(f"litotes.report.papers.{paper}")
