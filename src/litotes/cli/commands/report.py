"""`litotes report`: kept runs as a page or a table, or as the tables and figures of a paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import say

if TYPE_CHECKING:
    from litotes.evaluation.result import RunResult


def report(  # noqa: PLR0917  (a command's options)
    runs: Annotated[
        Path | None, typer.Argument(help="The folder that litotes run wrote; none is needed for --published alone.")
    ] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            help="Ends in .html, .md, .csv, .tex, .txt, .json or .svg; again for more. None: report.html. "
            "With --paper: a folder."
        ),
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            help="Write its tables and figures: semantoneg, heros, triplets or developmental.",
        ),
    ] = None,
    published: Annotated[
        bool,
        typer.Option("--published", help="What the paper printed too, alone and beside the runs."),
    ] = False,
    formats: Annotated[
        str | None,
        typer.Option(help="Some of md, tex, csv, svg, png, pdf with commas; all if not said."),
    ] = None,
    best: Annotated[
        int | None,
        typer.Option(
            help="How many of the best models the error analysis is about; 12 if not said.",
            min=1,
        ),
    ] = None,
    missed_by: Annotated[
        int | None,
        typer.Option(
            help="How many of these must miss an item for it to be listed; all if not said.",
            min=1,
        ),
    ] = None,
) -> None:
    """Write a report of stored runs."""
    from litotes.core.errors import UsageError

    if paper is not None:
        _write_paper(runs, out, paper, published=published, formats=formats, best=best, missed_by=missed_by)
        return
    given = {"--published": published or None, "--formats": formats, "--best": best, "--missed-by": missed_by}
    for option, value in given.items():
        if value is not None:
            raise UsageError("L102", f"{option} belongs to --paper", hint="--paper semantoneg, for instance")
    if runs is None:
        raise UsageError("L102", "no folder of runs is named", hint="litotes report runs")
    _write_reports(runs, out or [Path("report.html")])


def _write_reports(runs: Path, wanted: Sequence[Path]) -> None:
    from litotes.report.export import check_format, write_report

    for path in wanted:
        check_format(path)
    results = _read(runs)
    for path in wanted:
        write_report(path, results)
        say(f"wrote {path}")


def _write_paper(
    runs: Path | None,
    out: Sequence[Path] | None,
    paper: str,
    *,
    published: bool,
    formats: str | None,
    best: int | None,
    missed_by: int | None,
) -> None:
    from litotes.core.errors import UsageError
    from litotes.report.papers.contents import PaperOptions
    from litotes.report.papers.export import FORMATS, check_paper, write_paper

    kinds = FORMATS if formats is None else tuple(kind.strip().lower() for kind in formats.split(",") if kind.strip())
    check_paper(paper, kinds)
    folders = out or [Path(f"paper-{paper}")]
    if len(folders) > 1:
        raise UsageError("L102", "with --paper there is one --out", hint="it is a folder")
    folder = folders[0]
    if folder.is_file():
        raise UsageError("L102", f"{folder}: is a file, with --paper --out is a folder")
    if runs is None and not published:
        raise UsageError("L102", "no folder of runs is named", hint="--published needs none")
    results = [] if runs is None else _read(runs)
    options = PaperOptions(published, PaperOptions.best if best is None else best, missed_by)
    written = write_paper(paper, results, folder, options, formats=kinds)
    for part in dict.fromkeys(path.parent for path in written):
        say(f"wrote {part}: {sum(path.parent == part for path in written)} files")


def _read(runs: Path) -> list[RunResult]:
    from litotes.core.errors import LitotesError
    from litotes.evaluation.result_store import find_runs, read_run

    results = [read_run(path) for path in find_runs(runs)]
    if not results:
        raise LitotesError("L204", f"{runs}: holds no runs", hint="litotes run makes some")
    return results
