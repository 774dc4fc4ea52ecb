"""Fine-tune a model with sentence-transformers' trainer: planned batches, validation, exact resume."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.sentence_transformer.evaluation import SentenceEvaluator
from torch.utils.data import BatchSampler
from transformers import EarlyStoppingCallback, PrinterCallback

from litotes.core.errors import LitotesError, UsageError, shorten, single_line
from litotes.core.files import follow_umask
from litotes.core.model_folders.files import hash_weights
from litotes.core.progress import Progress
from litotes.models.access import Access
from litotes.models.transformers.sentence_transformer import default_prompt
from litotes.models.transformers.torch_model import AUTO, choose_device, quiet_libraries
from litotes.repair.base_model import BaseModel, load_sentence_transformer
from litotes.repair.examples.base import TrainingData
from litotes.repair.examples.batches import Batch, plan_batches
from litotes.repair.loss import COLUMNS, RepairLoss, example_flags
from litotes.repair.settings import RepairSettings
from litotes.repair.validation import CONTRAST, RETENTION, SCORE, SELECTION, Validator, selection_score
from litotes.repair.weight_averaging import AVERAGE_FILE, WeightAverage, averaged, load_average
from litotes.training.checkpoints import (
    CHECKPOINTS,
    METRICS,
    latest_resumable_checkpoint,
)
from litotes.training.nli.trainer import MetricsCallback, ProgressCallback

_LAYER = re.compile(r"\b(?:layers?|blocks?|h)\.(\d+)\.")
"""Layer number in parameter names of BERT, T5 and GPT; T5's blocks contain layers, so the first number counts."""
_MAX_VALIDATION = 600
"""Maximum number of general sentences used for validation instead of training; one in eight of a short text."""
_MIN_GAIN = 1e-4
"""Improvement below which a validation counts as one without improvement."""
_EVAL_SELECTION = f"eval_{SELECTION}"


class ValidationEvaluator(SentenceEvaluator):  # type: ignore[misc]
    """Adapts the validator to the trainer's interface; it validates the averaged weights."""

    def __init__(self, validator: Validator, average: WeightAverage) -> None:
        super().__init__()
        self.primary_metric = SELECTION
        self._validator = validator
        self._average = average

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: float = -1, steps: int = -1
    ) -> dict[str, float]:
        """Return the validation metrics."""
        with averaged(model, self._average):
            metrics = self._validator(model)
        return {**metrics, SELECTION: selection_score(metrics[SCORE], steps)}


class PatientStopping(EarlyStoppingCallback):  # type: ignore[misc]
    """Early stopping, but only in the second half of training.

    Quadruples are an exclusive-or problem: the metric stays flat for long before it rises.
    """

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Restore the number of validations without improvement, so that a resumed training stops at the same step."""
        super().on_train_begin(args, state, control, **kwargs)
        best, n_idle = None, 0
        for entry in (entry for entry in state.log_history if _EVAL_SELECTION in entry):
            value = float(entry[_EVAL_SELECTION])
            if int(entry["step"]) * 2 >= state.max_steps:
                n_idle = 0 if best is None or value - best > self.early_stopping_threshold else n_idle + 1
            best = value if best is None else max(best, value)
        self.early_stopping_patience_counter = n_idle
        control.should_training_stop = n_idle >= self.early_stopping_patience

    def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Any, **kwargs: Any) -> None:
        """Ignore validations in the first half."""
        if state.global_step * 2 >= state.max_steps:
            super().on_evaluate(args, state, control, metrics, **kwargs)


class PlannedBatchSampler(BatchSampler):  # type: ignore[misc]
    """Batches of the given sizes over consecutive rows, so that a resumed training knows which rows it has used."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = list(sizes)

    def __iter__(self) -> Iterator[list[int]]:
        start = 0
        for size in self._sizes:
            yield list(range(start, start + size))
            start += size

    def __len__(self) -> int:
        return len(self._sizes)


class RepairTrainer(SentenceTransformerTrainer):  # type: ignore[misc]
    """Trainer with planned batches; its checkpoints contain no model card."""

    batch_sizes: Sequence[int] = ()

    def get_batch_sampler(self, *_: Any, **__: Any) -> BatchSampler:
        """Return the planned batches."""
        return PlannedBatchSampler(self.batch_sizes)

    def add_model_card_callback(self, *_: Any, **__: Any) -> None:
        """Do nothing: the model card is written after the evaluation."""

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        _save_model(self.model, Path(output_dir or self.args.output_dir))


def create_trainer(
    model: SentenceTransformer,
    original: SentenceTransformer,
    data: TrainingData,
    settings: RepairSettings,
    out: Path,
    *,
    progress: Progress,
    loss: type[RepairLoss] = RepairLoss,
    plan: Callable[..., list[Batch]] = plan_batches,
) -> RepairTrainer:
    """Return a trainer that changes `model` in place and uses the frozen `original` as reference."""
    disable_dropout(model)
    freeze(model, embeddings=settings.freeze_embeddings, layers=settings.frozen_layers)
    n_validation = min(_MAX_VALIDATION, len(data.general) // 8)
    validation, general = data.general[:n_validation], data.general[n_validation:]
    batches = plan(
        data.training,
        _token_counts(model, [max(example.texts, key=len) for example in data.training], settings.max_length),
        _token_counts(model, general, settings.max_length),
        steps=settings.steps,
        size=settings.batch_size,
        seed=settings.seed,
    )
    device = choose_device(AUTO)
    arguments = _training_arguments(model, settings, out, device.type)
    if device.type == "cuda":  # only the first device: all sentences of a batch are compared with each other
        original.to(arguments.device)
        arguments._n_gpu = 1
    average = WeightAverage(settings.average, settings.steps // 4)
    trainer = RepairTrainer(
        model=model,
        args=arguments,
        train_dataset=_dataset(data, general, batches),
        loss=loss(model, original, settings),
        evaluator=ValidationEvaluator(Validator(original, data.validation, validation), average),
        callbacks=[
            average,
            MetricsCallback(out / METRICS),
            ProgressCallback(progress, out.name, settings.steps, 1),
            PatientStopping(early_stopping_patience=settings.patience, early_stopping_threshold=_MIN_GAIN),
        ],
    )
    trainer.batch_sizes = [len(batch.examples) for batch in batches]
    trainer.remove_callback(PrinterCallback)
    return trainer


def _training_arguments(
    model: SentenceTransformer, settings: RepairSettings, out: Path, device: str
) -> SentenceTransformerTrainingArguments:
    interval = min(settings.check_every, settings.steps)
    return SentenceTransformerTrainingArguments(
        output_dir=str((out / CHECKPOINTS).resolve()),  # the trainer stores the best checkpoint by this path
        max_steps=settings.steps,
        learning_rate=settings.learning_rate,
        weight_decay=settings.weight_decay,
        warmup_steps=settings.warmup,
        lr_scheduler_type="linear",
        per_device_train_batch_size=settings.batch_size,
        seed=settings.seed,
        data_seed=settings.seed,
        bf16=settings.precision == "bf16",
        fp16=settings.precision == "fp16",
        use_cpu=device == "cpu",
        prompts=default_prompt(model) or None,
        eval_strategy="steps",
        eval_steps=interval,
        save_strategy="steps",
        save_steps=interval,
        save_total_limit=2,
        load_best_model_at_end=True,
        metric_for_best_model=SELECTION,
        greater_is_better=True,
        logging_steps=interval,
        logging_nan_inf_filter=False,
        report_to=[],
        disable_tqdm=True,
        dataloader_pin_memory=torch.cuda.is_available(),
    )


def disable_dropout(model: SentenceTransformer) -> None:
    """Set every dropout to zero: the model is compared with the original, which has none."""
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0


def freeze(model: SentenceTransformer, *, embeddings: bool, layers: int) -> None:
    """Exclude the word embeddings and the lowest layers from training."""
    embedding_ids = {id(parameter) for parameter in model.transformers_model.get_input_embeddings().parameters()}
    for name, parameter in model.named_parameters():
        layer = _LAYER.search(name)
        is_embedding = "embeddings." in name or id(parameter) in embedding_ids
        if (embeddings and is_embedding) or (layer is not None and int(layer[1]) < layers):
            parameter.requires_grad_(False)
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise UsageError("L102", f"frozen_layers={layers}: leaves no weights of this model to train")


def _dataset(data: TrainingData, general: Sequence[str], batches: Sequence[Batch]) -> Dataset:
    """Return the sentences of all steps in order, one row per example."""
    rows: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, "label")}
    for batch in batches:
        for example_index, general_index in zip(batch.examples, batch.general, strict=True):
            example = data.training[example_index]
            for name, text in zip(COLUMNS, (*example.texts, general[general_index]), strict=True):
                rows[name].append(text)
            rows["label"].append(example_flags(example))
    return Dataset.from_dict(rows)


def _token_counts(model: SentenceTransformer, texts: Sequence[str], max_length: int) -> list[int]:
    return [len(ids) for ids in model.tokenizer(list(texts), truncation=True, max_length=max_length)["input_ids"]]


def fine_tune(
    base: BaseModel, data: TrainingData, settings: RepairSettings, out: Path, *, progress: Progress, access: Access
) -> dict[str, Any]:
    """Train a copy of the model into a folder; return the hash of its weights, the selected step and its metrics."""
    with progress:
        state = train(base, data, settings, out, progress=progress, access=access)
    steps, validation = _best_checkpoint(state)
    return {"sha256": hash_weights(out), "steps": steps, "validation": validation}


def train(
    base: BaseModel,
    data: TrainingData,
    settings: RepairSettings,
    out: Path,
    *,
    progress: Progress,
    access: Access,
    **options: Any,
) -> Any:
    """Train, resuming from the last checkpoint if there is one, and save the model; return the trainer's state.

    `options` are passed to `create_trainer`.
    """
    with quiet_libraries():
        model, original = load_sentence_transformer(base, access), load_sentence_transformer(base, access)
        max_length, tokenizer_limits = model.max_seq_length, _tokenizer_limits(model.tokenizer)
        # Both are truncated equally, or truncation would look like a change of the model.
        model.max_seq_length = original.max_seq_length = min(max_length or settings.max_length, settings.max_length)
        trainer = create_trainer(model, original, data, settings, out, progress=progress, **options)
        checkpoint = latest_resumable_checkpoint(out, AVERAGE_FILE, "model*.safetensors")
        try:
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint is not None else None)
        except (RuntimeError, ValueError, KeyError) as error:
            if checkpoint is None:
                raise
            message = f"{checkpoint}: training cannot resume from it ({shorten(single_line(str(error)), 120)})"
            raise LitotesError("L303", message, hint="use --fresh to train from the beginning") from error
        load_average(model, trainer.state.best_model_checkpoint)
        model.max_seq_length = max_length
        _restore_tokenizer_limits(model.tokenizer, tokenizer_limits)
        _save_model(model, out)
    return trainer.state


def _save_model(model: Any, folder: Path) -> None:
    model.save_pretrained(str(folder), create_model_card=False)
    follow_umask((*folder.glob("*.safetensors"), *folder.glob("*/*.safetensors")))  # of the model and its modules


TokenizerLimits = tuple[dict[str, Any] | None, dict[str, Any] | None]


def _tokenizer_limits(tokenizer: Any) -> TokenizerLimits | None:
    """Return truncation and padding of a fast tokenizer, which training changes."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return None if backend is None else (backend.truncation, backend.padding)


def _restore_tokenizer_limits(tokenizer: Any, limits: TokenizerLimits | None) -> None:
    """Undo the truncation of training, because other programs read it from tokenizer.json."""
    if limits is None:
        return
    backend, (truncation, padding) = tokenizer.backend_tokenizer, limits
    backend.no_truncation() if truncation is None else backend.enable_truncation(**truncation)
    backend.no_padding() if padding is None else backend.enable_padding(**padding)


def _best_checkpoint(state: Any) -> tuple[int, dict[str, float]]:
    """Return the step of the selected checkpoint and its validation metrics."""
    validations = [entry for entry in state.log_history if _EVAL_SELECTION in entry]
    if not validations:
        return int(state.global_step), {}
    best = max(validations, key=lambda entry: float(entry[_EVAL_SELECTION]))
    return int(best["step"]), {name: float(best[f"eval_{name}"]) for name in (CONTRAST, RETENTION, SCORE)}
