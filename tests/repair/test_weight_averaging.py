"""Averaging of weights over training steps."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from litotes.repair.weight_averaging import WeightAverage, averaged, load_average


def model(value: float) -> torch.nn.Module:
    model_ = torch.nn.Linear(1, 1)
    with torch.no_grad():
        model_.weight.fill_(value)
        model_.bias.fill_(7.0)
    model_.bias.requires_grad_(False)
    return model_


def train(average: WeightAverage, values: list[float], *, first: int = 1) -> torch.nn.Module:
    """Return a model after some steps."""
    trained = model(0.0)
    for step, value in enumerate(values, first):
        with torch.no_grad():
            trained.weight.fill_(value)
        average.on_step_end(None, SimpleNamespace(global_step=step), None, model=trained)
    return trained


def test_later_steps_have_more_weight() -> None:
    average = WeightAverage(0.5, start=2)
    train(average, [100.0, 0.0, 4.0, 8.0])
    assert average.weights["weight"].item() == pytest.approx((0.0 * 0.5 + 4.0 * 0.5) * 0.5 + 8.0 * 0.5)
    assert set(average.weights) == {"weight"}, "what does not learn has no mean"


def test_decay_zero_gives_the_last_weights() -> None:
    average = WeightAverage(0.0, start=1)
    train(average, [3.0, 5.0])
    assert average.weights["weight"].item() == 5.0


def test_averaged_weights_apply_within_the_block_only() -> None:
    average = WeightAverage(0.5, start=1)
    trained = train(average, [0.0, 4.0])
    with pytest.raises(RuntimeError), averaged(trained, average):
        assert trained.weight.item() == 2.0 and trained.bias.item() == 7.0
        raise RuntimeError
    assert trained.weight.item() == 4.0


def test_resumed_training_has_the_same_average(tmp_path: Path) -> None:
    complete = WeightAverage(0.5, start=1)
    train(complete, [1.0, 2.0, 3.0, 4.0])
    arguments = SimpleNamespace(output_dir=str(tmp_path))
    state = SimpleNamespace(global_step=2, is_world_process_zero=True)
    (tmp_path / "checkpoint-2").mkdir()
    interrupted = WeightAverage(0.5, start=1)
    train(interrupted, [1.0, 2.0])
    interrupted.on_save(arguments, state, None)
    resumed = WeightAverage(0.5, start=1)
    resumed.on_train_begin(arguments, state, None)
    resumed_model = train(resumed, [3.0, 4.0], first=3)
    assert torch.equal(resumed.weights["weight"], complete.weights["weight"])
    resumed.on_save(arguments, SimpleNamespace(global_step=2, is_world_process_zero=True), None)
    load_average(resumed_model, str(tmp_path / "checkpoint-2"))
    assert torch.equal(resumed_model.weight, complete.weights["weight"])


def test_checkpoint_without_average_changes_nothing(tmp_path: Path) -> None:
    trained = model(3.0)
    load_average(trained, str(tmp_path))
    load_average(trained, None)
    assert trained.weight.item() == 3.0
