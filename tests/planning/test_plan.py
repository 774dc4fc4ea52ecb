"""Plans of jobs, made by really running them on samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from litotes.audit.neighbours import estimate_memory
from litotes.core.errors import UsageError
from litotes.planning.plan import Effort, PlanSettings, make_plan, plan_lines

SUBJECTS = "lamp door chair table clock mirror fence bench oven shelf".split()
WORDS = "new old clean dirty heavy cheap wet cold warm safe".split()


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "notes.txt"
    sentences = (f"The {SUBJECTS[n % 10]} in room {n} is not {WORDS[n // 10 % 10]}." for n in range(3_000))
    path.write_text("".join(f"{sentence}\nWe saw it.\n" for sentence in sentences))
    return path


def test_a_dry_run_says_what_a_build_takes_and_writes_nothing(litotes: Any, text: Path, tmp_path: Path) -> None:
    words = ("build", "semantoneg", "--from", text, "--dry-run", "--nodes", "1,50", "--node-cores", 8)
    finished = litotes.run(*words, "--node-price", 2, "--json")
    assert finished.code == 0, finished.err
    plan = finished.document
    assert plan["records"] == plan["sampled"] == 6_000
    assert plan["corpus_bytes"] == text.stat().st_size
    assert 50e6 < plan["driver_memory"] < 2e9 and 100e6 < plan["worker_memory"] < 2e9
    assert plan["peak_disk"] >= plan["output"] > 10_000
    assert 0 < plan["driver_hours"] < 1 and 0 < plan["worker_hours"] < 1
    one, fifty = plan["clusters"]
    assert (one["nodes"], fifty["nodes"]) == (1, 50) and fifty["hours"] <= one["hours"]
    assert fifty["cost"] == pytest.approx(fifty["hours"] * 50 * 2)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_dry_run_of_an_audit_includes_the_search_of_neighbours(litotes: Any, text: Path, tmp_path: Path) -> None:
    words = ("audit", "glove:6b-50d", "--from", text, "--dry-run", "--nodes", "1", "--json", "--limit", "500")
    finished = litotes.run(*words)
    assert finished.code == 0, finished.err
    mined = finished.document
    assert mined["records"] == pytest.approx(6_000, rel=0.1) and mined["sampled"] < 3_000
    assert mined["driver_memory"] > estimate_memory(5_000, 50, None) + 5_000 * 5_000
    assert any("exact" in note for note in mined["notes"]) and any("500 sentences" in note for note in mined["notes"])
    assert [path for path in tmp_path.rglob("*.*") if path.is_file() and "word-vectors" not in path.parts] == []


def test_the_table_of_a_plan_fits_on_a_terminal() -> None:
    effort = Effort(10**10, 30.0, 1e6, 4e7, 3 * 10**9, 6 * 10**8, 2 * 10**12, 10**12)
    settings = PlanSettings(nodes="1,1000", node_cores=96, node_price=3.5)
    lines = plan_lines(make_plan("build semantoneg", effort, settings, sampled=7_774, corpus_bytes=10**12))
    assert "records" in lines[1] and lines[-1].endswith("driver")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("nodes", ["", "0", "1,x", "-3", "1.5"])
def test_numbers_of_nodes_are_checked(nodes: str) -> None:
    with pytest.raises(UsageError, match="must be positive numbers"):
        PlanSettings(nodes=nodes).node_counts()


def test_only_builds_from_text_have_a_dry_run(litotes: Any, text: Path, tmp_path: Path) -> None:
    for words in (("build", "developmental", "--from", text, "--out", "out"), ("build", "--apply-review", "suite")):
        finished = litotes.run(*words, "--dry-run")
        assert finished.code == 2 and "--dry-run is for building a suite" in finished.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [("audit", "--dry-run"), ("encode", "--out", "vectors")])
def test_offline_refuses_remote_text(litotes: Any, command: tuple[str, ...]) -> None:
    finished = litotes.run(*command, "--from", "s3://bucket/notes.txt", "--offline")
    assert finished.code == 1 and "[L309]" in finished.err and finished.err.count("\n") == 1


def test_streams_cannot_be_planned(litotes: Any) -> None:
    finished = litotes.run("build", "semantoneg", "--from", "-", "--dry-run")
    assert finished.code != 0 and "its size is not known" in finished.err and finished.err.count("\n") == 1
