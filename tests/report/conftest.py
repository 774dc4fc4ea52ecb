"""Fixtures of the report tests."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.chromium import need_browser, started


@pytest.fixture(scope="session")
def examples() -> ModuleType:
    """Return the module examples.py in this folder, which pytest's importlib mode cannot import by name."""
    spec = importlib.util.spec_from_file_location("report_examples", Path(__file__).with_name("examples.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless browser, shared by all tests."""
    need_browser()
    running = started(tmp_path_factory.mktemp("chromium"))
    yield running
    running.quit()


@pytest.fixture
def desktop(driver: Any) -> None:
    """Reset the settings of the browser."""
    size = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
