"""`litotes report --paper`: folders, messages and errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from litotes.cli.commands.report import report
from litotes.core.errors import LitotesError
from litotes.evaluation.result_store import write_run

Run = Callable[..., Any]


@pytest.fixture
def runs(examples: ModuleType, tmp_path: Path) -> Path:
    for run in examples.three_models(30)[0]:
        write_run(tmp_path / "runs", run)
    return tmp_path / "runs"


def test_writes_runs_next_to_published_numbers(run_litotes: Run, runs: Path, tmp_path: Path) -> None:
    done = run_litotes(
        "report", runs, "--paper", "semantoneg", "--published", "--formats", "md, CSV", "--out", tmp_path / "figures"
    ).succeeded()
    folder = tmp_path / "figures"
    assert {path.name for path in folder.iterdir()} == {"published", "semantoneg"}
    assert {path.suffix for path in folder.glob("*/*")} == {".md", ".csv"}
    for part in ("published", "semantoneg"):
        assert f"{part}: {len(list((folder / part).iterdir()))} files" in done.err


def test_published_numbers_need_no_runs(run_litotes: Run, tmp_path: Path) -> None:
    run_litotes("report", "--paper", "triplets", "--published", "--formats", "csv").succeeded()
    assert len(list((tmp_path / "paper-triplets" / "published").glob("table-*.csv"))) == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"paper": "nope"}, r"L101.*semantoneg"),
        ({"paper": "heros", "runs": None}, r"L102.*--published needs none"),
        ({"published": True}, r"L102.*needs --paper"),
        ({"best": 3}, r"L102.*needs --paper"),
        ({"runs": None}, r"L102.*the folder of runs is missing"),
        ({"paper": "heros", "formats": "md"}, r"L204.*heros"),
        ({"paper": "heros", "formats": ","}, r"L102.*no format"),
        ({"paper": "semantoneg", "out": [Path("a"), Path("b")]}, r"L102.*one --out"),
        ({"paper": "semantoneg", "out": [Path(__file__)]}, r"L102.*is a file"),
    ],
)
def test_wrong_options_are_reported(options: dict[str, Any], message: str, runs: Path) -> None:
    with pytest.raises(LitotesError, match=message):
        report(**{"runs": runs, **options})
