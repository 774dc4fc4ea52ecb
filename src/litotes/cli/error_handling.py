"""What stands between a command and the terminal: one line for every error, the right exit code."""

from __future__ import annotations

import functools
import io
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import ParamSpec, TypeVar

import typer

from litotes.core.errors import LitotesError, one_line
from litotes.core.files import cannot_write

P = ParamSpec("P")
R = TypeVar("R")

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
"""What shells give a program that was stopped by Ctrl-C, and one that was asked to end."""


class Terminated(KeyboardInterrupt):
    """Somebody asked the program to end (SIGTERM): it tidies up as after Ctrl-C."""


def say(message: str) -> None:
    """A message for people: on standard error, so that standard output holds data alone."""
    print(message, file=sys.stderr, flush=True)  # noqa: T201


def warn(message: str) -> None:
    """Something that went wrong without stopping the work."""
    say(f"litotes: warning: {one_line(message)}")


def put(text: str) -> None:
    """Data, on standard output."""
    try:
        print(text, flush=True)  # noqa: T201
    except BrokenPipeError:
        raise
    except OSError as error:
        leave_stdout()
        raise cannot_write("standard output", error) from error


def leave_stdout() -> None:
    """Write no more to a standard output that takes nothing; Python would try again when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def prepare_streams() -> None:
    """Make the standard streams usable: closed ones lead nowhere, letters they cannot show are escaped."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # The lowest free number is the closed stream's own: no file of ours will be taken for it.
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def tidy_up_when_terminated() -> None:
    """Let SIGTERM end the program as Ctrl-C does, unless whoever started it wants it ignored."""
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated


def debugging() -> bool:
    """Whether tracebacks are wanted."""
    return os.environ.get("LITOTES_DEBUG", "") not in ("", "0")


def guarded(command: Callable[P, R], *, kept: bool = True) -> Callable[P, R]:
    """A command whose errors are one line each; `kept` says whether one that is stopped can be taken up again."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except KeyboardInterrupt as stop:
            ended = isinstance(stop, Terminated)
            how = "terminated" if ended else "interrupted"
            say(f"litotes: {how}" + ("; what was done is kept, the same command goes on from there" if kept else ""))
            raise typer.Exit(TERMINATED if ended else INTERRUPTED) from None
        except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
            leave_stdout()
            raise typer.Exit(0) from None
        except Exception as error:
            if debugging():
                raise
            say(f"litotes: {_told(error)}")
            raise typer.Exit(error.exit_code if isinstance(error, LitotesError) else 1) from None

    return run


def _told(error: Exception) -> str:
    if isinstance(error, LitotesError):
        return str(error)
    text = one_line(str(error))[:200]
    return f"[L901] {type(error).__name__}: {text}; --debug shows where, please report it"
