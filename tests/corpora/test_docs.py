"""The reference page on corpora is complete, and its example runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from litotes.corpora.base import PROBLEM_KINDS
from litotes.corpora.formats import list_formats
from litotes.corpora.sources import COMPRESSION_ENDINGS, CORPUS_ENDINGS

PAGE = (Path(__file__).resolve().parents[2] / "docs/reference/corpora.md").read_text("utf-8")


def test_every_format_is_documented() -> None:
    section = PAGE.partition("## Formats")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE) == list(list_formats())


def test_every_kind_of_problem_is_documented() -> None:
    section = PAGE.partition("## Problems")[2]
    assert dict(re.findall(r"^\| `([\w-]+)` \|.*\| (L\d+) \|$", section, re.MULTILINE)) == {
        kind: code for kind, (code, _) in PROBLEM_KINDS.items()
    }


def test_every_ending_is_documented() -> None:
    assert all(f"`{ending}`" in PAGE for ending in CORPUS_ENDINGS)
    assert all(ending in PAGE for ending in COMPRESSION_ENDINGS)


def test_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        exec(compile(block, "corpora.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("builtin/")
    assert lines[-1] == "no line skipped"
