"""The review page in a real browser with the real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from litotes.review.adjudication import apply_review
from litotes.review.store import open_review
from litotes.review.verdicts import Verdict
from tests.chromium import need_browser, started

need_browser()

from selenium.common.exceptions import ElementNotInteractableException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    chromium = started(tmp_path_factory.mktemp("chromium"))
    yield chromium
    chromium.quit()


def size(driver: Any, width: int) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 850, "deviceScaleFactor": 1, "mobile": width < 500},
    )


@pytest.fixture(autouse=True)
def desktop(driver: Any) -> None:
    driver.get("about:blank")
    driver.get_log("browser")
    size(driver, 1280)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


@dataclass
class Page:
    """The review, opened in the browser."""

    driver: Any

    def open(self, server: Any, annotator: str | None = "Ana") -> Page:
        self.driver.get(f"{server.url}&as={annotator}" if annotator else server.url)
        if annotator:
            self.wait(lambda: self.text("#annotator") == annotator and self.unit)
        return self

    def wait(self, holds: Callable[[], object]) -> None:
        WebDriverWait(self.driver, 8, poll_frequency=0.02).until(lambda _: holds())

    def script(self, text: str, *arguments: object) -> Any:
        return self.driver.execute_script(text, *arguments)

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return str(self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def texts(self, selector: str) -> list[str]:
        results = self.script(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector
        )
        return [str(text) for text in results]

    @property
    def unit(self) -> str:
        return self.text("#about-unit > span:first-child")

    def press(self, *keys: str) -> Page:
        for key in keys:
            self.wait(lambda: not self.script("return document.body.hasAttribute('aria-busy')"))
            self.wait(lambda key=key: self._pressed(key))
        self.wait(lambda: not self.script("return document.body.hasAttribute('aria-busy')"))
        return self

    def _pressed(self, key: str) -> bool:
        try:
            self.driver.switch_to.active_element.send_keys(key)
        except ElementNotInteractableException:  # a closing dialog also removes the focused element
            return False
        return True

    def at(self, unit: str) -> Page:
        self.wait(lambda: self.unit == unit)
        return self

    def edit(self, role: str, text: str) -> None:
        field = self.find(f"textarea[data-role='{role}']")
        field.clear()
        field.send_keys(text)


@pytest.fixture
def page(driver: Any) -> Page:
    return Page(driver)


def stored_verdicts(suite: Path) -> dict[tuple[str, str], Verdict]:
    with open_review(suite) as review:
        return {(verdict.unit, verdict.annotator): verdict for verdict in review.ordered_verdicts()}


def test_review_is_completed_in_the_browser(
    page: Page, suite: Path, serving: Callable[..., Any], tmp_path: Path
) -> None:
    with serving(suite) as server:
        page.open(server, None)
        page.wait(lambda: page.find("#name-dialog").get_attribute("open"))
        assert "token" not in page.driver.current_url
        page.press("<", Keys.ENTER)
        page.wait(lambda: "a name has at most" in page.text("#name-wrong"))
        page.find("#name").clear()
        page.press(*"Ana", Keys.ENTER)
        page.at("u0").press("a").at("u1").press("r", "2").at("u2")
        page.press("e")
        page.edit("both", "The kettle isn't cold.")
        page.press(Keys.CONTROL + Keys.ENTER).at("u3")
        page.press("m", *"odd", Keys.ENTER).at("u3")
        page.press("a").at("u4").press("u").at("u3")
        assert "1 ✓ 1 ✕ 1 ✎" in page.text("#counts") and "3 left" in page.text("#counts")
        page.press("a").at("u4")
        assert stored_verdicts(suite) == {
            ("u0", "Ana"): Verdict("u0", "Ana", "accept"),
            ("u1", "Ana"): Verdict("u1", "Ana", "reject", reason="unnatural"),
            ("u2", "Ana"): Verdict("u2", "Ana", "edit", edited={"both": "The kettle isn't cold."}),
            ("u3", "Ana"): Verdict("u3", "Ana", "accept"),
        }
        page.press("a").at("u5").press("a")
        page.wait(lambda: "Nothing else here waits for you" in page.text("#said"))
        assert ["status of 400" in entry["message"] for entry in page.driver.get_log("browser")] == [True]  # the name
    items, _ = apply_review(suite)
    assert len(items) == 20


def test_reload_restores_unit_and_name(page: Page, suite: Path, serving: Callable[..., Any]) -> None:
    with serving(suite) as server:
        page.open(server).at("u0").press("a").at("u1").press("j").at("u2")
        page.driver.refresh()
        page.at("u2")
        assert page.text("#annotator") == "Ana"
        page.press("k").at("u1").press("k").at("u0")
        assert page.text("#mine") == "You accepted this."
        # An unsaved edit is restored as well.
        page.press("n").at("u1").press("e")
        page.edit("antonym", "The kettle is dry.")
        page.driver.refresh()
        page.at("u1").press("e")
        assert page.find("textarea[data-role='antonym']").get_attribute("value") == "The kettle is dry."
        page.press(Keys.ESCAPE)
        assert stored_verdicts(suite) == {("u0", "Ana"): Verdict("u0", "Ana", "accept")}
        # A new tab without the token is empty.
        page.driver.switch_to.new_window("tab")
        page.driver.get(server.origin)
        page.wait(lambda: "Open the URL" in page.text("#trouble"))
        assert page.texts(".sentence") == []
        page.driver.close()
        page.driver.switch_to.window(page.driver.window_handles[0])


def test_two_annotators_and_their_agreement(page: Page, suite: Path, serving: Callable[..., Any]) -> None:
    with serving(suite, "--per-item", "2") as server:
        page.open(server, "Ana").press("a").at("u1").press("r", "1").at("u2").press("a").at("u3")
        page.open(server, "Ben").at("u0")
        assert page.text("#mine") == "" and page.texts("#others li") == []
        page.press("a").at("u1").press("r", "3").at("u2").press("r", "8").at("u3")
        page.press("s")
        page.wait(lambda: page.find("#status-dialog").get_attribute("open"))
        assert page.texts("#status tbody tr") == ["Ana3––––", "Ben (you)3120–"]
        assert "Shown when nothing is left for you" in page.text("#status")
        page.press(Keys.ESCAPE)
    with serving(suite, "--per-item", "2", "--open") as server:
        page.open(server, "Ben")
        Select(page.find("#filter-state")).select_by_visible_text("disputed")
        page.at("u2")
        assert page.texts("#others li") == ["Ana accepted this"]
        page.wait(lambda: page.texts("#list .text") == ["The kettle is hot."])
        page.find("body").click()
        page.press("s")
        page.wait(lambda: "Krippendorff’s alpha 0.444 on 3 units" in page.text("#status"))
        assert page.texts("#status tbody tr") == ["Ana3210–", "Ben (you)3120–", "Ana, Ben320.400"]


def test_the_page_survives_a_killed_server(page: Page, suite: Path, serving: Callable[..., Any]) -> None:
    with serving(suite) as server:
        page.open(server).press("a").at("u1").press("r", "7").at("u2")
        server.kill()
        page.press("a")
        page.wait(lambda: page.text("#trouble").startswith("Not saved. The server does not answer."))
        assert page.unit == "u2"
    assert len(stored_verdicts(suite)) == 2
    port = server.host.rpartition(":")[2]
    with serving(suite, "--port", port) as again:
        # The old page has the old token.
        page.press("a")
        page.wait(lambda: "Open the URL that litotes review printed" in page.text("#trouble"))
        assert len(stored_verdicts(suite)) == 2
        page.open(again).at("u2").press("a").at("u3")
        assert page.find("#trouble").get_attribute("hidden")
        assert "2 ✓ 1 ✕ 0 ✎" in page.text("#counts")
    assert len(stored_verdicts(suite)) == 3


def test_sentences_are_escaped(page: Page, make_suite: Callable[..., Path], serving: Callable[..., Any]) -> None:
    odd = [
        "<script>window.hacked = 1</script> is on.",
        "<img src=x onerror='window.hacked = 2'> is off.",
        "“It’s & <b>not</b> on.”",
        "It is not off &amp; \u202efine 😀.",
    ]
    with serving(make_suite([odd])) as server:
        page.open(server, "Ana").at("u0")
        shown = page.script(
            "return [...document.querySelectorAll('.sentence')].map((one) => [...one.childNodes]"
            ".filter((node) => node.nodeName !== 'DEL').map((node) => node.textContent).join(''))"
        )
        assert shown == odd
        assert page.script("return [window.hacked, document.images.length]") == [None, 0]
        page.script("const s = document.createElement('div'); try { s.innerHTML = '<b>x</b>' } catch {}")
        page.press("e")
        assert page.find("textarea").get_attribute("value") == odd[0]


def test_differences_are_marked_word_by_word(page: Page, suite: Path, serving: Callable[..., Any]) -> None:
    with serving(suite) as server:
        page.open(server)
        assert page.texts("#sentences ins") == ["closed", "not", "not closed"]
        result = page.driver.execute_async_script(
            """const [pairs, done] = arguments;
            import("/page/diff.js").then((module) => done(pairs.map((pair) => module.difference(...pair))));""",
            [
                ["It is not open.", "It is open."],
                ["It is open.", "It is open."],
                ["She left early today.", "She left."],
                ["Not all came.", "All came."],
                ["He didn’t see it.", "He saw it."],
                ["a  b", "a b"],
                ["", "New."],
                ["Gone.", ""],
            ],
        )
    assert result == [
        [["same", "It is "], ["gone", "not "], ["same", "open."]],
        [["same", "It is open."]],
        [["same", "She left"], ["gone", " early today"], ["same", "."]],
        [["new", "All"], ["same", " came."]],
        [["same", "He "], ["new", "saw"], ["same", " it."]],
        [["same", "a b"]],
        [["new", "New."]],
        [["gone", " Gone ."]],
    ]


def test_search_and_filters_select_units(page: Page, suite: Path, serving: Callable[..., Any]) -> None:
    with serving(suite) as server:
        page.open(server).press("a").at("u1").press("r", "1").at("u2")
        page.press("/", *"DIRTY")
        page.at("u3")
        page.wait(lambda: page.texts("#list .text") == ["The kettle is clean."])
        page.press(Keys.ESCAPE)
        page.find("#clear").click()
        page.wait(lambda: len(page.texts("#list .text")) == 6)
        assert page.texts("#list .sign") == ["✓", "✕", "·", "·", "·", "·"]
        Select(page.find("#filter-tag")).select_by_visible_text("register: news")
        page.wait(lambda: page.text("#matches") == "1–2 of 2")
        page.find("#list button[data-unit='u3']").click()
        page.at("u3")
        Select(page.find("#filter-state")).select_by_visible_text("rejected by me")
        page.wait(lambda: "No unit matches" in page.text("#nothing"))
        page.press("a", "e", "r", "1")  # nothing to judge, so the key has no effect
        assert len(stored_verdicts(suite)) == 2


def test_keys_are_ignored_in_text_fields(page: Page, suite: Path, serving: Callable[..., Any]) -> None:
    with serving(suite) as server:
        page.open(server).at("u0").press("m", *"area", Keys.ENTER)
        assert page.find("#note").get_attribute("value") == "area"
        page.press("?", "a")
        assert page.find("#help-dialog").get_attribute("open")
        page.press(Keys.ESCAPE, "1", "r", Keys.ESCAPE, "1")
        assert (page.unit, stored_verdicts(suite)) == ("u0", {})
        page.press("r", "e")
        page.edit("both", "The kettle is open.")
        page.press(Keys.CONTROL + Keys.ENTER)
        page.wait(lambda: "would be the same" in page.text("#trouble"))
        assert page.find("textarea[data-role='both']").get_attribute("value") == "The kettle is open."
        assert stored_verdicts(suite) == {}


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_in_light_and_dark(page: Page, suite: Path, serving: Callable[..., Any], width: int) -> None:
    size(page.driver, width)
    with serving(suite) as server:
        page.open(server)
        for keys in ("r", "e", Keys.ESCAPE, "?"):
            page.press(keys)
            wide = page.script("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            assert wide[0] <= wide[1] <= width
        page.press(Keys.ESCAPE)
        backgrounds = []
        for scheme in ("light", "dark"):
            page.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            )
            backgrounds.append(page.script("return getComputedStyle(document.body).backgroundColor"))
        assert len(set(backgrounds)) == 2
        if width == 390:  # the verdicts are visible without scrolling
            box = page.script("return document.getElementById('accept').getBoundingClientRect().toJSON()")
            assert box["top"] >= 0 and box["bottom"] <= 850 and box["height"] >= 36


def test_five_thousand_units_are_fast(page: Page, make_suite: Callable[..., Path], serving: Callable[..., Any]) -> None:
    with serving(make_suite(5000)) as server:
        page.open(server).at("u0")
        page.script(
            """window.longest = 0; window.begun = performance.now(); let last = begun;
            new PerformanceObserver((list) => {
              for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration);
            }).observe({ entryTypes: ["longtask"] });"""
        )
        for number in range(1, 11):
            page.press("a").at(f"u{number}")
        took = page.script("return performance.now() - window.begun")
        assert took < 6000
        assert page.script("return window.longest") < 300
        assert len(page.texts("#list li")) == 50
