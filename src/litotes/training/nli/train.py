"""Training an NLI model: any encoder, any labelled pairs; what was killed goes on to the same end."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes import __version__
from litotes.core.errors import LitotesError, one_line
from litotes.core.files import sha256_file, to_json, write_atomic
from litotes.core.locks import lock_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions, installed_version
from litotes.corpora.nli import NliPair
from litotes.models.access import Access
from litotes.models.names import shorten
from litotes.models.transformers.torch_model import quiet_libraries
from litotes.training.checkpoints import (
    ACCOUNT,
    METRICS,
    begin,
    checkpoints,
    keep_model_alone,
    key_of,
    last_to_go_on_from,
    read_account,
)
from litotes.training.nli.base_model import Base, Loaded, find_base, load_base
from litotes.training.nli.data import TokenisedPairs, check_pairs, digest, draw
from litotes.training.nli.settings import TrainSettings


def model_card(about: Mapping[str, Any], settings: TrainSettings) -> str:
    """README.md of a model, with the header that model hubs read."""
    figures = about["dev"]
    dev = (
        f"On {about['dev_pairs']:,} dev pairs: accuracy {figures['accuracy']:.3f}, Matthews correlation"
        f" {figures['mcc']:.3f}."
        if figures
        else "It was not measured on a dev set."
    )
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    return f"""---
library_name: transformers
pipeline_tag: text-classification
tags: [natural-language-inference, litotes]
---

# An NLI model trained by Litotes

It reads a premise and a hypothesis and says entailment, neutral or contradiction. It began as `{about["base"]}`,
{"with a new head" if about["new_head"] else "with the head that it had"}, and was trained on {about["pairs"]:,} pairs
in {about["steps"]:,} steps by Litotes {__version__}. {dev}

| setting | |
|---|---|
{rows}
| tokens of a pair | {about["max_length"]} |

`litotes run nli:FOLDER --suite developmental-mini` tests it. `training.json` beside this page says what it depends on;
`metrics.jsonl` how the training went. It knows what its pairs taught it and is made for experiments, not for decisions.
"""


@dataclass(frozen=True)
class Trained:
    """A finished training."""

    folder: Path
    """A plain transformers folder: `nli:FOLDER` runs it."""
    checkpoints: tuple[Path, ...]
    """One an epoch, in order, each a folder that loads like a model."""
    metrics: Path
    """JSON lines: loss every few steps, accuracy and MCC on the dev set after each epoch."""
    sha256: str
    """Of the final weights."""
    dev: dict[str, float]
    """The figures on the dev set at the end; empty without one."""


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
) -> Trained:
    """Fine-tune an encoder on labelled pairs into a folder; returns at once what an equal call has finished before."""
    settings, access = settings or TrainSettings(), access or Access()
    check_pairs(pairs, "the training data")
    if dev:
        check_pairs(dev, "the dev data", to_learn=False)
    found = find_base(base, access)
    chosen = draw(pairs, settings.examples, settings.seed)
    check_pairs(chosen, "the drawn training data")
    depends_on = {
        "base": found.sha256,
        "data": digest(chosen),
        "dev": digest(dev),
        "settings": settings.to_dict(),
        "versions": _versions(),
        "processes": int(os.environ.get("WORLD_SIZE", "1")),
    }
    key = key_of(depends_on)
    with lock_folder(out) if is_main_process() else nullcontext():
        if is_main_process():
            begin(out, key, depends_on, fresh=fresh)
        done = read_account(out)
        if done is None or "sha256" not in done or done.get("key") != key:
            _train(found, chosen, dev, settings, out, key, depends_on, progress or Progress(), access)
        for path in checkpoints(out) if is_main_process() else ():
            keep_model_alone(path)  # what only training needed
    return _trained(out)


def is_main_process() -> bool:
    """Whether this is the process that writes: launchers of several number them in the environment."""
    return os.environ.get("RANK", "0") == "0"


def _versions() -> dict[str, str]:
    """Of all that changes how a training goes."""
    wanted = ("litotes", "torch", "transformers", "tokenizers")
    found = {name: number for name, number in current_versions().items() if name in wanted}
    return {**found, "accelerate": installed_version("accelerate") or ""}


def _train(  # noqa: PLR0917
    base: Base,
    pairs: Sequence[NliPair],
    dev: Sequence[NliPair],
    settings: TrainSettings,
    out: Path,
    key: str,
    depends_on: dict[str, Any],
    progress: Progress,
    access: Access,
) -> None:
    loaded = load_base(base, access, max_length=settings.max_length, seed=settings.seed)
    from litotes.training.nli.trainer import make_trainer

    train_data, dev_data = (_tokenised(some, loaded) for some in (pairs, dev))
    if train_data is None:  # checked before; for the types
        raise LitotesError("L204", "the training data: has no labelled pairs")
    with progress, quiet_libraries():
        trainer = make_trainer(
            loaded,
            train_data,
            dev_data,
            settings,
            out,
            metrics=out / METRICS,
            progress=progress,
            label=out.name,
        )
        start = last_to_go_on_from(out) if trainer.is_world_process_zero() else None
        trainer.accelerator.wait_for_everyone()
        if start is None and (known := checkpoints(out)):  # what the first process has tidied up
            start = known[-1]
        with _from_checkpoint(start):
            trainer.train(resume_from_checkpoint=str(start) if start is not None else None)
    trainer.accelerator.wait_for_everyone()
    if trainer.is_world_process_zero():
        _write(trainer, base, loaded, pairs, dev, settings, out, key, depends_on)
    trainer.accelerator.wait_for_everyone()


_OF_CHECKPOINTS = ("state_dict", "PytorchStreamReader", "checkpoint", "zip")
"""Words by which torch and transformers tell that a checkpoint cannot be read or does not fit."""


@contextmanager
def _from_checkpoint(start: Path | None) -> Iterator[None]:
    """Turns what the libraries raise about a checkpoint that is not this training's into one line."""
    try:
        yield
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        text = one_line(str(error))
        if start is None or not any(word in text for word in _OF_CHECKPOINTS):
            raise
        raise LitotesError(
            "L303",
            f"{start}: is damaged, or the checkpoint of another model ({shorten(text, 120)})",
            hint="remove it and go on from the one before, or --fresh trains anew",
        ) from error


def _tokenised(pairs: Sequence[NliPair], loaded: Loaded) -> TokenisedPairs | None:
    if not pairs:
        return None
    return TokenisedPairs(pairs, loaded.tokenizer, max_length=loaded.max_length, label_ids=loaded.label_ids)


def _write(  # noqa: PLR0917
    trainer: Any,
    base: Base,
    loaded: Loaded,
    pairs: Sequence[NliPair],
    dev: Sequence[NliPair],
    settings: TrainSettings,
    out: Path,
    key: str,
    depends_on: dict[str, Any],
) -> None:
    """The model, its card, and last the account that says that all is there."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    with quiet_libraries():
        model.save_pretrained(out)
        loaded.tokenizer.save_pretrained(out)
    figures = _last_figures(trainer.state.log_history)
    about = {
        "base": base.name,
        "new_head": loaded.new_head,
        "max_length": loaded.max_length,
        "pairs": len(pairs),
        "dev_pairs": len(dev),
        "steps": trainer.state.global_step,
        "dev": figures,
    }
    write_atomic(out / "README.md", model_card(about, settings))
    account = {"key": key, "depends_on": depends_on, **about, "sha256": sha256_file(out / "model.safetensors")}
    write_atomic(out / ACCOUNT, to_json(account, indent=2) + "\n")


def _last_figures(history: Sequence[dict[str, Any]]) -> dict[str, float]:
    last: dict[str, Any] = next((line for line in reversed(history) if "eval_mcc" in line), {})
    return {name: float(last[f"eval_{name}"]) for name in ("accuracy", "mcc", "loss") if f"eval_{name}" in last}


def _trained(out: Path) -> Trained:
    account = read_account(out) or {}
    return Trained(
        folder=out,
        checkpoints=tuple(checkpoints(out)),
        metrics=out / METRICS,
        sha256=str(account.get("sha256", "")),
        dev={name: float(value) for name, value in account.get("dev", {}).items()},
    )
