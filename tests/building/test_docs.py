"""The documentation of building matches the builders."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from litotes.building.base import COMMON_SKIPS, list_builders, load_builder
from litotes.review.store import open_review
from litotes.review.verdicts import Verdict
from litotes.rewrites.options import options_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/reference/building.md").read_text("utf-8")
HOW_TO = (ROOT / "docs/how-to/build-a-suite.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL))


def test_every_builder_is_documented() -> None:
    assert list(SECTIONS) == list_builders()
    for name in list_builders():
        assert f"| [{name}](#{name}) | {load_builder(name).summary} |" in PAGE


@pytest.mark.parametrize("name", list_builders())
def test_every_option_and_skip_code_is_documented(name: str) -> None:
    builder, section = load_builder(name), SECTIONS[name]
    for option in options_of(builder):
        assert f"| `{option}` |" in section, option
    for code, why in builder.skips.items():
        assert f"| `{code}` | {why} |" in (PAGE if code in COMMON_SKIPS else section), code


def test_the_tables_match_the_builders() -> None:
    """If this fails, run python tools/describe_builders.py."""
    describe: Any = runpy.run_path(str(ROOT / "tools/describe_builders.py"))
    assert describe["described"](PAGE) == PAGE


def commands() -> list[tuple[str, str]]:
    """Return the commands of the how-to page, each with its output."""
    blocks = re.findall(r"^```\n(.*?)^```", HOW_TO, re.MULTILINE | re.DOTALL)
    return [
        (command, output)
        for block in blocks
        for command, output in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def test_commands_of_the_how_to_page_work(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(dict(commands())["cat notes.txt"])
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "LITOTES_CACHE": str(tmp_path / "cache"),
    }
    gone = []
    for command, shown in commands():
        if command.startswith("litotes review"):  # done by people
            with open_review(tmp_path / "suite") as review:
                review.store.add_all([Verdict(key, "ann", "accept") for key in list(review.units)[:3]])
        elif not re.search(r"reviews/|SICK|negated|build( semantoneg)? +#", command):
            done = subprocess.run(
                ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, (command, done.stderr)
            assert not shown or done.stdout + done.stderr == shown, command
            gone.append(command)
    assert len(gone) == 6
    assert (tmp_path / "reviewed" / "SemAntoNeg.json").exists()
    assert list((tmp_path / "runs").rglob("result.json"))
