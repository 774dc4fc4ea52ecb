"""Runs that are killed resume and end with the same files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from signal import SIGINT, SIGKILL
from typing import Any

from litotes import load_suite

In = Callable[[Path], Any]
SUITE = load_suite("negation-detection-mini")
TOTAL = len({text for item in SUITE.items for text in item.sentences.values()})
"""The number of sentences in the built-in suite."""
COMMAND = ("--suite", "negation-detection-mini", "--workers", "1", "--no-report", "--out", "out")


def stored_files(folder: Path) -> tuple[str, bytes]:
    """Return the files of a run without their times."""
    [run] = (folder / "out").glob("*/negation-detection-mini")
    assert sorted(path.name for path in run.iterdir()) == ["items.jsonl", "result.json"]
    document = json.loads((run / "result.json").read_text("utf-8"))
    assert document.pop("times")
    return json.dumps(document), (run / "items.jsonl").read_bytes()


def is_intact(cache: Path) -> bool:
    [path] = cache.glob("*.sqlite")
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_resumes_after_two_interrupts_with_the_same_files(
    litotes: Any, litotes_in: In, tmp_path: Path, onnx_minilm: str
) -> None:
    command = ("run", onnx_minilm, *COMMAND)
    (tmp_path / "undisturbed").mkdir()
    undisturbed = litotes_in(tmp_path / "undisturbed")
    in_peace = undisturbed.start(*command)

    n_rows = 0
    for share, how in ((0, SIGKILL), (1 / 4, SIGINT)):
        process = litotes.start(*command)
        n_rows = litotes.wait_for_rows(process, max(round(share * TOTAL), n_rows + 1))
        process.send_signal(how)
        done = litotes.finish(process, timeout=30)
        if how == SIGKILL:
            assert done.code == -SIGKILL
        else:
            assert (done.code, done.err.count("\n")) == (130, 1)
            assert done.err.startswith("litotes: interrupted; finished work is saved")
        assert litotes.cached_rows() >= n_rows
        assert not (tmp_path / "out").exists()

    computed, cached = litotes.run(*command).succeeded().effort
    assert cached >= n_rows
    assert 0 < computed == TOTAL - cached
    assert undisturbed.finish(in_peace).succeeded().effort == (TOTAL, 0)
    assert stored_files(tmp_path) == stored_files(undisturbed.folder)
    assert is_intact(litotes.cache)


def test_several_processes_can_share_cache_and_output(with_plugin: Any, litotes_in: In, tmp_path: Path) -> None:
    alone = litotes_in(tmp_path / "alone")
    alone.folder.mkdir()
    alone.plugins = with_plugin.plugins
    command = ("run", "toy:words?pause=0.01", "--suite", "negation-detection-mini", "--out", "out")
    alone.run(*command, "--no-report").succeeded()

    processes = [
        with_plugin.start("run", "toy:words?pause=0.01", "--suite", "negation-detection-mini", "--out", "out")
        for _ in range(3)
    ]
    for process in processes:
        with_plugin.finish(process).succeeded()
    assert stored_files(tmp_path) == stored_files(alone.folder)
    assert with_plugin.cached_rows() == TOTAL
    assert is_intact(with_plugin.cache)
    assert len(list((tmp_path / "out").iterdir())) == 2  # the model's folder and the report, but no temporary files
