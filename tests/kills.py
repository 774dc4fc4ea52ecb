"""Real SIGKILLs at chosen moments: before the n-th change of a file."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect"}


def killed_before_change(number: int, folder: Path, call: Callable[[], object]) -> bool:
    """Call a function in a fork of this process, which is killed before its n-th change below a folder.

    Return False if the function ended before that.
    """
    pid = os.fork()
    if pid == 0:
        try:
            count = 0

            def count_changes(event: str, arguments: tuple[Any, ...]) -> None:
                nonlocal count
                if _is_change(event, arguments, str(folder)):
                    count += 1
                    if count == number:
                        os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(count_changes)
            call()
        except BaseException:  # noqa: BLE001  (the fork must not return into the tests)
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status in (0, -signal.SIGKILL)
    return status != 0


def _is_change(event: str, arguments: tuple[Any, ...], folder: str) -> bool:
    if event == "open":
        is_writing = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    else:
        is_writing = event in _CHANGES
    path = arguments[0] if arguments else None
    return bool(is_writing) and isinstance(path, (str, os.PathLike)) and str(Path(path).absolute()).startswith(folder)


def kill_before_each_change(folder: Path, call: Callable[[], object]) -> Iterator[int]:
    """Call a function again and again, killed before its first, second, ... change; yield after each kill."""
    number = 1
    while killed_before_change(number, folder, call):
        yield number
        number += 1
