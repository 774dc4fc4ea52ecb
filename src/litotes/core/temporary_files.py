"""Files and folders under temporary names next to their targets.

They are locked as long as their process runs: one that is not locked was left by a killed process, and the next
process with the same target deletes it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

Created = TypeVar("Created", BinaryIO, "int | None")


def create_temporary(target: Path) -> tuple[Path, BinaryIO]:
    """Create a locked file in the folder of the target, because a rename is atomic only within one file system."""
    return _create_locked(target, lambda path: path.open("xb"))


@contextlib.contextmanager
def temporary_folder(target: Path) -> Iterator[Path]:
    """Create a folder next to the target, to which it or a file in it can be renamed; delete it at the end."""
    target.parent.mkdir(parents=True, exist_ok=True)
    delete_abandoned(target)
    path, descriptor = _create_locked(target, _make_folder)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        if descriptor is not None:
            os.close(descriptor)


def _make_folder(path: Path) -> int | None:
    while True:
        path.mkdir()
        if fcntl is None:
            return None
        with contextlib.suppress(FileNotFoundError):  # another process deleted it before it was opened
            return os.open(path, os.O_RDONLY)


def delete_abandoned(target: Path) -> None:
    """Delete the temporary files and folders of killed processes that wrote to the same target."""
    for path in target.parent.glob(f"{_temporary_prefix(target)}*.tmp"):
        with contextlib.suppress(OSError):  # it is locked, or another process has deleted it
            if fcntl is None:
                path.unlink()  # fails for open files
                continue
            is_folder = stat.S_ISDIR(path.lstat().st_mode)
            descriptor = os.open(path, (os.O_RDONLY if is_folder else os.O_WRONLY) | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path) if is_folder else path.unlink()
            finally:
                os.close(descriptor)


def _create_locked(target: Path, create: Callable[[Path], Created]) -> tuple[Path, Created]:
    while True:
        path = target.with_name(f"{_temporary_prefix(target)}{secrets.token_hex(8)}.tmp")
        created = create(path)
        if fcntl is None or created is None:
            return path, created
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(created, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(created if isinstance(created, int) else created.fileno()).st_nlink:
            return path, created
        # Another process deleted it before it was locked.
        os.close(created) if isinstance(created, int) else created.close()


def _temporary_prefix(target: Path) -> str:
    # Not the name itself: together with the random part it could be too long.
    return f".litotes-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:8]}-"
