"""The mean of the weights over the steps of a training."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from litotes.repair.weight_averaging import Average, averaged, take_average


def model(value: float) -> torch.nn.Module:
    made = torch.nn.Linear(1, 1)
    with torch.no_grad():
        made.weight.fill_(value)
        made.bias.fill_(7.0)
    made.bias.requires_grad_(False)
    return made


def walked(average: Average, values: list[float], *, first: int = 1) -> torch.nn.Module:
    """A model after some steps."""
    one = model(0.0)
    for step, value in enumerate(values, first):
        with torch.no_grad():
            one.weight.fill_(value)
        average.on_step_end(None, SimpleNamespace(global_step=step), None, model=one)
    return one


def test_each_step_weighs_less_than_the_next() -> None:
    average = Average(0.5, start=2)
    walked(average, [100.0, 0.0, 4.0, 8.0])
    assert average.weights["weight"].item() == pytest.approx((0.0 * 0.5 + 4.0 * 0.5) * 0.5 + 8.0 * 0.5)
    assert set(average.weights) == {"weight"}, "what does not learn has no mean"


def test_nothing_of_itself_is_the_last_step() -> None:
    average = Average(0.0, start=1)
    walked(average, [3.0, 5.0])
    assert average.weights["weight"].item() == 5.0


def test_only_for_a_while() -> None:
    average = Average(0.5, start=1)
    one = walked(average, [0.0, 4.0])
    with pytest.raises(RuntimeError), averaged(one, average):
        assert one.weight.item() == 2.0 and one.bias.item() == 7.0
        raise RuntimeError
    assert one.weight.item() == 4.0


def test_a_training_that_goes_on_has_the_same_mean(tmp_path: Path) -> None:
    whole = Average(0.5, start=1)
    walked(whole, [1.0, 2.0, 3.0, 4.0])
    arguments = SimpleNamespace(output_dir=str(tmp_path))
    reached = SimpleNamespace(global_step=2, is_world_process_zero=True)
    (tmp_path / "checkpoint-2").mkdir()
    killed = Average(0.5, start=1)
    walked(killed, [1.0, 2.0])
    killed.on_save(arguments, reached, None)
    resumed = Average(0.5, start=1)
    resumed.on_train_begin(arguments, reached, None)
    last = walked(resumed, [3.0, 4.0], first=3)
    assert torch.equal(resumed.weights["weight"], whole.weights["weight"])
    resumed.on_save(arguments, SimpleNamespace(global_step=2, is_world_process_zero=True), None)
    take_average(last, str(tmp_path / "checkpoint-2"))
    assert torch.equal(last.weight, whole.weights["weight"])


def test_a_checkpoint_without_a_mean_changes_nothing(tmp_path: Path) -> None:
    one = model(3.0)
    take_average(one, str(tmp_path))
    take_average(one, None)
    assert one.weight.item() == 3.0
