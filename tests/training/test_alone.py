"""One at a time in a folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from litotes.core.errors import UsageError
from litotes.core.locks import alone_in

_OTHER = """
import sys, time
from pathlib import Path
from litotes.core.locks import alone_in
with alone_in(Path(sys.argv[1])):
    print("in", flush=True)
    sys.stdin.readline()
    (Path(sys.argv[1]) / "made").write_text("by the other")
"""


def test_another_process_is_refused_or_waited_for(tmp_path: Path) -> None:
    """As repairs with several seeds do that start at once: one makes the lessons, the others wait and read them."""
    command = [sys.executable, "-c", _OTHER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None and other.stdout.readline() == "in\n"
        with pytest.raises(UsageError, match="something else is running there"), alone_in(tmp_path):
            pass
        told = []

        def waiting() -> None:
            told.append("waiting")
            other.stdin.write("go on\n")
            other.stdin.flush()

        with alone_in(tmp_path, waiting=waiting):
            assert (tmp_path / "made").read_text() == "by the other"
        assert told == ["waiting"]
