"""The official SemAntoNeg file and the default model through the command: the paper's figure."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.shared

CHOICES = {"antonym": 336, "polarity": 2755, "both": 61}
"""What all-MiniLM-L6-v2 chooses in the 3,152 items: 1.9 % right, as in the paper's table."""


@pytest.fixture(scope="module")
def litotes(litotes_in: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    return litotes_in(tmp_path_factory.mktemp("official"))


@pytest.fixture(scope="module")
def start(litotes: Any, official_semantoneg: Path) -> Callable[..., Any]:
    def start(model: str, out: str, *more: object) -> Any:
        data = f"semantoneg={official_semantoneg}"
        command = ("run", model, "--suite", "semantoneg", "--data", data, "--json", "--out", out, "--fresh")
        return litotes.start(*command, *more)

    return start


@pytest.fixture(scope="module")
def runs(litotes: Any, start: Callable[..., Any]) -> dict[str, Any]:
    """Three runs; those of one worker go side by side."""
    one = start("all-MiniLM-L6-v2", "one", "--workers", "1")
    plain = start("hf:all-MiniLM-L6-v2?pooling=mean", "plain", "--workers", "1")
    done = {"one": litotes.finish(one, 300), "plain": litotes.finish(plain, 300)}
    done["two"] = litotes.finish(start("all-MiniLM-L6-v2", "two", "--workers", "2"), 300)
    return {name: finished.succeeded() for name, finished in done.items()}


def test_the_papers_figure(runs: dict[str, Any]) -> None:
    [run] = runs["one"].document["runs"]
    assert run["choices"] == CHOICES
    assert run["metrics"]["items"] == 3152
    assert run["metrics"]["groups"] == 154
    assert run["metrics"]["ties"] == 0
    assert round(100 * run["metrics"]["accuracy"], 2) == 1.94


def test_two_workers_give_the_very_same(litotes: Any, runs: dict[str, Any]) -> None:
    documents, items = [], []
    for name, workers in (("one", 1), ("two", 2)):
        assert runs[name].effort == (2435, 0)
        [run] = runs[name].document["runs"]
        document = json.loads((litotes.folder / run["result_path"]).read_text("utf-8"))
        assert document["choices"] == CHOICES
        assert document.pop("times")
        assert document["settings"].pop("workers") == workers
        documents.append(document)
        items.append((litotes.folder / run["items_path"]).read_bytes())
    assert documents[0] == documents[1]
    assert items[0] == items[1]


def test_plain_transformers_with_mean_pooling_chooses_the_same(runs: dict[str, Any]) -> None:
    [run] = runs["plain"].document["runs"]
    assert run["choices"] == CHOICES
