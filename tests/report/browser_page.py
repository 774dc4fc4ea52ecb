"""A report that is open in a real browser, for the tests that look at it there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chromium import need_browser

need_browser()

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from litotes.report.pages.report import render_report


@dataclass(frozen=True)
class Report:
    """A report that is open in the browser."""

    driver: Any
    path: Path

    def open(self, fragment: str = "") -> Report:
        self.driver.get("about:blank")
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)
        self.driver.get(self.path.as_uri() + fragment)
        return self

    def one(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        found = self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector
        )
        assert isinstance(found, list)
        return found

    def choose(self, field: str, text: str) -> None:
        Select(self.one(f"#filter-{field}")).select_by_visible_text(text)

    def wait(self, holds: Callable[[], object]) -> None:
        # A busy machine may leave a browser waiting for seconds.
        WebDriverWait(self.driver, 20, poll_frequency=0.02).until(lambda _: holds())

    def margins(self) -> list[float]:
        return [float(text.removeprefix("margin ").replace("−", "-")) for text in self.texts(".entry .margin")]

    def matches(self) -> int:
        return int(self.one("#matches").text.split(" of ")[0].replace(",", ""))

    def script(self, text: str) -> Any:
        return self.driver.execute_script(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)


def saved(driver: Any, folder: Path, runs: Any, comparisons: Any) -> Report:
    path = folder / "report.html"
    path.write_text(render_report(runs, comparisons), "utf-8")
    return Report(driver, path)


def size(driver: Any, width: int) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
    )
