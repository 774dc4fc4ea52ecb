"""The HTML report in a real browser, opened from disk."""

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
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("desktop")]

BLIND = "all-MiniLM-L6-v2"


@pytest.fixture
def three(driver: Any, examples: ModuleType, tmp_path: Path) -> Report:
    """Return the runs of three models on 240 items."""
    return open_report(driver, tmp_path, *examples.three_models(240)).open()


def test_opens_without_errors_or_requests(three: Report) -> None:
    assert "240 of 240 items match; 1–50 are shown." in three.find("#matches").text
    assert three.driver.get_log("browser") == []
    requests = [
        entry["message"]
        for entry in three.driver.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"] and three.path.as_uri() not in entry["message"]
    ]
    assert requests == []


def test_text_is_shown_and_never_executed(driver: Any, examples: ModuleType, tmp_path: Path) -> None:
    report = open_report(driver, tmp_path, [examples.hostile_run()], []).open()
    sentences = report.texts(".entry .sentence")
    assert examples.SCRIPT_SENTENCE in sentences
    assert examples.IMAGE_SENTENCE in sentences
    assert report.script("return window.hacked") is None
    assert report.script("return document.images.length") == 0
    assert driver.get_log("browser") == []
    # Links to groups with unusual names work, also through the URL.
    report.find(".groups a").click()
    report.wait(lambda: report.matches() == 2)
    assert report.texts(".entry .group") == ["<good>/&bad"] * 2


def test_the_policy_blocks_an_injected_script(three: Report) -> None:
    three.script(
        "const late = document.createElement('script'); late.textContent = 'window.hacked = 9';"
        "document.body.append(late)"
    )
    assert three.script("return window.hacked") is None
    assert "Content Security Policy" in three.driver.get_log("browser")[0]["message"]


def test_filter_by_choice(three: Report, examples: ModuleType) -> None:
    blind = examples.three_models(240)[0][0]
    three.choose("model", BLIND)
    three.choose("choice", "antonym")
    assert three.matches() == blind.choices["antonym"]
    assert set(three.texts(".entry .explained")) == {"chose antonym, right is both"}
    three.choose("choice", "tie")
    assert three.matches() == 0
    three.choose("model", "negation-aware-base")
    assert three.matches() == 1
    assert three.texts(".entry .verdict") == ["Tie"]
    assert three.texts(".entry .mark.chosen") == []


def test_filter_by_outcome(three: Report, examples: ModuleType) -> None:
    blind = examples.three_models(240)[0][0]
    three.choose("model", BLIND)
    three.choose("outcome", "right")
    assert three.matches() == blind.choices["both"]
    assert set(three.texts(".entry .verdict")) == {"Right"}
    three.choose("outcome", "wrong")
    assert three.matches() == 240 - blind.choices["both"]


def test_filters_by_group_and_text_combine(three: Report, examples: ModuleType) -> None:
    items = examples.three_models(240)[0][0].items
    of_group = [item for item in items if item.group == "cold/warm"]
    three.choose("group", f"cold/warm ({len(of_group)})")
    assert three.matches() == len(of_group)
    # A straight apostrophe matches the curly one.
    expected = [item for item in of_group if "neighbour’s PIANO".lower() in item.sentences["input"].lower()]
    assert expected
    three.find("#filter-text").send_keys("neighbour's PIANO")
    three.wait(lambda: three.matches() == len(expected))
    assert all("neighbour’s piano" in text for text in three.texts(".entry .sentence"))
    three.find("#filter-reset").click()
    assert three.matches() == 240


def test_an_entry_shows_roles_similarities_choice_and_right_option(three: Report, examples: ModuleType) -> None:
    three.choose("model", BLIND)
    three.choose("sort", "as in the suite file")
    item = examples.three_models(240)[0][0].items[0]
    entry = three.find(".entry")
    roles = [element.text for element in entry.find_elements(By.CSS_SELECTOR, ".role")]
    assert roles == ["input", "antonym", "polarity", "both"]
    assert [element.text for element in entry.find_elements(By.CSS_SELECTOR, ".sentence")] == list(
        item.sentences.values()
    )
    similarities = [element.text for element in entry.find_elements(By.CSS_SELECTOR, ".similarity")]
    assert similarities == ["", *(f"{value:.4f}" for value in item.similarities.values())]
    chosen = entry.find_element(By.XPATH, ".//*[contains(@class, 'chosen')][text()='chosen']/ancestor::div[1]")
    assert chosen.find_element(By.CSS_SELECTOR, ".role").text == item.choice
    right = entry.find_element(By.XPATH, ".//*[text()='✓ right']/ancestor::div[1]")
    assert right.find_element(By.CSS_SELECTOR, ".role").text == "both"


def test_items_are_sorted_by_margin_or_file_order(three: Report) -> None:
    three.choose("model", BLIND)
    three.choose("sort", "margin, lowest first")
    lowest = three.margins()
    assert lowest == sorted(lowest)
    three.choose("sort", "margin, highest first")
    highest = three.margins()
    assert highest == sorted(highest, reverse=True)
    assert highest[0] > lowest[0]
    three.choose("sort", "as in the suite file")
    assert three.texts(".entry .id")[:3] == ["made-0001", "made-0002", "made-0003"]


def test_paging_works_with_the_keyboard(three: Report) -> None:
    # A click could miss, because the layout of earlier sections changes the position.
    three.script("document.getElementById('filter-text').focus()")
    three.press(Keys.TAB)
    assert three.driver.switch_to.active_element.get_attribute("id") == "filter-reset"
    three.press(Keys.TAB, Keys.TAB)
    assert three.driver.switch_to.active_element.get_attribute("id") == "page-next"
    for page in range(2, 6):
        three.press(Keys.ENTER)
        assert three.find("#page-place").text == f"Page {page} of 5"
    assert "201–240 are shown" in three.find("#matches").text
    # At the end the button keeps the focus and does nothing.
    three.press(Keys.ENTER)
    assert three.find("#page-place").text == "Page 5 of 5"
    assert three.driver.switch_to.active_element.get_attribute("id") == "page-next"
    assert three.find("#page-next").get_attribute("aria-disabled") == "true"


def test_focus_is_visible_and_the_skip_link_is_first(three: Report) -> None:
    three.find("body").send_keys(Keys.TAB)
    link = three.driver.switch_to.active_element
    assert link.text == "Skip to the results"
    assert link.rect["x"] >= 0
    assert link.value_of_css_property("outline-style") == "solid"


def test_groups_are_sorted_with_the_keyboard(three: Report) -> None:
    head = three.find(".groups th[data-column='0']")
    three.script("document.querySelector(\".groups th[data-column='0'] button\").focus()")
    three.press(Keys.ENTER)
    names = three.texts(".groups tbody th")
    assert names == sorted(names)
    assert head.get_attribute("aria-sort") == "ascending"
    three.press(Keys.ENTER)
    assert three.texts(".groups tbody th") == names[::-1]
    three.script("document.querySelector(\".groups th[data-column='2'] button\").focus()")
    three.press(Keys.ENTER)
    shares = [float(text) for text in three.texts(".groups tbody td:nth-child(3)")]
    assert shares == sorted(shares, reverse=True)
    assert head.get_attribute("aria-sort") is None


def test_groups_are_filtered_by_name(three: Report) -> None:
    total = len(three.texts(".groups tbody tr"))
    three.find(".group-filter input").send_keys("COLD")
    assert three.texts(".groups tbody tr:not([hidden]) th") == ["cold/warm"]
    assert three.find(".group-filter [role=status]").text == f"1 of {total} antonym pairs"


def test_a_group_links_to_its_items_repeatedly(three: Report) -> None:
    three.choose("model", BLIND)
    for _ in range(2):
        three.script("scrollTo(0, 0)")
        three.script("document.querySelector('.groups tbody a').click()")
        three.wait(lambda: set(three.texts(".entry .group")) == {"cold/warm"})
        three.wait(
            lambda: abs(three.script("return document.querySelector('#browser').getBoundingClientRect().top")) < 5
        )
    assert three.script("return document.activeElement.id") == "browser-name"
    assert Select(three.find("#filter-model")).first_selected_option.text == BLIND


def test_a_view_can_be_linked(three: Report) -> None:
    three.choose("model", BLIND)
    three.choose("choice", "polarity")
    three.choose("sort", "margin, highest first")
    three.find("#filter-text").send_keys("is")
    three.wait(lambda: "text=is" in three.driver.current_url)
    three.find("#page-next").send_keys(Keys.ENTER)
    ids, fragment = three.texts(".entry .id"), three.driver.current_url.partition("#")[2]
    three.open(f"#{fragment}")
    assert three.texts(".entry .id") == ids
    assert Select(three.find("#filter-choice")).first_selected_option.text == "polarity"
    assert three.find("#page-place").text.startswith("Page 2")


@pytest.mark.parametrize("fragment", ["#model=nobody&page=x&chosen=nothing&group=none&order=odd", "#=", "#%E0%A4%A=1"])
def test_an_invalid_link_is_ignored(three: Report, fragment: str) -> None:
    three.open(fragment)
    assert three.matches() == 240
    assert three.driver.get_log("browser") == []


def test_the_item_browser_shows_several_suites(driver: Any, examples: ModuleType, tmp_path: Path) -> None:
    runs, comparisons = examples.three_models(60)
    report = open_report(driver, tmp_path, [*runs, examples.triplet_run(BLIND, 30)], comparisons).open()
    report.choose("model", BLIND)
    report.choose("suite", "negation triplets")
    assert report.matches() == 30
    assert report.find("#group-word").text == "Sentence"
    roles = [element.text for element in report.find(".entry").find_elements(By.CSS_SELECTOR, ".role")]
    assert roles == [
        "original",
        "synonym",
        "negated",
        "original ~ synonym",
        "original ~ negated",
        "synonym ~ negated",
    ]
    report.choose("choice", "original ~ negated")
    assert set(report.texts(".entry .verdict")) == {"Wrong"}


def test_a_phone_does_not_scroll_horizontally(three: Report, examples: ModuleType, tmp_path: Path) -> None:
    set_width(three.driver, 360)
    odd = [examples.hostile_run("x" * 120), examples.triplet_run("y" * 90, 9)]
    (tmp_path / "odd").mkdir()
    for report in (three, open_report(three.driver, tmp_path / "odd", odd, [])):
        report.open()
        report.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page = "document.documentElement"
        assert report.script(f"return {page}.scrollWidth") <= report.script(f"return {page}.clientWidth") <= 360


def test_dark_mode_changes_the_background(three: Report) -> None:
    def background() -> Any:
        return three.script("return getComputedStyle(document.body).backgroundColor")

    light = background()
    three.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    assert background() != light


def test_tables_and_figures_work_without_javascript(three: Report) -> None:
    three.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    three.open()
    text = three.find("body").text
    assert "How right is each model?" in text and "cold/warm" in text
    assert "needs JavaScript" in text
    assert not three.find("#browser-tool").is_displayed()


def test_three_thousand_items_are_filtered_quickly(driver: Any, examples: ModuleType, tmp_path: Path) -> None:
    report = open_report(driver, tmp_path, *examples.three_models(3000)).open()
    report.choose("model", BLIND)
    took = report.script(
        "const start = performance.now(); const field = document.getElementById('filter-choice');"
        "field.value = '1'; field.dispatchEvent(new Event('change')); return performance.now() - start"
    )
    assert report.matches() > 2000
    assert took < 500


@pytest.mark.parametrize("width", [1280, 390])
def test_suites_of_every_kind_fit_the_window(driver: Any, examples: ModuleType, tmp_path: Path, width: int) -> None:
    set_width(driver, width)
    report = open_report(driver, tmp_path, examples.real_runs("overlap:words", "overlap:words?label=other"), []).open()
    assert report.script("return document.documentElement.scrollWidth") <= width
    assert driver.get_log("browser") == []
    assert report.script("return document.querySelectorAll('.heat-map text').length") >= 12
    report.choose("suite", "negation-variants-small")
    report.wait(lambda: report.texts(".entry .role")[:3] == ["original", "negated", "quantifier negated"])
