"""Tasks on a Ray cluster: Ray schedules them, moves the data, and repeats what a dead worker or node was doing."""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from litotes._version import __version__
from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.parallel.tasks import TaskReply, apply_to_chunk, read_reply, to_bytes
from litotes.core.progress import reporting_wait

_CHUNKS_PER_PROCESSOR = 4
MAX_RETRIES = 4
"""Attempts after the first one if a worker or node dies; an exception in the function is not repeated."""
_CONNECT_SECONDS = 5.0
_NAMESPACE = "litotes"
_VARIABLES = {
    "RAY_USAGE_STATS_ENABLED": "0",  # no telemetry
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",  # Ray prints its messages, such as those on dead workers, to standard output
}
"""Environment variables that are set before Ray is imported, unless the user has set them."""


class RayTasks:
    """The chunks that a cluster works on, one Ray task each."""

    def __init__(
        self,
        function: Callable[[Sequence[Any]], Sequence[Any]],
        address: str,
        max_tasks: int | None = None,
        chunks_per_processor: int | None = None,
    ) -> None:
        self._ray = connect(address)
        self._pending: dict[Any, int] = {}
        with ray_errors():
            n_processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            self.max_chunks = (chunks_per_processor or _CHUNKS_PER_PROCESSOR) * (max_tasks or n_processors)
            self._max_tasks = max_tasks or self.max_chunks
            self._function = self._ray.put(to_bytes(function))
            self._apply = self._ray.remote(max_retries=MAX_RETRIES)(apply_to_chunk)

    def __enter__(self) -> RayTasks:
        return self

    def __exit__(self, *exception: object) -> None:
        # Leaving the cluster ends all tasks. Cancelling a task that ends at the same moment can abort the process
        # (seen with Ray 2.60), so in a connection of the caller they end by themselves.
        if self._pending and self._ray.get_runtime_context().namespace == _NAMESPACE:
            self._ray.shutdown()

    def send(self, index: int, chunk: Sequence[Any]) -> None:
        """Submit a chunk."""
        with ray_errors():
            self._pending[self._apply.remote(self._function, to_bytes(chunk))] = index

    def receive(self, *, block: bool) -> list[tuple[int, TaskReply]]:
        """Return the replies that have arrived with the indices of their chunks; `block` waits for one."""
        if not self._pending:
            return []
        with ray_errors():
            must_wait = block or len(self._pending) >= self._max_tasks
            ready, _ = self._ray.wait(
                list(self._pending),
                num_returns=1 if must_wait else len(self._pending),
                timeout=None if must_wait else 0,
            )
        return [(self._pending.pop(reference), self._reply(reference)) for reference in ready]

    def _reply(self, reference: Any) -> TaskReply:
        try:
            with ray_errors():
                return read_reply(self._ray.get(reference))
        except LitotesError as error:  # its workers died
            return TaskReply(None, error)


def connect(address: str) -> Any:
    """Connect this process to a cluster and return the module `ray`; each node must have this version of Litotes.

    Without an address, RAY_ADDRESS names the cluster; without both, Ray starts one on this machine, which ends with
    this process.
    """
    for name, value in _VARIABLES.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise missing_package("Ray", "ray") from error
    if ray.is_initialized():
        return ray
    address = address or os.environ.get("RAY_ADDRESS", "")
    if address in ("", "local"):
        where: dict[str, Any] = {"address": "local", "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    else:
        _check_reachable(address)
        where = {"address": address}
    with ray_errors(), _same_signal_handlers(), reporting_wait(f"connecting to Ray at {where['address']}", seconds=5):
        ray.init(**where, log_to_driver=False, logging_level=logging.ERROR, namespace=_NAMESPACE)
    try:
        _check_nodes(ray)
    except BaseException:
        ray.shutdown()
        raise
    return ray


def _check_reachable(address: str) -> None:
    """Raise if no cluster listens at the address: Ray itself would try for minutes."""
    if address == "auto":
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise UsageError("L102", f"Ray address {address}: must be HOST:PORT or ray://HOST:PORT")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_SECONDS) as connection:
            is_grpc = os.environ.get("RAY_USE_TLS", "0") != "0" or _speaks_http2(connection)
    except (OSError, OverflowError) as error:
        hint = "start the cluster with: ray start --head, or check the address"
        message = f"the Ray cluster at {address} cannot be reached ({error})"
        raise LitotesError("L503", message, hint=hint, is_retryable=True) from error
    if not is_grpc:
        raise LitotesError("L503", f"{address} is not a Ray cluster", hint="ray start --head prints its address")


def _speaks_http2(connection: socket.socket) -> bool:
    """Return whether a server answers like gRPC, the protocol of Ray: with a frame of HTTP/2 settings."""
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0")
    header = b""
    try:
        while len(header) < 9 and (part := connection.recv(9 - len(header))):
            header += part
    except TimeoutError:
        return False
    return len(header) == 9 and header[3] == 4


def installed_litotes() -> str:
    """Return the version of Litotes on this node; runs on every node of a cluster."""
    return __version__


def _check_nodes(ray: Any) -> None:
    """Raise if a node does not have this version of Litotes."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    with ray_errors():
        version_on_node = ray.remote(num_cpus=0, max_retries=0)(installed_litotes)
        nodes = {node["NodeID"]: node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}
        versions = {
            node: version_on_node.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True)).remote()
            for node in nodes
        }
        for node, reference in versions.items():
            try:
                version = ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                raise _node_error(nodes[node], f"cannot import Litotes ({_last_line(error)})") from error
            if version != __version__:
                raise _node_error(nodes[node], f"has Litotes {version}, this process {__version__}")


def _node_error(address: str, problem: str) -> LitotesError:
    return LitotesError("L503", f"the Ray node {address} {problem}", hint="install the same version on every node")


@contextmanager
def ray_errors() -> Iterator[None]:
    """Raise errors of Ray, such as a task whose workers died again and again, as one line."""
    from ray.exceptions import RayError, RayTaskError

    try:
        yield
    except LitotesError:
        raise
    except RayTaskError as error:
        raise LitotesError("L902", f"a Ray task failed: {_last_line(error)}") from error
    except RayError as error:
        hint = "see the logs of the cluster; if memory is short, use fewer workers"
        raise LitotesError("L902", f"a Ray worker died: {_first_line(error)}", hint=hint) from error
    except (RuntimeError, ConnectionError, TimeoutError, ValueError) as error:
        raise LitotesError("L503", f"Ray: {_first_line(error)}", is_retryable=True) from error


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:4])[:400] if lines else type(error).__name__


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in re.sub(r"\x1b\[\d+m", "", str(error)).splitlines() if line.strip()]
    return lines[-1][:400] if lines else type(error).__name__


@contextmanager
def _same_signal_handlers() -> Iterator[None]:
    """Keep the handler of SIGTERM, which `ray.init` replaces."""
    handler = signal.getsignal(signal.SIGTERM)
    yield
    if threading.current_thread() is threading.main_thread() and handler is not None:
        signal.signal(signal.SIGTERM, handler)
