"""The errors section of the report, compared with the error analysis."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from itertools import permutations
from types import ModuleType
from urllib.parse import parse_qsl

import pytest

from litotes.evaluation.error_analysis import difficulty_bins, model_agreements, overlap_preference
from litotes.evaluation.result import RunResult
from litotes.report.errors import complete_runs, item_properties, kappa_matrix, overlap_preferences
from litotes.report.formats import PERCENT
from litotes.report.page import render_report
from litotes.report.suite_runs import SuiteRuns, by_suite

AGREEMENT, OVERLAP, DIFFICULTY = '<table class="kappa"', '<table class="overlap', '<table class="difficulty"'


@pytest.fixture(scope="module")
def suite(examples: ModuleType) -> SuiteRuns:
    runs, comparisons = examples.three_models(120)
    return by_suite([examples.tagged(run) for run in runs], comparisons)[0]


def common_errors(runs: Sequence[RunResult]) -> str:
    """Return the errors section of the page."""
    return "".join(re.findall(r'<details class="common".*?</details>', render_report(runs, []), re.DOTALL))


def test_overlap_matches_the_analysis_of_each_run(suite: SuiteRuns, examples: ModuleType) -> None:
    suites = [suite, *by_suite(examples.real_runs("overlap:words"), [])]
    assert len(suites) == 7
    for one_suite in suites:
        for preference, run in zip(overlap_preferences(one_suite), one_suite.runs, strict=True):
            alone = overlap_preference(run)
            assert (preference.items, preference.chosen, preference.right) == pytest.approx(
                (alone.items, alone.chosen, alone.right), nan_ok=True
            )
            assert preference.correlation == pytest.approx(alone.correlation)


def test_kappa_matrix_is_symmetric_and_complete(suite: SuiteRuns) -> None:
    matrix = kappa_matrix(suite.runs)
    kappas = {(agreement.a, agreement.b): agreement.kappa for agreement in model_agreements(suite.runs)}
    for a, row in enumerate(matrix):
        assert row[a] == 1
        for b in range(a + 1, len(row)):
            assert row[b] == matrix[b][a] == kappas[suite.runs[a].model, suite.runs[b].model]


def test_item_properties_match_the_analysis(suite: SuiteRuns) -> None:
    counts = {(row.property, row.value): row.items for row in difficulty_bins(suite.runs)}
    properties = item_properties(suite)
    assert {"opposites", "frequency of the rarer word"} <= {item_property.name for item_property in properties}
    for item_property in properties:
        for index, value in enumerate(item_property.values):
            assert item_property.value_of_item.count(index) == counts.get((item_property.name, value), 0)


def test_the_page_has_agreement_overlap_and_difficulty(suite: SuiteRuns) -> None:
    page = common_errors(suite.runs)
    assert AGREEMENT in page and OVERLAP in page and DIFFICULTY in page
    affixal = next(row for row in difficulty_bins(suite.runs) if row.value == "affixal")
    assert f'>affixal</a></td><td class="number">{affixal.items}</td>' in page
    assert f"<b>{PERCENT.page(affixal.accuracy)}</b>" in page


def test_numbers_link_to_their_items(suite: SuiteRuns) -> None:
    page = common_errors(suite.runs)
    links = [dict(parse_qsl(unescape(target))) for target in re.findall(r'href="#([^"]+)"', page)]
    pairs = [(link["a"], link["b"]) for link in links if link.get("view") == "compare"]
    assert sorted(pairs) == sorted(permutations(suite.names, 2))
    bins = {
        (item_property.name, value)
        for item_property in item_properties(suite)
        for index, value in enumerate(item_property.values)
        if index in item_property.value_of_item
    }
    assert {
        (key.removeprefix("with "), value)
        for link in links
        if link.get("view") == "errors"
        for key, value in link.items()
        if key.startswith("with ")
    } == bins
    assert [link["model"] for link in links if "overlap" in link] == list(suite.names)


def test_a_single_model_has_no_agreement(suite: SuiteRuns) -> None:
    page = common_errors(suite.runs[:1])
    assert AGREEMENT not in page and DIFFICULTY in page


def test_a_run_without_credits_is_left_out(suite: SuiteRuns) -> None:
    lost = suite.runs[0].items[0]._replace(credit=math.nan, choice=None)
    incomplete = replace(suite.runs[0], model="lost", items=[lost, *suite.runs[0].items[1:]])
    (mixed,) = by_suite([*suite.runs, incomplete], [])
    assert [mixed.names[index] for index in complete_runs(mixed)] == [name for name in mixed.names if name != "lost"]
    assert "nan" not in common_errors(mixed.runs)


def test_labels_have_no_overlap(examples: ModuleType) -> None:
    runs: list[RunResult] = examples.label_runs(("knowing", 0.8), ("guessing", 0.4))
    (labels,) = by_suite(runs, [])
    assert overlap_preferences(labels) == []
    page = common_errors(runs)
    assert AGREEMENT in page and OVERLAP not in page
