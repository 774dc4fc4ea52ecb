"""What both backends of the parallel map share: the function and the chunks as bytes, and the replies."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from multiprocessing.reduction import ForkingPickler
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol


class TaskReply(NamedTuple):
    """The results of a chunk, or the exception that the function raised."""

    values: Any
    error: BaseException | None = None
    trace: str = ""

    def results(self) -> Iterator[Any]:
        """Return the results; raise the exception instead if there was one."""
        if self.error is not None:
            raise self.error from (_WorkerTraceback(self.trace) if self.trace else None)
        return iter(self.values)


class Backlog(Protocol):
    """The chunks that a backend works on; leaving it as a context manager ends all work."""

    def __enter__(self) -> Backlog:
        """Start to accept chunks."""

    def __exit__(self, *exception: object) -> None:
        """End all work."""

    @property
    def max_chunks(self) -> int:
        """The number of chunks to read in advance: enough to keep workers busy, few enough for constant memory."""

    def send(self, index: int, chunk: Sequence[Any]) -> None:
        """Start to work on a chunk."""

    def receive(self, *, block: bool) -> list[tuple[int, TaskReply]]:
        """Return the replies that have arrived with the indices of their chunks; `block` waits for one."""


def _reduce_mapping(mapping: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return MappingProxyType, (dict(mapping),)


ForkingPickler.register(MappingProxyType, _reduce_mapping)  # read-only defaults, as in items of suites


def to_bytes(value: Any) -> bytes:
    """Return a value as bytes; functions are stored by their names."""
    return bytes(ForkingPickler.dumps(value))


def read_reply(reply: bytes) -> TaskReply:
    """Return the reply of a worker."""
    return TaskReply(*ForkingPickler.loads(reply))


def apply_to_chunk(function: bytes, chunk: bytes) -> bytes:
    """Apply a function to a chunk in a worker and return the reply; exceptions are part of it."""
    try:
        return to_bytes((list(_load_function(function)(ForkingPickler.loads(chunk))),))
    except Exception as error:  # noqa: BLE001  (raised in the parent)
        return to_bytes((None, _picklable(error), traceback.format_exc()))


@lru_cache(maxsize=4)
def _load_function(function: bytes) -> Callable[[Any], Any]:
    loaded: Callable[[Any], Any] = ForkingPickler.loads(function)
    return loaded


def _picklable(error: Exception) -> Exception:
    """Return the error, or a RuntimeError with its message if it cannot be sent to another process."""
    try:
        ForkingPickler.loads(ForkingPickler.dumps(error))
    except Exception:  # noqa: BLE001  (depends on the class of the error)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


class _WorkerTraceback(Exception):
    """The traceback of an exception in a worker, shown as its cause."""

    def __str__(self) -> str:
        return f"in a worker process:\n{self.args[0]}"
