"""Killed commands, full disks, and several commands in one folder: the results are those of an undisturbed run."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.chaos.sandbox import Sandbox, limit_file_size
from tests.chaos.tally import Case
from tests.chaos.world import World, stored_files
from tests.review.conftest import Server, quadruples, write_suite

_DISK_BYTES = 32 << 20
_KILLS = (2, 4)
_FINISHED = "contains a suite already"
"""`litotes build` does not replace a complete suite."""
_BUSY = ("another process", "another command", _FINISHED)


def killed(world: World, random: Random, job: str | None = None) -> Case:
    """Kill a command at random times, and repeat it."""
    job = job or random.choice(world.jobs)
    expected = world.undisturbed(job)
    case = Case(count=random.randint(*_KILLS))
    with world.sandbox() as box:
        for _ in range(case.count):
            process = box.start(*world.command(job))
            process.read(random.uniform(0, expected.outcome.seconds))
            process.kill()
            case.add(replace(process.wait(), is_server=True), is_killed=True)
        _repeat(world, job, box, case)
    return case


def full_disk(world: World, random: Random, job: str | None = None) -> Case:
    """Run a command on a disk with too little space, free the disk, and repeat it."""
    job = job or random.choice(world.jobs)
    expected = world.undisturbed(job)
    case = Case()
    with world.sandbox() as box, _small_disk(box.folder) as disk:
        if disk is None:
            return too_large_files(world, random, job)
        for name in ("out", "cache"):
            (disk / name).mkdir()
        box.out, box.cache = disk / "out", disk / "cache" if random.random() < 0.5 else box.cache
        (box.folder / "out").rmdir()
        (box.folder / "out").symlink_to(box.out)
        had_results = random.random() < 0.5
        if had_results:
            case.add(box.run(*world.command(job)))
        needed = sum(map(len, expected.files.values()))
        _fill(disk, leave=random.choice((0, random.randint(0, needed), random.randint(0, 4 * needed))))
        _check_failure(case, box, world, job, had_results)
        (disk / "filler").unlink()
        _repeat(world, job, box, case)
    return case


def too_large_files(world: World, random: Random, job: str | None = None) -> Case:
    """Run a command that may not write large files, and repeat it."""
    job = job or random.choice(world.jobs)
    largest = max(map(len, world.undisturbed(job).files.values()))
    case = Case()
    with world.sandbox() as box:
        had_results = random.random() < 0.5
        if had_results:
            case.add(box.run(*world.command(job)))
        _check_failure(case, box, world, job, had_results, prepare=limit_file_size(random.randint(0, largest)))
        _repeat(world, job, box, case)
    return case


def concurrent(world: World, random: Random, job: str | None = None) -> Case:
    """Run a command several times at once in the same folder; perhaps kill one of them."""
    job = job or random.choice(world.jobs)
    seconds = world.undisturbed(job).outcome.seconds
    case = Case()
    with world.sandbox() as box:
        processes = []
        for _ in range(random.randint(2, 3)):
            processes.append(box.start(*world.command(job)))
            time.sleep(random.choice((0, random.uniform(0, seconds))))
        victim = processes[0] if random.random() < 0.5 else None
        if victim is not None:
            victim.read(random.uniform(0, seconds))
            victim.kill()
        for process in processes:
            outcome = case.add(process.wait(), is_killed=process is victim)
            if process is not victim and outcome.code and not any(text in outcome.output for text in _BUSY):
                case.problems.append(f"{job} failed: {outcome.output[-300:]}")
        _repeat(world, job, box, case)
    return case


def killed_review(world: World, random: Random) -> Case:
    """Kill the review server while people judge; no confirmed verdict is lost."""
    case = Case(count=random.randint(*_KILLS))
    with world.sandbox() as box:
        suite = write_suite(box.out / "suite", quadruples(40))
        confirmed: set[str] = set()
        for _ in range(case.count):
            process = box.start("review", suite, "--no-browser")
            if not process.read(30, until="\n"):
                case.problems.append(f"the server did not start: {process.output}")
            server = Server(process, process.output.split()[0])
            unit = server.get("unit", annotator="Ana", move="unreviewed")["unit"]["key"]
            for _ in range(random.randint(0, 8)):
                answer = server.judge(unit)
                confirmed.add(unit)
                unit = answer["unit"]["key"]
            process.kill()
            case.add(replace(process.wait(), is_server=True), is_killed=True)
        case.add(box.run("review", suite, "--export", "out/verdicts.jsonl"))
        exported = (box.out / "verdicts.jsonl").read_text("utf-8")
        for unit in confirmed:
            if f'"{unit}"' not in exported:
                case.bytes_lost += len(unit)
                case.problems.append(f"the verdict on {unit} is lost")
    return case


def _repeat(world: World, job: str, box: Sandbox, case: Case) -> None:
    """Run a job without disturbance; its files must be those that it always writes."""
    outcome = case.add(box.run(*world.command(job)))
    if outcome.code and _FINISHED not in outcome.output:
        case.problems.append(f"{job} fails afterwards: {outcome.output[-300:]}")
    case.compare(world.undisturbed(job).files, stored_files(box.out))


def _check_failure(
    case: Case, box: Sandbox, world: World, job: str, had_results: bool, prepare: Callable[[], object] | None = None
) -> None:
    """Run a job that may fail; afterwards there are old or new files, and no damaged ones."""
    outcome = case.add(box.run(*world.command(job), prepare=prepare))
    if outcome.code and not any(text in outcome.output for text in ("[L40", _FINISHED)):
        case.problems.append(f"{job} gives another reason: {outcome.output[-300:]}")
    if had_results:
        expected, actual = world.undisturbed(job).files, stored_files(box.out)
        case.compare(expected, {name: content for name, content in actual.items() if name in expected})


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a small file system; None if that is not permitted."""
    disk = folder / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES},mode=755", "litotes-chaos", str(disk)]
    try:
        is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        is_mounted = False
    try:
        yield disk if is_mounted else None
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(disk)], check=True)


def _fill(disk: Path, leave: int) -> None:
    import shutil

    with (disk / "filler").open("wb", buffering=0) as file:
        while (free := shutil.disk_usage(disk).free - leave) > 0:
            try:
                file.write(bytes(min(free, 1 << 20)))
            except OSError:
                break
