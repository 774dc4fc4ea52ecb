"""An ordered, streaming parallel map. This is the only package that knows where work runs.

The results depend neither on the backend nor on the number of workers, restarts and the order in which results arrive.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args

from litotes.core.errors import UsageError
from litotes.core.parallel.tasks import Backlog, TaskReply
from litotes.core.registry import unknown_name

T = TypeVar("T")
R = TypeVar("R")

Backend = Literal["serial", "processes", "ray"]
VARIABLE = "LITOTES_ENGINE"
"""The environment variable with the default engine."""
_GPUS = re.compile(r"gpus=\d{1,3}(\.\d{1,4})?")


class ParallelEngine(NamedTuple):
    """Where work runs, and in how many workers."""

    backend: Backend = "serial"
    workers: int | None = 1
    """The number of tasks at a time; None: as many as the cluster has processors."""
    address: str = ""
    """The address of the Ray cluster; empty for RAY_ADDRESS or else a cluster that is started on this machine."""
    gpus: float = 0.0
    """GPUs per worker of a cluster that holds a model; 0.5 lets two of them share one."""

    @classmethod
    def local(cls, workers: int) -> ParallelEngine:
        """Return the engine for a number of processes on this machine; one worker is this process itself.

        >>> ParallelEngine.local(1).backend, ParallelEngine.local(2).backend
        ('serial', 'processes')
        """
        if workers < 1:
            raise UsageError("L102", f"workers={workers}: must be at least 1")
        return cls("serial" if workers == 1 else "processes", workers)

    @property
    def is_remote(self) -> bool:
        """Whether work runs in processes that start without the state of this one."""
        return self.backend != "serial"


SERIAL = ParallelEngine()
"""This process."""


def choose_engine(
    engine: ParallelEngine | str | None, workers: int | None, *, default_workers: int = 1
) -> ParallelEngine:
    """Return the engine with a name: `serial`, `processes`, `ray` or `ray:ADDRESS`, the last two with `?gpus=NUMBER`.

    Without a name, the environment variable LITOTES_ENGINE decides, and else the number of workers.

    >>> choose_engine("ray:127.0.0.1:6379?gpus=0.5", None)
    ParallelEngine(backend='ray', workers=None, address='127.0.0.1:6379', gpus=0.5)
    >>> choose_engine(None, 2).backend
    'processes'
    """
    if isinstance(engine, ParallelEngine):
        return engine
    name = engine_name() if engine is None else engine
    where, _, options = name.partition("?")
    backend, _, address = where.partition(":")
    if not name:
        return ParallelEngine.local(default_workers if workers is None else workers)
    if backend not in get_args(Backend):
        raise unknown_name("engine", name, [*get_args(Backend), "ray:ADDRESS"])
    if where != name and not (backend == "ray" and _GPUS.fullmatch(options)):
        raise UsageError("L102", f'engine "{name}": the only option is ray?gpus=NUMBER, such as ray?gpus=0.5')
    if address and backend != "ray":
        raise UsageError("L102", f'engine "{name}": only ray has an address')
    if workers is not None and workers < 1:
        raise UsageError("L102", f"workers={workers}: must be at least 1")
    if backend == "serial":
        return SERIAL
    if backend == "processes":
        return ParallelEngine("processes", workers or usable_cores())
    return ParallelEngine(cast(Backend, backend), workers, address, float(options.removeprefix("gpus=") or 0))


def engine_name() -> str:
    """Return the name of the default engine, or nothing if the environment does not choose one."""
    return os.environ.get(VARIABLE, "").strip()


def usable_cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_ordered(
    function: Callable[[Sequence[T]], Sequence[R]],
    items: Iterable[T],
    *,
    engine: ParallelEngine = SERIAL,
    chunk_size: int = 128,
    chunks_per_worker: int | None = None,
) -> Generator[R, None, None]:
    """Yield the results of a function that maps a chunk of items to one result per item, in the order of the items.

    Unless the engine is serial, the function must be importable in other processes. The chunks do not depend on the
    engine: they grow from 1 to `chunk_size` items, so that the first results arrive early. An exception in the
    function or in the iterable is raised after the results of all earlier chunks. `chunks_per_worker` limits how many
    chunks are read in advance; use 1 for chunks that take much memory.

    >>> list(map_ordered(sorted, [3, 1, 2]))  # chunks of 1 and 2 items
    [3, 1, 2]
    """
    chunks = _chunks(items, chunk_size)
    if engine.backend == "serial":
        return (result for chunk in chunks for result in function(chunk))
    return _map_once(function, chunks, engine, chunks_per_worker)


def map_completed(
    function: Callable[[Sequence[T]], Sequence[R]], items: Iterable[T], *, engine: ParallelEngine
) -> Generator[tuple[int, TaskReply], None, None]:
    """Yield the index and the reply of each item as soon as it is complete; the function gets one item at a time.

    The reply has an error instead of a result if the function raised it or, on a cluster, if its workers died.
    """
    with _open_backlog(function, engine) as backlog:
        remaining = iter(items)
        n_sent = n_done = 0
        is_exhausted = False
        while not is_exhausted or n_done < n_sent:
            can_send = not is_exhausted and n_sent - n_done < backlog.max_chunks
            for index, reply in backlog.receive(block=not can_send):
                n_done += 1
                yield index, reply
            chunk = list(itertools.islice(remaining, 1)) if can_send else []
            if chunk:
                backlog.send(n_sent, chunk)
                n_sent += 1
            is_exhausted = is_exhausted or (can_send and not chunk)


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


def _map_once(
    function: Callable[[Sequence[T]], Sequence[R]],
    chunks: Iterator[list[T]],
    engine: ParallelEngine,
    chunks_per_worker: int | None,
) -> Generator[R, None, None]:
    with _open_backlog(function, engine, chunks_per_worker=chunks_per_worker) as backlog:
        yield from _map_elsewhere(backlog, chunks)


class WorkerMap:
    """The ordered parallel map of a function that loads something large, such as a model, once per worker.

    The workers stay between calls. On a cluster they are actors, so that Ray does not move the function elsewhere.
    The engine must not be serial.
    """

    def __init__(self, function: Callable[[Sequence[Any]], Sequence[Any]], engine: ParallelEngine) -> None:
        self._function = function
        self._engine = engine
        self._backlog: Backlog | None = None

    def map_ordered(self, items: Iterable[Any], *, chunk_size: int) -> Generator[Any, None, None]:
        """Yield the result of each item in order; the first call starts the workers, and an error ends them."""
        if self._backlog is None:
            self._backlog = _open_backlog(self._function, self._engine, keeps_state=True).__enter__()
        try:
            yield from _map_elsewhere(self._backlog, _chunks(items, chunk_size))
        except BaseException:
            self.close()  # with the chunks that are under way
            raise

    def close(self) -> None:
        """End the workers; another call starts them again."""
        backlog, self._backlog = self._backlog, None
        if backlog is not None:
            backlog.__exit__()


def _open_backlog(
    function: Callable[[Sequence[T]], Sequence[R]],
    engine: ParallelEngine,
    *,
    keeps_state: bool = False,
    chunks_per_worker: int | None = None,
) -> Backlog:
    if engine.backend == "ray" and keeps_state:
        from litotes.core.parallel.ray_actors import RayActors

        return RayActors(function, engine.address, engine.workers, engine.gpus)
    if engine.backend == "ray":
        from litotes.core.parallel.ray_cluster import RayTasks

        return RayTasks(function, engine.address, engine.workers, chunks_per_worker)
    from litotes.core.parallel.processes import WorkerPool

    return WorkerPool(function, engine.workers or usable_cores(), chunks_per_worker)


def _map_elsewhere(backlog: Backlog, chunks: Iterator[list[Any]]) -> Generator[Any, None, None]:
    replies: dict[int, TaskReply] = {}
    n_sent = n_yielded = 0
    end_of_input: Exception | None = None
    while end_of_input is None or n_yielded < n_sent:
        can_send = end_of_input is None and n_sent - n_yielded < backlog.max_chunks
        replies.update(backlog.receive(block=not can_send and n_yielded not in replies))
        while n_yielded in replies:
            yield from replies.pop(n_yielded).results()
            n_yielded += 1
        if can_send:
            try:
                chunk = next(chunks)
            except Exception as error:  # noqa: BLE001  (raised below, after all results)
                end_of_input = error
            else:
                backlog.send(n_sent, chunk)
                n_sent += 1
    if not isinstance(end_of_input, StopIteration):
        raise end_of_input
