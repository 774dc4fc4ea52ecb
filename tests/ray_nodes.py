"""A real Ray cluster on this machine: nodes with their own raylets, bound to 127.0.0.1, that tests can kill."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src"
_START_SECONDS = 60


class RayNodes:
    """A cluster whose nodes are process groups of this test."""

    def __init__(self, folder: Path, *, processors: int = 1) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.environment = {
            "OMP_NUM_THREADS": "1",
            "RAY_AUTH_MODE": "disabled",
            # A dead node is noticed after two seconds instead of fifteen.
            "RAY_health_check_initial_delay_ms": "1000",
            "RAY_health_check_period_ms": "1000",
            "RAY_health_check_failure_threshold": "2",
        }
        """Variables that nodes and drivers need."""
        self.folder = folder
        """A folder from which nodes can import modules."""
        self._nodes: list[subprocess.Popen[bytes]] = []
        # The paths of Ray's sockets may have at most 107 characters.
        self._ray_folder = tempfile.mkdtemp(prefix="ray")
        port = self.address.rpartition(":")[2]
        self._start("--head", f"--port={port}", f"--temp-dir={self._ray_folder}", processors=processors)

    @property
    def engine(self) -> str:
        """The name of the engine."""
        return f"ray:{self.address}"

    def add_node(self, *arguments: str, processors: int = 1) -> int:
        """Start another node and return its index."""
        self._start(f"--address={self.address}", *arguments, processors=processors)
        return len(self._nodes) - 1

    def kill_node(self, index: int) -> None:
        """End the raylet of a node and its workers with SIGKILL."""
        for process in (self._nodes[index].pid, *_descendants(self._nodes[index].pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._nodes[index].wait()

    def workers(self, name: str) -> list[int]:
        """Return the worker processes of all nodes that are running a function or a method."""
        processes = [process for node in self._nodes if node.poll() is None for process in _descendants(node.pid)]
        return [process for process in processes if name in _read(Path(f"/proc/{process}/cmdline"))]

    def stop(self) -> None:
        """End all nodes."""
        for index in reversed(range(len(self._nodes))):
            self.kill_node(index)
        shutil.rmtree(self._ray_folder, ignore_errors=True)

    def _start(self, *arguments: str, processors: int = 1) -> None:
        folder = self.folder
        log = (folder / f"node-{len(self._nodes)}.log").open("wb")
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--disable-usage-stats", *arguments]
        sizes = [f"--num-cpus={processors}", "--object-store-memory=80000000", "--node-ip-address=127.0.0.1"]
        self._nodes.append(
            subprocess.Popen(
                [*command, *sizes, *(["--include-dashboard=false"] if "--head" in arguments else [])],
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join([str(SOURCE), str(self.folder), *sys.path]),
                    **self.environment,
                },
            )
        )
        deadline = time.monotonic() + _START_SECONDS
        while "Ray runtime started" not in (output := Path(log.name).read_text()):
            if time.monotonic() > deadline or self._nodes[-1].poll() is not None:
                self.stop()
                raise AssertionError(f"the node did not start:\n{output[-2000:]}")
            time.sleep(0.1)


def _read(path: Path) -> str:
    """Return a file about a process; empty if the process has ended."""
    try:
        return path.read_text()
    except OSError:
        return ""


def _descendants(process: int) -> list[int]:
    """Return the processes that a process has started, and those that they have started; a raylet has its own group."""
    children = [
        int(child) for task in Path(f"/proc/{process}/task").glob("*") for child in _read(task / "children").split()
    ]
    return [*children, *(process for child in children for process in _descendants(child))]


@contextmanager
def ray_nodes(folder: Path, count: int) -> Iterator[RayNodes]:
    """Start a cluster with a number of nodes of one processor each, and end it."""
    pytest.importorskip("ray", reason="Ray is not installed")
    nodes = RayNodes(folder)
    try:
        for _ in range(count - 1):
            nodes.add_node()
        yield nodes
    finally:
        nodes.stop()
