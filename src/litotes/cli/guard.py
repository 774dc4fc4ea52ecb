"""What stands between a command and the terminal: one line for every error, the right exit code."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import typer

from litotes.core.errors import LitotesError

P = ParamSpec("P")
R = TypeVar("R")

INTERRUPTED = 130
"""What shells give a program that was stopped by Ctrl-C."""


def say(message: str) -> None:
    """A message for people: on standard error, so that standard output holds data alone."""
    print(message, file=sys.stderr, flush=True)  # noqa: T201


def put(text: str) -> None:
    """Data, on standard output."""
    print(text, flush=True)  # noqa: T201


def debugging() -> bool:
    """Whether tracebacks are wanted."""
    return os.environ.get("LITOTES_DEBUG", "") not in ("", "0")


def guarded(command: Callable[P, R]) -> Callable[P, R]:
    """A command whose errors are one line each."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except KeyboardInterrupt:
            say("interrupted; what was done is kept, the same command goes on from there")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except LitotesError as error:
            if debugging():
                raise
            say(f"litotes: {error}")
            raise typer.Exit(error.exit_code) from None
        except Exception as error:
            if debugging():
                raise
            text = " ".join(str(error).split())[:200]
            say(f"litotes: [L901] {type(error).__name__}: {text}; --debug shows where, please report it")
            raise typer.Exit(1) from None

    return run
