"""`litotes report`: stored runs as a page or as tables, or as the tables and figures of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import say

if TYPE_CHECKING:
    from litotes.evaluation.result import RunResult


def report(  # noqa: PLR0917  (a command's options)
    runs: Annotated[Path | None, typer.Argument(help="Folder of runs; not needed for --published alone.")] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            help="File ending in .html, .md, .csv, .tex, .txt, .json or .svg; repeatable. Default: report.html. "
            "With --paper: a folder."
        ),
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(help="Write the tables and figures of a paper: semantoneg, heros, triplets or developmental."),
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="Add the published results of the paper, alone and next to the runs.")
    ] = False,
    formats: Annotated[
        str | None,
        typer.Option(
            help="With --paper: md, tex, csv, svg, png and pdf, separated by commas. Default: all. "
            "Otherwise the format of a pipe or /dev/stdout as --out. Default: txt."
        ),
    ] = None,
    best: Annotated[
        int | None, typer.Option(help="Number of the best models in the error analysis. Default: 12.", min=1)
    ] = None,
    missed_by: Annotated[
        int | None, typer.Option(help="List items that at least this number of them miss. Default: all of them.", min=1)
    ] = None,
) -> None:
    """Write a report of stored runs."""
    from litotes.core.errors import UsageError

    if paper is not None:
        _write_paper(runs, out, paper, published=published, formats=formats, best=best, missed_by=missed_by)
        return
    paper_options = {"--published": published or None, "--best": best, "--missed-by": missed_by}
    for option, value in paper_options.items():
        if value is not None:
            raise UsageError("L102", f"{option} needs --paper", hint="--paper semantoneg, for example")
    if runs is None:
        raise UsageError("L102", "the folder of runs is missing", hint="litotes report runs")
    _write_reports(runs, out or [Path("report.html")], formats)


def _write_reports(runs: Path, paths: Sequence[Path], formats: str | None) -> None:
    from litotes.core.errors import UsageError
    from litotes.core.files import is_stream
    from litotes.report.export import report_format, write_report

    if formats is not None and not any(map(is_stream, paths)):
        raise UsageError("L102", "--formats needs --paper, or a pipe as --out", hint="--paper semantoneg, for example")
    stream_format = formats or "txt"
    for path in paths:
        report_format(path, stream_format)
    results = _read(runs)
    for path in paths:
        write_report(path, results, stream_format)
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
    from litotes.report.papers.sections import FORMATS, PaperOptions, check_paper, write_paper

    kinds = FORMATS if formats is None else tuple(kind.strip().lower() for kind in formats.split(",") if kind.strip())
    check_paper(paper, kinds)
    folders = out or [Path(f"paper-{paper}")]
    if len(folders) > 1:
        raise UsageError("L102", "--paper takes one --out", hint="name a folder")
    folder = folders[0]
    if folder.is_file():
        raise UsageError("L102", f"{folder}: is a file, but --paper needs a folder as --out")
    if runs is None and not published:
        raise UsageError("L102", "the folder of runs is missing", hint="only --published needs none")
    results = [] if runs is None else _read(runs)
    options = PaperOptions(published, PaperOptions.best if best is None else best, missed_by)
    written = write_paper(paper, results, folder, options, formats=kinds)
    for parent, count in Counter(path.parent for path in written).items():
        say(f"wrote {parent}: {count} files")


def _read(runs: Path) -> list[RunResult]:
    from litotes.core.errors import LitotesError
    from litotes.evaluation.result_store import find_runs, read_run

    results = [read_run(path) for path in find_runs(runs)]
    if not results:
        raise LitotesError("L204", f"{runs}: contains no runs", hint="litotes run writes them")
    return results
