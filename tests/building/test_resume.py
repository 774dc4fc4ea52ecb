"""An interrupted build resumes and gives the same bytes."""

from __future__ import annotations

import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from litotes.building.api import BLOCK_SIZE

COUNT = 2 * BLOCK_SIZE + 100
"""Enough sentences for three blocks, of which the last is short: about two thirds are negated."""


def block_of(id_: str) -> int:
    """Return the block of a record of notes.txt."""
    return (int(id_.partition(":")[2]) - 1) // BLOCK_SIZE


class World:
    """The command with the logging builder, in a folder."""

    def __init__(self, litotes: Any, folder: Path) -> None:
        self.litotes, self.folder = litotes, folder
        self.log = folder / "log"

    def start(self, out: str, **env: str) -> Any:
        words = ("build", "logged", "--from", "notes.txt", "--out", out)
        return self.litotes.start(*words, env={"BUILD_LOG": str(self.log), **env})

    def finish(self, process: Any) -> Any:
        done = self.litotes.finish(process)
        assert done.code == 0, done.err
        return done

    def logged(self) -> list[str]:
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines

    def wait_for(self, process: Any, is_reached: Callable[[list[str]], bool]) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until and process.poll() is None:
            if self.log.exists() and is_reached(self.log.read_text("utf-8").splitlines()):
                return
            time.sleep(0.005)
        process.kill()
        raise AssertionError(f"it never came to that: {process.communicate()}")


@pytest.fixture(scope="module")
def world(
    litotes_in: Any, logged_builder: Path, make_sentences: Any, tmp_path_factory: pytest.TempPathFactory
) -> World:
    folder = tmp_path_factory.mktemp("resuming")
    (folder / "notes.txt").write_text("".join(f"{line}\n" for line in make_sentences(COUNT)))
    litotes = litotes_in(folder)
    litotes.plugins.append(logged_builder)
    return World(litotes, folder)


@pytest.fixture(scope="module")
def complete_build(world: World) -> tuple[list[str], dict[str, bytes]]:
    """Return the records and files of an uninterrupted build."""
    world.finish(world.start("whole"))
    ids = [line for line in world.logged() if line != "writing"]
    assert {block_of(line) for line in ids} == {0, 1, 2}
    return ids, contents(world.folder / "whole")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def count_stored_blocks(journal: Path) -> int:
    with closing(sqlite3.connect(journal)) as db:
        return int(db.execute("SELECT count(*) FROM blocks").fetchone()[0])


def is_in_second_block(lines: list[str], count: int) -> bool:
    return sum(block_of(line) == 1 for line in lines if line != "writing") > count


POINTS: dict[str, tuple[Callable[[list[str]], bool], dict[str, str]]] = {
    "in the second block": (lambda lines: is_in_second_block(lines, 20), {"BUILD_SECONDS": "0.01"}),
    "while it writes": (lambda lines: "writing" in lines, {"WRITE_SECONDS": "1"}),
}


@pytest.mark.parametrize("point", POINTS)
def test_resumes_after_sigkill(world: World, complete_build: tuple[list[str], dict[str, bytes]], point: str) -> None:
    ids, expected = complete_build
    out = world.folder / point.replace(" ", "-")
    is_reached, slowly = POINTS[point]
    process = world.start(out.name, **slowly)
    world.wait_for(process, is_reached)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not (out / "suite.json").exists()
    world.logged()
    n_blocks = count_stored_blocks(out / ".build.sqlite")
    assert n_blocks == {"in the second block": 1, "while it writes": 3}[point]

    world.finish(world.start(out.name))
    again = [line for line in world.logged() if line != "writing"]
    assert again == [line for line in ids if block_of(line) >= n_blocks]  # finished records are not built again
    leftovers = [name for name in contents(out) if name.endswith(".tmp")]  # SIGKILL prevents clean-up
    assert {name: data for name, data in contents(out).items() if name not in leftovers} == expected


def test_ctrl_c_reports_that_work_is_saved(world: World, complete_build: tuple[list[str], dict[str, bytes]]) -> None:
    process = world.start("stopped", BUILD_SECONDS="0.01")
    world.wait_for(process, lambda lines: is_in_second_block(lines, 5))
    process.send_signal(signal.SIGINT)
    done = world.litotes.finish(process)
    assert (done.code, done.out) == (130, "")
    assert done.err == "litotes: interrupted; finished work is saved, run the same command again to resume\n"
    assert [path.name for path in (world.folder / "stopped").iterdir()] == [".build.sqlite"]
    world.logged()
    world.finish(world.start("stopped"))
    assert block_of(world.logged()[0]) == 1
    assert contents(world.folder / "stopped") == complete_build[1]


def test_a_second_build_in_the_same_folder_is_refused(world: World) -> None:
    process = world.start("shared", BUILD_SECONDS="0.02")
    world.wait_for(process, lambda lines: len(lines) > 5)
    done = world.litotes.finish(world.start("shared"))
    assert done.code == 1
    assert done.err.startswith("litotes: [L401] shared/.build.sqlite: another process is writing to it")
    process.kill()
    process.communicate()
    world.logged()


def test_the_environment_does_not_change_the_bytes(
    world: World, complete_build: tuple[list[str], dict[str, bytes]], tmp_path: Path
) -> None:
    surroundings = {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"}
    words = ("build", "logged", "--from", world.folder / "notes.txt", "--out", tmp_path / "suite", "--workers", "2")
    done = world.litotes.run(*words, env=surroundings)
    assert done.code == 0, done.err
    assert contents(tmp_path / "suite") == complete_build[1]


def test_rejects_an_entry_point_that_is_not_a_builder(world: World) -> None:
    done = world.litotes.run("build", "broken", "--from", "notes.txt", "--out", "none")
    assert done.code == 1
    assert done.err.startswith('litotes: [L203] the builder "broken" is a PosixPath, not a Builder')
