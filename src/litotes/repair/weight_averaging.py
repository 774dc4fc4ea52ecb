"""Exponential moving average of the trained weights, which generalises better to unseen antonym pairs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from transformers import TrainerCallback

from litotes.core.files import follow_umask

AVERAGE_FILE = "average.safetensors"
"""Name of the average in a checkpoint; training cannot resume exactly without it."""


class WeightAverage(TrainerCallback):  # type: ignore[misc]
    """Maintain the moving average during training, and store it with every checkpoint.

    The first `start` steps, in which the weights change most, are not part of the average.
    """

    def __init__(self, decay: float, start: int) -> None:
        self._decay = decay
        self._start = start
        self.weights: dict[str, torch.Tensor] = {}

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Read the average from the checkpoint from which training resumes."""
        path = Path(args.output_dir) / f"checkpoint-{state.global_step}" / AVERAGE_FILE
        if state.global_step and path.exists():
            self.weights = load_file(path)

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """Update the average."""
        if state.global_step < self._start:
            return
        with torch.no_grad():
            for name, weight in trained_weights(model).items():
                mean = self.weights.get(name)
                if mean is None:
                    self.weights[name] = weight.detach().clone()
                else:  # a tensor read from a checkpoint may be on another device
                    self.weights[name] = mean.to(weight.device).lerp_(weight, 1 - self._decay)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Write the average into the checkpoint atomically, even if it is still empty."""
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        partial = folder / f"{AVERAGE_FILE}.part"
        save_file(self.weights, partial)
        follow_umask([partial])
        partial.replace(folder / AVERAGE_FILE)


def trained_weights(model: Any) -> dict[str, torch.Tensor]:
    """Return the parameters that are trained, by name."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}


@contextmanager
def averaged(model: Any, average: WeightAverage) -> Iterator[None]:
    """Use the averaged weights within the block; do nothing before the first average."""
    current = (
        {name: weight.detach().clone() for name, weight in trained_weights(model).items()} if average.weights else {}
    )
    _set_weights(model, average.weights)
    try:
        yield
    finally:
        _set_weights(model, current)


def load_average(model: Any, checkpoint: str | None) -> None:
    """Set a model's weights to the average in a checkpoint, if there is one."""
    path = Path(checkpoint or "") / AVERAGE_FILE
    if checkpoint and path.exists():
        _set_weights(model, load_file(path))


def _set_weights(model: Any, weights: dict[str, torch.Tensor]) -> None:
    with torch.no_grad():
        for name, weight in trained_weights(model).items():
            if name in weights:
                weight.copy_(weights[name])
