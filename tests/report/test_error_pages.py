"""What errors have in common: the pages say what the analysis of one run, or of all, says."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html import unescape
from itertools import permutations
from types import ModuleType
from urllib.parse import parse_qsl

import pytest

from litotes.evaluation.analysis.agreement import model_agreements
from litotes.evaluation.analysis.difficulty import difficulty_bins
from litotes.evaluation.analysis.overlap import overlap_preference
from litotes.evaluation.result import RunResult
from litotes.report.error_figures import judged, kappas, overlap_preferences
from litotes.report.error_pages import error_pages
from litotes.report.html_words import percent
from litotes.report.item_properties import item_bins
from litotes.report.suite_runs import SuiteRuns, by_suite


@pytest.fixture(scope="module")
def suite(examples: ModuleType) -> SuiteRuns:
    runs, comparisons = examples.three_models(120)
    return by_suite([examples.tagged(run) for run in runs], comparisons)[0]


def test_overlap_is_that_of_each_run_alone(suite: SuiteRuns, examples: ModuleType) -> None:
    suites = [suite, *by_suite(examples.real_runs("overlap:words"), [])]
    assert len(suites) == 7
    for one in suites:
        for found, run in zip(overlap_preferences(one), one.runs, strict=True):
            alone = overlap_preference(run)
            assert (found.items, found.chosen, found.right) == pytest.approx(
                (alone.items, alone.chosen, alone.right), nan_ok=True
            )
            assert found.correlation == pytest.approx(alone.correlation)


def test_kappa_of_every_two(suite: SuiteRuns) -> None:
    square = kappas(suite.runs)
    found = {(one.a, one.b): one.kappa for one in model_agreements(suite.runs)}
    for a, row in enumerate(square):
        assert row[a] == 1
        for b in range(a + 1, len(row)):
            assert row[b] == square[b][a] == found[suite.runs[a].model, suite.runs[b].model]


def test_bins_of_items_are_those_of_the_analysis(suite: SuiteRuns) -> None:
    counts = {(one.property, one.value): one.items for one in difficulty_bins(suite.runs)}
    bins = item_bins(suite)
    assert {"opposites", "frequency of the rarer word"} <= {one.name for one in bins}
    for one in bins:
        for place, value in enumerate(one.values):
            assert one.of.count(place) == counts.get((one.name, value), 0)


def test_the_page_has_all_three(suite: SuiteRuns) -> None:
    page = error_pages([suite])
    assert "Who chooses alike?" in page and "Do they go by the words in common?" in page and "What is hard?" in page
    affixal = next(one for one in difficulty_bins(suite.runs) if one.value == "affixal")
    assert f'>affixal</a></td><td class="number">{affixal.items}</td>' in page
    assert f"<b>{percent(affixal.accuracy)}</b>" in page


def test_figures_lead_to_what_is_behind_them(suite: SuiteRuns) -> None:
    page = error_pages([suite])
    links = [dict(parse_qsl(unescape(one))) for one in re.findall(r'href="#([^"]+)"', page)]
    first, second, third = suite.names
    pairs = [(link["a"], link["b"]) for link in links if link.get("view") == "compare"]
    assert sorted(pairs) == sorted(permutations((first, second, third), 2))
    bins = {(one.name, value) for one in item_bins(suite) for place, value in enumerate(one.values) if place in one.of}
    assert {
        (key.removeprefix("with "), value)
        for link in links
        if link.get("view") == "errors"
        for key, value in link.items()
        if key.startswith("with ")
    } == bins
    assert [link["model"] for link in links if "overlap" in link] == list(suite.names)


def test_one_model_agrees_with_nobody(suite: SuiteRuns) -> None:
    alone = by_suite(suite.runs[:1], [])
    page = error_pages(alone)
    assert "Who chooses alike?" not in page and "What is hard?" in page


def test_a_run_without_figures_is_left_out(suite: SuiteRuns) -> None:
    lost = suite.runs[0].items[0]._replace(credit=math.nan, choice=None)
    bad = replace(suite.runs[0], model="lost", items=[lost, *suite.runs[0].items[1:]])
    (mixed,) = by_suite([*suite.runs, bad], [])
    assert [mixed.names[place] for place in judged(mixed)] == [name for name in mixed.names if name != "lost"]
    assert "nan" not in error_pages([mixed])


def test_labels_have_no_overlap(examples: ModuleType) -> None:
    runs: list[RunResult] = examples.label_runs(("knowing", 0.8), ("guessing", 0.4))
    (labels,) = by_suite(runs, [])
    page = error_pages([labels])
    assert overlap_preferences(labels) == []
    assert "Who chooses alike?" in page and "words in common" not in page
