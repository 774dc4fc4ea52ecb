"""The errors section in a real browser: filters, and links from numbers to items."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.chromium import need_browser

need_browser()
sys.path.insert(0, str(Path(__file__).parent))  # in pytest's importlib mode browser_page.py cannot be imported by name

from browser_page import Report, open_report, set_width
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from litotes.evaluation.result import RunResult
from litotes.report.errors import highest_overlap, item_properties
from litotes.report.suite_runs import SuiteRuns, by_suite

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("desktop")]


@pytest.fixture(scope="module")
def runs(examples: ModuleType) -> list[RunResult]:
    return [examples.tagged(run) for run in examples.three_models(240)[0]]


@pytest.fixture(scope="module")
def suite(runs: list[RunResult]) -> SuiteRuns:
    return by_suite(runs, [])[0]


@pytest.fixture(scope="module")
def page(driver: Any, runs: list[RunResult], examples: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Report:
    triplets = [examples.triplet_run(run.model, 30) for run in runs]
    return open_report(driver, tmp_path_factory.mktemp("errors"), [*runs, *triplets], [])


@pytest.fixture
def report(page: Report) -> Report:
    return page.open("#view=errors&suite=semantoneg")


def pick(report: Report, field: str, text: str) -> None:
    select = Select(report.find(field))
    (result,) = [option.text for option in select.options if option.text.partition(" (")[0] == text]
    select.select_by_visible_text(result)


def chosen(report: Report, field: str) -> str:
    result: str = Select(report.find(field)).first_selected_option.text
    return result


def property_field(name: str) -> str:
    return f"#errors-properties select[data-property='{name}']"


def url_state(report: Report) -> dict[str, str]:
    fragment = urlsplit(report.driver.current_url).fragment
    return {key: values[0] for key, values in parse_qs(fragment).items()}


def n_matches(report: Report) -> int:
    return int(report.find("#errors-matches").text.split(" of ")[0].replace(",", ""))


def follow(report: Report, link: str) -> None:
    """Follow a link with the keyboard."""
    report.script(f"const link = document.querySelector({link!r}); link.closest('details').open = true; link.focus()")
    report.press(Keys.ENTER)


def follows_overlap(suite: SuiteRuns, run: RunResult) -> list[bool]:
    """Return for each item with a single option of highest overlap whether the model chose it."""
    most = zip(run.items, highest_overlap(suite), strict=True)
    return [item.choice == suite.info.options[option] for item, option in most if option >= 0]


def test_items_are_filtered_by_each_property(report: Report, suite: SuiteRuns) -> None:
    pick(report, "#errors-least", "none: every item")
    properties = item_properties(suite)
    names = {item_property.name for item_property in properties}
    assert {"opposites", "length of the sentence", "place of the negation"} <= names
    for item_property in properties:
        name, values = item_property.name, item_property.value_of_item
        for index, value in enumerate(item_property.values):
            if index in values:
                pick(report, property_field(name), value)
                assert n_matches(report) == values.count(index)
                assert url_state(report)[f"with {name}"] == value
        pick(report, property_field(name), "any")
    first, second = properties[:2]
    pairs = list(zip(first.value_of_item, second.value_of_item, strict=True))
    pick(report, property_field(first.name), first.values[pairs[0][0]])
    pick(report, property_field(second.name), second.values[pairs[0][1]])
    assert n_matches(report) == pairs.count(pairs[0])


def test_items_are_filtered_by_lexical_overlap(report: Report, suite: SuiteRuns) -> None:
    pick(report, "#errors-least", "none: every item")
    times = [sum(one) for one in zip(*(follows_overlap(suite, run) for run in suite.runs), strict=True)]
    for text, expected in (
        ("all of these models", times.count(3)),
        ("at least one of them", len(times) - times.count(0)),
        ("none of them", times.count(0)),
    ):
        pick(report, "#errors-overlap", text)
        assert n_matches(report) == expected
    pick(report, "#errors-best", "1 model")
    pick(report, "#errors-least", "none: every item")
    pick(report, "#errors-overlap", "all of these models")
    assert n_matches(report) == sum(follows_overlap(suite, suite.runs[0]))
    report.find("#errors-list .row-open").click()
    assert "most words in common: " in report.find("#item .about").text


def test_the_url_contains_the_selection(report: Report, suite: SuiteRuns) -> None:
    group = suite.items[0].group
    opposites = next(row for row in item_properties(suite) if row.name == "opposites")
    fields = {
        "#errors-best": "1 model",
        "#errors-least": "none: every item",
        "#errors-group": group,
        "#errors-order": "as in the suite file",
        "#errors-overlap": "at least one of them",
        property_field("opposites"): opposites.values[opposites.value_of_item[0]],
    }
    for field, text in fields.items():
        pick(report, field, text)
    report.find("#errors-text").send_keys("is")
    report.wait(lambda: "text" in url_state(report))
    shown, address = report.find("#errors-matches").text, report.driver.current_url
    assert url_state(report)["view"] == "errors" and url_state(report)["group"] == group
    report.open("#" + urlsplit(address).fragment)
    assert report.find("#errors-matches").text == shown
    assert {field: chosen(report, field).partition(" (")[0] for field in fields} == fields
    report.find("#errors-reset").click()
    assert set(url_state(report)) == {"view", "suite", "best", "order"}
    assert chosen(report, property_field("opposites")) == chosen(report, "#errors-overlap") == "any"


def test_a_url_with_unknown_values_is_ignored(report: Report) -> None:
    report.open("#view=errors&suite=no&best=7&least=x&group=%00&order=q&overlap=z&with+opposites=<b>&kind=none")
    assert n_matches(report) > 0
    assert report.driver.get_log("browser") == []


@pytest.mark.parametrize("width", [1280, 390])
def test_difficulty_links_to_its_items(report: Report, suite: SuiteRuns, width: int) -> None:
    set_width(report.driver, width)
    for item_property in item_properties(suite)[:2]:
        name, values = item_property.name, item_property.value_of_item
        value = next(value for index, value in enumerate(item_property.values) if index in values)
        # The first suite comes first; the second has no such property.
        link = f".difficulty a[aria-label='{name}: {value}']"
        follow(report, link)
        report.wait(lambda: report.script("return document.activeElement.id") == "errors-name")
        assert n_matches(report) == values.count(item_property.values.index(value))
        assert chosen(report, property_field(name)).startswith(value)
        # The same link again.
        report.script("window.scrollTo(0, 0)")
        follow(report, link)
        report.wait(lambda: report.script("return document.activeElement.id") == "errors-name")
    assert report.script("return document.documentElement.scrollWidth") <= width
    report.open("#view=errors&suite=semantoneg")
    assert report.find("#errors-overlap").is_displayed() == (width > 640)


def test_kappa_links_to_the_two_models(report: Report, suite: SuiteRuns) -> None:
    follow(report, ".kappa tbody tr:nth-child(1) td:nth-child(4) a")
    report.wait(lambda: report.script("return document.activeElement.id") == "compare-name")
    assert (chosen(report, "#compare-a"), chosen(report, "#compare-b")) == (suite.names[0], suite.names[2])
    kappa = report.script("return document.querySelector('.kappa tbody tr:nth-child(1) td:nth-child(4)').textContent")
    assert f"kappa {kappa}" in report.find("#compare-summary").text


def test_overlap_share_links_to_its_items(report: Report, suite: SuiteRuns) -> None:
    follow(report, ".overlap tbody tr:nth-child(2) td a")
    report.wait(lambda: report.script("return document.activeElement.id") == "browser-name")
    assert report.matches() == sum(follows_overlap(suite, suite.runs[1]))
    assert chosen(report, "#filter-model") == suite.names[1]
    assert chosen(report, "#filter-choice") == "most words in common"


def test_twelve_best_models_are_the_default(driver: Any, examples: ModuleType, tmp_path: Path) -> None:
    run = examples.three_models(60)[0][0]
    runs = [replace(run, model=f"model {number}") for number in range(14)]
    report = open_report(driver, tmp_path, runs, []).open("#view=errors")
    sizes = report.texts("#errors-best option")
    assert sizes == ["1 model", "3 models", "5 models", "10 models", "12 models", "all 14 models"]
    assert chosen(report, "#errors-best") == "12 models"


def test_hostile_names_are_escaped_in_links(driver: Any, examples: ModuleType, tmp_path: Path) -> None:
    runs = [examples.hostile_run(), examples.hostile_run('"><img src=x onerror="window.hacked = 5">')]
    report = open_report(driver, tmp_path, runs, []).open("#view=errors")
    follow(report, ".kappa a")
    report.wait(lambda: report.script("return document.activeElement.id") == "compare-name")
    assert {chosen(report, "#compare-a"), chosen(report, "#compare-b")} == {run.model for run in runs}
    assert report.script("return window.hacked") is None
    assert driver.get_log("browser") == []
