"""The docs say what is so."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from litotes.core.errors import CODES
from tests.shown_commands import forms, shown_commands

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")

WITH_COMMANDS_OF_THEIR_OWN = {"train"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_error_code_is_explained() -> None:
    text = (ROOT / "docs/reference/errors.md").read_text("utf-8")
    assert dict(re.findall(r"^\| (L\d+) \| (.*) \|$", text, re.MULTILINE)) == CODES


def everything_named() -> list[str]:
    """Commands in blocks and in sentences, whole ones and forms with placeholders."""
    lines = [line for page in PAGES for line in [*(shown.line for shown in shown_commands(page)), *forms(page)]]
    return sorted({line for line in lines if line.startswith("litotes ") and " --" in line})


@pytest.mark.parametrize("command", everything_named())
def test_commands_use_options_that_exist(command: str) -> None:
    _, name, *words = shlex.split(command)
    shown = help_of(name, words[0] if name in WITH_COMMANDS_OF_THEIR_OWN else "")
    for option in (word.partition("=")[0] for word in words if word.startswith("--")):
        assert re.search(rf"{option}\b", shown), f"{name} has no {option}"


@cache
def help_of(*words: str) -> str:
    asked = [sys.executable, "-m", "litotes", *filter(None, words), "--help"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_two_commands_are_in_the_readme_and_in_the_makefile(target: str) -> None:
    assert f"make {target}" in (ROOT / "README.md").read_text("utf-8")
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
