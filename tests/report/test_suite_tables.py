"""HEROS and the triplets in every kind of report: their figures, tables and the heat map."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from litotes import LitotesError
from litotes.evaluation.result import RunResult
from litotes.evaluation.statistics import compare_models
from litotes.report.export import write_report
from litotes.report.page import render_report
from litotes.report.similarity_figures import heat_map_file
from litotes.report.suite_runs import SuiteRuns, by_suite
from litotes.report.suite_tables import criteria_table, normalised_table, overview_table, similarity_table, suite_tables
from litotes.report.table import as_latex, as_markdown, as_text

OVERLAP = "overlap:words"
LABELLED = "overlap:words?label=an-organisation/some-model-of-a-long-name"


@pytest.fixture(scope="module")
def runs(examples: ModuleType) -> list[RunResult]:
    result: list[RunResult] = examples.real_runs(OVERLAP, LABELLED)
    return result


@pytest.fixture(scope="module")
def suites(runs: list[RunResult]) -> dict[str, SuiteRuns]:
    return {suite.info.kind: suite for suite in by_suite(runs, compare_models(runs))}


def rows_of(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.startswith(OVERLAP)]


def test_triplet_tables_have_three_similarities_and_the_accuracy(suites: dict[str, SuiteRuns]) -> None:
    tables = {
        "negation-detection": (2, "original~synonym", "original~negated", "synonym~negated"),
        "negation-variants": (3, "original~negated", "original~quantifier_negated", "negated~quantifier_negated"),
        "clause-relatedness": (4, "original~clause", "original~negated", "clause~negated"),
        "argument-sensitivity": (5, "original~passive", "original~swapped", "passive~swapped"),
        "fixed-point-reorder": (6, "original~paraphrase", "original~inverted", "paraphrase~inverted"),
    }
    for kind, (number, *pairs) in tables.items():
        table = similarity_table(suites[kind])
        assert table.caption.endswith(f"(Zhu et al. 2018, Table {number})")
        assert [column.heading for column in table.columns] == ["model", *pairs, "accuracy"]
        metrics = suites[kind].runs[0].metrics
        shown = [*(metrics.similarities[pair] for pair in pairs), metrics.accuracy]
        assert rows_of(as_text(table)) == [[OVERLAP, *(f"{100 * share:.2f}" for share in shown)]]
        for written in (as_markdown(table), as_latex(table)):
            assert all(f"{100 * share:.2f}" in written for share in shown)


def test_word_overlap_ignores_argument_order(suites: dict[str, SuiteRuns]) -> None:
    metrics = suites["argument-sensitivity"].runs[0].metrics
    assert metrics.accuracy == 0.0
    assert metrics.similarities["original~swapped"] == 1.0
    assert metrics.also["over passive~swapped"].accuracy == 0.5


@pytest.mark.parametrize("kind", ["heros", "negation-detection", "negation-variants", "fixed-point-reorder"])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_table_fits_its_width(suites: dict[str, SuiteRuns], kind: str, width: int) -> None:
    for table in suite_tables(suites[kind]):
        text = as_text(table, width=width)
        assert max(map(len, text.splitlines())) <= width, text
        # Line breaks do not remove any cell.
        cells = [cell for _, *column in table.text_columns() for cell in column]
        assert all(cell in text for cell in cells if cell[0].isdigit())


def test_continued_tables_repeat_the_model_names(suites: dict[str, SuiteRuns]) -> None:
    text = as_text(normalised_table(suites["heros"]), width=50)  # type: ignore[arg-type]
    assert len(rows_of(text)) == 2
    assert text.count("…") == 2


def test_heros_subsets_are_in_the_papers_order(suites: dict[str, SuiteRuns]) -> None:
    table = normalised_table(suites["heros"])
    assert table is not None
    assert [column.heading for column in table.columns if column.heading] == [
        "model", "synonym", "antonym", "negation_main", "negation_antonym", "random", "typo", "base",
    ]  # fmt: skip
    assert normalised_table(suites["negation-detection"]) is None


def test_additional_criteria_have_intervals(suites: dict[str, SuiteRuns]) -> None:
    table = criteria_table(suites["heros"])
    assert table is not None
    assert "synonym over one other alone, right %; guessing gives 50.0 %" in table.caption
    assert [column[0] for column in table.text_columns()] == [
        "model", "over antonym", "95 %", "over negation_main", "95 %", "over negation_antonym", "95 %",
    ]  # fmt: skip
    assert criteria_table(suites["negation-detection"]) is None


def test_the_overview_has_every_suite(suites: dict[str, SuiteRuns]) -> None:
    text = as_text(overview_table(list(suites.values())))
    assert re.search(r"^heros-small +6 +25\.0 +\d", text, re.MULTILINE)
    assert len(text.splitlines()) >= 2 + 1 + len(suites)


def test_csv_has_a_row_per_model_and_suite(runs: list[RunResult], tmp_path: Path) -> None:
    write_report(tmp_path / "all.csv", runs)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text("utf-8"))))
    assert len(rows) == len(runs)
    [row] = [row for row in rows if (row["suite"], row["model"]) == ("heros-small", OVERLAP)]
    metrics = next(run.metrics for run in runs if run.suite.kind == "heros" and run.model == OVERLAP)
    assert float(row["normalised_original~typo"]) == metrics.normalised["original~typo"]
    assert float(row["normalised_original~typo_low"]) == metrics.normalised_ci["original~typo"][0]
    assert float(row["baseline"]) == metrics.baseline
    assert float(row["over_antonym_high"]) == metrics.also["over antonym"].accuracy_ci[1]
    assert row["similarity_original~clause"] == ""


@pytest.mark.parametrize("ending", ["txt", "md", "tex", "html", "svg", "json"])
def test_every_format_has_heros(runs: list[RunResult], tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"all.{ending}"
    write_report(path, runs)
    text = path.read_text("utf-8")
    assert "heros-small" in text
    assert "nan" not in re.sub(r"[a-z]nan|nan[a-z]", "", text)


def test_the_heat_map_has_a_number_in_every_cell(suites: dict[str, SuiteRuns]) -> None:
    root = ElementTree.fromstring(heat_map_file([suites["heros"]]))
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    metrics = suites["heros"].runs[0].metrics
    for value in metrics.normalised.values():
        assert f"{value:.3f}".replace("-", "−") in texts
    assert texts.count(OVERLAP) == 1
    fills = {element.get("fill") for element in root.iter() if element.tag.endswith("rect")}
    assert all(fill and fill.startswith("#") for fill in fills)


def test_without_a_baseline_there_is_no_heat_map(runs: list[RunResult], tmp_path: Path) -> None:
    without_heros = [run for run in runs if run.suite.kind != "heros"]
    with pytest.raises(LitotesError, match=r"L204.*suites of the kind heros"):
        write_report(tmp_path / "all.svg", without_heros)
    assert not list(tmp_path.iterdir())


def test_hostile_names_are_escaped_in_the_figure(runs: list[RunResult]) -> None:
    evil = '"><script>alert(1)</script>&'
    named = [replace(run, model=evil) for run in runs if run.suite.kind == "heros"][:1]
    root = ElementTree.fromstring(heat_map_file(by_suite(named, [])))
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert "<script>alert" not in render_report(named, [])


def test_missing_metrics_of_a_run_are_left_empty(runs: list[RunResult], tmp_path: Path) -> None:
    """A run of an earlier version lacks some metrics."""
    new, old = [run for run in runs if run.suite.kind == "heros"]
    old = replace(old, metrics=replace(old.metrics, also={}, baseline=None, normalised={}, normalised_ci={}))
    for ending in ("txt", "md", "csv", "tex", "html", "svg"):
        write_report(tmp_path / f"all.{ending}", [new, old])
    assert "nan" not in (tmp_path / "all.txt").read_text("utf-8")
    assert "nan" not in (tmp_path / "all.csv").read_text("utf-8")


def test_the_page_begins_with_an_overview_of_many_suites(runs: list[RunResult]) -> None:
    page = render_report(runs, compare_models(runs))
    start = page[page.index('class="findings"') : page.index("</header>")]
    assert start.count('<a href="#suite-') >= len(runs) // 2
    assert f"<b>{OVERLAP}</b> is better than guessing on <b>" in start
    assert "of 6 suites" in start
    few = render_report([run for run in runs if run.suite.kind == "heros"], [])
    assert "picks the synonym in" in few


def test_the_page_describes_every_kind_of_suite(runs: list[RunResult]) -> None:
    page = render_report(runs, [])
    for words in ("closer to each other than either is to the original", "which has the same words", "misspelt"):
        assert words in page
    assert page.count("Additional criteria</h3>") == 3
    assert page.count('class="heat-map"') == 1
    assert ">negation main<" in page


def test_single_item_groups_are_not_listed(runs: list[RunResult], examples: ModuleType) -> None:
    page = render_report(runs, [])
    assert '<table class="groups' not in page and "Mean over" not in page
    assert '<table class="groups' in render_report([examples.triplet_run("m", 12)], [])


def test_notes_of_a_run_are_shown(runs: list[RunResult]) -> None:
    noted = replace(runs[0], notes=["5 of 9 words have no vector: <gnu>"])
    assert "5 of 9 words have no vector: &lt;gnu&gt;" in render_report([noted], [])
