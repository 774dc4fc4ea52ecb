"""Where commands write: links, pipes, devices and open files such as /dev/stdout."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from litotes.evaluation.result_store import write_run
from tests import example_files
from tests.report import examples
from tests.review.conftest import quadruples, write_suite

Run = Callable[..., Any]

COMMANDS = {
    "rewrite": ["rewrite", "negation", "--from", "sentences.txt", "--json", "--out"],
    "classify": ["classify", "--from", "dev.jsonl", "--out"],
    "build": ["build", "semantoneg", "--from", "sentences.txt", "--out", "built", "--skipped"],
    "report": ["report", "runs", "--out"],
    "review": ["review", "kettles", "--export"],
}
"""A command for each option that names an output file; the file comes last."""
with_every_command = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Return a folder with everything that the commands read."""
    example_files.write_texts(tmp_path)
    example_files.write_pairs_of_labels(tmp_path)
    for run in examples.three_models(12)[0]:
        write_run(tmp_path / "runs", run)
    suite = write_suite(tmp_path / "kettles", quadruples(2))
    verdict = {"unit": "u0", "annotator": "ann", "verdict": "accept"}
    (tmp_path / "verdicts.jsonl").write_text(json.dumps(verdict) + "\n")
    from litotes.review.import_export import import_review
    from litotes.review.store import open_review

    with open_review(suite) as review:
        import_review(review, tmp_path / "verdicts.jsonl")
    return tmp_path


def output_name(name: str, stem: str) -> str:
    """Return a file name with an extension that the command accepts."""
    return f"{stem}.md" if name == "report" else f"{stem}.jsonl"


@pytest.fixture
def expected(world: Path, run_here: Run) -> Callable[[str], bytes]:
    """Return a function that gives what a command writes to a regular file."""

    def write(name: str) -> bytes:
        path = world / output_name(name, "expected")
        done = run_here(*COMMANDS[name], path)
        assert done.code == 0, done.err
        # A second build into the same folder would be refused.
        for file in (world / "built").glob("*"):
            file.unlink()
        return path.read_bytes()

    return write


@with_every_command
def test_link_stays_and_its_target_is_replaced(
    world: Path, run_here: Run, expected: Callable[[str], bytes], name: str
) -> None:
    content = expected(name)
    target, link = world / "elsewhere" / "target", world / output_name(name, "link")
    target.parent.mkdir()
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to("elsewhere/target")
    done = run_here(*COMMANDS[name], link)
    assert done.code == 0, done.err
    assert link.is_symlink()
    assert target.read_bytes() == content
    assert [path.name for path in target.parent.iterdir()] == ["target"]


@with_every_command
def test_target_of_a_link_is_created(world: Path, run_here: Run, name: str) -> None:
    (world / "elsewhere").mkdir()
    link = world / output_name(name, "link")
    link.symlink_to("elsewhere/target")
    done = run_here(*COMMANDS[name], link)
    assert done.code == 0, done.err
    assert link.is_symlink()
    assert (world / "elsewhere" / "target").stat().st_size


@with_every_command
def test_pipe_is_written_and_stays(world: Path, run_here: Run, expected: Callable[[str], bytes], name: str) -> None:
    content = expected(name)
    pipe = world / output_name(name, "pipe")
    os.mkfifo(pipe)
    received: list[bytes] = []
    # Opened without waiting, because a pipe has a reader before a writer opens it.
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    keep_open = os.open(pipe, os.O_WRONLY)
    with os.fdopen(descriptor, "rb") as reader:
        thread = threading.Thread(target=lambda: received.append(reader.read()))
        thread.start()
        done = run_here(*COMMANDS[name], pipe)
        os.close(keep_open)
        thread.join(10)
    assert done.code == 0, done.err
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert received == [content]


@with_every_command
def test_pipe_without_reader_is_an_error(world: Path, run_here: Run, name: str) -> None:
    pipe = world / output_name(name, "pipe")
    os.mkfifo(pipe)
    run_here(*COMMANDS[name], pipe).failed(1, "L401", "no process reads this pipe", "start a reader first")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/dev/full").is_char_device(), reason="only root creates devices")
@with_every_command
def test_device_is_written_and_stays(world: Path, run_here: Run, name: str) -> None:
    device = world / output_name(name, "device")
    number = Path("/dev/full").stat().st_rdev
    os.mknod(device, 0o666 | stat.S_IFCHR, number)
    run_here(*COMMANDS[name], device).failed(1, "L402", "the disk is full")
    assert stat.S_ISCHR(device.stat().st_mode)
    assert device.stat().st_rdev == number


@with_every_command
def test_standard_output_and_open_files_are_written(
    litotes: Any, world: Path, expected: Callable[[str], bytes], name: str
) -> None:
    content = expected(name) if name != "report" else b""
    words = COMMANDS[name]
    (world / "stdout").symlink_to("/dev/fd/1")  # as /dev/stdout, which a mistake would destroy
    done = litotes.run(*words, "stdout")
    assert done.code == 0, done.err
    out = done.out.encode()
    if name == "report":
        assert "SemAntoNeg" in done.out or "semantoneg" in done.out
    else:
        assert out.startswith(content)
    (world / "log").write_text("before\n")
    for file in (world / "built").glob("*"):
        file.unlink()
    # An open file is continued, as by the shell's >>, and never replaced.
    with (world / "log").open("a") as log:
        process = litotes.start(*words, f"/dev/fd/{log.fileno()}", pass_fds=(log.fileno(),))
        done = litotes.finish(process)
    assert done.code == 0, done.err
    assert (world / "log").read_bytes().startswith(b"before\n" + content[:1000])


def test_report_to_a_pipe_has_the_format_of_an_option(world: Path, run_here: Run, tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        done = run_here("report", "runs", "--formats", "csv", "--out", f"/dev/fd/{log.fileno()}")
    assert done.code == 0, done.err
    assert (tmp_path / "log").read_text().startswith("suite,model,")
    run_here("report", "runs", "--formats", "csv", "--out", "report.html").refused(2, "L102", "--formats needs --paper")
    os.mkfifo(world / "pipe")
    run_here("report", "runs", "--formats", "doc", "--out", "pipe").refused(2, "L102", "the extension of a report")


def test_two_files_for_label_studio_need_a_name(world: Path, run_here: Run) -> None:
    os.mkfifo(world / "pipe")
    command = ("review", "kettles", "--format", "label-studio", "--export", "pipe")
    run_here(*command).refused(1, "L401", "label-studio has two files, which need a name")


def test_socket_is_refused(world: Path, run_here: Run) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(world / "socket"))
        run_here(*COMMANDS["rewrite"], "socket").refused(1, "L401", "is not a regular file")
    assert stat.S_ISSOCK((world / "socket").stat().st_mode)


def test_folder_that_is_a_link_stays(world: Path, run_here: Run) -> None:
    (world / "elsewhere").mkdir()
    (world / "built").symlink_to("elsewhere")
    done = run_here(*COMMANDS["build"], "skipped.jsonl")
    assert done.code == 0, done.err
    assert (world / "built").is_symlink()
    assert {path.name for path in (world / "elsewhere").iterdir()} == {"items.jsonl", "suite.json"}


def test_files_in_the_folder_of_a_run_may_be_links(world: Path, run_here: Run) -> None:
    example_files.write_suites(world)
    (world / "page.html").write_text("old")
    (world / "results").mkdir()
    (world / "results" / "report.html").symlink_to("../page.html")
    done = run_here("run", "overlap:words", "--suite", "few-items", "--out", "results")
    assert done.code == 0, done.err
    assert (world / "results" / "report.html").is_symlink()
    assert (world / "page.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("database", ["built/.build.sqlite", "kettles/review.sqlite"])
def test_database_that_is_a_pipe_is_refused(world: Path, run_here: Run, database: str) -> None:
    path = world / database
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    words = COMMANDS["build"][:-1] if "build" in database else ["review", "kettles", "--status"]
    done = run_here(*words)
    assert done.code == 1
    assert "is not a regular file" in done.err
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_shell_substitution_works(litotes: Any, world: Path) -> None:
    command = "litotes rewrite negation --json --from sentences.txt --out >(cat > copied); wait; sleep 0.2"
    environment = litotes.environment() | {"PATH": f"{Path(litotes_command()).parent}:{os.environ['PATH']}"}
    subprocess.run(["bash", "-c", command], cwd=world, env=environment, check=True, capture_output=True)
    assert len((world / "copied").read_text().splitlines()) == len(example_files.SENTENCES)


def litotes_command() -> str:
    from tests.conftest import COMMAND

    return str(COMMAND)
