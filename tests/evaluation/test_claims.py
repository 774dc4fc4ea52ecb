"""Claims: one owner at a time, whoever else comes, and none that outlives its owner."""

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
from litotes.evaluation.file_lease import Claim, Holder, take


def below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def age(path: Path, seconds: float) -> None:
    old = time.time() - seconds
    os.utime(path, (old, old))


def foreign(path: Path, **changes: Any) -> None:
    """Make the claim one of another machine, whose processes cannot be seen from here."""
    found = {**json.loads(path.read_text()), "machine": "another", "host": "another", **changes}
    path.write_text(json.dumps(found))


def test_one_has_it_and_the_next_after_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "claim.json"
    claim = take(path)
    assert isinstance(claim, Claim)
    other = take(path)
    assert isinstance(other, Holder)
    assert (other, other.pid) == (claim.holder, os.getpid())
    claim.release()
    assert below(tmp_path) == []  # nor is the folder left that was made for it
    with take(path) as again:
        assert isinstance(again, Claim)
    assert below(tmp_path) == []


def test_what_else_is_in_the_folder_stays(tmp_path: Path) -> None:
    with take(tmp_path / "a" / "claim.json"):
        (tmp_path / "a" / "result").write_text("")
    assert below(tmp_path) == ["a", "result"]


def test_a_claim_beats_and_so_does_not_grow_old(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    with take(path, beat=0.01):
        foreign(path)
        age(path, 500)
        until = time.monotonic() + 10
        while time.time() - path.stat().st_mtime > 100:
            assert time.monotonic() < until, "it never beat"
            time.sleep(0.01)
        assert isinstance(take(path), Holder)


def test_a_claim_that_no_longer_beats_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    gone = take(path, beat=1000)
    assert isinstance(gone, Claim)
    foreign(path)
    age(path, 100)
    assert isinstance(take(path, stale_after=200), Holder)
    mine = take(path, stale_after=50)
    assert isinstance(mine, Claim)
    # It was only asleep; what is another's now is neither kept alive nor taken away by it.
    gone.release()
    assert isinstance(take(path), Holder)
    mine.release()
    assert below(tmp_path.parent / tmp_path.name) == []


def killed_owner(path: Path, *, step: bool = False) -> int:
    """A process that claims, gets on or not, and is killed."""
    program = f"""
import os, signal
from pathlib import Path
from litotes.evaluation.file_lease import take
claim = take(Path({str(path)!r}))
if {step}:
    claim.step()
os.kill(os.getpid(), signal.SIGKILL)
"""
    return subprocess.run([sys.executable, "-c", program], check=False).returncode


def test_an_owner_that_was_killed_here_is_gone_at_once(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    assert killed_owner(path) == -9
    assert path.exists()
    with take(path) as mine:
        assert isinstance(mine, Claim)
        assert mine.holder.pid == os.getpid()
    assert below(tmp_path) == []


def test_owners_that_are_ended_here_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    for number in range(3):
        assert killed_owner(path) == -9
        assert json.loads(path.read_text())["ends"] == number
    with take(path) as mine:
        assert isinstance(mine, Claim) and mine.holder.ends == 3
    # What was released was no end.
    with take(path) as mine:
        assert isinstance(mine, Claim) and mine.holder.ends == 0


def test_an_owner_that_got_on_is_the_first_that_counts(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    for number, step in ((0, False), (1, True), (1, False), (2, True)):
        assert killed_owner(path, step=step) == -9
        assert json.loads(path.read_text())["ends"] == number
    with take(path) as mine:
        assert isinstance(mine, Claim) and mine.holder.ends == 1
        mine.step()
        mine.step()
    assert below(tmp_path) == []  # no trace of any step either


def test_an_owner_that_fell_silent_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    assert killed_owner(path) == -9
    foreign(path)
    age(path, 500)
    with take(path) as mine:
        assert isinstance(mine, Claim) and mine.holder.ends == 0


def test_the_number_of_a_dead_process_may_be_anothers_now(tmp_path: Path) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("when processes were started cannot be seen here")
    path = tmp_path / "claim.json"
    first = take(path, beat=1000)
    assert isinstance(first, Claim)
    path.write_text(path.read_text().replace(f'"process": "{first.holder.process}"', '"process": "1"'))
    assert isinstance(take(path), Claim)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 5}'])
def test_a_claim_that_cannot_be_read_is_somebodys_until_it_is_old(tmp_path: Path, content: str) -> None:
    path = tmp_path / "claim.json"
    path.write_text(content)
    assert isinstance(take(path), Holder)
    age(path, 500)
    assert isinstance(take(path), Claim)


def at_once(number: int, work: Callable[[], Any]) -> list[Any]:
    """What so many threads get that start together."""
    found: list[Any] = []
    gate = threading.Barrier(number)

    def one() -> None:
        gate.wait()
        found.append(work())

    threads = [threading.Thread(target=one) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_of_many_at_once_one_has_it(tmp_path: Path) -> None:
    for number in range(10):
        found = at_once(6, lambda number=number: take(tmp_path / str(number) / "claim.json"))
        assert sum(isinstance(one, Claim) for one in found) == 1


def test_of_many_at_once_one_takes_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where each has looked at the old claim before the first has replaced it."""
    seen = file_lease._is_gone
    monkeypatch.setattr(file_lease, "_is_gone", lambda *args: seen(*args) and not time.sleep(0.01))
    for number in range(10):
        path = tmp_path / str(number) / "claim.json"
        assert isinstance(take(path, beat=1000), Claim)
        foreign(path)
        age(path, 500)
        found = at_once(6, lambda path=path: take(path))
        assert sum(isinstance(one, Claim) for one in found) == 1
        assert below(path.parent) == ["claim.json"]


def test_one_who_was_killed_while_taking_over_does_not_bar_it(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    first = take(path, beat=1000)
    assert isinstance(first, Claim)
    foreign(path)
    bar = path.with_name(f".{first.holder.token}.removal")
    bar.write_text("")
    age(path, 500)
    assert isinstance(take(path), Holder)
    age(bar, 500)
    assert isinstance(take(path), Claim)
    assert below(tmp_path) == ["claim.json"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LitotesError, match="L401"):
        take(tmp_path / "file" / "claim.json")
