"""Training epoch by epoch with checkpoints, for small models that do not use transformers' Trainer.

A resumed training gives the same result if everything random in an epoch depends on the seed and the number of the
epoch alone, and the next epoch needs only the arrays and numbers in the checkpoint.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import is_file, to_json, write_atomic
from litotes.core.locks import lock_folder
from litotes.training.checkpoints import CHECKPOINTS, METRICS, TRAINING_FILE, claim, dependency_key, read_training_file

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class EpochResult:
    """The metrics of an epoch."""

    metrics: Mapping[str, float]
    stop: bool = False
    """Whether training ends early."""


def check_finite(loss: float, epoch: int) -> None:
    """Raise if the loss has diverged."""
    if not math.isfinite(loss):
        hint = "use a smaller --learning-rate"
        raise LitotesError("L308", f"the loss is not finite in epoch {epoch}", hint=hint)


class Learner(Protocol):
    """A model that is trained epoch by epoch."""

    def train_epoch(self, number: int) -> EpochResult:
        """Train for one epoch; the first has the number 1."""

    def arrays(self) -> Arrays:
        """Return the weights and the state of the optimizer."""

    def numbers(self) -> dict[str, Any]:
        """Return other values that the next epoch depends on, such as the learning rate."""

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore the state of a checkpoint; raise if it belongs to another model."""

    def save(self, out: Path) -> None:
        """Write the finished model."""


@dataclass
class _History:
    epochs: list[dict[str, Any]] = field(default_factory=list)
    stopped: bool = False


def finished_epochs(out: Path, depends_on: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the metrics of the same training if it is finished in a folder, or None."""
    record = read_training_file(out) or {}
    if record.get("key") != dependency_key(depends_on) or "finished" not in record:
        return None
    return list(record["finished"]["epochs"])


def train_epochs(
    learner: Learner, out: Path, *, epochs: int, depends_on: Mapping[str, Any], fresh: bool = False
) -> list[dict[str, Any]]:
    """Train, write the model, and return the metrics of all epochs; a finished training is not repeated."""
    with lock_folder(out):
        claim(out, dependency_key(depends_on), depends_on, fresh=fresh)
        if (metrics := finished_epochs(out, depends_on)) is not None:
            _delete_checkpoint(out)  # the process may have been killed just before this
            return metrics
        history = _resume(learner, out)
        for number in range(len(history.epochs) + 1, epochs + 1):
            if history.stopped:
                break
            result = learner.train_epoch(number)
            history.epochs.append({"epoch": number, **result.metrics})
            history.stopped = result.stop
            _write_checkpoint(learner, out, history)
            _write_metrics(out, history)
        learner.save(out)
        _write_metrics(out, history)
        record = read_training_file(out) or {}
        write_atomic(out / TRAINING_FILE, to_json({**record, "finished": {"epochs": history.epochs}}, indent=2) + "\n")
        _delete_checkpoint(out)
        return history.epochs


def _write_metrics(out: Path, history: _History) -> None:
    write_atomic(out / METRICS, "".join(to_json(line) + "\n" for line in history.epochs))


def _checkpoint_path(out: Path) -> Path:
    return out / CHECKPOINTS / "last.safetensors"


def _write_checkpoint(learner: Learner, out: Path, history: _History) -> None:
    """Write one file, so that weights and numbers always belong to the same epoch."""
    from safetensors.numpy import save

    arrays = {name: np.ascontiguousarray(array) for name, array in learner.arrays().items()}
    state = {"epochs": history.epochs, "stopped": history.stopped, "numbers": learner.numbers()}
    write_atomic(_checkpoint_path(out), save(arrays, metadata={"state": to_json(state)}))


def _resume(learner: Learner, out: Path) -> _History:
    """Restore the last checkpoint; without one that can be read, training starts with the first epoch."""
    path = _checkpoint_path(out)
    checkpoint = _read_checkpoint(path)
    if checkpoint is None:
        return _History()
    arrays, state = checkpoint
    try:
        learner.restore(arrays, state["numbers"])
    except (LookupError, TypeError, ValueError, RuntimeError) as error:
        # The state may be partly restored, so training cannot continue from it.
        hint = "delete it to start again with the first epoch"
        message = f"{path}: is not a checkpoint of this training ({type(error).__name__}: {error})"
        raise LitotesError("L303", message, hint=hint) from error
    return _History(list(state["epochs"]), bool(state["stopped"]))


def _read_checkpoint(path: Path) -> tuple[Arrays, dict[str, Any]] | None:
    from safetensors import SafetensorError, safe_open

    if not is_file(path):
        return None
    try:
        with safe_open(path, framework="numpy") as file:
            state = json.loads(file.metadata()["state"])
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (not a dictionary)
    except (SafetensorError, LookupError, TypeError, ValueError, OSError):
        return None
    return (arrays, state) if {"numbers", "epochs", "stopped"} <= state.keys() else None


def _delete_checkpoint(out: Path) -> None:
    _checkpoint_path(out).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # the folder is not empty
        (out / CHECKPOINTS).rmdir()
