"""The evaluator for sentence-transformers: a real training, and the same metrics as `litotes run`."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from litotes.core.errors import UsageError
from litotes.evaluation.api import evaluate
from litotes.integrations.evaluator import LitotesEvaluator
from tests.models.tiny_models import save_bert

SUITES = ["negation-detection-mini", "semantoneg-mini"]


@pytest.fixture
def model(tmp_path: Path) -> Any:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer

    word = Transformer(str(save_bert(tmp_path / "bert", positions=64)), max_seq_length=48)
    return SentenceTransformer(modules=[word, Pooling(word.get_embedding_dimension())], device="cpu")


def test_evaluates_during_training(model: Any, tmp_path: Path) -> None:
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
    from sentence_transformers.losses import MultipleNegativesRankingLoss

    pairs = Dataset.from_dict(
        {
            "anchor": ["The soup is hot.", "Everybody came.", "The door was open."] * 4,
            "positive": ["The soup is not cold.", "Nobody was missing.", "The door was not closed."] * 4,
        }
    )
    evaluator = LitotesEvaluator(SUITES, name="dev")
    before = evaluator(model)
    trainer = SentenceTransformerTrainer(
        model=model,
        args=SentenceTransformerTrainingArguments(
            output_dir=str(tmp_path / "out"),
            num_train_epochs=2,
            per_device_train_batch_size=6,
            learning_rate=1e-2,
            eval_strategy="epoch",
            save_strategy="epoch",
            load_best_model_at_end=True,
            metric_for_best_model="eval_dev_negation-detection-mini_accuracy",
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
        ),
        train_dataset=pairs,
        loss=MultipleNegativesRankingLoss(model),
        evaluator=evaluator,
    )
    trainer.train()
    evaluations = [line for line in trainer.state.log_history if "eval_dev_semantoneg-mini_accuracy" in line]
    assert len(evaluations) == 2
    after = evaluator(model, output_path=str(tmp_path / "figures"))
    assert after != before  # the training has changed the model

    model.save_pretrained(str(tmp_path / "saved"))
    for suite in SUITES:
        result = evaluate(str(tmp_path / "saved"), suite, cache=None)
        assert after[f"dev_{suite}_accuracy"] == result.metrics.accuracy
        assert after[f"dev_{suite}_group_accuracy"] == result.metrics.group_accuracy
    with (tmp_path / "figures" / "litotes_evaluation_dev_results.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["semantoneg-mini_accuracy"]) == after["dev_semantoneg-mini_accuracy"]


def test_reports_the_primary_metric_and_restores_the_training_mode(model: Any) -> None:
    evaluator = LitotesEvaluator("negation-detection-mini")
    model.train()
    result = evaluator(model)
    assert model.training
    assert evaluator.primary_metric in result
    assert len(evaluator.results[0].items) == evaluator.results[0].metrics.items


@pytest.mark.parametrize("suites", [[], "developmental-mini"])
def test_unsuitable_suites_are_refused(suites: list[str] | str) -> None:
    with pytest.raises(UsageError, match="LitotesEvaluator"):
        LitotesEvaluator(suites)
