"""NLI training of any encoder on labelled pairs; an interrupted training resumes and gives the same result."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes import __version__
from litotes.core.errors import LitotesError, shorten, single_line
from litotes.core.files import ensure_utf8, follow_umask, sha256_file, to_json, write_atomic
from litotes.core.locks import lock_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions, installed_version
from litotes.corpora.nli import NliPair
from litotes.models.access import Access
from litotes.models.transformers.torch_model import quiet_libraries
from litotes.training.checkpoints import (
    METRICS,
    TRAINING_FILE,
    checkpoints,
    claim,
    dependency_key,
    is_finished,
    latest_resumable_checkpoint,
    read_training_file,
    remove_training_state,
)
from litotes.training.nli.base_model import BaseEncoder, TrainableModel, find_base, load_base
from litotes.training.nli.data import TokenisedPairs, check_pairs, digest_pairs, sample_pairs
from litotes.training.nli.settings import TrainSettings


@dataclass(frozen=True)
class TrainingResult:
    """A finished training."""

    folder: Path
    """A transformers folder; `nli:FOLDER` runs it."""
    checkpoints: tuple[Path, ...]
    """One folder per epoch, in order; each can be loaded as a model."""
    metrics: Path
    """JSON lines: the loss every few steps, accuracy and MCC on the dev set after each epoch."""
    sha256: str
    """Hash of the final weights."""
    dev: dict[str, float]
    """Final metrics on the dev set; empty without one."""


@dataclass(frozen=True)
class _TrainingJob:
    base: BaseEncoder
    pairs: Sequence[NliPair]
    dev: Sequence[NliPair]
    settings: TrainSettings
    out: Path
    key: str
    depends_on: Mapping[str, Any]


def train_nli(
    base: str,
    pairs: Sequence[NliPair],
    out: Path,
    *,
    dev: Sequence[NliPair] = (),
    settings: TrainSettings | None = None,
    progress: Progress | None = None,
    access: Access | None = None,
    fresh: bool = False,
) -> TrainingResult:
    """Fine-tune an encoder on labelled pairs and write it to a folder.

    If the same training is already finished in the folder, its result is returned at once.
    """
    settings, access = settings or TrainSettings(), access or Access()
    ensure_utf8(out)
    check_pairs(pairs, "the training data")
    if dev:
        check_pairs(dev, "the dev data", for_training=False)
    base_encoder = find_base(base, access)
    sample = sample_pairs(pairs, settings.examples, settings.seed)
    check_pairs(sample, "the sample of the training data")
    depends_on = {
        "base": base_encoder.sha256,
        "data": digest_pairs(sample),
        "dev": digest_pairs(dev),
        "settings": settings.to_dict(),
        "versions": _versions(),
        "processes": int(os.environ.get("WORLD_SIZE", "1")),
    }
    job = _TrainingJob(base_encoder, sample, dev, settings, out, dependency_key(depends_on), depends_on)
    with lock_folder(out) if is_main_process() else nullcontext():
        if is_main_process():
            claim(out, job.key, depends_on, fresh=fresh)
        if not is_finished(out, job.key):
            _train(job, progress or Progress(), access)
        for path in checkpoints(out) if is_main_process() else ():
            remove_training_state(path)
    return _result(out)


def is_main_process() -> bool:
    """Return whether this process writes the results; launchers number their processes in the environment."""
    return os.environ.get("RANK", "0") == "0"


def _versions() -> dict[str, str]:
    names = ("litotes", "torch", "transformers", "tokenizers")
    versions = {name: version for name, version in current_versions().items() if name in names}
    return {**versions, "accelerate": installed_version("accelerate") or ""}


def _train(job: _TrainingJob, progress: Progress, access: Access) -> None:
    model = load_base(job.base, access, max_length=job.settings.max_length, seed=job.settings.seed)
    from litotes.training.nli.trainer import make_trainer

    train_data = _tokenise(job.pairs, model)
    dev_data = _tokenise(job.dev, model) if job.dev else None
    with progress, quiet_libraries():
        trainer = make_trainer(model, train_data, dev_data, job.settings, out=job.out, progress=progress)
        start = latest_resumable_checkpoint(job.out) if trainer.is_world_process_zero() else None
        trainer.accelerator.wait_for_everyone()
        if start is None and (complete := checkpoints(job.out)):  # the main process has deleted incomplete ones
            start = complete[-1]
        with _checkpoint_errors(start):
            trainer.train(resume_from_checkpoint=str(start) if start is not None else None)
    trainer.accelerator.wait_for_everyone()
    if trainer.is_world_process_zero():
        _write_model(job, trainer, model)
    trainer.accelerator.wait_for_everyone()


_CHECKPOINT_WORDS = ("state_dict", "PytorchStreamReader", "checkpoint", "zip")
"""Words in messages of torch and transformers about checkpoints that are damaged or do not fit."""


@contextmanager
def _checkpoint_errors(start: Path | None) -> Iterator[None]:
    """Raise one line if the checkpoint cannot be loaded."""
    try:
        yield
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        text = single_line(str(error))
        if start is None or not any(word in text for word in _CHECKPOINT_WORDS):
            raise
        message = f"{start}: is damaged, or the checkpoint of another model ({shorten(text, 120)})"
        hint = "delete it to resume from the previous checkpoint, or use --fresh to start again"
        raise LitotesError("L303", message, hint=hint) from error


def _tokenise(pairs: Sequence[NliPair], model: TrainableModel) -> TokenisedPairs:
    return TokenisedPairs(pairs, model.tokenizer, max_length=model.max_length, label_ids=model.label_ids)


def _write_model(job: _TrainingJob, trainer: Any, base: TrainableModel) -> None:
    """Write the model and its card, and last training.json, which marks the training as finished."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    with quiet_libraries():
        model.save_pretrained(job.out)
        base.tokenizer.save_pretrained(job.out)
    follow_umask(job.out.glob("*.safetensors"))
    metadata = {
        "base": job.base.name,
        "new_head": base.new_head,
        "max_length": base.max_length,
        "pairs": len(job.pairs),
        "dev_pairs": len(job.dev),
        "steps": trainer.state.global_step,
        "dev": _last_metrics(trainer.state.log_history),
    }
    write_atomic(job.out / "README.md", model_card(metadata, job.settings))
    sha256 = sha256_file(job.out / "model.safetensors")
    record = {"key": job.key, "depends_on": job.depends_on, **metadata, "sha256": sha256}
    write_atomic(job.out / TRAINING_FILE, to_json(record, indent=2) + "\n")


def _last_metrics(history: Sequence[dict[str, Any]]) -> dict[str, float]:
    last: dict[str, Any] = next((line for line in reversed(history) if "eval_mcc" in line), {})
    return {name: float(last[f"eval_{name}"]) for name in ("accuracy", "mcc", "loss") if f"eval_{name}" in last}


def _result(out: Path) -> TrainingResult:
    record = read_training_file(out) or {}
    return TrainingResult(
        folder=out,
        checkpoints=tuple(checkpoints(out)),
        metrics=out / METRICS,
        sha256=str(record.get("sha256", "")),
        dev={name: float(value) for name, value in record.get("dev", {}).items()},
    )


def model_card(metadata: Mapping[str, Any], settings: TrainSettings) -> str:
    """Return the README.md of a model, with the header that model hubs read."""
    metrics = metadata["dev"]
    dev = (
        f"On {metadata['dev_pairs']:,} dev pairs: accuracy {metrics['accuracy']:.3f}, Matthews correlation"
        f" {metrics['mcc']:.3f}."
        if metrics
        else "It was not evaluated on a dev set."
    )
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    return f"""---
library_name: transformers
pipeline_tag: text-classification
tags: [natural-language-inference, litotes]
---

# An NLI model trained with Litotes

The model classifies a premise and a hypothesis as entailment, neutral or contradiction. Its base is
`{metadata["base"]}`, {"with a new head" if metadata["new_head"] else "with its own head"}. It was trained on
{metadata["pairs"]:,} pairs in {metadata["steps"]:,} steps with Litotes {__version__}. {dev}

| setting | |
|---|---|
{rows}
| tokens of a pair | {metadata["max_length"]} |

Evaluate it with `litotes run nli:FOLDER --suite developmental-mini`. `training.json` records what the training depends
on, `metrics.jsonl` how it went. The model is meant for experiments, not for decisions.
"""
