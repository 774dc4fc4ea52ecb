"""Transformers' Trainer as we set it: batches of equal length, an epoch a checkpoint, figures as JSON lines.

Whatever starts several processes for transformers (`accelerate launch`, torchrun) starts them here as well.
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
from litotes.core.files import atomic_writer, is_file, to_json
from litotes.core.progress import Progress
from litotes.core.versions import installed_version
from litotes.evaluation.statistics import matthews_correlation
from litotes.training.checkpoints import CHECKPOINTS, checkpoints, keep_model_alone
from litotes.training.nli.base_model import Loaded
from litotes.training.nli.data import TokenisedPairs
from litotes.training.nli.settings import TrainSettings


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
        with atomic_writer(self._path) as write:
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


LOG_EVERY = 50
"""Steps."""


class EpochSampler(LengthGroupedSampler):  # type: ignore[misc]
    """Pairs of like length together, in an order that seed and epoch alone decide.

    So every process draws the same order, and a training that goes on sees what it would have seen.
    """

    def __init__(self, batch_size: int, lengths: list[int], seed: int) -> None:
        super().__init__(batch_size, lengths=lengths, generator=torch.Generator())
        self._seed = seed
        self.set_epoch(0)

    def set_epoch(self, epoch: int) -> None:
        """Called before each epoch."""
        self.generator.manual_seed(self._seed * 100_003 + epoch)


class NliTrainer(Trainer):  # type: ignore[misc]
    """The Trainer with the sampler above."""

    def _get_train_sampler(self, train_dataset: Any = None) -> EpochSampler:
        data = self.train_dataset if train_dataset is None else train_dataset
        return EpochSampler(self.args.train_batch_size, data.lengths, self.args.seed)


class ModelsAlone(TrainerCallback):  # type: ignore[misc]
    """Of each checkpoint but the last the model alone is kept."""

    def __init__(self, out: Path) -> None:
        self._out = out

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """A checkpoint is whole."""
        if state.is_world_process_zero:
            for path in checkpoints(self._out)[:-1]:
                keep_model_alone(path)


def make_trainer(
    loaded: Loaded,
    train: TokenisedPairs,
    dev: TokenisedPairs | None,
    settings: TrainSettings,
    out: Path,
    *,
    metrics: Path,
    progress: Progress,
    label: str,
) -> NliTrainer:
    """A Trainer that is ready to go."""
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
        use_cpu=not torch.accelerator.is_available(),  # said, several processes on CPUs find each other
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
        model=loaded.model,
        args=arguments,
        train_dataset=train,
        eval_dataset=dev,
        processing_class=loaded.tokenizer,
        data_collator=DataCollatorWithPadding(loaded.tokenizer),
        compute_metrics=_figures,
        callbacks=[Metrics(metrics), Bar(progress, label, len(train), settings.epochs), ModelsAlone(out)],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _figures(found: Any) -> dict[str, float]:
    chosen = np.asarray(found.predictions).argmax(axis=-1)
    gold = np.asarray(found.label_ids)
    size = int(np.asarray(found.predictions).shape[-1])
    confusion = np.bincount(gold * size + chosen, minlength=size * size).reshape(size, size)
    return {
        "accuracy": float((chosen == gold).mean()),
        "mcc": float(matthews_correlation(confusion.astype(np.float64))),
    }
