"""An ordered, streaming parallel map: in this process or in several local ones.

Worker processes are started afresh instead of forked, because a fork can copy locks that other threads hold, and they
do not import the caller's main module. Each is connected to its parent by a pipe and exits when the pipe closes, so no
worker outlives its parent.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

from litotes.core.errors import LitotesError, UsageError

T = TypeVar("T")
R = TypeVar("R")

_CHUNKS_PER_WORKER = 3
"""Chunks that are read in advance: enough to keep the workers busy, few enough for constant memory."""

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Set to 1 in workers: several processes with several threads each would compete for the cores."""


def map_ordered(
    function: Callable[[Sequence[T]], Sequence[R]], items: Iterable[T], *, workers: int = 1, chunk_size: int = 128
) -> Generator[R, None, None]:
    """Yield the results of a function that maps a chunk of items to one result per item, in the order of the items.

    With several workers the function must be importable in other processes. The chunks do not depend on the number of
    workers: they grow from 1 to `chunk_size` items, so that the first results arrive early. An exception in the
    function or in the iterable is raised after the results of all earlier chunks.

    >>> list(map_ordered(sorted, [3, 1, 2]))  # chunks of 1 and 2 items
    [3, 1, 2]
    """
    if workers < 1:
        raise UsageError("L102", f"workers={workers}: must be at least 1")
    chunks = _chunks(items, chunk_size)
    if workers == 1:
        return (result for chunk in chunks for result in function(chunk))
    return _map_in_processes(function, chunks, workers)


def _chunks(items: Iterable[T], max_size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    size = 1
    while True:
        chunk: list[T] = []
        try:
            for item in itertools.islice(iterator, size):
                chunk.append(item)  # not list(): items before an exception are not lost
        except Exception:
            if chunk:
                yield chunk
            raise
        if not chunk:
            return
        yield chunk
        size = min(size * 2, max_size)


def _map_in_processes(
    function: Callable[[Sequence[T]], Sequence[R]], chunks: Iterator[list[T]], n_workers: int
) -> Generator[R, None, None]:
    with _WorkerPool(function, n_workers) as pool:
        replies: dict[int, _Reply] = {}
        n_sent = n_yielded = 0
        end_of_input: Exception | None = None
        while end_of_input is None or n_yielded < n_sent:
            can_send = end_of_input is None and n_sent - n_yielded < n_workers * _CHUNKS_PER_WORKER
            replies.update(pool.receive(block=not can_send and n_yielded not in replies))
            while n_yielded in replies:
                yield from replies.pop(n_yielded).results()
                n_yielded += 1
            if can_send:
                try:
                    chunk = next(chunks)
                except Exception as error:  # noqa: BLE001  (raised below, after all results)
                    end_of_input = error
                else:
                    pool.send(n_sent, chunk)
                    n_sent += 1
        if not isinstance(end_of_input, StopIteration):
            raise end_of_input


class _WorkerTraceback(Exception):
    """The traceback of an exception in a worker, shown as its cause."""

    def __str__(self) -> str:
        return f"in a worker process:\n{self.args[0]}"


class _Reply(NamedTuple):
    """The results of a chunk, or the exception that the function raised."""

    values: Any
    error: BaseException | None = None
    trace: str = ""

    def results(self) -> Iterator[Any]:
        if self.error is not None:
            raise self.error from _WorkerTraceback(self.trace)
        return iter(self.values)


class _WorkerPool(Generic[T, R]):
    """Worker processes, which are started when they are needed and killed at the end."""

    def __init__(self, function: Callable[[Sequence[T]], Sequence[R]], max_workers: int) -> None:
        self._function = bytes(ForkingPickler.dumps(function))  # fails before any process is started
        self._max_workers = max_workers
        self._workers: list[_Worker] = []

    def __enter__(self) -> _WorkerPool[T, R]:
        return self

    def __exit__(self, *exception: object) -> None:
        for worker in self._workers:
            worker.kill()

    def send(self, index: int, chunk: list[T]) -> None:
        """Send a chunk to the worker with the fewest chunks; start another worker if all are busy."""
        if len(self._workers) < self._max_workers and all(worker.pending for worker in self._workers):
            self._workers.append(_Worker(self._function))
        min(self._workers, key=lambda worker: len(worker.pending)).send(index, chunk)

    def receive(self, *, block: bool) -> list[tuple[int, _Reply]]:
        """Return the replies that have arrived with the indices of their chunks; `block` waits for one."""
        busy = {worker.connection: worker for worker in self._workers if worker.pending}
        ready = wait(list(busy), None if block else 0) if busy else []
        return [busy[connection].receive() for connection in ready if isinstance(connection, Connection)]


class _Worker:
    """The parent's side of a worker process."""

    def __init__(self, function: bytes) -> None:
        program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve(int(sys.argv[1]))"
        self.pending: list[int] = []
        """The indices of the chunks that it has not answered yet, in order."""
        self.connection, child_connection = Pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", program, str(child_connection.fileno())],
                pass_fds=[child_connection.fileno()],
                env={**dict.fromkeys(_THREAD_VARIABLES, "1"), **os.environ},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                # Ctrl-C in a terminal reaches only the parent, which then kills its workers.
                start_new_session=True,
            )
        finally:
            child_connection.close()
        self._send_bytes(function)

    def send(self, index: int, chunk: Sequence[Any]) -> None:
        self._send_bytes(bytes(ForkingPickler.dumps(chunk)))
        self.pending.append(index)

    def receive(self) -> tuple[int, _Reply]:
        try:
            reply = self.connection.recv()
        except (EOFError, OSError) as error:
            raise self._exit_error() from error
        return self.pending.pop(0), _Reply(*reply)

    def kill(self) -> None:
        self.connection.close()
        self._process.kill()  # it writes no files that could be left incomplete
        self._process.wait()

    def _send_bytes(self, message: bytes) -> None:
        try:
            self.connection.send_bytes(message)
        except OSError as error:  # not to be mistaken for a closed standard output
            raise self._exit_error() from error

    def _exit_error(self) -> LitotesError:
        code = self._process.wait()
        reason = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}"
        return LitotesError(
            "L902", f"a worker process {reason} before its work was done", hint="try fewer workers to save memory"
        )


def serve(handle: int) -> None:
    """Run a worker process: receive the function, then apply it to chunks until the pipe closes."""
    connection = Connection(handle)
    messages: SimpleQueue[bytes] = SimpleQueue()
    # A separate thread reads, so that sending never blocks the parent and the end of the parent is noticed at once.
    threading.Thread(target=_read_messages, args=(connection, messages), daemon=True).start()
    pickled_function = messages.get()
    function: Callable[..., Any] | None = None
    while True:
        chunk = messages.get()
        try:
            function = function or ForkingPickler.loads(pickled_function)
            reply = ForkingPickler.dumps((list(function(ForkingPickler.loads(chunk))),))
        except Exception as error:  # noqa: BLE001  (raised in the parent)
            reply = ForkingPickler.dumps((None, _picklable(error), traceback.format_exc()))
        with contextlib.suppress(OSError):  # the parent has exited, which the other thread notices
            connection.send_bytes(reply)


def _read_messages(connection: Connection, messages: SimpleQueue[bytes]) -> None:
    try:
        while True:
            messages.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


def _picklable(error: Exception) -> Exception:
    """Return the error, or a RuntimeError with its message if it cannot be sent to another process."""
    try:
        ForkingPickler.loads(ForkingPickler.dumps(error))
    except Exception:  # noqa: BLE001  (depends on the class of the error)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
