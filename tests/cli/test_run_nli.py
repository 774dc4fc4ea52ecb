"""The command `litotes run` with NLI models: tables, JSON, unsuitable models and resuming."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scorers"))  # small models of the model tests

from litotes import Item, Suite, load_model
from litotes.cli.options import SuiteOptions
from litotes.corpora.nli import LABELS
from litotes.evaluation.sweep import suitable_suites
from litotes.languages.negation_categories import CATEGORIES
from litotes.suites.folder import save_folder
from litotes.suites.loading import BUILT_IN, LABEL_SUITES
from litotes.suites.nli import KIND
from tests.models import tiny_models

SIZE = 126
ONE_THREAD = {"OMP_NUM_THREADS": "1", "COLUMNS": "80"}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return two untrained models, one without label names."""
    folder = tmp_path_factory.mktemp("models")
    tiny_models.save_nli(folder / "clear")
    tiny_models.save_nli(folder / "unclear", labels=("LABEL_0", "LABEL_1", "LABEL_2"), seed=8)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite with labels that has at least one item per category and label."""
    folder = tmp_path_factory.mktemp("suite")
    items = []
    for number in range(SIZE):
        premise, hypothesis = (tiny_models.SENTENCES[index % 20] for index in (number // 2, number * 7))
        texts = {"premise": f"{premise} {number // 2}", "hypothesis": f"{hypothesis} {number % 2}"}
        tags = {"label": LABELS[number % 3], "categories": CATEGORIES[number % 7]}
        items.append(Item(f"i{number:03d}", texts["premise"], texts, tags))
    save_folder(Suite("answers", KIND, items, sha256=""), folder)
    return folder


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def test_single_model_has_three_tables(litotes: Any, models: Path, data: Path) -> None:
    done = litotes.run("run", f"nli:{models / 'clear'}", "--suite", data, env=ONE_THREAD).succeeded()
    assert widest(done.out) <= 80
    assert f"answers: {SIZE} items, " in done.out and "an MCC of 0" in done.out
    assert all(f"\n{name} " in done.out for name in (*CATEGORIES, *LABELS, "all items"))
    assert "mean similarity" not in done.out
    assert (litotes.folder / "runs" / "report.html").is_file()
    # Stored runs can be reported in every format.
    for ending in ("md", "csv", "json"):
        litotes.here("report", "runs", "--out", f"tables.{ending}").succeeded()


def test_models_are_shown_side_by_side_and_json_is_complete(litotes: Any, models: Path, data: Path) -> None:
    names = [f"nli:{models / 'clear'}", f"nli:{models / 'unclear'}?labels=neutral,contradiction,entailment&label=other"]
    done = litotes.here("run", *names, "--suite", data, "--no-report").succeeded()
    assert widest(done.out) <= 80
    assert "PO possession" in done.out and "\nother " in done.out
    assert "significantly" in done.out or "is better than" in done.out
    document = litotes.here("run", names[0], "--suite", data, "--no-report", "--json").succeeded().document
    [run] = document["runs"]
    figures = run["metrics"]["nli"]
    assert list(figures["categories"]) == list(CATEGORIES)
    assert sum(sum(row.values()) for row in figures["confusion"].values()) == SIZE - run["metrics"]["ties"]
    assert set(figures["labels"]["neutral"]) == {"items", "precision", "recall", "f1"}
    assert figures["mcc_ci"][0] <= figures["mcc"] <= figures["mcc_ci"][1]
    item = json.loads((litotes.folder / run["items_path"]).read_text("utf-8").splitlines()[0])
    assert list(item["similarities"]) == list(LABELS)


@pytest.mark.parametrize("model", ["overlap:words", "all-MiniLM-L6-v2", "hf:/nowhere"])
def test_encoder_is_refused_before_loading(litotes: Any, models: Path, data: Path, model: str) -> None:
    done = litotes.run("run", f"nli:{models / 'clear'}", model, "--suite", data)
    done.failed(2, "L102", '"answers"', model, "nli:FOLDER")
    assert not list(litotes.cache.glob("*.sqlite"))


def test_plugin_model_is_checked_after_loading(with_plugin: Any, data: Path) -> None:
    done = with_plugin.run("run", "toy:words", "--suite", data)
    done.failed(2, "L102", '"answers"', "toy:words", "nli:FOLDER")


def test_ambiguous_model_is_reported(litotes: Any, models: Path, data: Path) -> None:
    done = litotes.here("run", f"nli:{models / 'unclear'}", "--suite", data)
    done.failed(1, "L310", "LABEL_0", "?labels=contradiction,entailment,neutral")


def test_default_suites_match_the_type_of_model(models: Path) -> None:
    built_in = SuiteOptions().load()
    assert [suite.name for suite in built_in] == list(BUILT_IN)
    classifier = load_model(f"nli:{models / 'clear'}", device="cpu", offline=True)
    assert [suite.name for suite in suitable_suites(classifier, built_in)] == list(BUILT_IN)
    likeness = [name for name in BUILT_IN if name not in LABEL_SUITES]
    assert [suite.name for suite in suitable_suites(load_model("overlap:words"), built_in)] == likeness


def test_nli_suites_are_listed(run_litotes: Callable[..., Any]) -> None:
    assert "nli:" in run_litotes("models").succeeded().out
    listed = run_litotes("suites").succeeded().out
    assert "--data developmental=PATH" in listed
    assert all(name in listed for name in BUILT_IN)


def test_resumes_after_sigkill_with_the_same_files(litotes: Any, litotes_in: Any, models: Path, data: Path) -> None:
    # Batches of one pair, so that there is time to be killed between them.
    name = f"nli:{models / 'clear'}?batch=8"
    command = ("run", name, "--suite", data, "--workers", "1", "--no-report", "--out", "out")
    (litotes.folder / "undisturbed").mkdir()
    undisturbed = litotes_in(litotes.folder / "undisturbed")
    undisturbed.here(*command).succeeded()

    process = litotes.start(*command, env=ONE_THREAD)
    n_rows = litotes.wait_for_rows(process, 10)
    process.send_signal(SIGKILL)
    litotes.finish(process, timeout=30)
    computed, cached = litotes.here(*command).succeeded().effort
    assert cached >= n_rows and computed + cached == SIZE
    assert stored_files(litotes.folder) == stored_files(undisturbed.folder)


def stored_files(folder: Path) -> tuple[str, bytes]:
    """Return the files of a run without their times."""
    [run] = (folder / "out").glob("*/answers")
    document = json.loads((run / "result.json").read_text("utf-8"))
    assert document.pop("times")
    return json.dumps(document), (run / "items.jsonl").read_bytes()
