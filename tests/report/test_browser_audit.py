"""The page of an audit in a real browser, opened from disk."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import need_browser

need_browser()
sys.path.insert(0, str(Path(__file__).parent))  # in pytest's importlib mode browser_page.py cannot be imported by name

from browser_page import Report, set_width
from selenium.webdriver.common.keys import Keys

from litotes.report.audit_page import render_audit
from tests.audit.example_audits import SCRIPT, example_audit, point

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("desktop")]


@pytest.fixture
def page(driver: Any, tmp_path: Path) -> Report:
    path = tmp_path / "audit.html"
    path.write_text(render_audit(example_audit(at_threshold=point(0.9))), "utf-8")
    return Report(driver, path).open()


def test_opens_without_errors_or_requests_and_executes_no_text(page: Report) -> None:
    assert page.driver.get_log("browser") == []
    requests = [
        entry["message"]
        for entry in page.driver.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"] and page.path.as_uri() not in entry["message"]
    ]
    assert requests == []
    assert page.script("return window.hacked") is None
    assert SCRIPT in page.texts("#worst .sentence")


def test_the_slider_works_with_the_keyboard(page: Report) -> None:
    output = page.find("#at-threshold")
    assert output.text.startswith("At 0.90: 50.0 % of the opposites pass")
    before = page.find("#here").get_attribute("d")
    page.find("#threshold").send_keys(Keys.ARROW_RIGHT)
    assert output.text.startswith("At 0.91:")
    assert page.find("#here").get_attribute("d") != before
    page.find("#threshold").send_keys(Keys.END)
    assert output.text.startswith("At 1.00:")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_the_window(page: Report, width: int) -> None:
    set_width(page.driver, width)
    assert page.script("return document.documentElement.scrollWidth <= window.innerWidth")


def test_figures_and_tables_work_without_javascript(page: Report) -> None:
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    page.open()
    assert not page.find(".slider").is_displayed()
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert any("95.3" in text for text in page.texts(".thresholds td"))
