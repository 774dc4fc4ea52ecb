"""`litotes fetch`: download published data files and check their sha256."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from litotes.cli.error_handling import put


def fetch(
    name: Annotated[str, typer.Argument(help="A published suite, such as semantoneg.")],
    folder: Annotated[
        Path | None, typer.Option(help="Target folder. Default: LITOTES_DATA, or else the user's data folder.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Address of a mirror of the file.")] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Only check whether the file is there.")] = False,
) -> None:
    """Download the official file of a published suite."""
    from litotes.suites.official_files import fetch as fetch_file

    put(str(fetch_file(name, folder=folder, url=url, offline=offline)))
