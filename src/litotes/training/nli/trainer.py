"""Transformers' Trainer with batches of similar length, one checkpoint per epoch and metrics as JSON lines.

Training with several processes (`accelerate launch`, torchrun) is supported.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import DataCollatorWithPadding, PrinterCallback, Trainer, TrainerCallback, TrainingArguments
from transformers.trainer_pt_utils import LengthGroupedSampler

from litotes.core.errors import LitotesError
from litotes.core.files import atomic_writer, follow_umask, is_file, to_json
from litotes.core.progress import Progress
from litotes.core.versions import installed_version
from litotes.evaluation.statistics import matthews_correlation
from litotes.training.checkpoints import CHECKPOINTS, METRICS, checkpoints, remove_training_state
from litotes.training.nli.base_model import TrainableModel
from litotes.training.nli.data import TokenisedPairs
from litotes.training.nli.settings import TrainSettings


class MetricsCallback(TrainerCallback):  # type: ignore[misc]
    """Writes a line of metrics every few steps and after each epoch; a resumed training continues its file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._clock = 0.0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Remove the lines after the checkpoint from which the training resumes."""
        self._clock = time.perf_counter()
        if not state.is_world_process_zero:
            return
        lines = [line for line in _lines(self._path) if line["step"] <= state.global_step]
        with atomic_writer(self._path) as write:
            for line in lines:
                write(f"{to_json(line)}\n")

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, float] | None = None, **_: Any) -> None:
        """Write a line."""
        loss = next((logs[name] for name in ("loss", "train_loss", "eval_loss") if name in logs), 0.0) if logs else 0.0
        if not math.isfinite(loss):
            hint = "use a smaller --learning-rate"
            raise LitotesError("L308", f"the loss is not finite after {state.global_step:,} steps", hint=hint)
        if not state.is_world_process_zero or not logs:
            return
        numbers = {name.removeprefix("eval_"): value for name, value in logs.items() if name not in _OMITTED}
        kind = "dev" if any(name.startswith("eval_") for name in logs) else "train"
        if "train_runtime" in logs:
            return
        line = {"step": state.global_step, "epoch": round(state.epoch or 0.0, 4), "on": kind, **numbers}
        line["seconds"] = round(time.perf_counter() - self._clock, 1)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{to_json(line)}\n")


_OMITTED = frozenset(
    {"epoch", "eval_runtime", "eval_samples_per_second", "eval_steps_per_second", "eval_model_preparation_time"}
)


def _lines(path: Path) -> list[dict[str, Any]]:
    if not is_file(path):
        return []
    lines = []
    for text in path.read_text("utf-8").splitlines():
        try:
            line = json.loads(text)
        except ValueError:  # the last line, if the process was killed
            continue
        if isinstance(line, dict) and isinstance(line.get("step"), int):
            lines.append(line)
    return lines


class ProgressCallback(TrainerCallback):  # type: ignore[misc]
    """Shows the progress of a training."""

    def __init__(self, progress: Progress, label: str, pairs: int, epochs: int) -> None:
        self._progress = progress
        self._label = label
        self._total = pairs * epochs
        self._done = 0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Begin at the position of the checkpoint."""
        self._done = self._position(state)
        if state.is_world_process_zero:
            self._progress.begin(self._label, total=self._total, done=self._done)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Advance by a batch."""
        now = self._position(state)
        if state.is_world_process_zero:
            self._progress.advance(now - self._done)
        self._done = now

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """End the progress bar."""
        if state.is_world_process_zero:
            self._progress.end()

    def _position(self, state: Any) -> int:
        return int(self._total * state.global_step / max(1, state.max_steps))


LOG_EVERY = 50
"""Steps between two lines of metrics."""


class EpochSampler(LengthGroupedSampler):  # type: ignore[misc]
    """Groups pairs by length, in an order that depends on seed and epoch alone.

    So all processes use the same order, and a resumed training sees the same batches.
    """

    def __init__(self, batch_size: int, lengths: list[int], seed: int) -> None:
        super().__init__(batch_size, lengths=lengths, generator=torch.Generator())
        self._seed = seed
        self.set_epoch(0)

    def set_epoch(self, epoch: int) -> None:
        """Seed the order of an epoch."""
        self.generator.manual_seed(self._seed * 100_003 + epoch)


class NliTrainer(Trainer):  # type: ignore[misc]
    """A Trainer that uses `EpochSampler`, and whose checkpoints have the permissions of other files."""

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        super()._save(output_dir, state_dict)
        follow_umask(Path(output_dir or self.args.output_dir).glob("*.safetensors"))

    def _get_train_sampler(self, train_dataset: Any = None) -> EpochSampler:
        data = self.train_dataset if train_dataset is None else train_dataset
        return EpochSampler(self.args.train_batch_size, data.lengths, self.args.seed)


class CleanupCallback(TrainerCallback):  # type: ignore[misc]
    """Reduces all checkpoints but the last to the model."""

    def __init__(self, out: Path) -> None:
        self._out = out

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Clean up after a checkpoint has been written."""
        if state.is_world_process_zero:
            for path in checkpoints(self._out)[:-1]:
                remove_training_state(path)


def make_trainer(
    base: TrainableModel,
    train: TokenisedPairs,
    dev: TokenisedPairs | None,
    settings: TrainSettings,
    *,
    out: Path,
    progress: Progress,
) -> NliTrainer:
    """Return a configured Trainer."""
    arguments = TrainingArguments(
        output_dir=str(out / CHECKPOINTS),
        learning_rate=settings.learning_rate,
        weight_decay=settings.weight_decay,
        per_device_train_batch_size=settings.batch_size,
        per_device_eval_batch_size=4 * settings.batch_size,
        num_train_epochs=settings.epochs,
        warmup_steps=settings.warmup,
        lr_scheduler_type="linear",
        seed=settings.seed,
        data_seed=settings.seed,
        bf16=settings.precision == "bf16",
        fp16=settings.precision == "fp16",
        use_cpu=not torch.accelerator.is_available(),  # explicit, so that several processes on CPUs find each other
        save_strategy="epoch",
        eval_strategy="epoch" if dev is not None else "no",
        logging_steps=LOG_EVERY,
        logging_nan_inf_filter=False,
        report_to=["tensorboard"] if installed_version("tensorboard") else [],
        disable_tqdm=True,
        dataloader_pin_memory=torch.cuda.is_available(),
        remove_unused_columns=False,
        train_sampling_strategy="group_by_length",
    )
    trainer = NliTrainer(
        model=base.model,
        args=arguments,
        train_dataset=train,
        eval_dataset=dev,
        processing_class=base.tokenizer,
        data_collator=DataCollatorWithPadding(base.tokenizer),
        compute_metrics=_compute_metrics,
        callbacks=[
            MetricsCallback(out / METRICS),
            ProgressCallback(progress, out.name, len(train), settings.epochs),
            CleanupCallback(out),
        ],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _compute_metrics(evaluation: Any) -> dict[str, float]:
    chosen = np.asarray(evaluation.predictions).argmax(axis=-1)
    gold = np.asarray(evaluation.label_ids)
    size = int(np.asarray(evaluation.predictions).shape[-1])
    confusion = np.bincount(gold * size + chosen, minlength=size * size).reshape(size, size)
    return {
        "accuracy": float((chosen == gold).mean()),
        "mcc": float(matthews_correlation(confusion.astype(np.float64))),
    }
