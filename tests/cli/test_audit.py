"""The command `litotes audit`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from litotes.cli.main import app
from tests.audit.test_api import TEXTS


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a text and word vectors for it, a model that loads fast."""
    folder = tmp_path_factory.mktemp("audit")
    (folder / "notes.txt").write_text("\n".join(TEXTS) + "\n", "utf-8")
    words = sorted({word.lower().strip(".,") for text in TEXTS for word in text.split()} | {"not", "."})
    numbers = np.random.default_rng(3).normal(size=(len(words), 16))
    lines = [f"{word} {' '.join(f'{one:.4f}' for one in row)}" for word, row in zip(words, numbers, strict=True)]
    (folder / "words.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


@pytest.fixture
def command(world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run the command in this process, which avoids repeated imports."""
    monkeypatch.setenv("LITOTES_CACHE", str(world / "cache"))
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> int:
        code = app(["audit", *map(str, words)], standalone_mode=False)
        return code if isinstance(code, int) else 0

    return run


def model(world: Path) -> str:
    return f"glove:{world / 'words.txt'}"


def test_writes_its_files_and_prints_a_summary(command, world, tmp_path, capsys) -> None:
    assert command(model(world), "--from", world / "notes.txt", "--out", "found", "--workers", 1) == 0
    output = capsys.readouterr()
    assert "the model considers the opposite at least as similar" in " ".join(output.out.split())
    assert "needs up to" in output.err and "MB of memory" in output.err
    assert [f"wrote {Path('found') / name}" for name in ("audit.json", "audit.html", "opposites.jsonl")] == (
        output.err.splitlines()[-3:]
    )
    assert "litotes:" not in output.err
    before = (tmp_path / "found" / "audit.json").read_bytes()
    assert command(model(world), "--from", world / "notes.txt", "--out", "found") == 0
    assert (tmp_path / "found" / "audit.json").read_bytes() == before


def test_prints_only_json_and_names_the_folder_after_the_model(command, world, tmp_path, capsys) -> None:
    assert command(model(world), "--from", world / "notes.txt", "--json", "--threshold", 0.9, "--no-mining") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["at_threshold"]["threshold"] == 0.9 and document["mining"] is None
    folders = list((tmp_path / "audit").iterdir())
    assert len(folders) == 1 and folders[0].name.startswith("glove-")
    assert document["files"][0] == str(folders[0].relative_to(tmp_path) / "audit.json")


def test_fail_above_exits_with_code_1_and_a_single_line(command, world, tmp_path, capsys) -> None:
    words = (model(world), "--from", world / "notes.txt", "--out", "ci")
    assert command(*words, "--fail-above", 0.1) == 1
    output = capsys.readouterr()
    complaints = [line for line in output.err.splitlines() if line.startswith("litotes:")]
    assert len(complaints) == 1 and "above the 10.0 % of --fail-above" in complaints[0]
    assert (tmp_path / "ci" / "audit.html").exists()
    assert command(*words, "--fail-above", 1) == 0


def test_another_audit_is_not_overwritten(command, world, capsys) -> None:
    words = (model(world), "--from", world / "notes.txt", "--out", "kept", "--no-mining", "--workers", 1)
    assert command(*words) == 0
    capsys.readouterr()
    assert command(*words, "--seed", 1) == 2
    output = capsys.readouterr()
    assert output.err.startswith("litotes: [L102] kept: contains another audit; use --fresh") and not output.out
    assert command(*words, "--seed", 1, "--fresh") == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "[L102] no text is given"),
        (("cross:stsb-roberta-base", "--from", "{notes}"), 2, "gives no vector for one"),
        (("nowhere:x", "--from", "{notes}"), 2, "[L101]"),
        (("./no-model", "--from", "{notes}"), 1, "[L301] ./no-model: no such folder"),
        (("{model}", "--from", "missing.txt"), 1, "[L201] missing.txt: no such file"),
        (("{model}", "--from", "{empty}"), 1, "[L204]"),
        (("{model}", "--from", "{useless}"), 1, "none has both an opposite and a paraphrase"),
        (
            ("{model}", "--from", "{long}"),
            1,
            "2 sentences can be used: 2 are longer than 400 characters; --split",
        ),
        (("{model}", "--from", "{notes}", "--out", "{notes}"), 1, "[L401]"),
    ],
)
def test_errors_are_single_lines(command, world, tmp_path, capsys, words, code: int, message: str) -> None:
    (tmp_path / "empty.txt").write_text("\n\n")
    (tmp_path / "useless.txt").write_text("Hello!\n👍\nThanks.\n")
    (tmp_path / "long.txt").write_text("".join("The shop is open. The bread is fresh. " * n + "\n" for n in (12, 13)))
    names = {
        "model": model(world),
        "notes": world / "notes.txt",
        "empty": tmp_path / "empty.txt",
        "useless": tmp_path / "useless.txt",
        "long": tmp_path / "long.txt",
    }
    assert command(*(word.format(**names) for word in words), *(["--workers", 1] if words else [])) == code
    output = capsys.readouterr()
    complaints = [line for line in output.err.splitlines() if line.startswith("litotes:")]
    assert len(complaints) == 1 and message in complaints[0], output.err
    assert not output.out and not (tmp_path / "audit").exists()


def test_the_number_of_stored_pairs_can_be_limited(command, world, tmp_path, capsys) -> None:
    words = (model(world), "--from", world / "notes.txt", "--mining-threshold", 0.1, "--workers", 1)
    assert command(*words, "--out", "all", "--max-pairs", 0) == 0
    every = (tmp_path / "all" / "opposites.jsonl").read_text("utf-8").splitlines()
    assert command(*words, "--out", "one", "--max-pairs", 1) == 0
    assert (tmp_path / "one" / "opposites.jsonl").read_text("utf-8").splitlines() == every[:1] != every


def test_full_disk_is_a_single_line(command, world, small_disk, fill, capsys) -> None:
    fill(small_disk)
    assert command(model(world), "--from", world / "notes.txt", "--out", small_disk / "found") == 1
    assert "[L402]" in capsys.readouterr().err


def test_command_reads_standard_input(litotes, world) -> None:
    with (world / "notes.txt").open("rb") as notes:
        done = litotes.run("audit", model(world), "--from", "-", "--out", "found", "--no-mining", stdin=notes)
    assert done.code == 0, done.err
    assert "Sentences used" in done.out
    assert "Traceback" not in done.err and "litotes:" not in done.err
    assert {path.name for path in done.new_files} >= {"audit.json", "audit.html"}
    assert not any(path.name == "opposites.jsonl" for path in done.new_files)
