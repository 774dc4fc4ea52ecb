"""Actors on a Ray cluster: workers that load something large once, such as a model.

Ray places the actors and restarts them when their worker or node dies. A chunk waits for any actor that has started,
not for a certain one: a lost node, or a processor that another job uses, does not hold up the result.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from litotes.core.errors import LitotesError, UsageError
from litotes.core.parallel.ray_cluster import MAX_RETRIES, connect, ray_errors
from litotes.core.parallel.tasks import TaskReply, apply_to_chunk, read_reply, to_bytes

_CALLS_PER_ACTOR = 2
"""One chunk that the actor works on and one that waits there."""
_START = -1


class ChunkActor:
    """Runs in a worker process of the cluster; the function, with what it has loaded, stays in the process."""

    def start(self) -> None:
        """Return when the actor has started, or has started again."""

    def apply(self, function: bytes, chunk: bytes) -> bytes:
        """Apply the function to a chunk and return the reply."""
        return apply_to_chunk(function, chunk)


class _Call(NamedTuple):
    """A call of an actor."""

    actor: Any
    chunk: int
    """The index of a chunk, or `_START`."""


class RayActors:
    """The chunks that the actors of a cluster work on."""

    def __init__(
        self,
        function: Callable[[Sequence[Any]], Sequence[Any]],
        address: str,
        max_actors: int | None = None,
        gpus: float = 0.0,
    ) -> None:
        self._ray = connect(address)
        self._chunks: dict[int, bytes] = {}
        """Chunks without a reply."""
        self._waiting: list[int] = []
        """A heap of the chunks that no actor has: the first ones are needed first."""
        self._calls: dict[Any, _Call] = {}
        self._free: deque[Any] = deque()
        """An actor for each chunk that can be sent."""
        self._attempts: Counter[int] = Counter()
        with ray_errors():
            n_actors = max_actors or self._capacity(gpus)
            self._function = self._ray.put(to_bytes(function))
            options = {"num_cpus": 1, "num_gpus": gpus, "max_restarts": -1, "scheduling_strategy": "SPREAD"}
            actor_class = self._ray.remote(**options)(ChunkActor)
            self._actors = [actor_class.remote() for _ in range(n_actors)]
            for actor in self._actors:
                self._await_start(actor)
        self.max_chunks = (_CALLS_PER_ACTOR + 1) * n_actors

    def __enter__(self) -> RayActors:
        return self

    def __exit__(self, *exception: object) -> None:
        for actor in self._actors:
            with suppress(Exception):  # the cluster may be gone
                self._ray.kill(actor)

    def send(self, index: int, chunk: Sequence[Any]) -> None:
        """Submit a chunk."""
        self._chunks[index] = to_bytes(chunk)
        heapq.heappush(self._waiting, index)
        self._assign()

    def receive(self, *, block: bool) -> list[tuple[int, TaskReply]]:
        """Return the replies that have arrived with the indices of their chunks; `block` waits for one."""
        replies: list[tuple[int, TaskReply]] = []
        while self._chunks and not replies:
            with ray_errors():
                calls = list(self._calls)
                ready, _ = self._ray.wait(calls, num_returns=1, timeout=None if block else 0)
                if ready:
                    more, _ = self._ray.wait(calls, num_returns=len(calls), timeout=0)
                    ready = list(dict.fromkeys([*ready, *more]))
            replies = [reply for reference in ready if (reply := self._finish(reference)) is not None]
            self._assign()
            if not ready:
                break
        return replies

    def _capacity(self, gpus: float) -> int:
        """Return the number of actors for which the cluster has processors and GPUs now."""
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        if not gpus:
            return max(1, sum(int(node.get("CPU", 0)) for node in nodes))
        n_actors = sum(min(int(node.get("CPU", 0)), int(node.get("GPU", 0) / gpus + 1e-6)) for node in nodes)
        if not n_actors:
            hint = "start its nodes with --num-gpus, or leave out ?gpus="
            raise UsageError("L102", f"no node of the Ray cluster has {gpus:g} GPUs and a processor", hint=hint)
        return n_actors

    def _await_start(self, actor: Any) -> None:
        self._calls[actor.start.options(max_task_retries=-1).remote()] = _Call(actor, chunk=_START)

    def _assign(self) -> None:
        while self._waiting and self._free:
            actor, index = self._free.popleft(), heapq.heappop(self._waiting)
            with ray_errors():
                self._calls[actor.apply.remote(self._function, self._chunks[index])] = _Call(actor, chunk=index)

    def _finish(self, reference: Any) -> tuple[int, TaskReply] | None:
        """Return the reply to a call; None if it was a start, or if the actor died and the chunk waits again."""
        actor, index = self._calls.pop(reference)
        try:
            with ray_errors():
                reply = self._ray.get(reference)
        except LitotesError as error:
            if index == _START:
                raise
            if actor not in [call.actor for call in self._calls.values()]:  # once for all its chunks
                self._free = deque(free for free in self._free if free != actor)
                self._await_start(actor)
            self._attempts[index] += 1
            if self._attempts[index] <= MAX_RETRIES:
                heapq.heappush(self._waiting, index)
                return None
            del self._chunks[index]
            return index, TaskReply(None, error)
        if index == _START:
            self._free.extend([actor] * _CALLS_PER_ACTOR)
            return None
        self._free.append(actor)
        del self._chunks[index]
        return index, read_reply(reply)
