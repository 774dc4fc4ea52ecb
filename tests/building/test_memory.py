"""Memory does not grow with the corpus; benchmarks/building/memory.py measures larger ones."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks/building/memory.py"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the peak is counted in other units")
@pytest.mark.parametrize("command", ["build", "classify"])
def test_ten_times_the_corpus_takes_the_same_memory(command: str) -> None:
    if command != "build":
        pytest.importorskip("pyarrow")
    measure: Any = runpy.run_path(str(BENCHMARK))["measure"]
    small, large = measure(3_000, command), measure(30_000, command)
    assert large["read"] == 10 * small["read"] and large["items"] > 5 * small["items"]
    assert large["peak"] < 1.1 * small["peak"], (small, large)
