"""Sentence-transformers' trainer as a repair sets it: planned batches, looks at held-out pairs, checkpoints."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.sentence_transformer.evaluation import SentenceEvaluator
from torch.utils.data import BatchSampler
from transformers import EarlyStoppingCallback, PrinterCallback

from litotes.core.errors import LitotesError, UsageError, one_line
from litotes.core.files import to_json, write_atomic
from litotes.core.progress import Progress
from litotes.models.access import Access
from litotes.models.model_folder import hash_weights
from litotes.models.names import shorten
from litotes.models.transformers.sentence_transformer import own_prompt
from litotes.models.transformers.torch_model import AUTO, choose_device, quiet_libraries
from litotes.repair.base_model import Base, load_model
from litotes.repair.examples.base import Lessons
from litotes.repair.examples.batches import Batch, plan_batches
from litotes.repair.loss import COLUMNS, RepairLoss, code
from litotes.repair.settings import RepairSettings
from litotes.repair.validation import CHOICE, SCORE, Watch, choice
from litotes.repair.weight_averaging import Average, averaged
from litotes.speedups.onednn import train_with_quick_products, use_quick_products
from litotes.training.checkpoints import ACCOUNT, CHECKPOINTS, METRICS, is_finished, last_to_go_on_from, read_account
from litotes.training.nli.trainer import Bar, Metrics

_LAYER = re.compile(r"\b(?:layers?|blocks?|h)\.(\d+)\.")
"""As BERT, T5 and GPT call their layers; inside a block of T5's there are layers again, so the first counts."""
_WATCHED = 600
"""Ordinary sentences at most that are looked at and not held; of few sentences one in eight."""


class Look(SentenceEvaluator):  # type: ignore[misc]
    """What is watched, as the trainer wants to be handed it."""

    def __init__(self, watch: Watch, average: Average) -> None:
        super().__init__()
        self.primary_metric = CHOICE
        self._watch = watch
        self._average = average

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: float = -1, steps: int = -1
    ) -> dict[str, float]:
        """The figures of a model with the mean of its weights so far."""
        with averaged(model, self._average):
            found = self._watch(model)
        return {**found, CHOICE: choice(found[SCORE], steps)}


class Patience(EarlyStoppingCallback):  # type: ignore[misc]
    """Ends a training that gains nothing more, but not in its first half: what is to be learned is an exclusive-or, and
    nothing is gained for long before all is gained at once."""

    def on_train_begin(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """What was waited in vain before a training was killed counts: it ends where it would have ended."""
        super().on_train_begin(args, state, control, **more)
        best, vain = None, 0
        for look in (line for line in state.log_history if f"eval_{CHOICE}" in line):
            found = float(look[f"eval_{CHOICE}"])
            if int(look["step"]) * 2 >= state.max_steps:
                vain = 0 if best is None or found - best > self.early_stopping_threshold else vain + 1
            best = found if best is None else max(best, found)
        self.early_stopping_patience_counter = vain
        control.should_training_stop = vain >= self.early_stopping_patience

    def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Any, **more: Any) -> None:
        """A look."""
        if state.global_step * 2 >= state.max_steps:
            super().on_evaluate(args, state, control, metrics, **more)


class InOrder(BatchSampler):  # type: ignore[misc]
    """Batches as they were planned, one after another; so a training that goes on knows what it has seen."""

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
    """The trainer with batches as planned; its checkpoints are models without cards."""

    sizes: Sequence[int] = ()

    def get_batch_sampler(self, *_: Any, **__: Any) -> BatchSampler:
        """The plan."""
        return InOrder(self.sizes)

    def add_model_card_callback(self, *_: Any, **__: Any) -> None:
        """The card is ours, written when there is something to say."""

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        self.model.save_pretrained(output_dir or self.args.output_dir, create_model_card=False)


def make_trainer(
    model: SentenceTransformer,
    original: SentenceTransformer,
    lessons: Lessons,
    settings: RepairSettings,
    out: Path,
    *,
    progress: Progress,
    label: str,
    loss: type[RepairLoss] = RepairLoss,
    planned: Callable[..., list[Batch]] = plan_batches,
) -> RepairTrainer:
    """A trainer that is ready to go; the model is changed in place, the original is not."""
    without_dropout(model)
    train_with_quick_products(model)
    use_quick_products(original)
    freeze(model, words=settings.frozen_words, layers=settings.frozen_layers)
    apart = min(_WATCHED, len(lessons.ordinary) // 8)
    watched, ordinary = lessons.ordinary[:apart], lessons.ordinary[apart:]
    lengths = _lengths(model, [max(lesson.texts, key=len) for lesson in lessons.learned], settings.max_length)
    plain = _lengths(model, ordinary, settings.max_length)
    plan = planned(lessons.learned, lengths, plain, steps=settings.steps, size=settings.batch_size, seed=settings.seed)
    every = min(settings.check_every, settings.steps)
    device = choose_device(AUTO)
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str((out / CHECKPOINTS).resolve()),  # the best of them is remembered by this name
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
        use_cpu=device.type == "cpu",  # as the original is, beside which it learns
        prompts=own_prompt(model) or None,
        eval_strategy="steps",
        eval_steps=every,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=2,
        load_best_model_at_end=True,
        metric_for_best_model=CHOICE,
        greater_is_better=True,
        logging_steps=every,
        logging_nan_inf_filter=False,
        report_to=[],
        disable_tqdm=True,
        dataloader_pin_memory=torch.cuda.is_available(),
    )
    if device.type == "cuda":  # of several the first: a batch is not to be divided, all of it is compared
        original.to(arguments.device)
        arguments._n_gpu = 1
    average = Average(settings.average, settings.steps // 4)
    trainer = RepairTrainer(
        model=model,
        args=arguments,
        train_dataset=_dataset(lessons, ordinary, plan),
        loss=loss(model, original, temperature=settings.temperature, keep=settings.keep, strangers=settings.strangers),
        evaluator=Look(Watch(original, lessons.watched, watched), average),
        callbacks=[
            average,
            Metrics(out / METRICS),
            Bar(progress, label, settings.steps, 1),
            # A later look that is no better is chosen, but it is no gain.
            Patience(early_stopping_patience=settings.patience, early_stopping_threshold=1e-4),
        ],
    )
    trainer.sizes = [len(batch.lessons) for batch in plan]
    trainer.remove_callback(PrinterCallback)
    return trainer


def without_dropout(model: SentenceTransformer) -> None:
    """A model that is held where it was must not be shaken: each pass gives the same."""
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0


def freeze(model: SentenceTransformer, *, words: bool, layers: int) -> None:
    """Let the embeddings and the lowest layers be: what is not learned need not be followed back, which takes time."""
    of_words = {id(one) for one in model.transformers_model.get_input_embeddings().parameters()}
    for name, parameter in model.named_parameters():
        found = _LAYER.search(name)
        is_word = "embeddings." in name or id(parameter) in of_words
        if (words and is_word) or (found is not None and int(found[1]) < layers):
            parameter.requires_grad_(False)
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise UsageError("L102", f"frozen_layers={layers}: leaves nothing of this model to learn")


def _dataset(lessons: Lessons, ordinary: Sequence[str], plan: Sequence[Batch]) -> Dataset:
    """The sentences of all steps in order, a lesson a row."""
    rows: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, "label")}
    for batch in plan:
        for place, plain in zip(batch.lessons, batch.ordinary, strict=True):
            lesson = lessons.learned[place]
            for name, text in zip(COLUMNS, (*lesson.texts, ordinary[plain]), strict=True):
                rows[name].append(text)
            rows["label"].append(code(lesson))
    return Dataset.from_dict(rows)


def _lengths(model: SentenceTransformer, texts: Sequence[str], most: int) -> list[int]:
    found = model.tokenizer(list(texts), truncation=True, max_length=most)["input_ids"]
    return [len(ids) for ids in found]


@dataclass(frozen=True)
class Learned:
    """A model that is trained."""

    sha256: str
    steps: int
    """After how many it was taken."""
    watched: Mapping[str, float]
    """The figures by which it was chosen."""


def learn(
    base: Base,
    lessons: Lessons,
    settings: RepairSettings,
    out: Path,
    *,
    key: str,
    depends_on: Mapping[str, Any],
    progress: Progress,
    access: Access,
) -> Learned:
    """Train a copy of the model into a folder; at once if that is done."""
    if (done := read_account(out)) is not None and is_finished(out, key):
        shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)  # killed just before it would have done this
        return Learned(str(done["sha256"]), int(done["steps"]), dict(done["watched"]))
    with progress:
        state = train(base, lessons, settings, out, progress=progress, access=access)
    learned = Learned(hash_weights(out), *_best(state))
    account = {
        "key": key,
        "depends_on": dict(depends_on),
        "sha256": learned.sha256,
        "steps": learned.steps,
        "watched": dict(learned.watched),
    }
    write_atomic(out / ACCOUNT, to_json(account, indent=2) + "\n")
    shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)
    return learned


def train(
    base: Base,
    lessons: Lessons,
    settings: RepairSettings,
    out: Path,
    *,
    progress: Progress,
    access: Access,
    **changed: Any,
) -> Any:
    """Train and save, from the last checkpoint if there is one; `changed` goes to `make_trainer`. Its state."""
    with quiet_libraries():
        from litotes.repair.weight_averaging import FILE, take_average

        pass

        model, original = load_model(base, access), load_model(base, access)
        longest, cut = model.max_seq_length, _cut(model.tokenizer)
        # Both alike: what is cut off must not look like something that has changed.
        model.max_seq_length = original.max_seq_length = min(longest or settings.max_length, settings.max_length)
        trainer = make_trainer(model, original, lessons, settings, out, progress=progress, label=out.name, **changed)
        start = last_to_go_on_from(out, FILE, "model*.safetensors")
        try:
            trainer.train(resume_from_checkpoint=str(start) if start is not None else None)
        except (RuntimeError, ValueError, KeyError) as error:
            if start is None:
                raise
            raise LitotesError(
                "L303",
                f"{start}: training cannot go on from it ({shorten(one_line(str(error)), 120)})",
                hint="--fresh trains anew",
            ) from error
        take_average(model, trainer.state.best_model_checkpoint)
        model.max_seq_length = longest
        _put_back(model.tokenizer, cut)
        model.save_pretrained(str(out), create_model_card=False)
    return trainer.state


def _cut(tokenizer: Any) -> tuple[dict[str, Any] | None, dict[str, Any] | None] | None:
    """How a tokenizer's own file says that texts are cut and filled up; None if it has no such file."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return None if backend is None else (backend.truncation, backend.padding)


def _put_back(tokenizer: Any, cut: tuple[dict[str, Any] | None, dict[str, Any] | None] | None) -> None:
    """Training cuts texts short; whoever reads the tokenizer's file alone must not."""
    if cut is None:
        return
    backend, (truncation, padding) = tokenizer.backend_tokenizer, cut
    backend.no_truncation() if truncation is None else backend.enable_truncation(**truncation)
    backend.no_padding() if padding is None else backend.enable_padding(**padding)


def _best(state: Any) -> tuple[int, dict[str, float]]:
    """The step whose model is kept, and its figures."""
    looks = [line for line in state.log_history if f"eval_{CHOICE}" in line]
    if not looks:
        return int(state.global_step), {}
    best = max(looks, key=lambda line: float(line[f"eval_{CHOICE}"]))
    names = ("watch_learned", "watch_kept", SCORE)
    return int(best["step"]), {name: float(best[f"eval_{name}"]) for name in names}
