"""Every promise of SECURITY.md names a test that exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROMISE = re.compile(r"^\| (.+) \| `(tests/[\w/]+\.py)::(test_\w+)` \|$", re.MULTILINE)


def promises() -> list[tuple[str, str, str]]:
    """Return promise, file and test of each line of the table."""
    section = (ROOT / "SECURITY.md").read_text("utf-8").partition("## Promises")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    found = PROMISE.findall(section)
    assert len(found) == len(lines) > 40
    return found


def test_every_promise_has_a_test() -> None:
    for promise, file, test in promises():
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert test in names, f"{promise}: {file} has no {test}"


def test_no_promise_is_made_twice() -> None:
    texts = [promise for promise, _, _ in promises()]
    assert len(set(texts)) == len(texts)


def test_no_test_of_a_promise_is_skipped_always() -> None:
    for promise, file, test in promises():
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        function = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == test)
        decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
        assert not any("skip" in decorator or "xfail" in decorator for decorator in decorators), promise
        assert any(isinstance(node, (ast.Assert, ast.With, ast.Call)) for node in ast.walk(function)), promise
