"""The trainer of repairs: early stopping, trained parameters, precision."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("sentence_transformers")
import torch
from transformers import T5Config, T5EncoderModel

from litotes.core.errors import UsageError
from litotes.core.progress import Progress
from litotes.models.access import Access
from litotes.repair.base_model import find_base_model, load_sentence_transformer
from litotes.repair.examples.base import QUADRUPLE, TrainingData, TrainingExample
from litotes.repair.settings import RepairSettings
from litotes.repair.trainer import freeze, train
from tests.models import tiny_models

EXAMPLES = tuple(
    TrainingExample(
        QUADRUPLE,
        f"It is {a}.",
        f"It is not {b}.",
        f"It is {b}.",
        f"It is not {a}.",
        antonym_pair=f"{a}/{b}",
        is_quadruple=True,
    )
    for a, b in (("hot", "cold"), ("wet", "dry"), ("old", "new"), ("good", "bad"))
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_models.save_sentence_transformer(
        tmp_path / "my-model", tiny_models.save_bert(tmp_path / "bert", positions=80)
    )


def test_resumed_training_stops_at_the_same_step(folder: Path, tmp_path: Path) -> None:
    """A training killed between its last validation and its end stops at the same step again."""
    settings = RepairSettings(steps=40, check_every=4, batch_size=2, patience=2, learning_rate=1e-12, warmup=0)
    examples = TrainingData(EXAMPLES[:3], EXAMPLES[3:], tuple(f"Number {n} is here." for n in range(16)), Counter())
    base, out = find_base_model(str(folder), Access()), tmp_path / "out"

    def run_training() -> tuple[int, bytes]:
        state = train(base, examples, settings, out, progress=Progress(), access=Access())
        return state.global_step, (out / "model.safetensors").read_bytes()

    ended, weights = run_training()
    assert ended == 24  # validations in the first half do not count; those at 20 and 24 brought no improvement
    resumed_step, resumed_weights = run_training()
    assert resumed_step <= ended + 1 and resumed_weights == weights


def test_half_precision_models_are_loaded_in_single_precision(folder: Path) -> None:
    base = find_base_model(str(folder), Access())
    load_sentence_transformer(base, Access()).half().save(str(folder), create_model_card=False)
    assert {parameter.dtype for parameter in load_sentence_transformer(base, Access()).parameters()} == {torch.float32}


def test_freezes_embeddings_and_layers_of_t5() -> None:
    class T5Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            sizes = {"d_model": 8, "d_kv": 4, "d_ff": 8, "num_heads": 2, "num_layers": 3}
            self.transformers_model = T5EncoderModel(T5Config(vocab_size=11, **sizes))

    model = T5Encoder()
    freeze(model, embeddings=True, layers=1)
    frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
    assert any("shared" in name or "embed_tokens" in name for name in frozen)
    assert all("block.0." in name or "shared" in name or "embed_tokens" in name for name in frozen)
    assert any("block.0." in name for name in frozen)


def test_model_options_are_rejected(folder: Path) -> None:
    with pytest.raises(UsageError, match="does not support model options"):
        find_base_model(f"{folder}?prompt=query: ", Access())
