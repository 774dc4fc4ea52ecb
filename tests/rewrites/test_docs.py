"""The pages about rewrites match the code: rules, options, codes and examples."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from litotes.rewrites.apply import rewrite
from litotes.rewrites.base import COMMON_SKIPS
from litotes.rewrites.options import options_of, parse_options
from litotes.rewrites.registry import list_rewrites, load_rewrite

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/reference/rewrites.md").read_text("utf-8")
HOW_TO = (ROOT / "docs/how-to/rewrite-sentences.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL))


def test_every_rule_has_a_section() -> None:
    assert list(SECTIONS) == list_rewrites()
    for name in list_rewrites():
        rule = load_rewrite(name)
        assert f"| [{name}](#{name}) | {rule.effect} | {rule.summary} |" in PAGE


def test_every_rule_has_figures_and_every_goal_a_verdict() -> None:
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) % \| [\d.]+ to [\d.]+ \| (.+?) \| [\d.]+ % \|", PAGE, re.MULTILINE)
    assert sorted(name for name, *_ in rows) == sorted(list_rewrites())
    goals = {name: (float(good), goal) for name, good, goal in rows if goal != "none"}
    assert len(goals) == 7
    for good, goal in goals.values():
        assert goal.endswith(" %, reached" if good >= float(goal.split()[0]) else " %, missed")


@pytest.mark.parametrize("name", list_rewrites())
def test_documents_every_option_and_code(name: str) -> None:
    rule, section = load_rewrite(name), SECTIONS[name]
    for option in options_of(rule):
        assert f"| `{option}` |" in section, option
    shared = SECTIONS["negation"] if "as [negation](#negation) does" in section else ""
    for code, why in rule.skips.items():
        assert f"| `{code}` | {why} |" in (PAGE if code in COMMON_SKIPS else section + shared), code


def test_tables_are_up_to_date() -> None:
    """If this fails, run python tools/describe_rewrites.py."""
    describe: Any = runpy.run_path(str(ROOT / "tools/describe_rewrites.py"))
    assert describe["described"](PAGE) == PAGE


def examples() -> list[tuple[str, str, str, str]]:
    result = []
    for name, section in SECTIONS.items():
        rows = re.findall(r"^\| (.+?) \| (\S*) ?\| (.+?) \|$", section, re.MULTILINE)
        result += [
            (name, *row) for row in rows if row[0] != "sentence" and not row[0].startswith(("`", "---", "option"))
        ]
    return result


def test_every_rule_has_an_example() -> None:
    assert {name for name, *_ in examples()} == set(list_rewrites())
    assert len(examples()) > 50


@pytest.mark.parametrize(("name", "sentence", "option", "becomes"), examples())
def test_examples_give_the_documented_results(name: str, sentence: str, option: str, becomes: str) -> None:
    options = parse_options(load_rewrite(name), dict([option.split("=")]) if option else {})
    edits = rewrite(name, sentence, **options)
    if becomes.startswith("skipped: "):
        assert not edits and becomes.removeprefix("skipped: ") in [skip.code for skip in edits.skips]
    else:
        assert edits and edits[0].text == becomes, [edit.text for edit in edits] or edits.skips


def commands() -> list[tuple[str, str]]:
    """Return the commands of the how-to page with their output."""
    blocks = re.findall(r"^```\n(.*?)^```", HOW_TO, re.MULTILINE | re.DOTALL)
    return [
        (command, output)
        for block in blocks
        for command, output in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def test_commands_print_the_documented_output(tmp_path: Path) -> None:
    (tmp_path / "sentences.txt").write_text("It rained.\n\nThe shop is open.\n")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "80"}
    assert len(commands()) >= 8
    for command, shown in commands():
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        assert not shown or done.stdout + done.stderr == shown, command
