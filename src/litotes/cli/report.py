"""`litotes report`: kept runs as a page or a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from litotes.cli.guard import say


def report(
    runs: Annotated[Path, typer.Argument(help="The folder that litotes run wrote.")],
    out: Annotated[
        list[Path] | None,
        typer.Option(help="Ends in .html, .md, .csv, .tex, .txt, .json or .svg; again for more. None: report.html."),
    ] = None,
) -> None:
    """Make a report of kept runs; the ending of --out says which kind."""
    from litotes.bench.store import find_runs, read_run
    from litotes.core.errors import LitotesError
    from litotes.report.writing import check_ending, write_report

    wanted = out or [Path("report.html")]
    for path in wanted:
        check_ending(path)
    results = [read_run(path) for path in find_runs(runs)]
    if not results:
        raise LitotesError("L204", f"{runs}: holds no runs", hint="litotes run makes some")
    for path in wanted:
        write_report(path, results)
        say(f"wrote {path}")
