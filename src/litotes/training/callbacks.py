"""What is told while a Trainer of transformers works: figures as JSON lines, and a bar."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from litotes.core.errors import LitotesError
from litotes.core.files import is_file, to_json, writing_atomic
from litotes.core.progress import Progress


class Metrics(TrainerCallback):  # type: ignore[misc]
    """A line of figures every few steps and after each epoch; a training that goes on goes on in its file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._clock = 0.0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Lines beyond the checkpoint from which training goes on are written once more."""
        self._clock = time.perf_counter()
        if not state.is_world_process_zero:
            return
        kept = [line for line in _lines(self._path) if line["step"] <= state.global_step]
        with writing_atomic(self._path) as write:
            for line in kept:
                write(f"{to_json(line)}\n")

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, float] | None = None, **_: Any) -> None:
        """One line."""
        loss = next((logs[name] for name in ("loss", "train_loss", "eval_loss") if name in logs), 0.0) if logs else 0.0
        if not math.isfinite(loss):
            raise LitotesError(
                "L308", f"the loss is no number after {state.global_step:,} steps", hint="try a smaller --learning-rate"
            )
        if not state.is_world_process_zero or not logs:
            return
        numbers = {name.removeprefix("eval_"): value for name, value in logs.items() if name not in _DROPPED}
        kind = "dev" if any(name.startswith("eval_") for name in logs) else "train"
        if "train_runtime" in logs:
            return
        line = {"step": state.global_step, "epoch": round(state.epoch or 0.0, 4), "on": kind, **numbers}
        line["seconds"] = round(time.perf_counter() - self._clock, 1)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{to_json(line)}\n")


_DROPPED = frozenset(
    {"epoch", "eval_runtime", "eval_samples_per_second", "eval_steps_per_second", "eval_model_preparation_time"}
)


def _lines(path: Path) -> list[dict[str, Any]]:
    if not is_file(path):
        return []
    found = []
    for text in path.read_text("utf-8").splitlines():
        try:
            line = json.loads(text)
        except ValueError:  # the last one, cut off when the process was killed
            continue
        if isinstance(line, dict) and isinstance(line.get("step"), int):
            found.append(line)
    return found


class Bar(TrainerCallback):  # type: ignore[misc]
    """How far training is, and how long it still takes."""

    def __init__(self, progress: Progress, label: str, pairs: int, epochs: int) -> None:
        self._progress = progress
        self._label = label
        self._total = pairs * epochs
        self._done = 0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """The bar begins where the checkpoint ended."""
        self._done = self._at(state)
        if state.is_world_process_zero:
            self._progress.begin(self._label, total=self._total, done=self._done)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """One more batch."""
        now = self._at(state)
        if state.is_world_process_zero:
            self._progress.advance(now - self._done)
        self._done = now

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """The bar goes away."""
        if state.is_world_process_zero:
            self._progress.end()

    def _at(self, state: Any) -> int:
        return int(self._total * state.global_step / max(1, state.max_steps))
