"""Ranks among published models, with a warning if the sentences differ."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from litotes import evaluate
from litotes.evaluation.result import RunResult, SuiteInfo
from litotes.evaluation.statistics import compare_models
from litotes.report.export import text_tables, write_report
from litotes.report.ranking_tables import OTHER_SENTENCES
from litotes.report.suite_runs import by_suite
from litotes.suites.official_files import OFFICIAL_FILES

SAID = "lower than 102 of 114, level with 12"
HEROS_SOURCE = "Chiang, Chuang, Glass and Lee (2023), HEROS"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def mini(cache: Path) -> RunResult:
    return evaluate("overlap:words", "semantoneg-mini", cache=cache)


@pytest.fixture(scope="module")
def official(mini: RunResult) -> RunResult:
    """Return a run on the official file with one of 3,152 items correct."""
    info = replace(mini.suite, name="semantoneg", sha256=OFFICIAL_FILES["semantoneg"].sha256)
    return replace(mini, suite=info, metrics=replace(mini.metrics, accuracy=1 / 3152))


@pytest.fixture(scope="module")
def on_heros(cache: Path) -> RunResult:
    return evaluate("overlap:words", "heros-mini", cache=cache)


def as_official_heros(run: RunResult, model: str = "all-MiniLM-L6-v2") -> RunResult:
    info: SuiteInfo = replace(run.suite, name="heros", source=HEROS_SOURCE)
    return replace(run, model=model, suite=info, metrics=replace(run.metrics, items=1000))


def written(path: Path, *runs: RunResult) -> str:
    write_report(path, runs)
    return path.read_text("utf-8")


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def on_terminal(*runs: RunResult) -> str:
    return "\n".join(text_tables(by_suite(runs, compare_models(runs)), compare_models(runs), brief=True))


@pytest.mark.parametrize("ending", ["txt", "md", "tex", "html"])
def test_every_readable_format_ranks_the_model(official: RunResult, tmp_path: Path, ending: str) -> None:
    text = unwrapped(written(tmp_path / f"report.{ending}", official))
    assert SAID in text and "Vahtola et al. 2022, Table 8" in text
    assert OTHER_SENTENCES not in text


@pytest.mark.parametrize("ending", ["txt", "md", "tex", "html"])
def test_every_format_warns_about_different_sentences(mini: RunResult, tmp_path: Path, ending: str) -> None:
    text = unwrapped(written(tmp_path / f"report.{ending}", mini))
    assert "Table 8" in text and OTHER_SENTENCES in text


def test_findings_mention_the_rank_only_on_the_papers_sentences(
    official: RunResult, mini: RunResult, tmp_path: Path
) -> None:
    findings = {
        name: written(tmp_path / f"{name}.html", run).partition('id="suite-0"')[0]
        for name, run in (("official", official), ("mini", mini))
    }
    assert f"Among the published models it is {SAID}." in findings["official"]
    assert "published" not in findings["mini"]


def test_the_published_number_of_the_same_model_is_shown(official: RunResult) -> None:
    lines = on_terminal(replace(official, model="paraphrase-MiniLM-L3-v2")).splitlines()
    (line,) = [line for line in lines if "others" in line]
    assert line.split()[1:3] == ["0.03", "0.03"]
    assert max(map(len, lines)) <= 80


def test_csv_and_json_have_unformatted_ranks(official: RunResult, mini: RunResult, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(written(tmp_path / "table.csv", official, mini))))
    by_suite_name = {row["suite"]: row for row in rows}
    assert by_suite_name["semantoneg"]["published_lower_than"] == "102"
    assert by_suite_name["semantoneg"]["published_on"] == "the same sentences"
    assert by_suite_name["semantoneg-mini"]["published_on"] == "other sentences"
    runs = json.loads(written(tmp_path / "report.json", official, mini))["runs"]
    assert [run["published"][0]["same_sentences"] for run in runs] == [True, False]
    assert runs[0]["published"][0]["lower_than"] == 102


def test_brief_output_of_many_suites_ranks_only_the_official_suite(official: RunResult, mini: RunResult) -> None:
    unofficial = [replace(mini, suite=replace(mini.suite, name=name)) for name in ("one", "two")]
    text = on_terminal(official, *unofficial)
    assert SAID in text and OTHER_SENTENCES not in unwrapped(text)
    assert "Table 8" not in on_terminal(mini, *unofficial)


def test_heros_is_ranked_by_subset_next_to_published_numbers(on_heros: RunResult, tmp_path: Path) -> None:
    run = as_official_heros(on_heros)
    text = on_terminal(run, replace(run, model="my-model"))
    assert "how many published models find each pair less similar, of the 60 models" in unwrapped(text)
    assert "0.955" in text and OTHER_SENTENCES not in unwrapped(text)
    row = next(csv.DictReader(io.StringIO(written(tmp_path / "table.csv", run))))
    assert row["published_original~negation_main"] == "0.955"
    counts = [int(row[f"published_original~typo_{name}"]) for name in ("lower_than", "level_with", "higher_than")]
    assert sum(counts) == 59
    page = written(tmp_path / "report.html", run)
    assert "Among the published models" in page and "0.966" in page


def test_heros_is_not_ranked_on_different_sentences(on_heros: RunResult) -> None:
    """Similarities depend on the sentences; the published number of the same model is shown with a warning."""
    text = unwrapped(on_terminal(replace(on_heros, model="all-MiniLM-L6-v2")))
    assert "0.955" in text and OTHER_SENTENCES in text and "less alike" not in text
    assert "Chiang" not in on_terminal(on_heros)


def test_a_run_without_a_baseline_has_dashes(on_heros: RunResult, tmp_path: Path) -> None:
    run = as_official_heros(on_heros)
    old = replace(run, model="old", metrics=replace(run.metrics, normalised={}, baseline=None))
    rows = {row["model"]: row for row in csv.DictReader(io.StringIO(written(tmp_path / "t.csv", run, old)))}
    assert rows["old"]["published_original~typo_lower_than"] == ""
    assert rows["all-MiniLM-L6-v2"]["published_original~typo_lower_than"] != ""
