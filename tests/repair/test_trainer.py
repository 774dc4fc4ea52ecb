"""The trainer as a repair sets it: where it ends, what learns, in which precision."""

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
from litotes.repair.base_model import find_base, load_model
from litotes.repair.examples.base import QUADRUPLE, Lesson, Lessons
from litotes.repair.settings import RepairSettings
from litotes.repair.trainer import freeze, train
from tests.models import tiny_models

LESSONS = tuple(
    Lesson(QUADRUPLE, f"It is {a}.", f"It is not {b}.", f"It is {b}.", f"It is not {a}.", pair=f"{a}/{b}", mates=True)
    for a, b in (("hot", "cold"), ("wet", "dry"), ("old", "new"), ("good", "bad"))
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_models.save_sentence_transformer(
        tmp_path / "my-model", tiny_models.save_bert(tmp_path / "bert", positions=80)
    )


def test_a_training_that_had_waited_long_enough_does_not_go_on(folder: Path, tmp_path: Path) -> None:
    """Killed between its last look and its end, it ends there once more; nothing is gained at such a learning rate."""
    settings = RepairSettings(steps=40, check_every=4, batch_size=2, patience=2, learning_rate=1e-12, warmup=0)
    lessons = Lessons(LESSONS[:3], LESSONS[3:], tuple(f"Number {n} is here." for n in range(16)), Counter())
    base, out = find_base(str(folder), Access()), tmp_path / "out"

    def trained() -> tuple[int, bytes]:
        state = train(base, lessons, settings, out, progress=Progress(), access=Access())
        return state.global_step, (out / "model.safetensors").read_bytes()

    ended, weights = trained()
    assert ended == 24  # looks in the first half do not count: 20 and 24 were in vain
    again, same = trained()
    assert again <= ended + 1 and same == weights


def test_a_model_in_half_precision_is_trained_in_full(folder: Path) -> None:
    base = find_base(str(folder), Access())
    load_model(base, Access()).half().save(str(folder), create_model_card=False)
    assert {one.dtype for one in load_model(base, Access()).parameters()} == {torch.float32}


def test_the_words_and_the_lowest_layers_of_other_models_are_known_too() -> None:
    class Whole(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            sizes = {"d_model": 8, "d_kv": 4, "d_ff": 8, "num_heads": 2, "num_layers": 3}
            self.transformers_model = T5EncoderModel(T5Config(vocab_size=11, **sizes))

    model = Whole()
    freeze(model, words=True, layers=1)
    still = {name for name, one in model.named_parameters() if not one.requires_grad}
    assert any("shared" in name or "embed_tokens" in name for name in still)
    assert all("block.0." in name or "shared" in name or "embed_tokens" in name for name in still)
    assert any("block.0." in name for name in still)


def test_options_of_a_model_are_not_passed_over(folder: Path) -> None:
    with pytest.raises(UsageError, match="takes the model as it is, without prompt"):
        find_base(f"{folder}?prompt=query: ", Access())
