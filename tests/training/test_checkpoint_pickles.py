"""The pickled files in the checkpoints of transformers' trainer run no code when a training resumes."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import Trainer, TrainingArguments


class Bomb:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


@pytest.fixture
def trainer(tmp_path: Path) -> Trainer:
    arguments = TrainingArguments(output_dir=str(tmp_path / "out"), report_to=[], use_cpu=True)
    trainer = Trainer(model=torch.nn.Linear(1, 1), args=arguments)
    trainer.create_optimizer_and_scheduler(1)
    return trainer


@pytest.mark.parametrize("name", ["rng_state.pth", "optimizer.pt", "scheduler.pt"])
@pytest.mark.parametrize("is_archive", [True, False])
def test_resuming_runs_no_pickled_code(name: str, is_archive: bool, trainer: Trainer, tmp_path: Path) -> None:
    torch.save(trainer.optimizer.state_dict(), tmp_path / "optimizer.pt")
    torch.save(trainer.lr_scheduler.state_dict(), tmp_path / "scheduler.pt")
    bomb = Bomb(tmp_path / "exploded")
    torch.save(bomb, tmp_path / name) if is_archive else (tmp_path / name).write_bytes(pickle.dumps(bomb, protocol=2))
    with pytest.raises(pickle.UnpicklingError, match=r"(?i)weights[_ ]only"):
        if name == "rng_state.pth":
            trainer._load_rng_state(str(tmp_path))
        else:
            trainer._load_optimizer_and_scheduler(str(tmp_path))
    assert not (tmp_path / "exploded").exists()
