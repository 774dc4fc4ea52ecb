"""The command line's front door; nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from litotes._version import __version__
from litotes.cli.audit import audit
from litotes.cli.build import build
from litotes.cli.cache import cache
from litotes.cli.classify import classify
from litotes.cli.doctor import doctor
from litotes.cli.error_handling import guarded, leave_stdout, prepare_streams, put, say, tidy_up_when_terminated
from litotes.cli.experiment import experiment
from litotes.cli.fetch import fetch
from litotes.cli.models import models
from litotes.cli.repair import repair
from litotes.cli.report import report
from litotes.cli.review import review
from litotes.cli.rewrite import rewrite
from litotes.cli.run import run
from litotes.cli.suites import suites
from litotes.cli.train import train
from litotes.core.errors import UsageError
from litotes.core.files import cannot_write

app = typer.Typer(
    name="litotes",
    help="Finds out whether a language model knows that “not bad” means “good”.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="Every command has --help; --debug, anywhere, shows tracebacks.",
)

for command in (run, audit, repair, report, build, classify, review, suites, models, fetch, cache, doctor):
    app.command()(guarded(command))
app.command()(guarded(rewrite, kept=False))
app.add_typer(train)
app.command()(guarded(experiment))

# typer brings a click of its own or uses the installed one, as its version will: this is its error in both.
_ClickError: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


@app.callback(invoke_without_command=True)
@guarded
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        put(f"litotes {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        say(context.get_help())
        raise typer.Exit(UsageError.exit_code)


def main() -> None:
    """What the installed command calls."""
    prepare_streams()
    tidy_up_when_terminated()
    if "--debug" in sys.argv:
        sys.argv.remove("--debug")
        os.environ["LITOTES_DEBUG"] = "1"
    sys.exit(_exit_code())


def _exit_code() -> int:
    try:
        code = app(standalone_mode=False)
    except _ClickError as error:
        say(f"litotes: {_usage_error(error)}")
        return UsageError.exit_code
    except OSError as error:  # help that nobody can read
        leave_stdout()
        say(f"litotes: {cannot_write('standard output', error)}")
        return 1
    return code if isinstance(code, int) else 0


def _usage_error(error: Any) -> UsageError:
    """What the parser of the command line found, in our form."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "litotes"
    return UsageError("L102", error.format_message().rstrip("."), hint=f"{command} --help shows what there is")


if __name__ == "__main__":
    main()
