"""The map over chunks: in this process or in several, in the order of the stream, in flat memory."""

from __future__ import annotations

import itertools
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from litotes.core.errors import LitotesError

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 3
"""Chunks a worker that are read before their turn: enough to keep it busy, few enough to keep memory flat."""


def in_order(
    function: Callable[[Sequence[T]], Sequence[R]], things: Iterable[T], *, workers: int = 1, chunk: int = 256
) -> Iterator[R]:
    """What a function makes of each chunk of a stream, one result a thing, in the stream's order.

    With several workers the function runs in processes of its own, so it must be importable.
    """
    chunks = _chunks(things, chunk)
    if workers == 1:
        for some in chunks:
            yield from function(some)
        return
    # Fresh processes, not copies of this one: copying a process that has threads can leave locks held for ever.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts_to_the_parent)
    waiting: deque[Future[Sequence[R]]] = deque()
    try:
        for some in chunks:
            waiting.append(pool.submit(function, some))
            if len(waiting) >= workers * _AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise LitotesError(
            "L901", "a worker process ended before its work was done", hint="--workers 1 does without them"
        ) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _chunks(things: Iterable[T], size: int) -> Iterator[list[T]]:
    stream = iter(things)
    while some := list(itertools.islice(stream, size)):
        yield some


def _leave_interrupts_to_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal; the parent ends the work, workers do not each say so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
