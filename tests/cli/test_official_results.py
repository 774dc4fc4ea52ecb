"""`litotes run` reproduces the paper's result of the default model on the official SemAntoNeg file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.shared

CHOICES = {"antonym": 336, "polarity": 2755, "both": 61}
"""The choices of all-MiniLM-L6-v2 in the 3,152 items; 1.9 % are correct, as in the paper's table."""


@pytest.fixture(scope="module")
def litotes(litotes_in: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    return litotes_in(tmp_path_factory.mktemp("official"))


@pytest.fixture(scope="module")
def commands(litotes: Any, official_semantoneg: Path) -> dict[int, Any]:
    """Return commands by number of workers; the first runs two models to save imports."""
    both = ("all-MiniLM-L6-v2", "hf:all-MiniLM-L6-v2?pooling=mean")
    data = f"semantoneg={official_semantoneg}"
    more = ("--suite", "semantoneg", "--data", data, "--json", "--no-report", "--fresh")
    return {
        workers: litotes.run("run", *models, *more, "--out", workers, "--workers", workers, timeout=300).succeeded()
        for workers, models in ((1, both), (2, both[:1]))
    }


@pytest.fixture(scope="module")
def runs(commands: dict[int, Any]) -> dict[str, Any]:
    """Return the JSON output of the three runs."""
    (one, plain), (two,) = (commands[workers].document["runs"] for workers in (1, 2))
    return {"one": one, "plain": plain, "two": two}


def test_default_result_matches_the_paper(runs: dict[str, Any]) -> None:
    run = runs["one"]
    assert run["choices"] == CHOICES
    assert run["metrics"]["items"] == 3152
    assert run["metrics"]["groups"] == 154
    assert run["metrics"]["ties"] == 0
    assert round(100 * run["metrics"]["accuracy"], 2) == 1.94


def test_output_does_not_depend_on_the_number_of_workers(
    litotes: Any, commands: dict[int, Any], runs: dict[str, Any]
) -> None:
    documents, items = [], []
    for name, workers in (("one", 1), ("two", 2)):
        assert commands[workers].effort == (2435, 0)
        run = runs[name]
        document = json.loads((litotes.folder / run["result_path"]).read_text("utf-8"))
        assert document["choices"] == CHOICES
        assert document.pop("times")
        assert document["settings"].pop("workers") == workers
        documents.append(document)
        items.append((litotes.folder / run["items_path"]).read_bytes())
    assert documents[0] == documents[1]
    assert items[0] == items[1]


def test_choices_match_plain_transformers(runs: dict[str, Any]) -> None:
    assert runs["plain"]["choices"] == CHOICES
