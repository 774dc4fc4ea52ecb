"""Tables as text, Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from litotes import LitotesError, evaluate
from litotes.evaluation.result import RunResult
from litotes.evaluation.statistics import compare_models
from litotes.report.export import write_report
from litotes.report.formats import PERCENT, PERCENT_2, SIMILARITY
from litotes.report.suite_runs import SuiteRuns, by_suite
from litotes.report.suite_tables import accuracy_table, similarity_table
from litotes.report.table import as_latex, as_markdown, as_text


@pytest.fixture(scope="module")
def result(tmp_path_factory) -> RunResult:
    return evaluate("overlap:words", "semantoneg-mini", cache=tmp_path_factory.mktemp("cache"))


def renamed(result: RunResult, name: str) -> RunResult:
    return RunResult(**{**result.__dict__, "model": name})


def suite_of(*results: RunResult) -> SuiteRuns:
    return by_suite(results, compare_models(results))[0]


@pytest.mark.parametrize("name", ["overlap:words", "an-organisation/with-a-model-of-a-very-long-name-indeed-v2"])
def test_text_fits_eighty_columns(result: RunResult, name: str) -> None:
    suite = suite_of(renamed(result, name))
    for table in (accuracy_table(suite), similarity_table(suite)):
        lines = as_text(table, width=80).splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[-1].split()[0].lstrip("…") in name


def test_the_default_model_name_is_not_shortened(result: RunResult) -> None:
    assert "\nall-MiniLM-L6-v2 " in as_text(accuracy_table(suite_of(renamed(result, "all-MiniLM-L6-v2"))), width=80)


def test_names_cannot_break_markdown_or_latex(result: RunResult) -> None:
    table = accuracy_table(suite_of(renamed(result, "a|b_c%d\\e")))
    assert "a\\|b" in as_markdown(table)
    assert r"a|b\_c\%d\textbackslash{}e" in as_latex(table)


def test_csv_has_unformatted_numbers(result: RunResult, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_report(path, [result])
    (row,) = csv.DictReader(io.StringIO(path.read_text("utf-8")))
    assert float(row["accuracy"]) == result.metrics.accuracy
    assert float(row["accuracy_high"]) == result.metrics.accuracy_ci[1]
    assert float(row["chosen_polarity"]) == result.choices["polarity"] / result.metrics.items


def test_every_format_is_written(result: RunResult, tmp_path: Path) -> None:
    runs = [result, renamed(result, "again")]
    for ending in ("html", "md", "csv", "tex", "json"):
        path = tmp_path / f"report.{ending}"
        write_report(path, runs)
        assert "again" in path.read_text("utf-8")
    document = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert [run["model"] for run in document["runs"]] == ["overlap:words", "again"]
    assert document["comparisons"][0]["differ"] is False
    with pytest.raises(LitotesError, match="extension"):
        write_report(tmp_path / "report.docx", runs)


def test_missing_numbers_are_dashes() -> None:
    missing = float("nan")
    assert PERCENT.interval((missing, missing)) == "–"
    assert PERCENT_2(missing) == SIMILARITY(missing) == "–"
    assert PERCENT.interval((0.1, 0.2)) == "10.0–20.0"
