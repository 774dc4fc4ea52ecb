"""The campaign notices what it looks for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.sandbox import Outcome
from tests.chaos.tally import Case, Tally, markdown

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, time
from pathlib import Path
from tests.chaos.sandbox import Sandbox

def wait_and_fill():
    time.sleep(0.5)
    return bytearray(300 << 20)[::4096]

box = Sandbox(Path(sys.argv[1]) / "box", Path(sys.argv[1]) / "cache")
run = ("run", "overlap:words", "--suite", "semantoneg-mini", "--no-report", "--workers", "1", "--out")
outside = box.run(*run, "../elsewhere")
assert outside.code == 0, outside.output
assert any(line.endswith("elsewhere/overlap-words-fa8cac5c") for line in outside.outside), outside.outside
inside = box.run(*run, "out/r", prepare=wait_and_fill)
assert (inside.code, inside.outside) == (0, ()), inside
assert inside.silence >= 0.5 and inside.peak_bytes > 300 << 20
assert inside.peak_bytes > outside.peak_bytes + (200 << 20)
late = box.run(*run, "out/r", prepare=lambda: time.sleep(60), max_seconds=0.5)
assert (late.is_late, late.code) == (True, -9)
broken = box.run("run", prepare=lambda: 1 / 0)
assert broken.tracebacks == 1
left = box.start("run", prepare=lambda: time.sleep(60))
box.close()
assert left.is_reaped and not box.folder.exists()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the campaign forks")
def test_commands_are_measured(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr


def outcome(
    output: str = "", code: int = 1, outside: tuple[str, ...] = (), peak: int = 0, silence: float = 0
) -> Outcome:
    return Outcome(code, output, 1.0, silence, peak, outside)


@pytest.mark.parametrize(
    "bad",
    [
        outcome("Traceback (most recent call last):\n"),
        outcome("litotes: [L901] ValueError"),
        outcome(code=-11),
        outcome(outside=("open /etc/x",)),
        outcome(peak=2 << 30),
        outcome(silence=11),
    ],
)
def test_problems_are_counted(bad: Outcome) -> None:
    case, tally = Case(), Tally()
    case.add(bad)
    case.check_limits(10)
    tally.add(case)
    assert len(case.problems) == 1
    assert (tally.cases, tally.survived) == (1, 0)


def test_lost_bytes_are_counted() -> None:
    case, tally = Case(), Tally()
    case.add(outcome("litotes: [L203] fine"))
    case.compare({"same": b"1", "gone": b"22", "other": b"333"}, {"same": b"1", "other": b"334", "more": b""})
    tally.add(case)
    assert case.problems == ["gone is missing", "other is different", "left behind: more"]
    assert tally.bytes_lost == 5
    assert markdown([("faults", tally)]).splitlines()[2].replace(" ", "").startswith("|faults|1|0|0|0|5|")
