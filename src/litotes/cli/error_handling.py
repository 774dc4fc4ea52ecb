"""Messages and errors of commands: one line per error, the right exit code, data only on standard output."""

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

from litotes.core.errors import LitotesError, mask_credentials, single_line
from litotes.core.escaping import terminal_text
from litotes.core.files import cannot_write

P = ParamSpec("P")
R = TypeVar("R")

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
"""The exit codes that shells use after Ctrl-C and SIGTERM."""


class Terminated(KeyboardInterrupt):
    """SIGTERM was received; the command cleans up as after Ctrl-C."""


def say(message: str) -> None:
    """Print a message for the user on standard error, without passwords in addresses."""
    print(terminal_text(mask_credentials(message)), file=sys.stderr, flush=True)  # noqa: T201


def warn(message: str) -> None:
    """Print a warning on standard error."""
    say(f"litotes: warning: {single_line(message)}")


def put(text: str) -> None:
    """Print data on standard output."""
    try:
        print(terminal_text(text), flush=True)  # noqa: T201
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_stdout()
        raise cannot_write("standard output", error) from error


def discard_stdout() -> None:
    """Redirect standard output to nowhere, so that Python does not fail again when it flushes at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def prepare_streams() -> None:
    """Open closed standard streams on the null device; escape characters that standard output cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # This takes the file descriptor of the closed stream, so that no other file can get it.
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def raise_on_sigterm() -> None:
    """Raise `Terminated` on SIGTERM, unless the signal is ignored or handled already."""
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _raise_terminated)


def _raise_terminated(number: int, frame: FrameType | None) -> None:
    raise Terminated


def is_debugging() -> bool:
    """Return whether tracebacks are shown."""
    return os.environ.get("LITOTES_DEBUG", "") not in ("", "0")


def catch_errors(command: Callable[P, R], *, resumable: bool = True) -> Callable[P, R]:
    """Return the command with every error printed as one line; `resumable` commands say so when interrupted."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except KeyboardInterrupt as stop:
            is_terminated = isinstance(stop, Terminated)
            hint = "; finished work is saved, run the same command again to resume" if resumable else ""
            say(f"litotes: {'terminated' if is_terminated else 'interrupted'}{hint}")
            raise typer.Exit(TERMINATED if is_terminated else INTERRUPTED) from None
        except BrokenPipeError:  # the reader, such as `head`, has stopped reading
            discard_stdout()
            raise typer.Exit(0) from None
        except Exception as error:
            if is_debugging():
                raise
            say(f"litotes: {_error_line(error)}")
            raise typer.Exit(error.exit_code if isinstance(error, LitotesError) else 1) from None

    return run


def _error_line(error: Exception) -> str:
    if isinstance(error, LitotesError):
        return str(error)
    text = single_line(str(error))[:200]
    return f"[L901] {type(error).__name__}: {text}; --debug shows the traceback, please report it"
