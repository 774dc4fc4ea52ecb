"""Leaderboard, profiles, two models side by side and errors, by clicking in a real browser."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.chromium import need_browser

need_browser()
sys.path.insert(0, str(Path(__file__).parent))  # in pytest's importlib mode browser_page.py cannot be imported by name

from browser_page import Report, open_report, set_width
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from litotes.evaluation.error_analysis import missed_items, model_agreements
from litotes.evaluation.result import RunResult

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("desktop")]

BLIND, FAIR, GOOD = "all-MiniLM-L6-v2", "paraphrase-multilingual-mpnet-base-v2", "negation-aware-base"


@pytest.fixture(scope="module")
def runs(examples: ModuleType) -> list[RunResult]:
    kinds = ("generic", "paraphrase", "NLI")
    invented, _ = examples.three_models(240)
    return [replace(run, group=kind) for run, kind in zip(invented, kinds, strict=True)]


@pytest.fixture
def report(driver: Any, runs: list[RunResult], examples: ModuleType, tmp_path: Path) -> Report:
    triplets = [examples.triplet_run(run.model, 30) for run in runs]
    return open_report(driver, tmp_path, [*runs, *triplets], examples.three_models(240)[1]).open()


def click(report: Report, selector: str) -> None:
    report.script(f"document.querySelector({selector!r}).click()")


def pick(report: Report, field: str, text: str) -> None:
    Select(report.find(f"#{field}")).select_by_visible_text(text)


def shown_names(report: Report) -> list[str]:
    return report.texts(".leaderboard tbody tr:not([hidden]) th")


def test_the_leaderboard_is_sorted_and_filtered(report: Report) -> None:
    click(report, ".leaderboard th[data-column='0'] button")
    assert shown_names(report) == sorted([BLIND, FAIR, GOOD, "guessing"])
    click(report, ".leaderboard th[data-column='3'] button")
    assert shown_names(report) == [GOOD, FAIR, "guessing", BLIND]
    click(report, ".leaderboard th[data-column='3'] button")
    assert shown_names(report) == [BLIND, "guessing", FAIR, GOOD]
    click(report, ".kinds input[value='2']")
    assert shown_names(report) == [BLIND, "guessing", GOOD]
    assert report.find(".board-filter [role=status]").text == "2 of 3 models"
    click(report, ".kinds input[value='2']")
    report.find(".board-filter input[type=search]").send_keys("minilm")
    assert shown_names(report) == [BLIND, "guessing"]


def test_a_name_links_to_its_profile(report: Report, runs: list[RunResult]) -> None:
    report.script(
        f"[...document.querySelectorAll('.leaderboard a')].find((one) => one.textContent === {BLIND!r}).click()"
    )
    report.wait(lambda: report.script("return document.activeElement.id") == "profile-name")
    assert Select(report.find("#profile-model")).first_selected_option.text == BLIND
    figures = report.texts("#profile-figures .profile b")
    assert figures[0].replace("\u00a0", " ") == f"{100 * runs[0].metrics.accuracy:.1f} %"
    assert report.texts("#profile-figures h3") == ["All suites", "semantoneg", "negation triplets"]
    assert report.script("return document.querySelectorAll('#profile-figures svg .dot').length") == len(figures)
    # The counts of the page equal those of the items.
    short = [item.credit for item in runs[0].items if len(item.sentences["input"].split()) <= 5]
    names = report.texts("#profile-figures tbody tr:not(.property) th")
    assert figures[names.index("short")].replace("\u00a0", " ") == f"{100 * sum(short) / len(short):.1f} %"
    pick(report, "profile-model", GOOD)
    assert "model=negation-aware-base" in report.driver.current_url
    assert report.texts("#profile-figures .profile b") != figures


def test_two_models_side_by_side(report: Report, runs: list[RunResult]) -> None:
    report.open(f"#view=compare&suite=semantoneg&a={BLIND}&b={GOOD}")
    blind, _, good = runs
    passed = [(a.credit == 1, b.credit == 1) for a, b in zip(blind.items, good.items, strict=True)]
    counts = [passed.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]
    assert [int(text) for text in report.texts("#compare-square b")] == counts
    assert report.find("#compare-matches").text.startswith(f"{counts[1] + counts[2]} items of 240")
    summary = report.find("#compare-summary").text
    assert "the two differ" in summary
    kappa = next(agreement.kappa for agreement in model_agreements([blind, good]))
    assert f"kappa {kappa:.2f}".replace("-", "−") in summary
    click(report, "#compare-square .square-b")
    assert report.find("#compare-matches").text.startswith(f"{counts[2]} items of 240")
    first = next(index for index, pair in enumerate(passed) if pair == (False, True))
    assert report.texts("#compare-list .row-text")[0] == next(iter(good.items[first].sentences.values()))
    pick(report, "compare-b", FAIR)
    assert FAIR in report.driver.current_url
    pick(report, "compare-b", BLIND)
    assert report.find("#compare-summary").text == "Choose two different models."
    pick(report, "compare-suite", "negation triplets")
    assert "of 30" in report.find("#compare-matches").text


def test_an_item_opens_with_the_choices_of_all_models(report: Report, runs: list[RunResult]) -> None:
    report.open(f"#view=compare&suite=semantoneg&a={BLIND}&b={GOOD}")
    pick(report, "compare-which", "all")
    click(report, "#compare-list .row-open")
    item = runs[0].items[0]
    assert report.texts("#item .sentence") == list(item.sentences.values())
    rows = report.texts("#item tbody tr:first-child td")
    assert rows[1:-1] == [f"{value:.4f}" for value in item.similarities.values()]
    assert report.texts("#item tbody th") == [BLIND, GOOD]
    report.find("#item button").click()
    assert not report.script("return document.getElementById('item').open")
    report.script("document.querySelector('#compare-list .row-open').focus()")
    report.press(Keys.ENTER)
    report.wait(lambda: report.script("return document.activeElement.textContent") == "Close")
    report.press(Keys.ESCAPE)
    # The close event comes with a delay, after which the row has the focus again.
    report.wait(lambda: report.script("return document.activeElement.className") == "row-open")
    assert not report.script("return document.getElementById('item').open")


def test_errors_match_the_analysis(report: Report, runs: list[RunResult]) -> None:
    report.open("#view=errors&suite=semantoneg")
    best = sorted(runs, key=lambda run: -run.metrics.accuracy)
    for least in (3, 2, 1):
        pick(report, "errors-least", "all 3" if least == 3 else str(least))
        result = missed_items(best, least)
        assert report.find("#errors-matches").text.startswith(f"{len(result.items)} of 240 items")
        assert report.texts(".missed-groups button") == [one.group for one in result.groups]
        assert report.texts(".missed-groups .number") == [f"{one.missed} of {one.items}" for one in result.groups]
    group = missed_items(best, 1).groups[0]
    click(report, ".missed-groups button")
    assert report.find("#errors-matches").text.startswith(f"{group.missed} of 240 items")
    pick(report, "errors-kind", "NLI")
    assert report.find("#errors-matches").text.endswith(f"missed by {GOOD}.")


def test_only_visible_rows_are_in_the_page(report: Report) -> None:
    report.open("#view=errors&suite=semantoneg")
    pick(report, "errors-least", "none: every item")
    pick(report, "errors-order", "as in the suite file")
    assert report.script("return document.querySelectorAll('#errors-list .row').length") < 40
    report.script("const list = document.getElementById('errors-list'); list.scrollTop = list.scrollHeight")
    last = "return [...document.querySelectorAll('#errors-list .row')].at(-1).getAttribute('aria-posinset')"
    report.wait(lambda: report.script(last) == "240")
    report.find("#errors-text").send_keys("no sentence has this")
    report.wait(lambda: report.find("#errors-matches").text.startswith("0 of 240"))
    assert not report.find("#errors-list").is_displayed()


def test_hostile_text_is_escaped_in_every_view(driver: Any, examples: ModuleType, tmp_path: Path) -> None:
    runs = [examples.hostile_run(), replace(examples.hostile_run("second"), group="<i>kind</i>")]
    report = open_report(driver, tmp_path, runs, []).open("#view=errors")
    pick(report, "errors-least", "none: every item")
    assert examples.SCRIPT_SENTENCE in report.texts("#errors-list .row-text")
    click(report, "#errors-list .row-open")
    assert examples.IMAGE_SENTENCE in report.texts("#item .sentence")
    report.open("#view=compare&a=<b>&b=%00")
    report.open("#view=profile&model=second")
    report.open("#view=constructor")
    assert report.script("return window.hacked") is None
    assert driver.get_log("browser") == []


def test_labels_are_compared(driver: Any, examples: ModuleType, tmp_path: Path) -> None:
    runs = examples.label_runs(("knowing", 0.9), ("guessing", 0.3), ties=3)
    report = open_report(driver, tmp_path, runs, []).open("#view=compare")
    passed = [(a.credit == 1, b.credit == 1) for a, b in zip(runs[0].items, runs[1].items, strict=True)]
    assert int(report.texts("#compare-square b")[0]) == passed.count((True, True))
    report.open("#view=profile&model=knowing")
    assert "possession" in report.texts("#profile-figures tbody th")
    assert driver.get_log("browser") == []


@pytest.mark.parametrize("width", [1280, 390])
def test_opens_within_two_seconds_and_fits(report: Report, width: int) -> None:
    set_width(report.driver, width)
    report.open()
    took = report.script("return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    assert took < 2000
    for view in ("profile", "compare", "errors"):
        report.open(f"#view={view}")
        assert report.script("return document.documentElement.scrollWidth") <= width
