"""The command line's front door; nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from litotes._version import __version__
from litotes.cli.cache import cache
from litotes.cli.doctor import doctor
from litotes.cli.fetch import fetch
from litotes.cli.guard import guarded
from litotes.cli.models import models
from litotes.cli.report import report
from litotes.cli.run import run
from litotes.cli.suites import suites

app = typer.Typer(
    name="litotes",
    help="Finds out whether a language model knows that “not bad” means “good”.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="Every command has --help; --debug, anywhere, shows tracebacks.",
)

for command in (run, report, suites, models, fetch, cache, doctor):
    app.command()(guarded(command))


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"litotes {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """What the installed command calls."""
    if "--debug" in sys.argv:
        sys.argv.remove("--debug")
        os.environ["LITOTES_DEBUG"] = "1"
    app()


if __name__ == "__main__":
    main()
