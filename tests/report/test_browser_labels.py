"""A suite whose items have labels in a real browser."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.chromium import need_browser

need_browser()
sys.path.insert(0, str(Path(__file__).parent))  # in pytest's importlib mode browser_page.py cannot be imported by name

from browser_page import Report, open_report, set_width
from selenium.webdriver.common.by import By

from litotes.evaluation.result import RunResult

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("desktop")]


@pytest.fixture(scope="module")
def runs(examples: ModuleType) -> list[RunResult]:
    """Return runs of two NLI models with three ties each, and of encoders on other suites."""
    labelled: list[RunResult] = examples.label_runs(("knowing", 0.8), ("blind", 0.0), ties=3)
    return [*examples.three_models(30)[0], *labelled]


@pytest.fixture
def mixed(driver: Any, runs: list[RunResult], tmp_path: Path) -> Report:
    return open_report(driver, tmp_path, runs, []).open()


def knowing(runs: list[RunResult]) -> RunResult:
    return next(run for run in runs if run.model == "knowing")


def test_outcomes_match_the_metrics(mixed: Report, runs: list[RunResult]) -> None:
    run = knowing(runs)
    right = sum(item.choice == item.tags["label"] for item in run.items)
    assert 0 < right < len(run.items)
    mixed.choose("suite", "made-labels")
    for outcome, number in (("right", right), ("tied with the right option", 3), ("wrong", len(run.items) - right - 3)):
        mixed.choose("outcome", outcome)
        assert mixed.matches() == number
    explained = mixed.texts(".entry .explained")
    assert explained and all(text.startswith("chose ") and ", right is " in text for text in explained)
    assert not any(text.split()[1].rstrip(",") == text.split()[-1] for text in explained)


def test_an_entry_shows_premise_hypothesis_and_probabilities(mixed: Report, runs: list[RunResult]) -> None:
    mixed.choose("suite", "made-labels")
    mixed.choose("sort", "as in the suite file")
    for index in (5, 6):
        item = knowing(runs).items[index]
        entry = mixed.driver.find_elements(By.CSS_SELECTOR, ".entry")[index]
        lines = [element.text for element in entry.find_elements(By.CSS_SELECTOR, ".role")]
        assert lines == ["premise", "hypothesis", "entailment", "neutral", "contradiction"]
        assert [element.text for element in entry.find_elements(By.CSS_SELECTOR, ".sentence")] == list(
            item.sentences.values()
        )
        probabilities = [element.text for element in entry.find_elements(By.CSS_SELECTOR, ".similarity")][2:]
        assert probabilities == [f"{value:.4f}" for value in item.similarities.values()]
        marked = {
            mark.text: mark.find_element(By.XPATH, "./ancestor::div[1]").find_element(By.CSS_SELECTOR, ".role").text
            for mark in entry.find_elements(By.CSS_SELECTOR, ".mark")
        }
        assert marked == {"chosen": item.choice, "✓ right": item.tags["label"]}
        assert entry.find_element(By.CSS_SELECTOR, ".facts .category").text == item.tags["categories"]


def test_filter_by_category_and_label(mixed: Report, runs: list[RunResult]) -> None:
    assert not mixed.find("#category-choice").is_displayed() and not mixed.find("#gold-choice").is_displayed()
    assert mixed.find("#group-choice").is_displayed()
    mixed.choose("suite", "made-labels")
    # Premises are shown as sentences, so the page has no list of groups.
    assert not mixed.find("#group-choice").is_displayed()
    mixed.choose("category", "rejection (10)")
    assert mixed.matches() == 10
    mixed.choose("gold", "contradiction")
    expected = [
        item.id
        for item in knowing(runs).items
        if "rejection" in item.tags["categories"] and item.tags["label"] == "contradiction"
    ]
    assert sorted(mixed.texts(".entry .id")) == sorted(expected)
    fragment = mixed.driver.current_url.partition("#")[2]
    mixed.open(f"#{fragment}")
    assert sorted(mixed.texts(".entry .id")) == sorted(expected)
    mixed.find("#filter-reset").click()
    assert mixed.matches() == len(knowing(runs).items)
    # Filters of a suite do not apply to another suite.
    mixed.choose("category", "rejection (10)")
    mixed.choose("suite", "semantoneg")
    assert mixed.matches() == 30


def test_a_category_links_to_its_items(mixed: Report) -> None:
    mixed.script("document.querySelector('.categories tbody a').click()")
    mixed.wait(lambda: set(mixed.texts(".entry .category")) == {"possession"})
    assert mixed.matches() == 9


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_the_window_without_errors(
    driver: Any, runs: list[RunResult], examples: ModuleType, tmp_path: Path, width: int
) -> None:
    set_width(driver, width)
    long = examples.label_runs(("x" * 120, 0.5), suite=examples.label_suite("named-groups", named_groups=True))
    report = open_report(driver, tmp_path, [*runs, *long], []).open("#suite=made-labels")
    assert report.script("return document.documentElement.scrollWidth") <= width
    assert driver.get_log("browser") == []
    assert report.script("return document.querySelectorAll('.category-panel').length") == 3
    report.choose("suite", "named-groups")
    assert report.find("#group-choice").is_displayed()
