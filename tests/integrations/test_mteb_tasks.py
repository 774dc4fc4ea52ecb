"""Suites as MTEB tasks: evaluation with the installed package gives the metrics of `litotes run`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from litotes.core.errors import UsageError
from litotes.evaluation.api import evaluate
from litotes.integrations import mteb_tasks
from litotes.integrations.mteb_tasks import mteb_task, scores_of, write_mteb_results
from tests.models.tiny_models import save_bert, save_sentence_transformer

SUITES = ["negation-detection-mini", "semantoneg-mini"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("mteb")
    return save_sentence_transformer(base / "model", save_bert(base / "bert", positions=64))


def test_evaluates_with_mteb(folder: Path, tmp_path: Path) -> None:
    import mteb
    from sentence_transformers import SentenceTransformer

    tasks = [mteb_task(suite) for suite in SUITES]
    cache = mteb.ResultCache(cache_path=tmp_path)
    model = SentenceTransformer(str(folder), device="cpu")
    result = mteb.evaluate(model, tasks, cache=cache, show_progress_bar=False, co2_tracker=False)
    by_name = {one.task_name: one for one in result.task_results}
    for suite, task in zip(SUITES, tasks, strict=True):
        ours = scores_of(evaluate(str(folder), suite, cache=None))
        (theirs,) = by_name[task.metadata.name].scores["test"]
        assert {key: theirs[key] for key in ours} == ours
        assert theirs["main_score"] == ours["accuracy"]


def test_results_are_read_by_mteb(folder: Path, tmp_path: Path) -> None:
    import mteb

    result = evaluate(str(folder), SUITES[0], cache=None)
    (path,) = write_mteb_results([result], tmp_path)
    read = mteb.TaskResult.from_disk(path)
    assert read.task_name == mteb_task(SUITES[0]).metadata.name
    assert read.scores["test"][0]["main_score"] == pytest.approx(result.metrics.accuracy)
    assert read.dataset_revision == result.suite.sha256


def test_results_are_in_the_cache_of_mteb(folder: Path, tmp_path: Path) -> None:
    import mteb

    results = [replace(evaluate(str(folder), suite, cache=None), model="owner/model") for suite in SUITES]
    write_mteb_results([*results, replace(results[0], model="glove:?dim=50")], tmp_path)
    result = mteb.ResultCache(cache_path=tmp_path).load_results()
    assert {one.model_name for one in result.model_results} == {"owner/model", "litotes/glove_dim_50"}
    ours = next(one for one in result.model_results if one.model_name == "owner/model")
    scores = {one.task_name: one.get_score() for one in ours.task_results}
    expected = {mteb_task(one.suite.name).metadata.name: one.metrics.accuracy for one in results}
    assert scores == pytest.approx(expected)
    # by name or by task
    assert mteb.ResultCache(tmp_path).load_results(models=["owner/model"], tasks=list(scores)).model_results


def test_model_metadata_matches_mteb() -> None:
    from mteb.models import ModelMeta

    ours = dict(mteb_tasks._model_meta("owner/model", "1"))
    theirs = ModelMeta.create_empty({"name": "owner/model", "revision": "1"})
    assert ours == theirs.to_dict()


def test_suites_with_labels_are_refused() -> None:
    with pytest.raises(UsageError, match="needs labels"):
        mteb_task("developmental-mini")
