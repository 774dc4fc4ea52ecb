"""The documentation matches the code: links, error codes, commands and scripts."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from litotes.core.errors import ERROR_CODES
from tests.documented_commands import forms, named_scripts, named_targets, shown_commands

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")

WITH_COMMANDS_OF_THEIR_OWN = {"train"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_have_targets(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_error_code_is_explained() -> None:
    text = (ROOT / "docs/reference/errors.md").read_text("utf-8")
    assert dict(re.findall(r"^\| (L\d+) \| (.*) \|$", text, re.MULTILINE)) == ERROR_CODES


def everything_named() -> list[str]:
    """The options of all commands exist, in code blocks and sentences, also in forms with placeholders."""
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
    command = [sys.executable, "-m", "litotes", *filter(None, words), "--help"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("target", ["demo", "test"])
def test_main_make_targets_are_in_the_readme(target: str) -> None:
    assert f"make {target}" in (ROOT / "README.md").read_text("utf-8")
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def test_make_targets_on_pages_exist() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {(target, page.name) for page in PAGES for target in named_targets(page)}
    assert {"bench-sweep", "bench-report", "test"} <= {target for target, _ in named}
    assert {one for one in named if one[0] not in targets} == set()


def test_scripts_on_pages_exist() -> None:
    named = {(script, page.name) for page in PAGES for script in named_scripts(page)}
    assert {"benchmarks/sweep.py", "tools/synthetic_runs.py"} <= {script for script, _ in named}
    assert {one for one in named if not (ROOT / one[0]).is_file()} == set()


def test_every_benchmark_is_documented() -> None:
    """Each benchmark is in the Makefile or on a page, so that published figures have a command."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = {script for page in PAGES for script in named_scripts(page)}
    for script in (ROOT / "benchmarks").glob("*.py"):
        name = str(script.relative_to(ROOT))
        assert name in makefile or name in named, name


def test_architecture_names_existing_files() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    paths = set(re.findall(r"`([a-z_]+/(?:[a-z_0-9]+/)*(?:[a-z_0-9]+\.(?:py|tsv|md))?)`", text))
    assert {"evaluation/api.py", "speedups/"} <= paths
    assert {path for path in paths if not ((ROOT / "src/litotes" / path).exists() or (ROOT / path).exists())} == set()
