"""Names of suites, models and failures that come from others: on the terminal, and in reports."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from litotes.core.escaping import csv_text, terminal_text
from litotes.evaluation.statistics import compare_models
from litotes.report.export import text_tables, write_report
from litotes.report.suite_runs import by_suite
from tests.report import examples
from tests.review.conftest import quadruples, write_suite

Run = Callable[..., Any]

HOSTILE = [
    "\x1b[2J\x1b]0;owned\x07",
    "fine\nlitotes: [L101] forged",
    "fine\rforged",
    "\u202egnp.exe",
    "\u2066hidden\u2069",
    "\x9b2J",
    "a\u2028b",
    "\x7f\x08\x00",
]
SWEEP = '[[models]]\nname = "overlap:words"\n\n[[models]]\nname = "gone/model"\n'


def dangerous(text: str) -> list[str]:
    """Return the characters that a terminal executes or that change the direction of text."""
    return [character for character in text if not character.isprintable() and character not in "\n\t\xa0"]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("command", ["suites --stats", "review --status", "run overlap:words --suite"])
def test_suite_with_such_a_name_is_refused(tmp_path: Path, run_here: Run, command: str, name: str) -> None:
    folder = write_suite(tmp_path / "suite", quadruples(2))
    meta = json.loads((folder / "suite.json").read_text())
    (folder / "suite.json").write_text(json.dumps({**meta, "name": name}))
    done = run_here(*command.split(), folder)
    done.failed(1, "L203", '"name" contains a line break or another control character')
    assert not dangerous(done.out + done.err)


@pytest.mark.parametrize("name", HOSTILE)
def test_tables_of_a_result_with_such_names_are_escaped(tmp_path: Path, name: str) -> None:
    first, second = examples.three_models(12)[0][:2]
    runs = [replace(first, model=name), second]
    runs = [replace(run, suite=replace(run.suite, name=f"suite {name}")) for run in runs]
    comparisons = compare_models(runs)
    texts = ["\n".join(text_tables(by_suite(runs, comparisons), comparisons, brief=False))]
    for ending in ("md", "csv", "tex", "txt"):
        write_report(tmp_path / f"report.{ending}", runs)
        texts.append((tmp_path / f"report.{ending}").read_text("utf-8"))
    for text in texts:
        assert not dangerous(text)
        assert not any(line.startswith(("forged", "litotes: [L101]")) for line in text.splitlines())


def test_markdown_and_csv_reports_contain_no_html_and_no_formula(tmp_path: Path) -> None:
    first, second, third = examples.three_models(12)[0]
    names = ["=HYPERLINK(1)", "<script>alert(1)</script> | [a](javascript:b) `x`", "@SUM(1)"]
    runs = [replace(run, model=name) for run, name in zip((first, second, third), names, strict=True)]
    suite = replace(first.suite, name="+cmd|' /C calc'!A0")
    runs = [replace(run, suite=suite) for run in runs]
    write_report(tmp_path / "report.md", runs)
    write_report(tmp_path / "report.csv", runs)
    markdown = (tmp_path / "report.md").read_text("utf-8")
    assert "<script" not in markdown and "[a](javascript" not in markdown
    assert "&lt;script>alert(1)&lt;/script> \\| [a\\](javascript:b) \\`x\\`" in markdown
    rows = list(csv.DictReader(io.StringIO((tmp_path / "report.csv").read_text("utf-8"))))
    assert {row["model"] for row in rows} == {"'=HYPERLINK(1)", names[1], "'@SUM(1)"}
    assert {row["suite"] for row in rows} == {"'+cmd|' /C calc'!A0"}
    # Numbers remain numbers.
    assert {float(row["accuracy"]) for row in rows} == {run.metrics.accuracy for run in runs}


@pytest.mark.parametrize("text", ["-0.5", "+1.2", "-0.1 to 0.2", "-3.1–2.0", "1e-5", "-12 %", "", "–"])
def test_numbers_are_not_changed_in_csv(text: str) -> None:
    assert csv_text(text) == text


@pytest.mark.parametrize("text", ["=1", "-1+1|x", "+1+cmd()", "@a", "\t=1", "-2+3+cmd|' /C calc'!A0"])
def test_formulas_are_not_formulas_in_csv(text: str) -> None:
    assert csv_text(text).startswith("'")


@pytest.mark.parametrize("name", HOSTILE)
def test_escaped_json_has_the_same_meaning(name: str) -> None:
    document = json.dumps({"model": name}, ensure_ascii=False, indent=2)
    assert json.loads(terminal_text(document)) == {"model": name}


@pytest.fixture
def sweep(tmp_path: Path, run_here: Run) -> Callable[[], Any]:
    """Return a function that runs two models, of which one has failed before."""
    (tmp_path / "list.toml").write_text(SWEEP)
    command = ("run", "--models", "list.toml", "--suite", "fixed-point-reorder-mini", "--out", "runs")
    run_here(*command)
    return lambda: run_here(*command)


@pytest.mark.parametrize("key", ["code", "message"])
@pytest.mark.parametrize("text", HOSTILE[:4])
def test_stored_failures_are_escaped(tmp_path: Path, sweep: Callable[[], Any], key: str, text: str) -> None:
    path = next((tmp_path / "runs").glob("*/failed.json"))
    failure = json.loads(path.read_text())
    path.write_text(json.dumps({**failure, key: text}))
    done = sweep()
    assert not dangerous(done.err)
    assert not any(line.startswith(("forged", "litotes: [L101]")) for line in done.err.splitlines())


DAMAGED_FAILURES = [
    {"entry": 0},
    {"access": None},
    {"versions": [["x"]]},
    {"time": 10**300},
    {"passing": "x"},
    {"x": 1},
]


@pytest.mark.parametrize("change", DAMAGED_FAILURES, ids=map(str, DAMAGED_FAILURES))
def test_damaged_failure_counts_as_none(tmp_path: Path, sweep: Callable[[], Any], change: dict[str, Any]) -> None:
    path = next((tmp_path / "runs").glob("*/failed.json"))
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    done = sweep()
    assert "L901" not in done.err and "Traceback" not in done.err


@pytest.mark.parametrize(
    "lease",
    ["[" * 100_000, '{"pid": 1e999}', json.dumps({"host": "\x1b[2J", "pid": 10**300, "token": "../../x"})],
)
def test_damaged_lease_has_an_unknown_owner(tmp_path: Path, sweep: Callable[[], Any], lease: str) -> None:
    folder = next((tmp_path / "runs").glob("*/failed.json")).parent
    (folder / "failed.json").unlink()
    (folder / "lease.json").write_text(lease)
    done = sweep()
    assert "an unknown machine" in done.err
    assert "L901" not in done.err and not dangerous(done.err)


def test_progress_bar_shows_names_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    from litotes.core import progress

    monkeypatch.setattr("sys.stderr", stream := io.StringIO())
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress.TerminalProgress() as bar:
        bar.begin("[/closing] \x1b[2J [bold]x", total=3)
        bar.advance(3)
        bar.end()
    assert "\x1b[2J" not in stream.getvalue()
