"""Browser tests fail in CI if Chromium is missing, and are skipped elsewhere."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest

from tests.chromium import need_browser

Machine = Callable[..., None]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    def has(*programs: str, ci: str, root: bool) -> None:
        monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name in programs else None)
        monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
        monkeypatch.setenv("CI", ci)

    return has


def test_missing_chromium_fails_in_ci(machine: Machine) -> None:
    machine("apt-get", "chromedriver", ci="true", root=True)
    with pytest.raises(pytest.fail.Exception, match="not installed: chromium, though"):
        need_browser()


@pytest.mark.parametrize(
    ("programs", "ci", "root"),
    [(("apt-get",), "", True), (("apt-get",), "false", True), (("apt-get",), "true", False), ((), "true", True)],
)
def test_missing_chromium_skips_tests_outside_ci(
    machine: Machine, programs: tuple[str, ...], ci: str, root: bool
) -> None:
    machine(*programs, ci=ci, root=root)
    with pytest.raises(pytest.skip.Exception, match="not installed: chromium, chromedriver"):
        need_browser()


def test_installed_chromium_is_used_silently(machine: Machine) -> None:
    pytest.importorskip("selenium")
    machine("chromium", "chromedriver", ci="true", root=True)
    need_browser()
