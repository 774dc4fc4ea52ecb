"""Commands in a folder of their own: what they say, need, write, and leave behind.

The process that calls `start` has imported everything, and each command is a fork of it: that saves the seconds of the
imports, and the memory, the silence and the end of each command are still measured separately.
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

MAX_SECONDS = 120
"""A command that takes longer is killed and counts as hanging."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_WRITES = {
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.chmod": (0,),
    "os.link": (1,),
    "os.symlink": (1,),
    "shutil.rmtree": (0,),
    "sqlite3.connect": (0,),
}
"""Audit events of Python that change files, and the positions of the changed paths in their arguments."""
_MAX_REPORTED = 20


@dataclass(frozen=True)
class Outcome:
    """The end of a command."""

    code: int
    """The exit code, or the negative number of a signal."""
    output: str
    """Standard output and standard error together."""
    seconds: float
    silence: float
    """The longest time without a message, in seconds."""
    peak_bytes: int
    outside: tuple[str, ...]
    """Paths that it wrote outside the folders for output, cache and temporary files."""
    is_late: bool = False
    """Whether it was killed because it took too long."""
    is_server: bool = False
    """Whether it is silent because nobody talks to it."""

    @property
    def tracebacks(self) -> int:
        """The number of tracebacks in the output."""
        return self.output.count("Traceback (most recent call last)")

    @property
    def internal_errors(self) -> int:
        """The number of errors that Litotes did not expect."""
        return self.output.count("[L901]")


@dataclass
class Sandbox:
    """A folder with the working folder, home, output, cache and temporary files of commands."""

    folder: Path
    shared_cache: Path
    """The cache of other packages, such as the fonts of matplotlib; it is the same in all sandboxes."""
    working_folder: Path | None = None
    """Default: the folder itself."""
    out: Path = field(init=False)
    cache: Path = field(init=False)
    _started: list[Process] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.out, self.cache = self.folder / "out", self.folder / "cache"
        for name in ("home", "tmp", "out", "cache"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def start(self, *arguments: object, prepare: Callable[[], object] | None = None) -> Process:
        """Start a command; `prepare` is called in its process."""
        output, sink = os.pipe()
        outside, reports = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            self._run([*map(str, arguments)], sink, reports, prepare)
        os.close(sink)
        os.close(reports)
        self._started.append(Process(pid, output, outside))
        return self._started[-1]

    def run(
        self, *arguments: object, max_seconds: float = MAX_SECONDS, prepare: Callable[[], object] | None = None
    ) -> Outcome:
        """Run a command to its end."""
        return self.start(*arguments, prepare=prepare).wait(max_seconds)

    def _run(self, arguments: list[str], sink: int, reports: int, prepare: Callable[[], object] | None) -> NoReturn:
        code = 1
        try:
            os.setsid()
            for number, stream in enumerate((os.open(os.devnull, os.O_RDONLY), sink, sink)):
                os.dup2(stream, number)
            sys.stdin, sys.stdout, sys.stderr = (
                os.fdopen(0),
                os.fdopen(1, "w"),
                os.fdopen(2, "w", errors="backslashreplace", buffering=1),
            )
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.environ.update(self._environment())
            os.chdir(self.working_folder or self.folder)
            sys.argv = ["litotes", *arguments]
            if prepare is not None:
                prepare()
            report_writes((self.out, self.cache, self.folder / "tmp", self.shared_cache), reports)
            code = _call_main()
        except BaseException:  # noqa: BLE001  (Python itself would print it, too)
            traceback.print_exc()
        finally:
            with suppress(OSError, ValueError):
                sys.stdout.flush()
            os._exit(code)

    def _environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"),
            "XDG_CACHE_HOME": str(self.shared_cache),
            "XDG_CONFIG_HOME": str(self.folder / "home" / "config"),
            "XDG_DATA_HOME": str(self.folder / "home" / "data"),
            "LITOTES_CACHE": str(self.cache),
        }

    def close(self) -> None:
        """End the processes that are left after an error, and delete the folder."""
        for process in self._started:
            if not process.is_reaped:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _call_main() -> int:
    from litotes.cli.main import main

    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def report_writes(allowed: Sequence[Path], reports: int) -> None:
    """Report every path that this process writes outside the allowed folders, from now on."""
    roots = (*(os.path.realpath(path) + os.sep for path in allowed), "/dev/", "/proc/")
    left = [_MAX_REPORTED]

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            changed = [arguments[0]] if isinstance(arguments[2], int) and arguments[2] & _WRITING else []
        else:
            changed = [arguments[position] for position in _WRITES.get(event, ())]
        for path in changed:
            if left[0] and (written := _written(event, path, arguments[-1])) and not written.startswith(roots):
                left[0] -= 1
                os.write(reports, f"{event} {written[:-1]}\n".encode("utf-8", "replace"))

    sys.addaudithook(watch)


def _written(event: str, path: object, last_argument: object) -> str | None:
    """Return the absolute path that an event changes."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return None
    name = os.fsdecode(path)
    if event == "sqlite3.connect":
        if name in ("", ":memory:") or "mode=ro" in name:
            return None
        name = name.removeprefix("file:").partition("?")[0]
    elif event.startswith("os.") and isinstance(last_argument, int) and last_argument >= 0 and name[:1] != os.sep:
        return None  # relative to an open folder: a part of shutil.rmtree, which is watched itself
    # A link is not followed: it is itself replaced or deleted.
    folder, file = os.path.split(name)
    return f"{os.path.realpath(folder)}/{file}/"


class Process:
    """A command that was started."""

    def __init__(self, pid: int, output: int, outside: int) -> None:
        self.pid = pid
        self._pipes = {output: bytearray(), outside: bytearray()}
        self._output, self._outside = output, outside
        self._started = self._last_message = time.monotonic()
        self._silence = 0.0
        self.is_reaped = False

    @property
    def output(self) -> str:
        """What it has printed so far."""
        return self._pipes[self._output].decode("utf-8", "replace")

    def wait(self, max_seconds: float = MAX_SECONDS) -> Outcome:
        """Wait for the end; kill the process if it takes too long."""
        is_late = not self.read(max_seconds)
        if is_late:
            self.kill()
        self.read(5)
        _, status, usage = os.wait4(self.pid, 0)
        self.is_reaped = True
        with suppress(ProcessLookupError):  # workers that are left in its session
            os.killpg(self.pid, signal.SIGKILL)
        ended = time.monotonic()
        for pipe in self._pipes:
            os.close(pipe)
        return Outcome(
            code=os.waitstatus_to_exitcode(status),
            output=self.output,
            seconds=ended - self._started,
            silence=max(self._silence, ended - self._last_message),
            peak_bytes=usage.ru_maxrss * 1024,
            outside=tuple(dict.fromkeys(self._pipes[self._outside].decode("utf-8", "replace").splitlines())),
            is_late=is_late,
        )

    def read(self, max_seconds: float, until: str | None = None) -> bool:
        """Read messages until the process ends or prints a text; return whether it did."""
        end, is_open = time.monotonic() + max_seconds, set(self._pipes)
        while is_open and (left := end - time.monotonic()) > 0:
            for pipe in select.select(sorted(is_open), [], [], left)[0]:
                data = os.read(pipe, 1 << 16)
                if not data:
                    is_open.remove(pipe)
                elif pipe == self._output:
                    now = time.monotonic()
                    self._silence = max(self._silence, now - self._last_message)
                    self._last_message = now
                self._pipes[pipe] += data
            if until is not None and until in self.output:
                return True
        return not is_open

    def kill(self) -> None:
        """Send SIGKILL to the process and its children."""
        for end in (os.killpg, os.kill):  # it may not have its own session yet
            with suppress(ProcessLookupError):
                end(self.pid, signal.SIGKILL)


def limit_file_size(size: int) -> Callable[[], None]:
    """Return a function that makes writing beyond a size fail in this process, like a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def import_everything() -> None:
    """Import what commands import, so that forks need not."""
    import importlib
    import pkgutil

    import sentence_transformers  # noqa: F401
    import torch

    import litotes
    from litotes.languages.base import get_language

    torch.set_num_threads(1)
    for module in pkgutil.walk_packages(litotes.__path__, "litotes."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # an optional package that is not installed
                importlib.import_module(module.name)
    get_language("en")
