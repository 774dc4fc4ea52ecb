"""The command `litotes build`: its output, and unusual corpora and machines."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from litotes.building.base import list_builders, load_builder
from litotes.review.store import open_review
from litotes.review.verdicts import Verdict

Run = Callable[..., Any]

GOOD = [
    "The kettle is not hot.",
    "The gate by the mill isn't open.",
    "We sat down.",
    "My aunt's cellar is not dark.",
    "The road to the harbour was not wide.",
]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text("".join(f"{line}\n" for line in GOOD))
    return path


def build(run_litotes: Run, *words: object, **more: Any) -> Any:
    return run_litotes("build", "semantoneg", "--out", "suite", *words, **more)


def test_builds_a_suite(run_litotes: Run, notes: Path, tmp_path: Path) -> None:
    done = build(run_litotes, "--from", "notes.txt", "--official", "--skipped", "left.jsonl")
    assert (done.code, done.out) == (0, "suite: 24 items in 6 units\n"), done.err
    assert done.err.splitlines() == [
        "wrote suite/SemAntoNeg.json",
        "5 lines read; skipped:",
        "         1  no-negation: it has no negation",
        "next: litotes review suite, then litotes run --suite suite",
    ]
    names = ["left.jsonl", "suite/SemAntoNeg.json", "suite/items.jsonl", "suite/suite.json"]
    assert [str(path.relative_to(tmp_path)) for path in done.new_files] == names
    run_litotes("run", "overlap:words", "--suite", "suite", "--out", "runs").succeeded()


def test_neither_a_build_nor_its_workers_import_torch(litotes: Any, notes: Path, tmp_path: Path) -> None:
    """torch cannot be imported, although spaCy would import it in every process."""
    (tmp_path / "torch.py").write_text("raise SystemExit('torch was imported')")
    litotes.plugins.append(tmp_path)
    for workers in (1, 2):
        done = build(litotes.run, "--from", "notes.txt", "--workers", workers, "--fresh")
        assert (done.code, done.out) == (0, "suite: 24 items in 6 units\n"), done.err


def test_prints_json(run_litotes: Run, notes: Path) -> None:
    done = build(run_litotes, "--from", "notes.txt", "--json", "--limit", "2")
    assert (done.code, done.err) == (0, "")
    assert done.document == {
        "suites": {"suite": {"folder": "suite", "items": 8, "units": 2}},
        "read": 5,
        "problems": {},
        "skipped": {"no-negation": 1, "over-limit": 4},
        "official": [],
    }


def test_reads_standard_input(run_litotes: Run, notes: Path, tmp_path: Path) -> None:
    with notes.open("rb") as file:
        done = build(run_litotes, "--from", "-", "--json", stdin=file)
    assert done.document["suites"]["suite"]["items"] == 24
    about = json.loads((tmp_path / "suite" / "suite.json").read_text())
    assert [one["name"] for one in about["corpus"]] == ["stdin"]
    assert len(about["read"]["sha256"]) == 64  # of the records, because a stream has no hash


def test_builders_are_listed(run_litotes: Run) -> None:
    listed = run_litotes("build").succeeded()
    for name in list_builders():
        builder = load_builder(name)
        assert re.search(rf"^{name} +{re.escape(builder.summary)}$", listed.out, re.MULTILINE)
    result = run_litotes("build", "heros").succeeded()
    for code, meaning in load_builder("heros").skips.items():
        assert re.search(rf"^  {code} +{re.escape(meaning)}$", result.out, re.MULTILINE)
    assert re.search(r"^  shortest +NUMBER \(default: \d+\)$", result.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["semantoneg", "--out", "suite"], "L102", "the corpus is missing"),
        (["semantoneg", "--from", "notes.txt"], "L102", "--out is missing"),
        (["--from", "notes.txt", "--out", "suite"], "L102", "SUITE is missing"),
        (["semantonegs", "--from", "notes.txt", "--out", "suite"], "L101", "did you mean semantoneg?"),
        (["semantoneg", "--from", "notes.txt", "--out", "suite", "--option", "pos"], "L102", "NAME=VALUE"),
        (["semantoneg", "--from", "notes.txt", "--out", "suite", "--option", "pos=x"], "L102", "pos=x is not one of"),
        (["semantoneg", "--from", "notes.txt", "--out", "suite", "--format", "word"], "L101", 'unknown format "word"'),
        (["semantoneg", "--from", "notes.txt", "--out", "suite", "--limit", "0"], "L102", "--limit"),
        (
            ["semantoneg", "--from", "notes.txt", "--out", "suite", "--min-naturalness", "nan"],
            "L102",
            "must be a finite number",
        ),
        (["semantoneg", "--from", "notes.txt", "--out", "suite", "--language-tool", "here"], "L102", "LanguageTool"),
        (["semantoneg", "--from", "notes.txt", "--apply-review", "suite"], "L102", "--apply-review cannot be combined"),
        (["--apply-review", "suite"], "L102", "--out is missing"),
    ],
)
def test_wrong_options_are_reported(run_here: Run, notes: Path, words: list[str], error: str, message: str) -> None:
    run_here("build", *words).refused(2, error, message)


# Invalid corpora


def test_missing_file_is_reported(run_litotes: Run) -> None:
    build(run_litotes, "--from", "nots.txt").refused(1, "L201", "nots.txt: no such file or folder")


def test_empty_file_is_reported(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n\n")
    build(run_litotes, "--from", "empty.txt").refused(1, "L204", "empty.txt: no sentence could be read")


def test_binary_file_is_reported(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "photo.txt").write_bytes(bytes(range(256)) * 40)
    build(run_litotes, "--from", "photo.txt").refused(1, "L202", "photo.txt: is a binary file")


def test_archive_is_reported(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "texts.zip").write_bytes(b"PK\x03\x04" + bytes(60))
    build(run_litotes, "--from", "texts.zip").refused(1, "L202", "texts.zip: is a zip archive, not text")


def test_a_missing_column_is_reported(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("id,said\n1,The kettle is not hot.\n")
    done = build(run_litotes, "--from", "table.csv", "--column", "text")
    done.refused(2, "L102", 'table.csv: no column "text"; the columns are id, said')


def test_corpus_without_suitable_sentences_is_reported(run_litotes: Run, tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("We sat down.\nThey left the house.\nIs it not open?\n")
    done = build(run_litotes, "--from", "plain.txt")
    done.refused(1, "L204", "none of the 3 sentences gives an item of semantoneg", "2: it has no negation")


def mixed(folder: Path) -> None:
    """Return valid lines with Latin-1, a truncated character and a line of five megabytes between them."""
    lines = [line.encode() for line in GOOD]
    lines[1:1] = ["Das Café ist nicht groß.".encode("latin-1"), b"\xe2\x82"]
    lines.insert(5, b"The tent is not small. " * 230_000)
    (folder / "mixed.txt").write_bytes(b"\n".join(lines) + b"\n")


def test_unreadable_lines_are_counted(run_litotes: Run, tmp_path: Path) -> None:
    mixed(tmp_path)
    done = build(run_litotes, "--from", "mixed.txt")
    assert (done.code, done.out) == (0, "suite: 24 items in 6 units\n"), done.err
    [warning] = [line for line in done.err.splitlines() if "warning" in line]
    assert warning == (
        "litotes: warning: 3 lines skipped: 2 encoding, 1 too-long; "
        "mixed.txt:2 (encoding), mixed.txt:3 (encoding), mixed.txt:6 (too-long)"
    )
    assert json.loads((tmp_path / "suite/suite.json").read_text())["read"] == {
        "records": 5,
        "problems": {"encoding": 2, "too-long": 1},
    }


def test_unreadable_lines_can_be_an_error(run_litotes: Run, tmp_path: Path) -> None:
    mixed(tmp_path)
    done = build(run_litotes, "--from", "mixed.txt", "--strict", "--skipped", "left.jsonl")
    done.refused(1, "L207", "mixed.txt:2: the line is not UTF-8 text")


# Unwritable output


def test_existing_suite_is_not_overwritten(run_litotes: Run, notes: Path) -> None:
    assert build(run_litotes, "--from", "notes.txt").code == 0
    build(run_litotes, "--from", "notes.txt").refused(2, "L102", "suite: contains a suite already; --fresh")
    assert build(run_litotes, "--from", "notes.txt", "--fresh").code == 0


def test_out_that_is_a_file_is_reported(run_litotes: Run, notes: Path, tmp_path: Path) -> None:
    (tmp_path / "suite").write_text("mine")
    build(run_litotes, "--from", "notes.txt").refused(1, "L401", "suite: cannot be written")
    assert (tmp_path / "suite").read_text() == "mine"


def test_full_disk_is_reported(run_litotes: Run, notes: Path, small_disk: Path, fill: Callable[..., None]) -> None:
    fill(small_disk)
    words = ("build", "semantoneg", "--from", "notes.txt", "--out", small_disk / "suite")
    run_litotes(*words).refused(1, "L402", "suite: the disk is full")


@pytest.mark.parametrize("leave", [120_000])
def test_disk_that_fills_up_does_not_lose_work(
    run_litotes: Run, tmp_path: Path, small_disk: Path, fill: Callable[..., None], leave: int
) -> None:
    """The disk is full in the journal or in the suite; with more space, the same command resumes."""
    lines = [
        f"The {number}th lamp in the hall is not {word}." for number in range(4, 54) for word in ("dark", "hot", "wet")
    ]
    (tmp_path / "lamps.txt").write_text("\n".join(lines))
    fill(small_disk, leave=leave)
    words = ("build", "semantoneg", "--from", "lamps.txt", "--out")
    done = run_litotes(*words, small_disk / "suite")
    done.failed(1, "L402", "the disk is full")
    assert not (small_disk / "suite" / "suite.json").exists()
    (small_disk / "filler").unlink()
    assert run_litotes(*words, small_disk / "suite").code == 0
    assert run_litotes(*words, tmp_path / "other").code == 0
    for name in ("items.jsonl", "suite.json"):
        assert (small_disk / "suite" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


# Reviews


def test_built_suite_can_be_reviewed_applied_and_run(run_litotes: Run, notes: Path, tmp_path: Path) -> None:
    assert build(run_litotes, "--from", "notes.txt", "--name", "notes").code == 0
    with open_review(tmp_path / "suite") as review:
        first, second, third, *_ = review.units.values()
        edited = {"antonym": "The gate by the mill isn't locked."}
        review.store.add_all(
            [
                Verdict(unit=first.key, annotator="ann", verdict="reject", reason="unnatural"),
                Verdict(unit=second.key, annotator="ann", verdict="edit", edited=edited),
                Verdict(unit=third.key, annotator="ann", verdict="accept"),
            ]
        )
    # A suite with verdicts is not overwritten.
    build(run_litotes, "--from", "notes.txt", "--fresh").refused(2, "L102", "contains a reviewed suite")
    apply = ("build", "--apply-review", "suite", "--out", "reviewed")
    done = run_litotes(*apply, "--official")
    assert done.code == 0, done.err
    for words in ("8 items", "1 accepted, 1 edited", "1 rejected, 0 disputed, 3 unreviewed"):
        assert words in done.out
    about = json.loads((tmp_path / "reviewed/suite.json").read_text())
    assert about["name"] == "notes-reviewed" and about["review"]["units"]["unreviewed"] == 3
    assert about["corpus"][0]["name"] == "notes.txt"  # the source is still recorded
    assert "isn't locked" in (tmp_path / "reviewed/SemAntoNeg.json").read_text()
    run_litotes(*apply).refused(2, "L102", "reviewed: contains a suite already")
    assert run_litotes(*apply, "--fresh").code == 0
    run_litotes("run", "overlap:words", "--suite", "reviewed", "--out", "runs").succeeded()


def test_a_missing_review_is_reported(run_litotes: Run, notes: Path) -> None:
    assert build(run_litotes, "--from", "notes.txt").code == 0
    run_litotes("build", "--apply-review", "suite", "--out", "other").failed(1, "L201", "review.sqlite: no such file")
    run_litotes("build", "--apply-review", "nothing", "--out", "other").failed(1, "L201", "nothing: no such folder")
    run_litotes("build", "--apply-review", "suite", "--out", "suite").failed(2, "L102", "is the suite under review")


# Progress


def test_progress_fits_eighty_columns(litotes: Any, tmp_path: Path) -> None:
    lines = [f"The {number}th lamp in the hall is not {word}." for number in range(4, 804) for word in ("dark", "hot")]
    (tmp_path / "lamps.txt").write_text("\n".join(lines))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    words = ("build", "semantoneg", "--from", "lamps.txt", "--out", "suite")
    process = litotes.start(*words, stderr=theirs, env={"TERM": "xterm", "COLUMNS": "80"})
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    assert process.wait() == 0
    process.stdout.close()
    os.close(ours)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\r", re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()))
    drawn = [line for line in re.split(r"[\r\n]+", plain) if line.startswith("parsing")]
    assert drawn and all(len(line) <= 80 for line in drawn)
    # The total is unknown, so the progress has a count and a speed, but no end.
    assert all(
        re.fullmatch(r"parsing ━{20} \d+/\?( +[\d,]+ sentences/s)?( +-:--:--)?", line.strip()) for line in drawn
    ), drawn
    assert re.search(r" \d+/\? +[\d,]+ sentences/s", "\n".join(drawn)), drawn
    assert "parsing" not in plain.splitlines()[-1]  # only the result remains on the screen
