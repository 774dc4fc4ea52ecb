"""The map over chunks, with real processes: what comes back, what is read ahead, and that nobody is left over."""

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
from litotes.core.parallel import in_order

HELPERS = """
import os, signal, threading, time

class Odd(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")

def doubled(numbers):
    return [2 * number for number in numbers]

def who(numbers):
    time.sleep(0.02)
    return [os.getpid()] * len(numbers)

def slow_at_first(numbers):
    if 0 in numbers:
        time.sleep(0.5)
    return numbers

def sizes(numbers):
    return [len(numbers)] * len(numbers)

def fails_at(wrong, error, numbers):
    if wrong in numbers:
        raise error
    return numbers

def odd(numbers):
    raise Odd("this", "that")

def dies(numbers):
    if 9 in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return numbers

def leaves(numbers):
    os._exit(7)

def sleeps(numbers):
    time.sleep(60)

def threads(numbers):
    return [os.environ["OMP_NUM_THREADS"]] * len(numbers)

def locks(numbers):
    return [threading.Lock() for number in numbers]

def prints(numbers):
    print("in the way", flush=True)
    return numbers
"""


@pytest.fixture(scope="module")
def helpers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A module that workers can import, since what they run must be importable."""
    folder = tmp_path_factory.mktemp("helpers")
    (folder / "worker_helpers.py").write_text(HELPERS)
    sys.path.insert(0, str(folder))
    import worker_helpers  # type: ignore[import-not-found]

    yield worker_helpers
    sys.path.remove(str(folder))
    del sys.modules["worker_helpers"]


def children() -> set[int]:
    """The processes that this one started and that are still there."""
    tasks = Path("/proc/self/task")
    if not tasks.is_dir():
        pytest.skip("there is no /proc here to count processes in")
    return {int(number) for task in tasks.iterdir() for number in (task / "children").read_text().split()}


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in {"Z", "X"}


@pytest.fixture(autouse=True)
def _nobody_is_left_over() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before


class Counted:
    """A stream without end that knows how much of it was read."""

    def __init__(self) -> None:
        self.read = 0

    def __iter__(self) -> Iterator[int]:
        for number in itertools.count():
            self.read += 1
            yield number


# What comes back.


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 100, 1000])
def test_every_result_in_the_order_of_the_stream(helpers: Any, workers: int, count: int) -> None:
    found = list(in_order(helpers.doubled, range(count), workers=workers, chunk=64))
    assert found == [2 * number for number in range(count)]


def test_a_slow_chunk_does_not_change_the_order(helpers: Any) -> None:
    assert list(in_order(helpers.slow_at_first, range(200), workers=2, chunk=8)) == list(range(200))


def test_chunks_are_the_same_whatever_the_number_of_workers(helpers: Any) -> None:
    alone, two, three = (list(in_order(helpers.sizes, range(100), workers=n, chunk=32)) for n in (1, 2, 3))
    assert alone == two == three
    # They grow, so that the first result is there soon.
    assert [size for size, _ in itertools.groupby(alone)] == [1, 2, 4, 8, 16, 32, 5]


def test_all_workers_work_and_none_is_this_process(helpers: Any) -> None:
    found = set(in_order(helpers.who, range(600), workers=3, chunk=8))
    assert len(found) == 3 and os.getpid() not in found
    assert set(in_order(helpers.who, range(5))) == {os.getpid()}


def test_a_worker_that_would_have_nothing_to_do_is_not_started(helpers: Any) -> None:
    assert len(set(in_order(helpers.who, range(3), workers=50))) <= 2


def test_long_things_both_ways() -> None:
    # Longer than a pipe holds: nobody may wait for the other for ever.
    texts = [str(number % 10) * 300_000 for number in range(60)]
    assert list(in_order(list, texts, workers=2, chunk=8)) == texts


def test_one_thread_a_worker(helpers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert list(in_order(helpers.threads, [0], workers=2)) == ["1"]
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert list(in_order(helpers.threads, [0], workers=2)) == ["4"]


def test_no_workers() -> None:
    for wrong in (0, -1):
        with pytest.raises(UsageError, match=r"L102.*at least one"):
            in_order(list, [1], workers=wrong)


# What is read.


@pytest.mark.parametrize("workers", [1, 2])
def test_the_stream_is_not_read_ahead(helpers: Any, workers: int) -> None:
    stream = Counted()
    results = in_order(helpers.doubled, stream, workers=workers, chunk=16)
    assert stream.read == 0
    assert next(results) == 0
    # At most three chunks a worker, and the first ones are small.
    assert stream.read <= 16 * 3 * workers
    assert [next(results) for _ in range(1000)] == [2 * number for number in range(1, 1001)]
    assert stream.read <= 1001 + 16 * 3 * workers + 16
    results.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_before_the_stream_ends(helpers: Any, workers: int) -> None:
    """What was handed in comes out, though the next of the stream is long in coming."""
    got: list[int] = []

    def slowly() -> Iterator[int]:
        yield from range(200)
        time.sleep(1)
        assert got, "nothing came out before the end of the stream"

    for result in in_order(helpers.doubled, slowly(), workers=workers, chunk=16):
        got.append(result)
    assert got == [2 * number for number in range(200)]


# What goes wrong.


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "error", [ValueError("wrong"), LitotesError("L203", "this is wrong", hint="do that"), KeyError(("a", 1))]
)
def test_an_error_arrives_as_it_is_after_what_came_before(helpers: Any, workers: int, error: Exception) -> None:
    got = []
    with pytest.raises(type(error)) as caught:
        for result in in_order(partial(helpers.fails_at, 40, error), range(100), workers=workers, chunk=16):
            got.append(result)
    assert (caught.value.args, str(caught.value)) == (error.args, str(error))
    assert getattr(caught.value, "hint", None) == getattr(error, "hint", None)
    # Chunks of 1, 2, 4, 8, 16 come before the one that holds 40.
    assert got == list(range(31))
    if workers > 1:
        assert "in fails_at" in str(caught.value.__cause__)


def test_an_error_that_cannot_travel_says_what_it_was(helpers: Any) -> None:
    with pytest.raises(RuntimeError, match=r"^Odd: this and that$"):
        list(in_order(helpers.odd, range(3), workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_the_stream_comes_after_the_results_before_it(helpers: Any, workers: int) -> None:
    def stream() -> Iterator[int]:
        yield from range(50)
        raise LitotesError("L207", "line 51 is wrong")

    got = []
    with pytest.raises(LitotesError, match="line 51"):
        for result in in_order(helpers.doubled, stream(), workers=workers, chunk=16):
            got.append(result)
    assert got == [2 * number for number in range(50)]


def test_a_killed_worker_is_one_clear_line(helpers: Any) -> None:
    got = []
    with pytest.raises(LitotesError) as caught:
        for result in in_order(helpers.dies, range(500), workers=2, chunk=4):
            got.append(result)
    assert str(caught.value).startswith("[L902] a worker process was ended by SIGKILL before its work was done; ")
    assert got == list(range(len(got))) and len(got) < 10


def test_a_worker_that_leaves(helpers: Any) -> None:
    with pytest.raises(LitotesError, match=r"\[L902\] a worker process ended with exit code 7"):
        list(in_order(helpers.leaves, range(100), workers=2, chunk=4))


def test_a_function_that_cannot_be_sent_is_told_before_anything_is_started() -> None:
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        list(in_order(lambda some: some, range(10), workers=2))


def test_a_thing_that_cannot_be_sent(helpers: Any) -> None:
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        list(in_order(helpers.doubled, [1, 2, 3, threading.Lock()], workers=2))


def test_a_result_that_cannot_be_sent(helpers: Any) -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        list(in_order(helpers.locks, range(3), workers=2))


def test_a_function_that_cannot_be_imported_there(helpers: Any) -> None:
    # It is sent by its name, and its folder is no longer where the worker looks.
    folder = next(place for place in sys.path if (Path(place) / "worker_helpers.py").exists())
    sys.path.remove(folder)
    try:
        with pytest.raises(ModuleNotFoundError, match="worker_helpers"):
            list(in_order(helpers.doubled, range(10), workers=2))
    finally:
        sys.path.insert(0, folder)


# How it ends.


@pytest.mark.parametrize("taken", [0, 1, 300])
def test_closing_early_ends_the_processes(helpers: Any, taken: int) -> None:
    before = children()
    results = in_order(helpers.doubled, itertools.count(), workers=3, chunk=16)
    for _ in range(taken):
        next(results)
    began = time.monotonic()
    results.close()
    assert children() <= before
    assert time.monotonic() - began < 2


def test_closing_ends_processes_in_the_middle_of_their_work(helpers: Any) -> None:
    def stream() -> Iterator[int]:
        yield from range(10)
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(in_order(helpers.sleeps, stream(), workers=2, chunk=4))
    assert time.monotonic() - began < 10


PROGRAM = """
    import sys, time
    from litotes.core.parallel import in_order
    import worker_helpers
    # No `if __name__ == "__main__"`: workers do not run the program again.
    try:
        for number, result in enumerate(in_order({function}, range(100_000), workers=2, chunk=16)):
            if number < 200:
                print(result, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def program(helpers: Any, tmp_path: Path, function: str) -> subprocess.Popen[str]:
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM).format(function=function))
    return subprocess.Popen(
        [sys.executable, path],
        env={**os.environ, "PYTHONPATH": str(Path(helpers.__file__).parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_with_usual_signals,  # noqa: PLW1509  (no thread of ours is at work)
    )


def _with_usual_signals() -> None:
    # A test run in the background ignores Ctrl-C, one under nohup the hang-up; its children would inherit that.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_a_plain_script_needs_no_guard_and_output_of_workers_is_not_in_the_way(helpers: Any, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM).format(function="worker_helpers.prints").replace("100_000", "100"))
    environment = {**os.environ, "PYTHONPATH": str(Path(helpers.__file__).parent)}
    done = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(number) for number in range(100)]
    assert done.stderr == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_workers_end_with_their_parent_however_it_ends(helpers: Any, tmp_path: Path, number: int) -> None:
    process = program(helpers, tmp_path, "worker_helpers.who")
    assert process.stdout is not None and process.stderr is not None
    workers = {int(process.stdout.readline()) for _ in range(150)}
    assert len(workers) == 2 and all(is_running(worker) for worker in workers)
    # To the whole group, as a terminal does.
    os.killpg(process.pid, number)
    try:
        rest, error = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    assert "Traceback" not in error
    if number == signal.SIGINT:
        assert rest.endswith("interrupted\n")
    until = time.monotonic() + 30
    while any(is_running(worker) for worker in workers) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(is_running(worker) for worker in workers)


def test_importing_it_is_cheap() -> None:
    program = "import litotes.core.parallel, sys; print('numpy' in sys.modules, 'spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
