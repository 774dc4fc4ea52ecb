"""Tables of suites whose items have labels, in every format."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from types import ModuleType

import pytest

from litotes.evaluation.result import RunResult
from litotes.evaluation.statistics import compare_models
from litotes.report.export import text_tables, write_report
from litotes.report.label_tables import label_table, label_tables, models_table
from litotes.report.suite_runs import by_suite
from litotes.report.suite_tables import brief_tables, suite_tables
from litotes.report.table import Table, as_text

LABELS = ("entailment", "neutral", "contradiction")
LONG = "an-organisation/an-nli-model-of-a-very-long-name-indeed"


@pytest.fixture(scope="module")
def runs(examples: ModuleType) -> list[RunResult]:
    result: list[RunResult] = examples.label_runs(("knowing", 0.8), (LONG, 0.3), ties=3)
    return result


def captions(tables: list[Table]) -> list[str]:
    return [table.caption for table in tables]


def row(text: str, name: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if line.startswith(f"{name} "))


def test_accuracy_and_correlation_have_intervals(runs: list[RunResult]) -> None:
    metrics = runs[0].metrics
    assert metrics.nli is not None
    text = as_text(models_table(by_suite(runs[:1], [])[0]))
    low, high = metrics.nli.mcc_ci
    assert row(text, "knowing") == [
        "knowing",
        f"{100 * metrics.accuracy:.1f}",
        f"{100 * metrics.accuracy_ci[0]:.1f}–{100 * metrics.accuracy_ci[1]:.1f}",
        f"{100 * metrics.group_accuracy:.1f}",
        f"{metrics.nli.mcc:.2f}",
        *f"{low:.2f} to {high:.2f}".split(),
        "3",
    ]
    assert "guessing gives 33.3 %, always neutral 60.0 %" in " ".join(text.split())
    assert "\n%" not in text


def test_category_rows_have_items_largest_label_accuracy_and_correlation(runs: list[RunResult]) -> None:
    (table,) = [one for one in suite_tables(by_suite(runs[:1], [])[0]) if "by category" in one.caption]
    text = as_text(table)
    result = runs[0].metrics.nli
    assert result is not None
    for name, figures in result.categories.items():
        cells = row(text, name)
        assert cells[1:3] == [str(figures.items), str(figures.groups)]
        assert cells[4] == f"{100 * figures.accuracy:.1f}"
        assert cells[6] == f"{figures.mcc:.2f}"
    # Here all items have the same label, and always answering with it is always right.
    assert row(text, "existence")[3] == "100.0"
    assert row(text, "rejection")[:4] == ["rejection", "10", "10", "40.0"]
    assert row(text, "all")[:5] == ["all", "items", "90", "72", "60.0"]


def test_label_rows_have_precision_recall_and_confusions(runs: list[RunResult]) -> None:
    text = as_text(label_table(by_suite(runs[:1], [])[0], 0))
    for label in LABELS:
        taken = [
            sum(item.tags["label"] == label and item.choice == second for item in runs[0].items) for second in LABELS
        ]
        cells = row(text, label)
        assert cells[5:] == list(map(str, taken))
        assert int(cells[1]) == sum(item.tags["label"] == label for item in runs[0].items)
        result = runs[0].metrics.nli
        assert result is not None
        first = result.labels[label]
        assert cells[2:5] == [f"{100 * share:.1f}" for share in (first.precision, first.recall, first.f1)]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_table_fits_its_width(runs: list[RunResult], width: int) -> None:
    tables = suite_tables(by_suite(runs, [])[0])
    assert len(tables) == 3 + 2 * 2
    for table in tables:
        text = as_text(table, width=width)
        assert max(map(len, text.splitlines())) <= width, text
        cells = [cell for _, *column in table.text_columns() for cell in column]
        assert all(cell in text for cell in cells if cell[0].isdigit())


def test_brief_tables_show_models_side_by_side_and_a_single_model_in_full(runs: list[RunResult]) -> None:
    both, (one,) = by_suite(runs, [])[0], by_suite(runs[:1], [])
    assert [caption.split(": ")[1].split(" (")[0] for caption in captions(brief_tables(both, has_overview=False))] == [
        "90 items, 72 premises; guessing gives 33.3 %, always neutral 60.0 %, both an MCC of 0",
        "right % by category",
        "MCC by category",
    ]
    assert len(brief_tables(one, has_overview=False)) == 3
    assert [caption.split(";")[0] for caption in captions(brief_tables(one, has_overview=True))] == [
        "made-labels: knowing by category"
    ]


def test_brief_output_of_many_suites_includes_categories(runs: list[RunResult], examples: ModuleType) -> None:
    suites = by_suite([*examples.real_runs("overlap:words"), runs[0]], [])
    text = "\n\n".join(text_tables(suites, [], brief=True))
    assert "mean similarity" not in text
    assert "knowing by category" in text
    assert row(text, "made-labels")[:3] == ["made-labels", "90", "33.3"]
    assert max(map(len, text.splitlines())) <= 80


def test_without_categories_there_is_no_category_table(examples: ModuleType) -> None:
    runs = examples.label_runs(("one", 0.5), ("two", 0.6), suite=examples.label_suite(categories=False))
    shown_captions = captions(label_tables(by_suite(runs, [])[0]))
    assert len(shown_captions) == 3 and not any("category" in caption for caption in shown_captions)


def test_csv_has_a_row_per_model_with_every_number(runs: list[RunResult], examples: ModuleType, tmp_path: Path) -> None:
    write_report(tmp_path / "all.csv", [*runs, examples.example_run(examples.BLIND, examples.example_items(20))])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text("utf-8"))))
    assert [one["suite"] for one in rows] == ["made-labels", "made-labels", "semantoneg"]
    result = runs[0].metrics.nli
    assert result is not None
    first = next(one for one in rows if one["model"] == "knowing")
    expected = {
        "accuracy": runs[0].metrics.accuracy,
        "mcc": result.mcc,
        "mcc_low": result.mcc_ci[0],
        "largest_label": 0.6,
        "neutral_f1": result.labels["neutral"].f1,
        "neutral_as_entailment": result.confusion["neutral"]["entailment"],
        "inability_accuracy_high": result.categories["inability"].accuracy_ci[1],
        "inability_mcc": result.categories["inability"].mcc,
        "existence_largest_label": 1.0,
    }
    for key, value in expected.items():
        assert math.isclose(float(first[key]), value), key
    assert rows[-1]["mcc"] == "" and rows[-1]["inability_mcc"] == ""
    assert first["chosen_both"] == ""


@pytest.mark.parametrize("ending", ["txt", "md", "tex", "html", "json"])
def test_every_format_has_the_numbers(runs: list[RunResult], tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"all.{ending}"
    write_report(path, runs)
    text = path.read_text("utf-8")
    result = runs[0].metrics.nli
    assert result is not None
    expected = f"{result.mcc:.2f}"
    assert expected in text and "inability" in text and "contradiction" in text
    assert compare_models(runs)[0].differ and LONG in text
