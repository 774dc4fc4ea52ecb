"""Full disks, missing permissions, Ctrl-C, and readers that stop reading."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from litotes import load_suite

Run = Callable[..., Any]
MINI = "semantoneg-mini"
SUITE = load_suite("semantoneg-mini")
SENTENCES = len({text for item in SUITE.items for text in item.sentences.values()})
PAIRS = len({(item.sentences[a], item.sentences[b]) for item in SUITE.items for a, b in SUITE.kind.pairs})
"""The number of sentences in the built-in suite."""


def files_below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if not path.is_dir())


def choices(done: Any) -> dict[str, int]:
    [result] = done.document["runs"]
    return dict(result["choices"])


# Unwritable results


def test_out_that_is_a_file_is_reported(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    run_litotes("run", "overlap:words", "--suite", MINI, "--out", "out").refused(
        1, "L401", "out: cannot be written (Not a dir"
    )
    assert (tmp_path / "out").read_text() == "mine"


def test_out_below_a_file_is_reported(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    run_litotes("run", "overlap:words", "--suite", MINI, "--out", "file/a/b").refused(
        1, "L401", "file/a/b: cannot be written"
    )


def test_out_with_a_too_long_name_is_reported(run_litotes: Run) -> None:
    run_litotes("run", "overlap:words", "--suite", MINI, "--out", "a" * 300).refused(1, "L401", "File name too long")


def test_out_in_a_folder_without_permission_is_reported(
    run_litotes: Run, tmp_path: Path, held_to_permissions: tuple[str, ...]
) -> None:
    (tmp_path / "locked").mkdir(mode=0o555)
    for out in ("locked", "locked/new"):
        done = run_litotes("run", "overlap:words", "--suite", MINI, "--out", out, before=held_to_permissions)
        done.refused(1, "L401", f"{out}: cannot be written (Permission denied)")


def test_out_on_a_read_only_file_system_is_reported(run_litotes: Run, small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    done = run_litotes("run", "overlap:words", "--suite", MINI, "--out", small_disk / "out")
    done.refused(1, "L401", "out: cannot be written (Read-only file system)")


# Full disks


def test_a_full_disk_is_reported_before_the_work(run_litotes: Run, small_disk: Path, fill: Run) -> None:
    fill(small_disk)
    run_litotes("run", "overlap:words", "--suite", MINI, "--out", small_disk / "out").refused(
        1, "L402", "out: the disk is full"
    )
    assert files_below(small_disk) == ["filler"]


def test_a_disk_that_fills_up_leaves_no_partial_run(run_litotes: Run, small_disk: Path, fill: Run) -> None:
    fill(small_disk, leave=200_000)
    done = run_litotes("run", "overlap:words", "--suite", MINI, "--out", small_disk / "out")
    done.failed(1, "L402", "items.jsonl: the disk is full")
    assert files_below(small_disk) == ["filler"]


def test_disk_that_is_full_before_the_report_preserves_the_run(run_litotes: Run, small_disk: Path, fill: Run) -> None:
    room = sum(
        path.stat().st_size
        for path in run_litotes("run", "overlap:words", "--suite", MINI).new_files
        if "runs" in path.parts and path.suffix != ".html"
    )
    fill(small_disk, leave=room + 50_000)
    done = run_litotes("run", "overlap:words", "--suite", MINI, "--out", small_disk / "out")
    done.failed(1, "L402", "report.html: the disk is full")
    assert files_below(small_disk) == ["filler", "items.jsonl", "result.json"]
    (small_disk / "filler").unlink()
    run_litotes("report", small_disk / "out", "--out", small_disk / "report.md").succeeded()


def test_full_disk_does_not_change_the_old_run(run_litotes: Run, small_disk: Path, fill: Run) -> None:
    out = small_disk / "out"
    run_litotes("run", "overlap:words", "--suite", MINI, "--no-report", "--out", out).succeeded()
    before = {path: path.read_bytes() for path in out.glob("*/*/*")}
    fill(small_disk, leave=20_000)
    run_litotes("run", "overlap:words", "--suite", MINI, "--no-report", "--out", out).failed(1, "L402")
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_a_cache_that_fills_the_disk_only_warns(with_plugin: Any, small_disk: Path, fill: Run) -> None:
    fill(small_disk, leave=1_000_000)
    command = ("run", "toy:words", "--suite", MINI, "--json", "--no-report")
    done = with_plugin.run(*command, env={"LITOTES_CACHE": str(small_disk / "cache")})
    done.warned("[L403]", str(small_disk), "disabled for this run")
    assert choices(done) == choices(with_plugin.run(*command))


def test_a_cache_on_a_full_disk_only_warns(run_litotes: Run, small_disk: Path, fill: Run) -> None:
    fill(small_disk)
    done = run_litotes(
        "run", "overlap:words", "--suite", MINI, "--no-report", env={"LITOTES_CACHE": str(small_disk / "cache")}
    )
    done.warned("[L403]", "disabled for this run")
    assert done.effort == (PAIRS, 0)


def test_cache_and_run_on_a_full_disk_are_reported(run_litotes: Run, small_disk: Path, fill: Run) -> None:
    fill(small_disk)
    cache = {"LITOTES_CACHE": str(small_disk / "cache")}
    run_litotes("run", "overlap:words", "--suite", MINI, "--out", small_disk / "out", env=cache).refused(1, "L402")


def test_standard_output_on_a_full_disk_is_an_error(run_litotes: Run) -> None:
    with Path("/dev/full").open("w") as full:
        run_litotes("suites", stdout=full).refused(1, "L402", "standard output: the disk is full")
        run_litotes("--version", stdout=full).refused(1, "L402", "standard output: the disk is full")
        run_litotes("--help", stdout=full).refused(1, "L402", "standard output: the disk is full")


# Closed readers


@pytest.mark.parametrize("arguments", [["suites"], ["models"], ["doctor"], ["--version"]])
def test_a_closed_reader_is_not_an_error(litotes: Any, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = litotes.start(*arguments, stdout=writing)
    os.close(writing)
    done = litotes.finish(process)
    assert (done.code, done.err) == (0, "")


def test_head_may_stop_reading(litotes: Any) -> None:
    head = subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    done = litotes.finish(litotes.start("suites", stdout=head.stdin))
    assert (done.code, done.err) == (0, "")
    assert head.communicate()[0].startswith("semantoneg-mini")


def test_closed_streams_are_not_an_error(litotes: Any) -> None:
    closed = ("bash", "-c", 'exec "$@" <&- >&- 2>&-', "closed")
    assert litotes.run("run", "overlap:words", "--suite", MINI, before=closed).code == 0
    assert files_below(litotes.folder / "runs") == ["items.jsonl", "report.html", "result.json"]


def test_a_closed_standard_error_leaves_standard_output_pure(litotes: Any) -> None:
    done = litotes.run(
        "run", "overlap:words", "--suite", MINI, "--json", before=("bash", "-c", 'exec "$@" 2>&-', "closed")
    )
    assert done.document["runs"][0]["model"] == "overlap:words"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_output_is_escaped_for_limited_encodings(litotes: Any, encoding: str) -> None:
    few = {"PYTHONIOENCODING": encoding}
    out = "Ergebnisse 😀"
    done = litotes.run("run", "overlap:words", "--suite", MINI, "--json", "--out", out, env=few).succeeded()
    assert done.document["runs"][0]["items_path"].startswith(f"{out}/")
    litotes.run("run", "overlap:words", "--suite", MINI, "--out", out, env=few).succeeded()


def test_folder_name_that_is_not_utf8_is_accepted(litotes: Any) -> None:
    out = os.fsdecode(b"runs-\xff")
    done = litotes.run("run", "overlap:words", "--suite", MINI, "--json", "--out", out).succeeded()
    assert done.document["runs"][0]["items_path"].startswith(out)


# Signals


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_signal_does_not_lose_finished_work(with_plugin: Any, number: int, code: int, word: str) -> None:
    command = ("run", "toy:words?pause=0.1", "--suite", MINI, "--workers", "1", "--json", "--out", "out")
    process = with_plugin.start(*command)
    rows = with_plugin.wait_for_rows(process, 40)
    process.send_signal(number)
    done = with_plugin.finish(process, timeout=20)
    assert (done.code, done.out) == (code, "")
    assert done.err.splitlines() == [f"litotes: {word}; finished work is saved, run the same command again to resume"]
    assert not (with_plugin.folder / "out").exists()

    # The same model under another name has the same vectors.
    again = with_plugin.run("run", "toy:words", "--suite", MINI, "--json", "--out", "out").succeeded()
    computed, cached = again.effort
    assert cached >= rows and 0 < computed < SENTENCES
    assert computed + cached == SENTENCES
    fresh = with_plugin.run("run", "toy:words", "--suite", MINI, "--json", "--fresh", "--out", "fresh").succeeded()
    assert choices(again) == choices(fresh)


def test_a_signal_that_is_ignored_stays_ignored(with_plugin: Any) -> None:
    process = with_plugin.start(
        "run", "toy:words?pause=0.02", "--suite", MINI, "--workers", "1", before=("env", "--ignore-signal=TERM")
    )
    with_plugin.wait_for_rows(process, 1)
    process.send_signal(signal.SIGTERM)
    with_plugin.finish(process).succeeded()


# Old runs in the same folder


def test_a_damaged_old_run_does_not_affect_a_new_one(with_plugin: Any) -> None:
    with_plugin.run("run", "toy:words", "--suite", MINI).succeeded()
    [items] = with_plugin.folder.glob("runs/toy*/*/items.jsonl")
    items.write_text(items.read_text("utf-8")[:-100], "utf-8")
    done = with_plugin.run("run", "overlap:words", "--suite", MINI, "--json")
    done.warned("[L206]", "items.jsonl: does not belong to its result.json", "skipped")
    assert json.loads(next(with_plugin.folder.glob("runs/overlap*/*/result.json")).read_text())
    with_plugin.run("report", "runs").refused(1, "L206", "items.jsonl: does not belong", "run it again")


def test_debug_shows_the_traceback(run_litotes: Run) -> None:
    done = run_litotes("run", "overlap:words", "--suite", "nothing", "--debug")
    assert done.code == 1
    assert "Traceback" in done.err and "[L101]" in done.err
