"""Headless Chromium for browser tests, driven by selenium."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)


def need_browser() -> None:
    """Skip a module that needs a browser if none is installed; fail in CI that could have installed it.

    Call it before importing selenium.
    """
    missing = missing_parts()
    if not missing:
        return
    reason = f"not installed: {', '.join(missing)}"
    if could_be_installed():
        pytest.fail(f"{reason}, though `make test` installs them in CI", pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def missing_parts() -> list[str]:
    """Return the missing requirements of browser tests."""
    programs = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return programs + ([] if importlib.util.find_spec("selenium") else ["selenium"])


def could_be_installed() -> bool:
    """Return whether this is CI on a machine on which `make test` installs Chromium."""
    return os.environ.get("CI") == "true" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def started(profile: Path) -> Any:
    """Start a browser with a new profile."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(str(shutil.which("chromedriver"))))
