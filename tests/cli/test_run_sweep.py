"""The command `litotes run --models`: real processes that are killed, share a folder and resume."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # sweep_plugin.py in this folder

import sweep_plugin

from litotes import Item, Suite, evaluate
from litotes.cli.commands.run import sweep_table
from litotes.evaluation.engine import Engine
from litotes.evaluation.model_list import read_model_list
from litotes.evaluation.sweep import Sweep
from litotes.models.access import Access
from litotes.suites.folder import load_folder, save_folder
from litotes.suites.semantoneg import KIND, permute_quadruple

SUITE = "doors"
WORDS = ("door", "gate", "hatch", "valve", "lid", "shop", "road", "file", "box", "jar")


@pytest.fixture(scope="session")
def drill_plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sweep_plugin.install(tmp_path_factory.mktemp("drill"))


@pytest.fixture
def world(litotes: Any, drill_plugin: Path) -> Any:
    """Return the command with the plugin `drill` installed, and a small suite."""
    litotes.plugins.append(drill_plugin)
    items = [
        Item(f"{word}-{index}", word, texts)
        for word in WORDS
        for index, texts in enumerate(
            permute_quadruple(
                [f"That {word} is open.", f"That {word} is shut.", f"No {word} is open.", f"No {word} is shut."]
            )
        )
    ]
    save_folder(Suite(SUITE, KIND, items, sha256=""), litotes.folder / SUITE)
    (litotes.folder / "holds").mkdir()
    return litotes


def write_list(litotes: Any, *models: str) -> None:
    text = "".join(f'[[models]]\nname = "{model}"\nlabel = "{model[-1]}"\ngroup = "drills"\n' for model in models)
    (litotes.folder / "models.toml").write_text(text)


def hold(litotes: Any, *models: str) -> None:
    """Make only these models wait."""
    for path in (litotes.folder / "holds").iterdir():
        path.unlink()
    for model in models:
        (litotes.folder / "holds" / model).touch()


def environment(litotes: Any) -> dict[str, str]:
    return {
        sweep_plugin.LOADS: str(litotes.folder / "loads.txt"),
        sweep_plugin.HOLDS: str(litotes.folder / "holds"),
        "COLUMNS": "80",
        "OMP_NUM_THREADS": "1",
    }


def start(litotes: Any, *more: str) -> subprocess.Popen[str]:
    command = (
        "run",
        "--models",
        "models.toml",
        "--allow-servers",
        "--suite",
        SUITE,
        "--out",
        "out",
        "--no-report",
        "--json",
        *more,
    )
    process: subprocess.Popen[str] = litotes.start(*command, env=environment(litotes))
    return process


def loads(litotes: Any) -> list[tuple[str, int]]:
    """Return model and process of each loading."""
    path = litotes.folder / "loads.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    return [(model, int(process)) for model, process in map(str.split, lines)]


def wait_until(true: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        if true():
            return
        time.sleep(0.01)
    process.kill()
    raise AssertionError(f"never came: {process.communicate()}")


def stored_files(out: Path) -> dict[str, bytes]:
    """Return the files of a sweep without their times."""
    result = {}
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if path.name == "result.json":
            content = json.dumps({key: value for key, value in json.loads(content).items() if key != "times"}).encode()
        result[str(path.relative_to(out))] = content
    return result


def test_sweep_runs_end_to_end(world: Any) -> None:
    (world.folder / "models.toml").write_text(
        """
        [[models]]
        name = "drill:a"
        label = "A"
        group = "drills"
        [[models]]
        name = "drill:b?wrong=nan"
        label = "B"
        group = "broken"
        [[models]]
        name = "overlap:words"
        """
    )
    command = ("run", "drill:c", "--models", "models.toml", "--allow-servers", "--suite", SUITE, "--out", "out")
    done = world.run(*command, env=environment(world))
    assert done.code == 1
    lines = done.err.splitlines()
    assert lines[0].startswith("[1/4] drill:c: doors ") and lines[0].endswith(" s)")
    assert lines[2].startswith("[3/4] B: failed: [L308] B: returned NaN or infinite numbers for “")
    assert "4 models: 3 run now, 1 failed" in lines
    assert lines[lines.index("failed:") + 1].startswith("  B  broken  [L308] B: returned NaN")
    assert "Traceback" not in done.err
    assert re.search(r"doors: \S+ (does not differ significantly from|is better than) ", done.out)
    assert "doors: 40 items" in done.out and max(map(len, done.out.splitlines())) <= 80
    page = world.folder / "out" / "report.html"
    modified = page.stat().st_mtime_ns
    assert [model for model, _ in loads(world)] == ["drill:c", "A", "B"]

    again = world.run(*command, "--group", "broken", "--group", "drills", "--json", env=environment(world))
    assert again.code == 1
    assert len(loads(world)) == 3
    assert "3 models: 2 done before, 1 failed before and skipped" in again.err
    assert "--retry tries models again that failed before" in again.err
    document = again.document
    assert [(run["model"], run["group"]) for run in document["runs"]] == [("drill:c", ""), ("A", "drills")]
    assert [failure["model"] for failure in document["failures"]] == ["B"]
    assert document["elsewhere"] == []
    assert [{one["a"], one["b"]} for one in document["comparisons"]] == [{"drill:c", "A"}]
    assert page.stat().st_mtime_ns == modified


def test_each_model_has_a_line() -> None:
    result = evaluate("overlap:words", "argument-sensitivity-mini", cache=None)
    other = replace(result, suite=replace(result.suite, name="heros"), model="m7")
    shown = sweep_table([*(replace(result, model=f"m{number}") for number in range(9)), other], width=80)
    assert [line.split() for line in shown.splitlines()[-2:]] == [["m7", "0.0", "0.0"], ["m8", "0.0", "–"]]
    assert max(map(len, shown.splitlines())) <= 80


def test_errors_are_reported_before_the_sweep_starts(world: Any) -> None:
    write_list(world, "drill:a", "dril:b")
    done = world.run("run", "--models", "models.toml", "--allow-servers", "--suite", SUITE, "--out", "out")
    done.refused(2, "L101", 'models.toml:5: model 2: unknown scheme "dril"; did you mean drill')
    done = world.run("run", "drill:a", "--suite", SUITE, "--retry")
    done.refused(2, "L102", "--retry needs a list of models")
    (world.folder / "models.toml").write_text('[[models]]\nname = "all-MiniLM-L6-v2"')
    done = world.run("run", "--models", "models.toml", "--allow-servers", "--suite", SUITE, "--out", ".")
    done.refused(2, "L102", "--out .: the results would be mistaken for the model all-MiniLM-L6-v2")


def test_resumes_after_two_kills_with_the_same_files(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write_list(world, *(f"drill:{letter}" for letter in "abc"))
    for how, held in ((signal.SIGKILL, "b"), (signal.SIGINT, "c")):
        hold(world, held)
        process = start(world)
        wait_until(lambda held=held: held in [model for model, _ in loads(world)], process)
        time.sleep(0.1)
        process.send_signal(how)
        hold(world)
        assert world.finish(process).code == (-9 if how == signal.SIGKILL else 130)
    # The killed process left its lease; the interrupted process took it over and removed it.
    assert sorted(stored_files(world.folder / "out")) == [
        f"{model}/{SUITE}/{name}" for model in "ab" for name in ("items.jsonl", "result.json")
    ]
    assert world.finish(start(world)).code == 0
    assert [model for model, _ in loads(world)] == list("abbcc")

    monkeypatch.syspath_prepend(str(world.plugins[0]))
    entries = read_model_list(world.folder / "models.toml").entries
    suites, access = [load_folder(world.folder / SUITE)], Access(allow_servers=True)
    Sweep(world.folder / "quiet", suites, Engine(cache=None), access).run(entries)
    assert stored_files(world.folder / "out") == stored_files(world.folder / "quiet")


def test_two_processes_share_the_work(world: Any) -> None:
    write_list(world, *(f"drill:{letter}" for letter in "ab"))
    hold(world, "a", "b")
    processes = [start(world), start(world)]
    wait_until(lambda: len(loads(world)) == 2, processes[0])
    third = world.finish(start(world))
    assert third.code == 0
    assert "2 models: 2 running elsewhere" in third.err
    by = dict(loads(world))
    assert f"  a: process {by['a']} on " in third.err and f"  b: process {by['b']} on " in third.err
    assert [one["pid"] for one in third.document["elsewhere"]] == [by["a"], by["b"]]
    hold(world)
    done = [world.finish(process) for process in processes]
    assert [one.code for one in done] == [0, 0], [one.err for one in done]
    assert sorted(model for model, _ in loads(world)) == ["a", "b"]
    assert set(by.values()) == {process.pid for process in processes}
    assert len(stored_files(world.folder / "out")) == 4  # two files per model, and no lease


def test_model_of_a_killed_process_is_taken_over(world: Any) -> None:
    write_list(world, *(f"drill:{letter}" for letter in "abc"))
    hold(world, "a", "b")
    first = start(world)
    wait_until(lambda: ("a", first.pid) in loads(world), first)
    second = start(world)
    wait_until(lambda: ("b", second.pid) in loads(world), second)
    first.kill()
    assert world.finish(first).code == -9
    hold(world)
    done = world.finish(second)
    assert done.code == 0, done.err
    assert [run["model"] for run in done.document["runs"]] == list("abc")
    assert loads(world) == [("a", first.pid), *((model, second.pid) for model in "bca")]
    assert len(stored_files(world.folder / "out")) == 6


def write_labelled(litotes: Any, **models: str) -> None:
    text = "".join(f'[[models]]\nname = "{name}"\nlabel = "{label}"\n' for label, name in models.items())
    (litotes.folder / "models.toml").write_text(text)


@pytest.mark.parametrize("word", [WORDS[0], WORDS[-1]])
def test_a_model_that_crashes_its_process_is_tried_twice(world: Any, word: str) -> None:
    """Even if some batches were cached the first time, when the second attempt adds none."""
    write_labelled(world, a="drill:a", k=f"drill:k?pause=0.2&wrong=killed by {word}", z="drill:z")
    assert [world.finish(start(world)).code for _ in range(2)] == [-9, -9]
    done = world.finish(start(world))
    assert done.code == 1, done.err
    assert [run["model"] for run in done.document["runs"]] == ["a", "z"]
    (failure,) = done.document["failures"]
    assert (failure["model"], failure["code"]) == ("k", "L311")
    assert "two processes ended while they ran this model; out of memory?" in failure["message"]
    assert [model for model, _ in loads(world)] == ["a", "k", "k", "z"]
    assert sorted(path.name for path in (world.folder / "out" / "k").iterdir()) == ["failed.json"]
    # Later calls leave it out; --retry gives it two processes again.
    assert world.finish(start(world)).code == 1
    assert [world.finish(start(world, "--retry")).code for _ in range(3)] == [-9, -9, 1]
    assert [model for model, _ in loads(world)][4:] == ["k", "k"]


def test_a_model_that_makes_progress_can_be_killed_any_number_of_times(
    world: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that makes progress between kills does not count as failed."""
    write_labelled(world, s="drill:s?pause=0.1", z="drill:z")
    for _ in range(3):
        process = start(world)
        wait_until(lambda process=process: ("s", process.pid) in loads(world), process)
        before = set((world.folder / "out" / "s").glob(".*.progress"))
        wait_until(lambda before=before: bool(set((world.folder / "out" / "s").glob(".*.progress")) - before), process)
        process.kill()
        assert world.finish(process).code == -9
    done = world.finish(start(world))
    assert done.code == 0, done.err

    monkeypatch.syspath_prepend(str(world.plugins[0]))
    entries = read_model_list(world.folder / "models.toml").entries
    suites, access = [load_folder(world.folder / SUITE)], Access(allow_servers=True)
    Sweep(world.folder / "quiet", suites, Engine(cache=None), access).run(entries)
    assert stored_files(world.folder / "out") == stored_files(world.folder / "quiet")
