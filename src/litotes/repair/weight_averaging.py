"""The mean of a model's weights over the last steps: antonym pairs that were not learned gain by it.

Each batch pulls the words that it has a little too far. The mean over many batches has what they have in common.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from transformers import TrainerCallback

FILE = "average.safetensors"
"""Beside the other files of a checkpoint; without it training cannot go on to the same end."""


class Average(TrainerCallback):  # type: ignore[misc]
    """A running mean in which each step weighs less than the next; a training that goes on goes on with it."""

    def __init__(self, decay: float, start: int) -> None:
        self._decay = decay
        self._start = start
        """The first steps go far; they are no part of it."""
        self.weights: dict[str, torch.Tensor] = {}

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """As the checkpoint has it from which training goes on."""
        path = Path(args.output_dir) / f"checkpoint-{state.global_step}" / FILE
        if state.global_step and path.exists():
            self.weights = load_file(path)

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """One more step."""
        if state.global_step < self._start:
            return
        with torch.no_grad():
            for name, weight in learned_weights(model).items():
                mean = self.weights.get(name)
                if mean is None:
                    self.weights[name] = weight.detach().clone()
                else:  # one that was read from a checkpoint is not yet where the model is
                    self.weights[name] = mean.to(weight.device).lerp_(weight, 1 - self._decay)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Into the checkpoint, whole or not at all, even if there is no mean yet."""
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        save_file(self.weights, folder / f"{FILE}.part")
        (folder / f"{FILE}.part").replace(folder / FILE)


def learned_weights(model: Any) -> dict[str, torch.Tensor]:
    """The weights of a model that training changes."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}


@contextmanager
def averaged(model: Any, average: Average) -> Iterator[None]:
    """The model with the mean weights, for a while; as it is as long as there is no mean."""
    own = {name: weight.detach().clone() for name, weight in learned_weights(model).items()} if average.weights else {}
    _put(model, average.weights)
    try:
        yield
    finally:
        _put(model, own)


def take_average(model: Any, checkpoint: str | None) -> None:
    """Give a model the mean weights of a checkpoint, if it has them."""
    path = Path(checkpoint or "") / FILE
    if checkpoint and path.exists():
        _put(model, load_file(path))


def _put(model: Any, weights: dict[str, torch.Tensor]) -> None:
    with torch.no_grad():
        for name, weight in learned_weights(model).items():
            if name in weights:
                weight.copy_(weights[name])
