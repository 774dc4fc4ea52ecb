"""The map over chunks: in this process or in several, in the order of the stream, in flat memory.

Workers are fresh Python processes, not copies of this one (copying a process that has threads can leave locks held for
ever), and nothing of the caller's own program is run again in them. Each has one pipe to its parent and ends when that
closes, so none outlives the parent, however it ends.
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
from typing import Any, NamedTuple, TypeVar

from litotes.core.errors import LitotesError, UsageError

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 3
"""Chunks a worker that are read before their turn: enough to keep it busy, few enough to keep memory flat."""

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Several processes that each start threads of their own wait for each other."""


def in_order(
    function: Callable[[Sequence[T]], Sequence[R]], things: Iterable[T], *, workers: int = 1, chunk: int = 128
) -> Generator[R, None, None]:
    """What a function makes of each chunk of a stream, one result a thing, in the stream's order.

    With several workers the function runs in processes of its own, so it must be importable there. The chunks are the
    same whatever the number of workers: small at first, so that the first results come soon, then of full size. An
    error, in the function or in the stream, is raised as it is, after the results of all that came before it.

    >>> list(in_order(sorted, [3, 1, 2]))  # chunks of 1 and 2
    [3, 1, 2]
    """
    if workers < 1:
        raise UsageError("L102", f"workers={workers}: at least one is needed")
    chunks = _chunks(things, chunk)
    if workers == 1:
        return (result for some in chunks for result in function(some))
    return _in_processes(function, chunks, workers)


def _chunks(things: Iterable[T], largest: int) -> Iterator[list[T]]:
    stream = iter(things)
    size = 1
    while True:
        some: list[T] = []
        try:
            for thing in itertools.islice(stream, size):
                some.append(thing)  # not list(): what was read before an error is kept
        except Exception:
            if some:
                yield some
            raise
        if not some:
            return
        yield some
        size = min(size * 2, largest)


def _in_processes(
    function: Callable[[Sequence[T]], Sequence[R]], chunks: Iterator[list[T]], count: int
) -> Generator[R, None, None]:
    wanted = bytes(ForkingPickler.dumps(function))  # what cannot be sent is told before anything is started
    workers: list[_Worker] = []
    answers: dict[int, _Answer] = {}
    turn = sent = 0
    ended: BaseException | None = None
    try:
        while ended is None or turn < sent:
            may_read = ended is None and sent - turn < count * _AHEAD
            for number, answer in _collected(workers, block=not may_read and turn not in answers):
                answers[number] = answer
            while turn in answers:
                yield from answers.pop(turn).results()
                turn += 1
            if may_read:
                try:
                    some = next(chunks)
                except Exception as error:  # noqa: BLE001  (raised below, in its turn)
                    ended = error
                else:
                    _least_busy(workers, count, wanted).send(sent, some)
                    sent += 1
        if not isinstance(ended, StopIteration):
            raise ended
    finally:
        for worker in workers:
            worker.end()


class _Answer(NamedTuple):
    """What came back from a worker: results, or the error and where it was raised."""

    done: Any
    error: BaseException | None = None
    trace: str = ""

    def results(self) -> Iterator[Any]:
        if self.error is not None:
            raise self.error from _InWorker(self.trace)
        return iter(self.done)


class _InWorker(Exception):
    """Where in a worker an error was raised, for those who look at tracebacks."""

    def __str__(self) -> str:
        return f"in a worker process:\n{self.args[0]}"


class _Worker:
    """The parent's side of a worker process."""

    def __init__(self, wanted: bytes) -> None:
        program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve(int(sys.argv[1]))"
        self.numbers: list[int] = []
        """Of the chunks that it has, in their order."""
        self.connection, theirs = Pipe()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", program, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={**dict.fromkeys(_ONE_THREAD, "1"), **os.environ},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                # Ctrl-C in a terminal is for the parent, who then ends its workers.
                start_new_session=True,
            )
        finally:
            theirs.close()
        self._give(wanted)

    def send(self, number: int, things: Sequence[Any]) -> None:
        self._give(bytes(ForkingPickler.dumps(things)))
        self.numbers.append(number)

    def receive(self) -> tuple[int, _Answer]:
        try:
            answer = self.connection.recv()
        except (EOFError, OSError) as error:
            raise self._ended() from error
        return self.numbers.pop(0), _Answer(*answer)

    def end(self) -> None:
        self.connection.close()
        # It writes nothing, so nothing can be left half-done.
        self.process.kill()
        self.process.wait()

    def _give(self, message: bytes) -> None:
        try:
            self.connection.send_bytes(message)
        except OSError as error:  # a closed pipe here is no closed standard output
            raise self._ended() from error

    def _ended(self) -> LitotesError:
        code = self.process.wait()
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return LitotesError(
            "L902", f"a worker process {how} before its work was done", hint="is there enough memory? try fewer workers"
        )


def _least_busy(workers: list[_Worker], count: int, wanted: bytes) -> _Worker:
    """The worker that has the fewest chunks; a new one as long as all are busy and there may be more."""
    if len(workers) < count and all(worker.numbers for worker in workers):
        workers.append(_Worker(wanted))
    return min(workers, key=lambda worker: len(worker.numbers))


def _collected(workers: list[_Worker], *, block: bool) -> list[tuple[int, _Answer]]:
    busy = {worker.connection: worker for worker in workers if worker.numbers}
    ready = wait(list(busy), None if block else 0) if busy else []
    return [busy[connection].receive() for connection in ready if isinstance(connection, Connection)]


def serve(handle: int) -> None:
    """What a worker process does: get the function, then chunk after chunk, until the pipe closes."""
    connection = Connection(handle)
    waiting: SimpleQueue[bytes] = SimpleQueue()
    # A thread of its own reads, so that the parent never waits to hand over a chunk, and its end is noticed at once.
    threading.Thread(target=_read, args=(connection, waiting), daemon=True).start()
    wanted = waiting.get()
    function: Callable[..., Any] | None = None
    while True:
        things = waiting.get()
        try:
            function = function or ForkingPickler.loads(wanted)
            answer = ForkingPickler.dumps((list(function(ForkingPickler.loads(things))),))
        except Exception as error:  # noqa: BLE001  (raised in the parent)
            answer = ForkingPickler.dumps((None, _that_travels(error), traceback.format_exc()))
        with contextlib.suppress(OSError):  # the parent is gone, as the other thread will notice
            connection.send_bytes(answer)


def _read(connection: Connection, waiting: SimpleQueue[bytes]) -> None:
    try:
        while True:
            waiting.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


def _that_travels(error: Exception) -> Exception:
    """The error, or one that says the same if it cannot be sent to another process."""
    try:
        ForkingPickler.loads(ForkingPickler.dumps(error))
    except Exception:  # noqa: BLE001  (whatever its class does)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
