"""A hundred models on 3,152 items: the page is small, and Chromium traces no long tasks."""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import need_browser

need_browser()
sys.path.insert(0, str(Path(__file__).parent))  # in pytest's importlib mode browser_page.py cannot be imported by name

from browser_page import Report, open_report, set_width

from litotes.evaluation.statistics import compare_models
from tests.chromium_trace import traced

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("desktop")]

LONGEST = 200
"""The maximum duration of a task while scrolling and filtering, in milliseconds."""

VIEWS = ("leaderboard", "suite-0", "profile", "compare", "errors", "browser")
CHANGES = (
    ("profile-model", "all-MiniLM-L6-v2"),
    ("errors-best", "100"),
    ("errors-least", "0"),
    ("errors-order", "least"),
    ("errors-group", "3"),
    ("errors-group", ""),
    ("errors-overlap", "some"),
    ("errors-overlap", ""),
    ("compare-b", "80"),
    ("compare-which", "all"),
    ("filter-model", "57"),
    ("filter-sort", "best"),
    ("filter-outcome", "wrong"),
)
SCROLL = (
    "const box = document.getElementById('BOX'); box.scrollIntoView(); globalThis.steps = 0;"
    "const step = () => { box.scrollTop += 16000; steps += 1; if (steps < 10) requestAnimationFrame(step) }; step()"
)


@pytest.fixture(scope="module")
def many(driver: Any, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of a hundred synthetic runs with all comparisons."""
    path = Path(__file__).parents[2] / "tools" / "synthetic_runs.py"
    spec = importlib.util.spec_from_file_location("synthetic_runs", path)
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    runs = list(tool.synthetic_runs(100, 3152))
    return open_report(driver, tmp_path_factory.mktemp("many"), runs, compare_models(runs))


def test_the_file_is_small_and_marked_as_synthetic(many: Report) -> None:
    assert many.path.stat().st_size < 15_000_000
    many.open()
    assert len(set(many.script("return data.suites[0].models.map((model) => model.choice.join())"))) == 100
    assert many.script("return data.suites[0].models.length * data.suites[0].ids.length") == 315_200
    assert many.script("return data.suites[0].comparisons.size") == 100 * 99
    assert many.find("#suite-0-name").text == "semantoneg (synthetic)"
    assert "synthetic: the accuracy is the published one" in many.texts(".notes li")[0]


@pytest.mark.parametrize("width", [1280, 390])
def test_scrolling_and_filtering_cause_no_long_task(many: Report, width: int) -> None:
    set_width(many.driver, width)
    many.open()
    with traced(many.driver) as tasks:
        visit(many)
    # The trace must contain all actions, otherwise the result would be meaningless.
    assert len(tasks.took) > 200 and sum(tasks.took) > LONGEST
    assert tasks.longest < LONGEST, sorted(tasks.took)[-5:]
    assert many.driver.get_log("browser") == []


def test_a_long_task_is_detected(many: Report) -> None:
    many.open()
    busy = "const end = performance.now() + 400; while (performance.now() < end) Math.sqrt(end)"
    with traced(many.driver) as tasks:
        many.script("document.getElementById('errors').scrollIntoView()")
        many.driver.execute_async_script(f"setTimeout((done) => {{ {busy}; done() }}, 0, arguments[0])")
    assert tasks.longest > LONGEST


def visit(many: Report) -> None:
    """Scroll to every section for the first time, then scroll and filter in it."""
    for view in VIEWS:
        many.script(f"document.getElementById({view!r}).scrollIntoView()")
        time.sleep(0.1)
    for field, value in CHANGES:
        change(many, f"#{field}", value)
    for number in range(many.script("return data.suites[0].bins.length")):
        change(many, f"#errors-properties label:nth-child({number + 1}) select", "0")
    many.script("document.getElementById('errors-reset').click()")
    for box in ("errors-list", "compare-list"):
        many.script(SCROLL.replace("BOX", box))
        many.wait(lambda: many.script("return steps") == 10)
    change(many, "#errors-least", "1")
    many.find("#errors-text").send_keys("harbour")
    many.wait(
        lambda: set(many.texts("#errors-list .row-text")) and "harbour" in many.texts("#errors-list .row-text")[0]
    )
    many.script("document.querySelector('.leaderboard th[data-column=\"2\"] button').click()")
    many.find(".board-filter input[type=search]").send_keys("bert")
    many.script("document.querySelector('#errors-list .row-open').click()")
    assert len(many.texts("#item tbody tr")) == 100
    time.sleep(0.1)


def change(many: Report, field: str, value: str) -> None:
    """Select an option and wait until the page is drawn."""
    status = many.script(
        f"const field = document.querySelector({field!r}); field.value = {value!r};"
        "field.dispatchEvent(new Event('change')); return field.value"
    )
    assert status == value, f"{field} has no {value}"
    many.driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")
