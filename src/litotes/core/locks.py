"""Locks on folders that are released when the process ends, however it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from litotes.core.errors import UsageError
from litotes.core.files import cannot_write

_POLL_SECONDS = 0.2


@contextlib.contextmanager
def lock_folder(folder: Path, *, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold an exclusive lock on a folder, which is created if necessary.

    If another process holds the lock, call `on_wait` and wait; without `on_wait` raise an error. The lock file
    is deleted at the end, so that nothing but the results remains in the folder.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / ".lock")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            if on_wait is None:
                raise UsageError(
                    "L102",
                    f"{folder}: another process is working in this folder",
                    hint="wait for it, or choose another folder with --out",
                ) from None
            on_wait()
            lock.acquire(poll_interval=_POLL_SECONDS)
    except OSError as error:
        raise cannot_write(folder, error) from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            Path(lock.lock_file).unlink()  # a process that waits for it notices that, and creates another one
        lock.release()
