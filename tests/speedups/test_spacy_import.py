"""Tests of the switch for speedups, and that spaCy gives the same results with and without them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("spacy", reason="spaCy, of the extra english, is not installed")


def run_python(arguments: list[str], *, speedups: str) -> str:
    environment = {**os.environ, "LITOTES_SPEEDUPS": speedups, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("speedups", "is_torch_imported"), [("", "False"), ("1", "False"), ("0", "True")])
def test_environment_variable_disables_the_minimal_import(speedups: str, is_torch_imported: str) -> None:
    pytest.importorskip("torch", reason="torch, of the extra torch, is not installed")
    script = (
        "import sys\n"
        "from litotes.speedups.spacy_import import import_minimal_spacy\n"
        "import_minimal_spacy()\n"
        "print('torch' in sys.modules)\n"
    )
    assert run_python(["-c", script], speedups=speedups).strip() == is_torch_imported


def test_suite_is_the_same_with_and_without_speedups(tmp_path: Path) -> None:
    files = []
    for speedups in ("1", "0"):
        out = tmp_path / speedups
        command = ["-m", "litotes", "build", "semantoneg", "--from", "builtin", "--out", str(out)]
        run_python(command, speedups=speedups)
        files.append({path.name: path.read_bytes() for path in out.iterdir() if path.suffix in {".json", ".jsonl"}})
    assert files[0] and files[0] == files[1]
