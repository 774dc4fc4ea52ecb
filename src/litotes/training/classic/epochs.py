"""Training epoch by epoch, kept after each: one that was killed goes on to the same end.

For the small models that are trained without transformers' Trainer. Whatever an epoch draws by chance must depend on
the seed and the epoch's number alone; then the arrays and numbers of the last epoch are all that the next one needs.
"""

from __future__ import annotations

import contextlib
import json
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
class EpochEnd:
    """What an epoch came to."""

    figures: Mapping[str, float]
    stop: bool = False
    """Nothing more is to be learnt."""


class Learner(Protocol):
    """What is trained."""

    def epoch(self, number: int) -> EpochEnd:
        """Learn for one epoch; the first has the number 1."""

    def arrays(self) -> Arrays:
        """The weights, and what the optimiser keeps of them."""

    def numbers(self) -> dict[str, Any]:
        """What else the next epoch depends on, such as the learning rate."""

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Be as after the epoch that left these; raise if they are not those of this learner."""

    def save(self, out: Path) -> None:
        """Write the finished model."""


@dataclass
class _State:
    epochs: list[dict[str, Any]] = field(default_factory=list)
    stopped: bool = False


def finished(out: Path, depends_on: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The figures of an equal training that is finished there; None if there is none.

    Whoever asks before the data is made ready need not make it ready again.
    """
    account = read_training_file(out) or {}
    if account.get("key") != dependency_key(depends_on) or "finished" not in account:
        return None
    return list(account["finished"]["epochs"])


def learn(
    learner: Learner, out: Path, *, epochs: int, depends_on: Mapping[str, Any], fresh: bool = False
) -> list[dict[str, Any]]:
    """Train and save; gives the figures of every epoch. A finished training is not done again."""
    with lock_folder(out):
        claim(out, dependency_key(depends_on), depends_on, fresh=fresh)
        if (done := finished(out, depends_on)) is not None:
            _forget(out)  # it may have been killed just before
            return done
        state = _go_on(learner, out)
        for number in range(len(state.epochs) + 1, epochs + 1):
            if state.stopped:
                break
            end = learner.epoch(number)
            state.epochs.append({"epoch": number, **end.figures})
            state.stopped = end.stop
            _keep(learner, out, state)
            _write_metrics(out, state)
        learner.save(out)
        _write_metrics(out, state)
        account = read_training_file(out) or {}
        write_atomic(out / TRAINING_FILE, to_json({**account, "finished": {"epochs": state.epochs}}, indent=2) + "\n")
        _forget(out)
        return state.epochs


def _write_metrics(out: Path, state: _State) -> None:
    write_atomic(out / METRICS, "".join(to_json(line) + "\n" for line in state.epochs))


def _file(out: Path) -> Path:
    return out / CHECKPOINTS / "last.safetensors"


def _keep(learner: Learner, out: Path, state: _State) -> None:
    """One file for all of it, so that a kill never leaves the weights of one epoch with the numbers of another."""
    from safetensors.numpy import save

    arrays = {name: np.ascontiguousarray(array) for name, array in learner.arrays().items()}
    told = {"epochs": state.epochs, "stopped": state.stopped, "numbers": learner.numbers()}
    write_atomic(_file(out), save(arrays, metadata={"state": to_json(told)}))


def _go_on(learner: Learner, out: Path) -> _State:
    """The learner as after its last whole epoch; a checkpoint that cannot be read costs time, not the training."""
    found = _read(_file(out))
    if found is None:
        return _State()
    arrays, told = found
    try:
        learner.restore(arrays, told["numbers"])
    except (LookupError, TypeError, ValueError, RuntimeError) as error:
        # Half of it may be restored: to begin with that would end somewhere else.
        hint = "remove it to begin again with the first epoch"
        message = f"{_file(out)}: is no checkpoint of this training ({type(error).__name__}: {error})"
        raise LitotesError("L303", message, hint=hint) from error
    return _State(list(told["epochs"]), bool(told["stopped"]))


def _read(path: Path) -> tuple[Arrays, dict[str, Any]] | None:
    from safetensors import SafetensorError, safe_open

    if not is_file(path):
        return None
    try:
        with safe_open(path, framework="numpy") as file:
            told = json.loads(file.metadata()["state"])
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (it is no dict)
    except (SafetensorError, LookupError, TypeError, ValueError, OSError):
        return None
    return (arrays, told) if {"numbers", "epochs", "stopped"} <= told.keys() else None


def _forget(out: Path) -> None:
    _file(out).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # others are in it
        (out / CHECKPOINTS).rmdir()
