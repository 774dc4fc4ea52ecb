"""The parallel map on a real Ray cluster of two nodes: order, errors, and the end of workers and nodes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from litotes.core.errors import UsageError
from litotes.core.parallel.engine import SERIAL, ParallelEngine, choose_engine
from tests.ray_nodes import RayNodes, ray_nodes

HELPERS = """
import os, signal, time

def double(numbers):
    time.sleep(0.05)
    return [2 * number for number in numbers]

def kill_worker_once(marker, numbers):
    if 40 in numbers and not os.path.exists(marker):
        open(marker, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return numbers

def kill_worker(numbers):
    if 0 in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return numbers

def fail_at_40(numbers):
    if 40 in numbers:
        raise ValueError("forty")
    return numbers

def import_missing(numbers):
    import a_package_that_no_node_has

class Loaded:
    # Each process that loads it creates a file.
    def __init__(self, folder, dies_at=None):
        self.folder, self.dies_at = folder, dies_at

    def __call__(self, numbers):
        if not hasattr(self, "loaded"):
            self.loaded = True
            open(os.path.join(self.folder, str(os.getpid())), "x").close()
        time.sleep(0.05)
        if self.dies_at in numbers and not os.path.exists(self.folder + "-killed"):
            open(self.folder + "-killed", "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return numbers
"""
ACTORS = """
    import sys
    from litotes.core.parallel.engine import WorkerMap, choose_engine
    import ray_helpers
    workers = WorkerMap({function}, choose_engine({engine!r}, None))
    results = []
    try:
        for number in workers.map_ordered(range(200), chunk_size=4):
            if not results:
                print("started", flush=True)
            results.append(number)
        results += workers.map_ordered(range(200, 300), chunk_size=4)
    except Exception as error:
        print(type(error).__name__, error)
    workers.close()
    print(results == list({expected}))
"""
PROGRAM = """
    import sys
    from functools import partial
    from litotes.core.parallel.engine import choose_engine, map_ordered
    import ray_helpers
    results = []
    try:
        for number in map_ordered({function}, range(400), engine=choose_engine({engine!r}, None), chunk_size=8):
            if not results:
                print("started", flush=True)
            results.append(number)
    except Exception as error:
        print(type(error).__name__, error)
    print(results == list({expected}))
"""
NEIGHBOURS = """
    import numpy as np
    from litotes.audit import neighbour_index
    from litotes.audit.neighbour_index import SearchRuntime
    from litotes.audit.neighbours import find_neighbours
    from litotes.core.parallel.engine import choose_engine
    neighbour_index.SHARD_ROWS = 2048
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(600, 32))[rng.integers(0, 600, 5000)] + 0.3 * rng.normal(size=(5000, 32))
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    found = [
        find_neighbours(vectors, threshold=0.7, method="approximate", runtime=SearchRuntime(engine=engine)).rows
        for engine in (choose_engine({engine!r}, None), choose_engine("serial", None))
    ]
    print(len(found[0]) > 10_000, found[0].tobytes() == found[1].tobytes())
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayNodes]:
    folder = tmp_path_factory.mktemp("ray")
    (folder / "ray_helpers.py").write_text(HELPERS)
    with ray_nodes(folder, 2) as nodes:
        yield nodes


def start(
    cluster: RayNodes, function: str, expected: str, engine: str = "", program: str = PROGRAM
) -> subprocess.Popen[str]:
    """Start a program that maps numbers on the cluster."""
    program = textwrap.dedent(program).format(function=function, engine=engine or cluster.engine, expected=expected)
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, **cluster.environment, "PYTHONPATH": os.pathsep.join([str(cluster.folder), *sys.path])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output(process: subprocess.Popen[str]) -> list[str]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.splitlines()


@pytest.mark.parametrize(
    ("function", "expected"),
    [("ray_helpers.double", "range(0, 800, 2)"), ("partial(ray_helpers.kill_worker_once, 'killed')", "range(400)")],
    ids=["undisturbed", "a worker is killed"],
)
def test_results_are_in_the_order_of_the_items(cluster: RayNodes, tmp_path: Path, function: str, expected: str) -> None:
    function = function.replace("'killed'", repr(str(tmp_path / "killed")))
    assert output(start(cluster, function, expected)) == ["started", "True"]


def test_exception_is_raised_after_earlier_results(cluster: RayNodes) -> None:
    lines = output(start(cluster, "ray_helpers.fail_at_40", "range(39)"))
    assert lines == ["started", "ValueError forty", "True"]


def test_task_whose_workers_always_die_is_one_line(cluster: RayNodes) -> None:
    error, is_empty = output(start(cluster, "ray_helpers.kill_worker", "[]"))
    assert error.startswith("LitotesError [L902] a Ray worker died: ")
    assert is_empty == "True"


def test_missing_package_on_a_node_is_named(cluster: RayNodes) -> None:
    error, _ = output(start(cluster, "ray_helpers.import_missing", "[]"))
    assert error == "ModuleNotFoundError No module named 'a_package_that_no_node_has'"


def test_unreachable_address_is_one_line(cluster: RayNodes) -> None:
    error, _ = output(start(cluster, "ray_helpers.double", "[]", engine="ray:127.0.0.1:9"))
    assert error.startswith("LitotesError [L503] the Ray cluster at 127.0.0.1:9 cannot be reached (")


def test_another_server_at_the_address_is_one_line(cluster: RayNodes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        threading.Thread(target=answer_like_http1, args=[listener], daemon=True).start()
        error, _ = output(start(cluster, "ray_helpers.double", "[]", engine=f"ray:{address}"))
    assert error.startswith(f"LitotesError [L503] {address} is not a Ray cluster")


def answer_like_http1(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(100)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_killed_node_does_not_change_the_results(cluster: RayNodes) -> None:
    node = cluster.add_node()
    process = start(cluster, "ray_helpers.double", "range(0, 800, 2)")
    assert process.stdout is not None and process.stdout.readline() == "started\n"
    cluster.kill_node(node)
    assert output(process) == ["True"]


def test_actors_load_once_and_are_started_again(cluster: RayNodes, tmp_path: Path) -> None:
    (folder := tmp_path / "processes").mkdir()
    function = f"ray_helpers.Loaded({str(folder)!r}, dies_at=250)"
    assert output(start(cluster, function, "range(300)", program=ACTORS)) == ["started", "True"]
    assert len(list(folder.iterdir())) == 3


def test_killed_node_does_not_stop_actors(cluster: RayNodes, tmp_path: Path) -> None:
    node = cluster.add_node()
    (folder := tmp_path / "processes").mkdir()
    process = start(cluster, f"ray_helpers.Loaded({str(folder)!r})", "range(300)", program=ACTORS)
    assert process.stdout is not None and process.stdout.readline() == "started\n"
    cluster.kill_node(node)
    assert output(process) == ["True"]


@pytest.mark.parametrize(
    ("function", "engine", "error"),
    [
        ("ray_helpers.kill_worker", "", "LitotesError [L902] a Ray worker died: "),
        ("ray_helpers.fail_at_40", "?gpus=0.5", "UsageError [L102] no node of the Ray cluster has 0.5 GPUs"),
    ],
)
def test_errors_of_actors_are_one_line(cluster: RayNodes, function: str, engine: str, error: str) -> None:
    lines = output(start(cluster, function, "range(39)", engine=cluster.engine + engine, program=ACTORS))
    assert lines[-2].startswith(error), lines


def test_actors_share_a_gpu(cluster: RayNodes, tmp_path: Path) -> None:
    node = cluster.add_node("--num-gpus=1", processors=2)
    (folder := tmp_path / "processes").mkdir()
    function, engine = f"ray_helpers.Loaded({str(folder)!r})", f"{cluster.engine}?gpus=0.5"
    try:
        assert output(start(cluster, function, "range(300)", engine, ACTORS)) == ["started", "True"]
    finally:
        cluster.kill_node(node)
    assert len(list(folder.iterdir())) == 2


def test_shards_of_an_index_are_searched_on_a_cluster(cluster: RayNodes) -> None:
    assert output(start(cluster, "", "", program=NEIGHBOURS)) == ["True True"]


def test_engine_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LITOTES_ENGINE", raising=False)
    assert choose_engine(None, None) == SERIAL
    assert choose_engine(None, 3) == ParallelEngine("processes", 3)
    assert choose_engine("ray:ray://host:10001", 3) == ParallelEngine("ray", 3, "ray://host:10001")
    monkeypatch.setenv("LITOTES_ENGINE", "ray")
    assert choose_engine(None, None) == ParallelEngine("ray", None)
    assert choose_engine("serial", None) == SERIAL
    assert choose_engine("ray?gpus=1", 2) == ParallelEngine("ray", 2, gpus=1)
    wrong_options = (("ray?gpus=x", None), ("ray?gpu=1", None), ("processes?gpus=1", None))
    for wrong, workers in (("spark", None), ("serial:4", None), ("processes", 0), *wrong_options):
        with pytest.raises(UsageError):
            choose_engine(wrong, workers)


def test_example_with_two_nodes_builds_the_same_suite() -> None:
    root = Path(__file__).resolve().parents[2]
    commands = {name: str(Path(sys.executable).with_name(name)) for name in ("litotes", "ray")}
    if not all(Path(command).exists() for command in commands.values()):
        pytest.skip("the commands litotes and ray are not in the environment of the tests")
    environment = {**os.environ, "LITOTES": commands["litotes"], "RAY": commands["ray"]}
    program = [str(root / "examples" / "ray" / "two_nodes.sh")]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "two nodes and one process built the same suite: " in done.stdout
