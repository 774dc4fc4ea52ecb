"""Locks on folders, between real processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.core.locks import lock_folder

_HOLD_LOCK = """
import sys
from pathlib import Path
from litotes.core.locks import lock_folder
folder = Path(sys.argv[1])
with lock_folder(folder):
    print("locked", flush=True)
    sys.stdin.readline()
    (folder / "result").write_text("from the first process")
"""


def start_holder(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _HOLD_LOCK, str(folder)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "locked\n"
    return holder


def test_second_process_is_refused_or_waits(tmp_path: Path) -> None:
    """Repairs with several seeds may start together: the first creates the examples, the others wait for them."""
    with start_holder(tmp_path) as holder:
        with pytest.raises(UsageError, match="another process is working in this folder"), lock_folder(tmp_path):
            pass
        calls = []

        def on_wait() -> None:
            calls.append("waiting")
            assert holder.stdin is not None
            holder.stdin.write("continue\n")
            holder.stdin.flush()

        with lock_folder(tmp_path, on_wait=on_wait):
            assert (tmp_path / "result").read_text() == "from the first process"
        assert calls == ["waiting"]


def test_lock_of_killed_process_is_released(tmp_path: Path) -> None:
    with start_holder(tmp_path) as holder:
        holder.kill()
        holder.wait()
    with lock_folder(tmp_path):
        pass


def test_folder_is_created(tmp_path: Path) -> None:
    with lock_folder(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").is_dir()


def test_path_below_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LitotesError, match="L401"), lock_folder(tmp_path / "file" / "below"):
        pass
