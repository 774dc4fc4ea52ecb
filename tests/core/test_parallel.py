"""The parallel map with real processes: order, reading ahead, exceptions, and the end of the workers."""

from __future__ import annotations

import itertools
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.core.parallel.engine import ParallelEngine, map_ordered

HELPERS = """
import os, signal, threading, time

class OddError(Exception):
    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")

def double(numbers):
    return [2 * number for number in numbers]

def process_ids(numbers):
    time.sleep(0.02)
    return [os.getpid()] * len(numbers)

def sleep_on_zero(numbers):
    if 0 in numbers:
        time.sleep(0.5)
    return numbers

def chunk_sizes(numbers):
    return [len(numbers)] * len(numbers)

def fail_at(number, error, numbers):
    if number in numbers:
        raise error
    return numbers

def raise_odd(numbers):
    raise OddError("this", "that")

def kill_worker(numbers):
    if 9 in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return numbers

def exit_worker(numbers):
    os._exit(7)

def sleep_long(numbers):
    time.sleep(60)

def thread_limits(numbers):
    return [os.environ["OMP_NUM_THREADS"]] * len(numbers)

def make_locks(numbers):
    return [threading.Lock() for number in numbers]

def print_text(numbers):
    print("output of a worker", flush=True)
    return numbers
"""


@pytest.fixture(scope="module")
def helpers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a module with functions that workers can import."""
    folder = tmp_path_factory.mktemp("helpers")
    (folder / "worker_helpers.py").write_text(HELPERS)
    sys.path.insert(0, str(folder))
    import worker_helpers  # type: ignore[import-not-found]

    yield worker_helpers
    sys.path.remove(str(folder))
    del sys.modules["worker_helpers"]


def children() -> set[int]:
    """Return the ids of the child processes of this process."""
    tasks = Path("/proc/self/task")
    if not tasks.is_dir():
        pytest.skip("needs /proc to count processes")
    return {int(number) for task in tasks.iterdir() for number in (task / "children").read_text().split()}


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in {"Z", "X"}


@pytest.fixture(autouse=True)
def _no_worker_is_left() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before


class CountedStream:
    """An infinite iterable that counts how many items were read."""

    def __init__(self) -> None:
        self.n_read = 0

    def __iter__(self) -> Iterator[int]:
        for number in itertools.count():
            self.n_read += 1
            yield number


# Results


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 100, 1000])
def test_results_are_in_the_order_of_the_items(helpers: Any, workers: int, count: int) -> None:
    results = list(map_ordered(helpers.double, range(count), engine=ParallelEngine.local(workers), chunk_size=64))
    assert results == [2 * number for number in range(count)]


def test_slow_chunk_does_not_change_the_order(helpers: Any) -> None:
    assert list(map_ordered(helpers.sleep_on_zero, range(200), engine=ParallelEngine.local(2), chunk_size=8)) == list(
        range(200)
    )


def test_chunks_do_not_depend_on_the_number_of_workers(helpers: Any) -> None:
    one_worker, two_workers, three_workers = (
        list(map_ordered(helpers.chunk_sizes, range(100), engine=ParallelEngine.local(n), chunk_size=32))
        for n in (1, 2, 3)
    )
    assert one_worker == two_workers == three_workers
    assert [size for size, _ in itertools.groupby(one_worker)] == [1, 2, 4, 8, 16, 32, 5]


def test_all_workers_are_used_and_none_is_this_process(helpers: Any) -> None:
    processes = set(map_ordered(helpers.process_ids, range(600), engine=ParallelEngine.local(3), chunk_size=8))
    assert len(processes) == 3 and os.getpid() not in processes
    assert set(map_ordered(helpers.process_ids, range(5))) == {os.getpid()}


def test_unnecessary_workers_are_not_started(helpers: Any) -> None:
    assert len(set(map_ordered(helpers.process_ids, range(3), engine=ParallelEngine.local(50)))) <= 2


def test_items_and_results_may_be_longer_than_a_pipe_buffer() -> None:
    texts = [str(number % 10) * 300_000 for number in range(60)]
    assert list(map_ordered(list, texts, engine=ParallelEngine.local(2), chunk_size=8)) == texts


def test_workers_use_one_thread_by_default(helpers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert list(map_ordered(helpers.thread_limits, [0], engine=ParallelEngine.local(2))) == ["1"]
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert list(map_ordered(helpers.thread_limits, [0], engine=ParallelEngine.local(2))) == ["4"]


def test_number_of_workers_must_be_positive() -> None:
    for workers in (0, -1):
        with pytest.raises(UsageError, match=r"L102.*at least 1"):
            map_ordered(list, [1], engine=ParallelEngine.local(workers))


# Reading ahead


@pytest.mark.parametrize("workers", [1, 2])
def test_iterable_is_read_only_a_few_chunks_ahead(helpers: Any, workers: int) -> None:
    stream = CountedStream()
    results = map_ordered(helpers.double, stream, engine=ParallelEngine.local(workers), chunk_size=16)
    assert stream.n_read == 0
    assert next(results) == 0
    # At most three chunks per worker, and the first ones are small.
    assert stream.n_read <= 16 * 3 * workers
    assert [next(results) for _ in range(1000)] == [2 * number for number in range(1, 1001)]
    assert stream.n_read <= 1001 + 16 * 3 * workers + 16
    results.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_results_arrive_before_the_iterable_ends(helpers: Any, workers: int) -> None:
    results: list[int] = []

    def slow_stream() -> Iterator[int]:
        yield from range(200)
        time.sleep(1)
        assert results, "no result arrived before the end of the stream"

    for result in map_ordered(helpers.double, slow_stream(), engine=ParallelEngine.local(workers), chunk_size=16):
        results.append(result)
    assert results == [2 * number for number in range(200)]


# Errors


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "error", [ValueError("wrong"), LitotesError("L203", "this is wrong", hint="do that"), KeyError(("a", 1))]
)
def test_exception_is_raised_unchanged_after_earlier_results(helpers: Any, workers: int, error: Exception) -> None:
    results = []
    with pytest.raises(type(error)) as caught:
        for result in map_ordered(
            partial(helpers.fail_at, 40, error), range(100), engine=ParallelEngine.local(workers), chunk_size=16
        ):
            results.append(result)
    assert (caught.value.args, str(caught.value)) == (error.args, str(error))
    assert getattr(caught.value, "hint", None) == getattr(error, "hint", None)
    # Chunks of 1, 2, 4, 8 and 16 items precede the one that contains 40.
    assert results == list(range(31))
    if workers > 1:
        assert "in fail_at" in str(caught.value.__cause__)


def test_exception_that_cannot_be_pickled_becomes_a_runtime_error(helpers: Any) -> None:
    with pytest.raises(RuntimeError, match=r"^OddError: this and that$"):
        list(map_ordered(helpers.raise_odd, range(3), engine=ParallelEngine.local(2)))


@pytest.mark.parametrize("workers", [1, 2])
def test_exception_in_the_iterable_is_raised_after_earlier_results(helpers: Any, workers: int) -> None:
    def stream() -> Iterator[int]:
        yield from range(50)
        raise LitotesError("L207", "line 51 is wrong")

    results = []
    with pytest.raises(LitotesError, match="line 51"):
        for result in map_ordered(helpers.double, stream(), engine=ParallelEngine.local(workers), chunk_size=16):
            results.append(result)
    assert results == [2 * number for number in range(50)]


def test_killed_worker_is_a_single_error(helpers: Any) -> None:
    results = []
    with pytest.raises(LitotesError) as caught:
        for result in map_ordered(helpers.kill_worker, range(500), engine=ParallelEngine.local(2), chunk_size=4):
            results.append(result)
    assert str(caught.value).startswith("[L902] a worker process was killed by SIGKILL before its work was done; ")
    assert results == list(range(len(results))) and len(results) < 10


def test_exited_worker_is_a_single_error(helpers: Any) -> None:
    with pytest.raises(LitotesError, match=r"\[L902\] a worker process exited with code 7"):
        list(map_ordered(helpers.exit_worker, range(100), engine=ParallelEngine.local(2), chunk_size=4))


def test_function_that_cannot_be_pickled_is_an_error() -> None:
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        list(map_ordered(lambda chunk: chunk, range(10), engine=ParallelEngine.local(2)))


def test_item_that_cannot_be_pickled_is_an_error(helpers: Any) -> None:
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        list(map_ordered(helpers.double, [1, 2, 3, threading.Lock()], engine=ParallelEngine.local(2)))


def test_result_that_cannot_be_pickled_is_an_error(helpers: Any) -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        list(map_ordered(helpers.make_locks, range(3), engine=ParallelEngine.local(2)))


def test_function_that_a_worker_cannot_import_is_an_error(helpers: Any) -> None:
    # Functions are pickled by name, and the folder of the module is no longer on the path.
    folder = next(folder for folder in sys.path if (Path(folder) / "worker_helpers.py").exists())
    sys.path.remove(folder)
    try:
        with pytest.raises(ModuleNotFoundError, match="worker_helpers"):
            list(map_ordered(helpers.double, range(10), engine=ParallelEngine.local(2)))
    finally:
        sys.path.insert(0, folder)


# The end of the workers


@pytest.mark.parametrize("n_results", [0, 1, 300])
def test_closing_the_generator_ends_the_workers(helpers: Any, n_results: int) -> None:
    before = children()
    results = map_ordered(helpers.double, itertools.count(), engine=ParallelEngine.local(3), chunk_size=16)
    for _ in range(n_results):
        next(results)
    start = time.monotonic()
    results.close()
    assert children() <= before
    assert time.monotonic() - start < 2


def test_interrupt_ends_busy_workers(helpers: Any) -> None:
    def stream() -> Iterator[int]:
        yield from range(10)
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(map_ordered(helpers.sleep_long, stream(), engine=ParallelEngine.local(2), chunk_size=4))
    assert time.monotonic() - start < 10


PROGRAM = """
    import sys, time
    from litotes.core.parallel.engine import ParallelEngine, map_ordered
    import worker_helpers
    # Without `if __name__ == "__main__"`: workers do not import the program.
    try:
        engine = ParallelEngine.local(2)
        for number, result in enumerate(map_ordered({function}, range(100_000), engine=engine, chunk_size=16)):
            if number < 200:
                print(result, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def start_program(helpers: Any, tmp_path: Path, function: str) -> subprocess.Popen[str]:
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM).format(function=function))
    return subprocess.Popen(
        [sys.executable, path],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_reset_signals,  # noqa: PLW1509  (this process has no other threads)
    )


def _reset_signals() -> None:
    # Child processes would inherit that a test run in the background ignores SIGINT, and one under nohup SIGHUP.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_script_needs_no_main_guard_and_worker_output_is_discarded(helpers: Any, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM).format(function="worker_helpers.print_text").replace("100_000", "100"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(number) for number in range(100)]
    assert done.stderr == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_workers_exit_with_their_parent(helpers: Any, tmp_path: Path, number: int) -> None:
    process = start_program(helpers, tmp_path, "worker_helpers.process_ids")
    assert process.stdout is not None and process.stderr is not None
    workers = {int(process.stdout.readline()) for _ in range(150)}
    assert len(workers) == 2 and all(is_running(worker) for worker in workers)
    os.killpg(process.pid, number)
    try:
        output, error = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    assert "Traceback" not in error
    if number == signal.SIGINT:
        assert output.endswith("interrupted\n")
    deadline = time.monotonic() + 30
    while any(is_running(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(is_running(worker) for worker in workers)


def test_import_loads_neither_numpy_nor_spacy() -> None:
    program = "import litotes.core.parallel.engine, sys; print('numpy' in sys.modules, 'spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
