"""A short campaign; `make chaos` runs a long one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the campaign forks")


def test_a_short_campaign_finds_nothing(tmp_path: Path) -> None:
    """About 40 seconds, of which 15 are imports and files."""
    # On a busy machine a command may be silent for longer than the campaign permits otherwise.
    command = [
        sys.executable,
        "-m",
        "tests.chaos",
        "--short",
        "--max-silence",
        "100",
        "--json",
        tmp_path / "counts.json",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert (tmp_path / "counts.json").exists(), done.stderr[-3000:]
    counts = json.loads((tmp_path / "counts.json").read_text())
    assert counts["problems"] == []
    assert done.returncode == 0
    for kind in ("all faults", "all bad inputs and attacks"):
        row = counts["rows"][kind]
        assert row["survived"] == row["cases"] >= 6
