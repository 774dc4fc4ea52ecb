"""An ordered, streaming parallel map. This is the only package that knows where work runs.

The results depend neither on the backend nor on the number of workers, restarts and the order in which results arrive.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar, cast, get_args

from litotes.core.errors import UsageError
from litotes.core.parallel.tasks import Backlog, TaskReply
from litotes.core.registry import unknown_name

T = TypeVar("T")
R = TypeVar("R")

Backend = Literal["serial", "processes", "ray"]
VARIABLE = "LITOTES_ENGINE"
"""The environment variable with the default engine."""


class ParallelEngine(NamedTuple):
    """Where work runs, and in how many workers."""

    backend: Backend = "serial"
    workers: int | None = 1
    """The number of tasks at a time; None: as many as the cluster has processors."""
    address: str = ""
    """The address of the Ray cluster; empty for RAY_ADDRESS or else a cluster that is started on this machine."""

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
    """Return the engine with a name: `serial`, `processes`, `ray` or `ray:ADDRESS`.

    Without a name, the environment variable LITOTES_ENGINE decides, and else the number of workers.

    >>> choose_engine("ray:127.0.0.1:6379", None)
    ParallelEngine(backend='ray', workers=None, address='127.0.0.1:6379')
    >>> choose_engine(None, 2).backend
    'processes'
    """
    if isinstance(engine, ParallelEngine):
        return engine
    name = os.environ.get(VARIABLE, "").strip() if engine is None else engine
    backend, _, address = name.partition(":")
    if not name:
        return ParallelEngine.local(default_workers if workers is None else workers)
    if backend not in get_args(Backend):
        raise unknown_name("engine", name, [*get_args(Backend), "ray:ADDRESS"])
    if address and backend != "ray":
        raise UsageError("L102", f'engine "{name}": only ray has an address')
    if workers is not None and workers < 1:
        raise UsageError("L102", f"workers={workers}: must be at least 1")
    if backend == "serial":
        return SERIAL
    if backend == "processes":
        return ParallelEngine("processes", workers or usable_cores())
    return ParallelEngine(cast(Backend, backend), workers, address)


def usable_cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_ordered(
    function: Callable[[Sequence[T]], Sequence[R]],
    items: Iterable[T],
    *,
    engine: ParallelEngine = SERIAL,
    chunk_size: int = 128,
) -> Generator[R, None, None]:
    """Yield the results of a function that maps a chunk of items to one result per item, in the order of the items.

    Unless the engine is serial, the function must be importable in other processes. The chunks do not depend on the
    engine: they grow from 1 to `chunk_size` items, so that the first results arrive early. An exception in the
    function or in the iterable is raised after the results of all earlier chunks.

    >>> list(map_ordered(sorted, [3, 1, 2]))  # chunks of 1 and 2 items
    [3, 1, 2]
    """
    chunks = _chunks(items, chunk_size)
    if engine.backend == "serial":
        return (result for chunk in chunks for result in function(chunk))
    return _map_elsewhere(function, chunks, engine)


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


def _open_backlog(function: Callable[[Sequence[T]], Sequence[R]], engine: ParallelEngine) -> Backlog:
    if engine.backend == "ray":
        from litotes.core.parallel.ray_cluster import RayTasks

        return RayTasks(function, engine.address, engine.workers)
    from litotes.core.parallel.processes import WorkerPool

    return WorkerPool(function, engine.workers or usable_cores())


def _map_elsewhere(
    function: Callable[[Sequence[T]], Sequence[R]], chunks: Iterator[list[T]], engine: ParallelEngine
) -> Generator[R, None, None]:
    with _open_backlog(function, engine) as backlog:
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
