"""The HTML report of suites whose items have labels, without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from litotes.evaluation.result import RunResult
from litotes.evaluation.statistics import compare_models
from litotes.report.page import TITLE, render_report

LABELS = ("entailment", "neutral", "contradiction")


@pytest.fixture(scope="module")
def runs(examples: ModuleType) -> list[RunResult]:
    result: list[RunResult] = examples.label_runs(("knowing", 0.8), ("blind", 0.0), ties=3)
    return result


@pytest.fixture(scope="module")
def page(runs: list[RunResult]) -> str:
    return render_report(runs, compare_models(runs))


def plain(source: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", source)).replace("\u00a0", " ").replace("−", "-")


def table_of(page: str, classes: str) -> list[list[str]]:
    """Return the cells of the first matching table as text."""
    source = page[page.index(f'<table class="{classes}') :]
    source = source[source.index("<tbody>") : source.index("</tbody>")]
    return [
        [plain(cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", source)
    ]


def data_of(page: str) -> Any:
    matches = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert matches is not None
    return json.loads(matches[1])["suites"]


def test_the_summary_names_guessing_and_the_largest_label(page: str, runs: list[RunResult]) -> None:
    start = plain(page[page.index('class="findings"') : page.index("</header>")])
    figures = runs[0].metrics.nli
    assert figures is not None
    assert "picks the right label in" in start
    assert "guessing gives 33.3 %, always answering neutral 60.0 %" in start
    assert f"(MCC) is {figures.mcc:.2f} ," in start


def test_models_are_sorted_with_both_baselines(page: str, runs: list[RunResult]) -> None:
    rows = table_of(page, "models sortable")
    assert [row[0] for row in rows] == ["knowing", "always neutral", "blind", "guessing"]
    figures = runs[0].metrics.nli
    assert figures is not None
    assert rows[0][3].startswith(f"{figures.mcc:.2f} ")
    assert rows[0][-1] == "3"
    assert rows[1][1] == "60.0 %"
    assert rows[1][4:7] == ["0.0 %", "100.0 %", "0.0 %"]


def test_categories_have_the_metrics_of_every_model_and_the_largest_label(page: str, runs: list[RunResult]) -> None:
    rows = {row[0]: row[1:] for row in table_of(page, "models categories")}
    results = [run.metrics.nli for run in runs]
    assert list(rows)[-1] == "all items"
    for name in ("possession", "existence", "rejection"):
        figures = [one.categories[name] for one in results if one is not None]
        assert rows[name][0] == str(figures[0].items)
        for index, one in enumerate(figures):
            accuracy, mcc = rows[name][3 + 2 * index : 5 + 2 * index]
            assert accuracy.startswith(f"{100 * one.accuracy:.1f} %")
            assert mcc.startswith(f"{one.mcc:.2f} ")
    assert rows["existence"][2] == "100.0 % neutral"
    assert rows["possession"][2] == "33.3 % shared"


def test_the_figure_has_a_dot_per_category_and_a_description(page: str, runs: list[RunResult]) -> None:
    panels = re.findall(r'<svg class="category-panel".*?</svg>', page, re.DOTALL)
    assert len(panels) == 2
    for panel, run in zip(panels, runs, strict=True):
        assert panel.count("<circle") == panel.count('class="largest"') == panel.count('class="whisker"') == 8
        assert panel.count('class="guess"') == 1
        assert f"Accuracy of {run.model} by category</title>" in panel
        assert "existence: " in panel and "always neutral 100.0" in panel
    assert 'class="choices-panel"' not in page


def test_dots_and_marks_are_at_the_right_positions(page: str, runs: list[RunResult]) -> None:
    panel = re.findall(r'<svg class="category-panel".*?</svg>', page, re.DOTALL)[0]
    dots = [float(x) for x in re.findall(r'class="dot" cx="([\d.]+)"', panel)]
    marks = [float(x) for x in re.findall(r'class="largest" d="M([\d.]+)', panel)]
    left, right = (float(x) for x in re.findall(r'class="grid" d="M([\d.]+) 8V', panel)[:5:4])
    figures = runs[0].metrics.nli
    assert figures is not None
    expected = [category.accuracy for category in figures.categories.values()]
    assert [(x - left) / (right - left) for x in dots[:-1]] == pytest.approx(expected, abs=0.001)
    assert marks[1] == right  # existence: always neutral is always right


def test_the_confusion_table_counts_the_items(page: str, runs: list[RunResult]) -> None:
    rows = table_of(page, "confusion")
    for label, cells in zip(LABELS, rows, strict=True):
        items = [item for item in runs[0].items if item.tags["label"] == label]
        taken = [sum(item.choice == other for item in items) for other in LABELS]
        shown = [f"✓ {count}" if other == label else str(count) for other, count in zip(LABELS, taken, strict=True)]
        assert cells[:5] == [label, str(len(items)), *shown]
        assert cells[5] == str(sum(item.choice is None for item in items))
    assert page.count('<table class="confusion') == 2


def test_every_item_has_its_own_right_option(page: str, runs: list[RunResult]) -> None:
    (suite,) = data_of(page)
    assert suite["right"] == [LABELS.index(item.tags["label"]) for item in runs[0].items]
    assert suite["pairs"] == list(LABELS) and suite["pairOfOption"] == [0, 1, 2]
    assert suite["categories"][:2] == ["possession", "existence"]
    categories = [" ".join(suite["categories"][index] for index in indices) for indices in suite["category"]]
    assert categories == [item.tags["categories"] for item in runs[0].items]
    # The text of a premise is stored once, not again as the name of its group.
    assert suite["groups"] == []


def test_group_names_that_are_not_premises_are_stored(examples: ModuleType) -> None:
    runs = examples.label_runs(("knowing", 0.8), suite=examples.label_suite(named_groups=True))
    (suite,) = data_of(render_report(runs, []))
    assert suite["groups"][0] == "possession-0" and len(suite["group"]) == 90


def test_encoders_and_nli_models_share_a_report(runs: list[RunResult], examples: ModuleType) -> None:
    encoders = examples.real_runs("overlap:words")
    mixed = render_report([*encoders, *runs], [])
    assert "How models handle negation and antonyms</h1>" in mixed
    rows = {row[0]: row for row in table_of(mixed, "overview")}
    assert rows["made-labels"][1] == "–" and rows["heros-small"][1] != "–"
    assert rows["made-labels"][2].startswith(f"{100 * runs[0].metrics.accuracy:.1f} %")
    assert [isinstance(suite["right"], list) for suite in data_of(mixed)] == [False] * 6 + [True]
    assert "Matthews’ correlation (MCC)</dt>" in mixed
    assert f"{TITLE}</h1>" in render_report(encoders, []) and "(MCC)" not in render_report(encoders, [])


def test_nli_models_on_similarity_suites_have_the_usual_figures(examples: ModuleType) -> None:
    from litotes import Item, Suite
    from litotes.suites.kinds import suite_kind

    kind = suite_kind("negation-detection")
    sentences = dict(zip(kind.roles, examples.SENTENCES["negation-detection"], strict=True))
    items = [
        Item(noun, noun, {role: text.format(noun) for role, text in sentences.items()}, {"label": "neutral"})
        for noun in ("boat", "gate", "mill")
    ]
    page = render_report(examples.label_runs(("knowing", 0.5), suite=Suite("likeness", kind, items, sha256="x")), [])
    assert 'class="choices-panel"' in page and 'class="category-panel"' not in page
    (suite,) = data_of(page)
    assert suite["right"] == 0 and suite["categories"] == []


def test_suite_may_lack_categories_and_groups(examples: ModuleType) -> None:
    runs = examples.label_runs(("knowing", 0.8), suite=examples.label_suite(categories=False))
    page = render_report(runs, [])
    assert "category-panel" not in page.partition("</style>")[2]
    assert '<table class="confusion' in page


def test_notes_of_a_run_are_shown(runs: list[RunResult]) -> None:
    noted = replace(runs[0], notes=["2 text pairs have more than one label: <gnu>"])
    assert "2 text pairs have more than one label: &lt;gnu&gt;" in render_report([noted], [])


def test_hostile_names_are_escaped(examples: ModuleType, runs: list[RunResult]) -> None:
    evil = '"><script>alert(1)</script>&'
    page = render_report([replace(runs[0], model=evil)], [])
    assert "<script>alert" not in page
    suite = examples.label_suite(evil)
    assert "<script>alert" not in render_report(examples.label_runs(("knowing", 0.5), suite=suite), [])
