"""One training or experiment a folder at a time."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import cannot_write

_LOCK = ".lock.sqlite"


_PAUSE = 0.5


@contextlib.contextmanager
def alone_in(out: Path, *, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Nobody else trains or experiments in this folder; the lock goes with the process, however that ends.

    Where somebody does, that is an error; or it is waited for, if `waiting` is to be told so once.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(out / _LOCK, timeout=0, isolation_level=None)
    except OSError as error:
        raise cannot_write(out, error) from error
    except sqlite3.Error as error:
        raise LitotesError(
            "L401", f"{out / _LOCK}: cannot be written ({error})", hint="choose another --out"
        ) from error
    with contextlib.closing(lock):
        told = False
        while True:
            try:
                lock.execute("BEGIN EXCLUSIVE")
                break
            except sqlite3.OperationalError as error:
                if waiting is None or "locked" not in str(error):
                    hint = "wait for it, or take another --out"
                    raise UsageError("L102", f"{out}: something else is running there ({error})", hint=hint) from error
            if not told:
                waiting()
                told = True
            time.sleep(_PAUSE)  # not in SQLite, which would not hear Ctrl-C
        yield
