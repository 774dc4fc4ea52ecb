"""Training epoch by epoch with checkpoints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.training.classic.epochs import EpochResult, finished_epochs, train_epochs

ON = {"data": "some", "seed": 7}


class Walker:
    """A learner that adds random numbers by seed and epoch to an array; can fail within an epoch."""

    def __init__(self, *, falls_in: int = 0, stops_after: int = 99) -> None:
        self.place = np.zeros(5, dtype=np.float64)
        self.step = 1.0
        self.done: list[int] = []
        self.falls_in, self.stops_after = falls_in, stops_after

    def train_epoch(self, number: int) -> EpochResult:
        self.place += self.step * np.random.default_rng([7, number]).normal(size=5)
        if number == self.falls_in:
            raise KeyboardInterrupt
        self.step *= 0.9
        self.done.append(number)
        return EpochResult({"loss": float(self.place[0])}, stop=number == self.stops_after)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"place": self.place}

    def numbers(self) -> dict[str, Any]:
        return {"step": self.step}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        self.step = numbers["step"]
        self.place = arrays["place"].copy()

    def save(self, out: Path) -> None:
        (out / "place.txt").write_text(str(self.place.tolist()))


def checkpoint(out: Path) -> Path:
    return out / "checkpoints" / "last.safetensors"


def test_an_interrupted_training_resumes_with_the_same_result(tmp_path: Path) -> None:
    uninterrupted = train_epochs(Walker(), tmp_path / "whole", epochs=4, depends_on=ON)
    with pytest.raises(KeyboardInterrupt):
        train_epochs(Walker(falls_in=3), tmp_path / "fallen", epochs=4, depends_on=ON)
    assert not (tmp_path / "fallen" / "place.txt").exists() and checkpoint(tmp_path / "fallen").exists()
    assert len((tmp_path / "fallen" / "metrics.jsonl").read_text().splitlines()) == 2  # inspected during the training

    walker = Walker()
    assert train_epochs(walker, tmp_path / "fallen", epochs=4, depends_on=ON) == uninterrupted
    assert walker.done == [3, 4]
    for name in ("place.txt", "metrics.jsonl", "training.json"):
        assert (tmp_path / "fallen" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert not (tmp_path / "fallen" / "checkpoints").exists()


def test_finished_training_is_not_repeated(tmp_path: Path) -> None:
    assert finished_epochs(tmp_path / "model", ON) is None
    figures = train_epochs(Walker(), tmp_path / "model", epochs=2, depends_on=ON)
    again = Walker()
    assert (
        train_epochs(again, tmp_path / "model", epochs=2, depends_on=ON)
        == figures
        == finished_epochs(tmp_path / "model", ON)
    )
    assert again.done == [] and finished_epochs(tmp_path / "model", {**ON, "seed": 8}) is None


def test_fresh_starts_again(tmp_path: Path) -> None:
    train_epochs(Walker(), tmp_path, epochs=2, depends_on=ON)
    again = Walker()
    train_epochs(again, tmp_path, epochs=3, depends_on={**ON, "seed": 8}, fresh=True)
    assert again.done == [1, 2, 3] and finished_epochs(tmp_path, {**ON, "seed": 8})


def test_refuses_the_folder_of_another_training(tmp_path: Path) -> None:
    train_epochs(Walker(), tmp_path, epochs=1, depends_on=ON)
    with pytest.raises(LitotesError, match=r"\[L102\].*different seed.*--fresh"):
        train_epochs(Walker(), tmp_path, epochs=1, depends_on={**ON, "seed": 8})


def test_early_stopping_survives_a_kill_at_the_last_epoch(tmp_path: Path) -> None:
    class Unsaved(Walker):
        def save(self, out: Path) -> None:
            raise KeyboardInterrupt

    uninterrupted = train_epochs(Walker(stops_after=2), tmp_path / "whole", epochs=9, depends_on=ON)
    with pytest.raises(KeyboardInterrupt):
        train_epochs(Unsaved(stops_after=2), tmp_path / "killed", epochs=9, depends_on=ON)
    walker = Walker(stops_after=2)
    assert (
        train_epochs(walker, tmp_path / "killed", epochs=9, depends_on=ON) == uninterrupted and len(uninterrupted) == 2
    )
    assert walker.done == []


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "without state"])
def test_unreadable_checkpoint_restarts_the_training(damage: str, tmp_path: Path) -> None:
    from safetensors.numpy import save

    uninterrupted = train_epochs(Walker(), tmp_path / "whole", epochs=3, depends_on=ON)
    with pytest.raises(KeyboardInterrupt):
        train_epochs(Walker(falls_in=2), tmp_path / "hurt", epochs=3, depends_on=ON)
    path = checkpoint(tmp_path / "hurt")
    states = {"cut": path.read_bytes()[:-9], "empty": b"", "text": b"weights", "without state": save({"a": np.ones(2)})}
    path.write_bytes(states[damage])
    walker = Walker()
    assert train_epochs(walker, tmp_path / "hurt", epochs=3, depends_on=ON) == uninterrupted
    assert walker.done == [1, 2, 3]


def test_reports_a_checkpoint_of_another_model(tmp_path: Path) -> None:
    from safetensors.numpy import save

    with pytest.raises(KeyboardInterrupt):
        train_epochs(Walker(falls_in=2), tmp_path, epochs=3, depends_on=ON)
    state = {"epochs": [{"epoch": 1}], "stopped": False, "numbers": {"step": 0.5}}
    checkpoint(tmp_path).write_bytes(save({"other": np.ones(5)}, metadata={"state": json.dumps(state)}))
    with pytest.raises(LitotesError, match=r"\[L303\].*last\.safetensors: is not a checkpoint of this training"):
        train_epochs(Walker(), tmp_path, epochs=3, depends_on=ON)
