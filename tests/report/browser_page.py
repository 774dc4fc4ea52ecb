"""A report opened in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chromium import need_browser

need_browser()

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from litotes.report.page import render_report


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

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        texts = self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent)", selector
        )
        assert isinstance(texts, list)
        return texts

    def choose(self, field: str, text: str) -> None:
        Select(self.find(f"#filter-{field}")).select_by_visible_text(text)

    def wait(self, condition: Callable[[], object]) -> None:
        # On a busy machine this may take seconds.
        WebDriverWait(self.driver, 20, poll_frequency=0.02).until(lambda _: condition())

    def margins(self) -> list[float]:
        return [float(text.removeprefix("margin ").replace("−", "-")) for text in self.texts(".entry .margin")]

    def matches(self) -> int:
        return int(self.find("#matches").text.split(" of ")[0].replace(",", ""))

    def script(self, text: str) -> Any:
        return self.driver.execute_script(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)


def open_report(driver: Any, folder: Path, runs: Any, comparisons: Any) -> Report:
    path = folder / "report.html"
    path.write_text(render_report(runs, comparisons), "utf-8")
    return Report(driver, path)


def set_width(driver: Any, width: int) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
    )
