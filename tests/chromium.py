"""The browser of the tests: Debian's Chromium without a window, driven by selenium."""

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
    """Skip what needs a browser where there is none, and say why; in CI that could have installed it, fail.

    A module calls it before it imports selenium.
    """
    missing = missing_parts()
    if not missing:
        return
    reason = f"not installed: {', '.join(missing)}"
    if could_be_installed():
        pytest.fail(f"{reason}, though `make test` installs them in CI", pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def missing_parts() -> list[str]:
    """What a browser test needs and is not there."""
    programs = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return programs + ([] if importlib.util.find_spec("selenium") else ["selenium"])


def could_be_installed() -> bool:
    """Whether this is CI on a machine on which `make test` installs Chromium; elsewhere nobody must have it."""
    return os.environ.get("CI") == "true" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def started(profile: Path) -> Any:
    """A browser with a profile of its own."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(str(shutil.which("chromedriver"))))
