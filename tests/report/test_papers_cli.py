"""`litotes report --paper`: folders, messages and mistakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from litotes.bench.store import write_run

Run = Callable[..., Any]


@pytest.fixture
def runs(examples: ModuleType, tmp_path: Path) -> Path:
    for run in examples.three_models(30)[0]:
        write_run(tmp_path / "runs", run)
    return tmp_path / "runs"


def test_of_runs_with_the_published_beside(run_litotes: Run, runs: Path, tmp_path: Path) -> None:
    done = run_litotes(
        "report", runs, "--paper", "semantoneg", "--published", "--formats", "md, SVG", "--out", tmp_path / "figures"
    ).succeeded()
    folder = tmp_path / "figures"
    assert {path.name for path in folder.iterdir()} == {"published", "semantoneg"}
    assert {path.suffix for path in folder.glob("*/*")} == {".md", ".svg"}
    for part in ("published", "semantoneg"):
        assert f"{part}: {len(list((folder / part).iterdir()))} files" in done.err


def test_the_published_alone_need_no_runs(run_litotes: Run, tmp_path: Path) -> None:
    run_litotes("report", "--paper", "triplets", "--published", "--formats", "csv").succeeded()
    assert len(list((tmp_path / "paper-triplets" / "published").glob("table-*.csv"))) == 6


def test_mistakes_are_told_in_one_line(run_litotes: Run, runs: Path, tmp_path: Path) -> None:
    run_litotes("report", runs, "--paper", "nope").failed(2, "L101", "semantoneg")
    run_litotes("report", "--paper", "heros").failed(2, "L102", "--published needs none")
    run_litotes("report", runs, "--published").failed(2, "L102", "belongs to --paper")
    run_litotes("report").failed(2, "L102", "no folder of runs")
    run_litotes("report", runs, "--paper", "heros", "--formats", "md").failed(1, "L204", "heros")
    (tmp_path / "taken").write_text("")
    run_litotes("report", runs, "--paper", "semantoneg", "--out", tmp_path / "taken").failed(2, "L102", "is a file")
