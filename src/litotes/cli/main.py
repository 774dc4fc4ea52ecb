"""Entry point of the command line; a command's module is imported when the command is used."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from litotes._version import __version__
from litotes.cli.error_handling import (
    catch_errors,
    discard_stdout,
    is_debugging,
    prepare_streams,
    put,
    raise_on_sigterm,
    say,
)
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import cannot_write

COMMANDS = {
    "run": ("run:run", "Evaluate models on suites and write a report."),
    "audit": ("audit:audit", "Measure on your own text how often a model confuses opposites."),
    "encode": ("encode:encode", "Encode a text and write its vectors to a folder."),
    "repair": ("repair:repair", "Fine-tune an encoder on negation and antonyms."),
    "report": ("report:report", "Write a report of stored runs."),
    "build": ("build:build", "Build a suite from raw text or from a reviewed suite."),
    "classify": ("classify:classify", "Find categories of negation in NLI pairs."),
    "review": ("review:review", "Review the items of a suite in the browser."),
    "suites": ("suites:suites", "List the suites and whether their data is available."),
    "models": ("models:models", "List the installed models and the model schemes."),
    "fetch": ("fetch:fetch", "Download the official file of a published suite."),
    "cache": ("cache:cache", "Show or clear the vector cache."),
    "doctor": ("doctor:doctor", "Show which packages are installed and which are missing."),
    "rewrite": ("rewrite:rewrite", "Rewrite English sentences: negation, antonyms, passive, …"),
    "experiment": ("experiment:experiment", "Run an experiment of a paper on your own models."),
    "train": ("train:train", "Train a model."),
}
"""Command → module and function, and the line in `litotes --help`, which is the first line of the function's docstring
too."""

_NOT_RESUMABLE = ("rewrite",)
_STYLE: dict[str, Any] = {"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False}

app = typer.Typer(
    name="litotes",
    help="Find out whether a language model knows that “not bad” means “good”.",
    epilog="Every command has --help and --config FILE.toml; --debug shows tracebacks.",
    **_STYLE,
)


class LazyCommand(TyperCommand):
    """A command with a name and a help text; the rest is imported when it is invoked."""

    def load(self) -> Any:
        """Import the command."""
        from litotes.cli.options import prepare_command

        name = str(self.name)
        module, _, attribute = COMMANDS[name][0].partition(":")
        command = getattr(import_module(f"litotes.cli.commands.{module}"), attribute)
        if isinstance(command, typer.Typer):
            return typer.main.get_group(command)
        single = typer.Typer(**_STYLE)
        single.command(name)(catch_errors(prepare_command(command), resumable=name not in _NOT_RESUMABLE))
        return typer.main.get_command(single)

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        """Parse the arguments with the imported command."""
        return self.load().make_context(info_name, args, parent=parent, **extra)


def _placeholder() -> None:
    """Do nothing; the imported command runs instead."""


for _name, (_, _help) in COMMANDS.items():
    app.command(_name, cls=LazyCommand, help=_help)(_placeholder)

# Depending on its version, typer uses the installed click or its own copy: this is the error class of either.
_ClickError: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


@app.callback(invoke_without_command=True)
@catch_errors
def _root(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    if version:
        put(f"litotes {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        say(context.get_help())
        raise typer.Exit(UsageError.exit_code)


def main() -> None:
    """Run the command line of this process."""
    prepare_streams()
    raise_on_sigterm()
    if "--debug" in sys.argv:
        sys.argv.remove("--debug")
        os.environ["LITOTES_DEBUG"] = "1"
    sys.exit(run_command())


def run_command() -> int:
    """Run the command in `sys.argv` and return its exit code; errors are printed as one line."""
    try:
        code = app(standalone_mode=False)
    except _ClickError as error:
        say(f"litotes: {_usage_error(error)}")
        return UsageError.exit_code
    except LitotesError as error:  # in a --config file
        if is_debugging():
            raise
        say(f"litotes: {error}")
        return error.exit_code
    except OSError as error:  # standard output was closed while --help was printed
        if is_debugging():
            raise
        discard_stdout()
        say(f"litotes: {cannot_write('standard output', error)}")
        return 1
    return code if isinstance(code, int) else 0


def _usage_error(error: Any) -> UsageError:
    """Convert an error of the command-line parser."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "litotes"
    return UsageError("L102", error.format_message().rstrip("."), hint=f"{command} --help lists the options")


if __name__ == "__main__":
    main()
