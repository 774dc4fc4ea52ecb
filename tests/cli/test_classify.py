"""The command `litotes classify`: output, resuming and errors."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
BLOCK = 1024
COUNT = 3 * BLOCK + 100
THINGS = "kettle ladder saddle candle basket mirror pillow shovel".split()
DOERS = "baker sailor tailor farmer".split()


def pair(number: int) -> dict[str, str]:
    """Return pairs of different words, of which one in five is negated."""
    noun, doer = THINGS[number % len(THINGS)], DOERS[number % len(DOERS)]
    premise = f"A {doer} with badge {number // 3} carries a {noun}."
    negated = f"The {doer} does not have a {noun} in room {number}."
    hypothesis = negated if number % 5 == 0 else f"A {doer} works in room {number}."
    return {"premise": premise, "hypothesis": hypothesis, "label": ("entailment", "neutral", "-")[number % 3]}


@pytest.fixture(scope="module")
def world(litotes_in: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("classify")
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair(number)) + "\n" for number in range(COUNT)))
    return litotes_in(folder)


@pytest.fixture(scope="module")
def complete_output(world: Any) -> bytes:
    done = world.run("classify", "--from", "pairs.jsonl", "--out", "whole.jsonl").succeeded()
    assert done.out.splitlines()[0].split() == ["category", "premise", "hypothesis", "either", "both"]
    assert f"of {COUNT:,} pairs have a category" in done.out
    assert [path.name for path in done.new_files] == ["whole.jsonl"]
    data = (world.folder / "whole.jsonl").read_bytes()
    assert data.count(b"\n") == COUNT
    return bytes(data)


def stopped(world: Any, out: str, how: signal.Signals) -> Any:
    """Stop the command when some blocks, but not all, have been written."""
    part = world.folder / f"{out}.part"
    process = world.start("classify", "--from", "pairs.jsonl", "--out", out)
    until = time.monotonic() + 90
    while time.monotonic() < until and process.poll() is None:
        if part.exists() and part.read_bytes().count(b"\n") >= BLOCK:
            break
        time.sleep(0.002)
    process.send_signal(how)
    done = world.finish(process)
    assert not (world.folder / out).exists(), "it was too fast to be stopped"
    return done


def test_resumes_after_sigkill(world: Any, complete_output: bytes) -> None:
    stopped(world, "killed.jsonl", signal.SIGKILL)
    partial = (world.folder / "killed.jsonl.part").read_bytes()
    assert complete_output.startswith(partial)
    done = world.run("classify", "--from", "pairs.jsonl", "--out", "killed.jsonl", "--json").succeeded()
    assert done.document["resumed"] == partial.count(b"\n") // BLOCK * BLOCK >= BLOCK
    assert done.document["pairs"] == COUNT
    assert (world.folder / "killed.jsonl").read_bytes() == complete_output
    assert list(world.folder.glob("*.part*")) == []


def test_resumes_after_ctrl_c_in_another_environment(world: Any, complete_output: bytes) -> None:
    done = stopped(world, "stopped.jsonl", signal.SIGINT)
    assert done.code == 130
    assert done.err == "litotes: interrupted; finished work is saved, run the same command again to resume\n"
    words = ("classify", "--from", "pairs.jsonl", "--out", "stopped.jsonl", "--workers", "2")
    world.run(*words, env={"PYTHONHASHSEED": "7", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"}).succeeded()
    assert (world.folder / "stopped.jsonl").read_bytes() == complete_output


def test_prints_json(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("premise\thypo\tlabel\nDon't run here.\tPeople walk.\tneutral\n", "utf-8")
    words = ("classify", "--from", "pairs.tsv", "--out", "out.jsonl", "--rules", "paper", "--json")
    document = run_litotes(*words).succeeded().document
    assert (document["rules"], document["pairs"], document["negated"], document["parsed"]) == ("paper", 1, 1, 1)
    assert document["categories"]["prohibition"] == {"premise": 1, "hypothesis": 0, "either": 1, "both": 0}


def test_reads_standard_input(litotes: Any, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, b'{"premise": "There is no bread.", "hypothesis": "We bake.", "label": "neutral"}\n')
    os.close(write)
    litotes.run("classify", "--from", "-", "--out", "out.jsonl", stdin=read).succeeded()
    os.close(read)
    assert '"premise_categories": ["existence"]' in (tmp_path / "out.jsonl").read_text("utf-8")


def test_errors_are_single_lines(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("premise\thypo\tlabel\nOne.\tTwo.\tneutral\n", "utf-8")
    (tmp_path / "folder").mkdir()
    run_litotes("classify").refused(2, "L102", "--from")
    run_litotes("classify", "--from", "pairs.tsv").refused(2, "L102", "--out")
    run_litotes("classify", "--from", "nowhere.tsv", "--out", "out").refused(1, "L201", "nowhere.tsv")
    run_litotes("classify", "--from", "pairs.tsv", "--out", "out", "--rules", "papier").refused(2, "L101", "paper")
    run_litotes("classify", "--from", "pairs.tsv", "--out", "folder").refused(1, "L202", "folder")
    (tmp_path / "pairs.tsv").write_text("premise\thypo\tlabel\nOne.\tTwo.\tperhaps\n", "utf-8")
    run_litotes("classify", "--from", "pairs.tsv", "--out", "out", "--strict").refused(
        1, "L203", "pairs.tsv:2", "label"
    )
