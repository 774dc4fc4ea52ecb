"""Leases: a single owner at a time, and takeover after the owner has ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from litotes.core.errors import LitotesError
from litotes.evaluation import file_lease
from litotes.evaluation.file_lease import FileLease, LeaseOwner, acquire
from tests.kills import kill_before_each_change


def below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def age(path: Path, seconds: float) -> None:
    old = time.time() - seconds
    os.utime(path, (old, old))


def foreign(path: Path, **changes: Any) -> None:
    """Make the lease one of another machine, whose processes cannot be seen from here."""
    result = {**json.loads(path.read_text()), "machine": "another", "host": "another", **changes}
    path.write_text(json.dumps(result))


def test_lease_is_held_by_a_single_process(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lease.json"
    lease = acquire(path)
    assert isinstance(lease, FileLease)
    other = acquire(path)
    assert isinstance(other, LeaseOwner)
    assert (other, other.pid) == (lease.owner, os.getpid())
    lease.release()
    assert below(tmp_path) == []  # the folder created for it is deleted too
    with acquire(path) as again:
        assert isinstance(again, FileLease)
    assert below(tmp_path) == []


def test_unrelated_files_in_the_folder_remain(tmp_path: Path) -> None:
    with acquire(tmp_path / "a" / "lease.json"):
        (tmp_path / "a" / "result").write_text("")
    assert below(tmp_path) == ["a", "result"]


def test_a_lease_is_touched_regularly(tmp_path: Path) -> None:
    path = tmp_path / "lease.json"
    with acquire(path, heartbeat=0.01):
        foreign(path)
        age(path, 500)
        until = time.monotonic() + 10
        while time.time() - path.stat().st_mtime > 100:
            assert time.monotonic() < until, "it never beat"
            time.sleep(0.01)
        assert isinstance(acquire(path), LeaseOwner)


def test_a_lease_that_is_no_longer_touched_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "lease.json"
    gone = acquire(path, heartbeat=1000)
    assert isinstance(gone, FileLease)
    foreign(path)
    age(path, 100)
    assert isinstance(acquire(path, stale_after=200), LeaseOwner)
    mine = acquire(path, stale_after=50)
    assert isinstance(mine, FileLease)
    # The first owner was only suspended; it neither touches nor removes the lease of the new owner.
    gone.release()
    assert isinstance(acquire(path), LeaseOwner)
    mine.release()
    assert below(tmp_path.parent / tmp_path.name) == []


def killed_owner(path: Path, *, step: bool = False) -> int:
    """Return a process that acquires the lease, reports progress if requested, and is killed."""
    program = f"""
import os, signal
from pathlib import Path
from litotes.evaluation.file_lease import acquire
lease = acquire(Path({str(path)!r}))
if {step}:
    lease.record_progress()
os.kill(os.getpid(), signal.SIGKILL)
"""
    return subprocess.run([sys.executable, "-c", program], check=False).returncode


def test_a_lease_of_a_killed_local_process_is_stale_at_once(tmp_path: Path) -> None:
    path = tmp_path / "lease.json"
    assert killed_owner(path) == -9
    assert path.exists()
    with acquire(path) as mine:
        assert isinstance(mine, FileLease)
        assert mine.owner.pid == os.getpid()
    assert below(tmp_path) == []


def test_kills_leave_no_files_for_good(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "lease.json"

    def take_over() -> None:
        lease = acquire(path, stale_after=0.01)
        assert isinstance(lease, FileLease)
        lease.record_progress()
        lease.release()

    assert killed_owner(path) == -9
    ended = path.read_bytes()
    for _ in kill_before_each_change(tmp_path, take_over):
        time.sleep(0.02)  # the lock of the killed process becomes stale
        take_over()
        assert below(tmp_path) == []
        path.parent.mkdir()
        path.write_bytes(ended)


def test_crashed_owners_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "lease.json"
    for number in range(3):
        assert killed_owner(path) == -9
        assert json.loads(path.read_text())["crashes"] == number
    with acquire(path) as mine:
        assert isinstance(mine, FileLease) and mine.owner.crashes == 3
    # A released lease does not count as a crash.
    with acquire(path) as mine:
        assert isinstance(mine, FileLease) and mine.owner.crashes == 0


def test_progress_resets_the_count_of_crashes(tmp_path: Path) -> None:
    path = tmp_path / "lease.json"
    for number, step in ((0, False), (1, True), (1, False), (2, True)):
        assert killed_owner(path, step=step) == -9
        assert json.loads(path.read_text())["crashes"] == number
    with acquire(path) as mine:
        assert isinstance(mine, FileLease) and mine.owner.crashes == 1
        mine.record_progress()
        mine.record_progress()
    assert below(tmp_path) == []  # no temporary files of the takeover remain


def test_a_silent_owner_does_not_count_as_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "lease.json"
    assert killed_owner(path) == -9
    foreign(path)
    age(path, 500)
    with acquire(path) as mine:
        assert isinstance(mine, FileLease) and mine.owner.crashes == 0


def test_a_reused_process_id_is_recognised(tmp_path: Path) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("when processes were started cannot be seen here")
    path = tmp_path / "lease.json"
    first = acquire(path, heartbeat=1000)
    assert isinstance(first, FileLease)
    path.write_text(path.read_text().replace(f'"process": "{first.owner.process}"', '"process": "1"'))
    assert isinstance(acquire(path), FileLease)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 5}'])
def test_a_lease_that_cannot_be_read_is_held_until_it_is_stale(tmp_path: Path, content: str) -> None:
    path = tmp_path / "lease.json"
    path.write_text(content)
    assert isinstance(acquire(path), LeaseOwner)
    age(path, 500)
    assert isinstance(acquire(path), FileLease)


def at_once(number: int, work: Callable[[], Any]) -> list[Any]:
    """Return the results of several threads that start together."""
    result: list[Any] = []
    gate = threading.Barrier(number)

    def one() -> None:
        gate.wait()
        result.append(work())

    threads = [threading.Thread(target=one) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return result


def test_exactly_one_process_acquires_the_lease(tmp_path: Path) -> None:
    for number in range(10):
        results = at_once(6, lambda number=number: acquire(tmp_path / str(number) / "lease.json"))
        assert sum(isinstance(result, FileLease) for result in results) == 1


def test_exactly_one_process_takes_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes read the old lease before the first one replaces it."""
    is_stale = file_lease._is_stale
    monkeypatch.setattr(file_lease, "_is_stale", lambda *args: is_stale(*args) and not time.sleep(0.01))
    for number in range(10):
        path = tmp_path / str(number) / "lease.json"
        assert isinstance(acquire(path, heartbeat=1000), FileLease)
        foreign(path)
        age(path, 500)
        results = at_once(6, lambda path=path: acquire(path))
        assert sum(isinstance(result, FileLease) for result in results) == 1
        assert below(path.parent) == ["lease.json"]


def test_a_process_killed_while_taking_over_does_not_block_others(tmp_path: Path) -> None:
    path = tmp_path / "lease.json"
    first = acquire(path, heartbeat=1000)
    assert isinstance(first, FileLease)
    foreign(path)
    bar = path.with_name(f".{first.owner.token}.removal")
    bar.write_text("")
    age(path, 500)
    assert isinstance(acquire(path), LeaseOwner)
    age(bar, 500)
    assert isinstance(acquire(path), FileLease)
    assert below(tmp_path) == ["lease.json"]


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LitotesError, match="L401"):
        acquire(tmp_path / "file" / "lease.json")
