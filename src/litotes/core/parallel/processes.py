"""Local worker processes.

They are started afresh instead of forked, because a fork can copy locks that other threads hold, and they do not import
the caller's main module. Each is connected to its parent by a pipe and exits when the pipe closes, so no worker
outlives its parent.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.parallel.tasks import TaskReply, apply_to_chunk, read_reply, to_bytes

_CHUNKS_PER_WORKER = 3
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Set to 1 in workers: several processes with several threads each would compete for the cores."""


class WorkerPool:
    """Worker processes, which are started when they are needed and killed at the end."""

    def __init__(
        self,
        function: Callable[[Sequence[Any]], Sequence[Any]],
        max_workers: int,
        chunks_per_worker: int | None = None,
    ) -> None:
        self.max_chunks = max_workers * (chunks_per_worker or _CHUNKS_PER_WORKER)
        self._function = to_bytes(function)  # fails before any process is started
        self._max_workers = max_workers
        self._workers: list[_Worker] = []

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *exception: object) -> None:
        for worker in self._workers:
            worker.kill()

    def send(self, index: int, chunk: Sequence[Any]) -> None:
        """Send a chunk to the worker with the fewest chunks; start another worker if all are busy."""
        if len(self._workers) < self._max_workers and all(worker.pending for worker in self._workers):
            self._workers.append(_Worker(self._function))
        min(self._workers, key=lambda worker: len(worker.pending)).send(index, chunk)

    def receive(self, *, block: bool) -> list[tuple[int, TaskReply]]:
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
        self._send_bytes(to_bytes(chunk))
        self.pending.append(index)

    def receive(self) -> tuple[int, TaskReply]:
        try:
            reply = self.connection.recv_bytes()
        except (EOFError, OSError) as error:
            raise self._exit_error() from error
        return self.pending.pop(0), read_reply(reply)

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
    function = messages.get()
    while True:
        reply = apply_to_chunk(function, messages.get())
        with contextlib.suppress(OSError):  # the parent has exited, which the other thread notices
            connection.send_bytes(reply)


def _read_messages(connection: Connection, messages: SimpleQueue[bytes]) -> None:
    try:
        while True:
            messages.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)
