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
def run_official(litotes: Any, official_semantoneg: Path) -> Callable[..., Any]:
    def run_official(model: str, out: str, *more: object) -> Any:
        data = f"semantoneg={official_semantoneg}"
        command = ("run", model, "--suite", "semantoneg", "--data", data, "--json", "--out", out)
        return litotes.run(*command, *more, timeout=300).succeeded()

    return run_official


@pytest.fixture(scope="module")
def one_worker(run_official: Callable[..., Any]) -> Any:
    return run_official("all-MiniLM-L6-v2", "one", "--workers", "1", "--fresh")


def test_the_papers_figure(one_worker: Any) -> None:
    [run] = one_worker.document["runs"]
    assert run["choices"] == CHOICES
    assert run["metrics"]["items"] == 3152
    assert run["metrics"]["groups"] == 154
    assert run["metrics"]["ties"] == 0
    assert round(100 * run["metrics"]["accuracy"], 2) == 1.94


def test_two_workers_give_the_very_same(
    litotes: Any, one_worker: Any, run_official: Callable[..., Any]
) -> None:
    two = run_official("all-MiniLM-L6-v2", "two", "--workers", "2", "--fresh")
    assert two.effort == one_worker.effort == (2435, 0)
    [one_run], [two_run] = one_worker.document["runs"], two.document["runs"]
    assert two_run["choices"] == CHOICES
    documents = []
    for run, workers in ((one_run, 1), (two_run, 2)):
        document = json.loads((litotes.folder / run["result_path"]).read_text("utf-8"))
        assert document.pop("times")
        assert document["settings"].pop("workers") == workers
        documents.append(document)
    assert documents[0] == documents[1]
    one_items, two_items = ((litotes.folder / run["items_path"]).read_bytes() for run in (one_run, two_run))
    assert one_items == two_items


def test_plain_transformers_with_mean_pooling_chooses_the_same(run_official: Callable[..., Any]) -> None:
    [run] = run_official("hf:all-MiniLM-L6-v2?pooling=mean", "hf").document["runs"]
    assert run["choices"] == CHOICES
