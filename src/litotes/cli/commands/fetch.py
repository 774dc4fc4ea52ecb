"""`litotes fetch`: published data files, checked by sha256."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from litotes.cli.error_handling import put


def fetch(
    name: Annotated[str, typer.Argument(help="A published suite, such as semantoneg.")],
    folder: Annotated[
        Path | None, typer.Option(help="Where to keep it. None: LITOTES_DATA, else the user's data folder.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Another address of the same file, a mirror.")] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Only say whether it is here.")] = False,
) -> None:
    """Download the official file of a published suite."""
    from litotes.suites.official_files import fetch as fetch_file

    put(str(fetch_file(name, folder=folder, url=url, offline=offline)))
