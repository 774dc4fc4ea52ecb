"""Training InferSent: a sentence encoder out of word vectors and NLI pairs; what was killed goes on to the same end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes import __version__
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import check_is_file, sha256_file, write_atomic
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.corpora.nli import NliPair
from litotes.models.base import Access
from litotes.models.classic.infersent_files import CONFIG, WEIGHTS, InferSentConfig
from litotes.models.transformers.torch_model import AUTO, choose_device, need_torch
from litotes.models.word_vectors.lookup import WordLookup, open_word_vectors
from litotes.models.word_vectors.tokens import READINGS
from litotes.training.checkpoints import METRICS
from litotes.training.classic.epochs import Arrays, finished, learn
from litotes.training.classic.infersent_network import InferSentLearner, Words, read_sentences, to_learn
from litotes.training.nli.data import check_pairs, digest, draw

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class InferSentSettings:
    """The settings of a training; the authors' encoder has a `dim` of 2,048, which wants a GPU."""

    dim: int = 512
    """Numbers of a direction; a sentence's vector has twice as many."""
    hidden: int = 512
    """Width of the classifier's layers."""
    tanh: bool = False
    """Whether a tanh stands between the classifier's layers; in the authors' program it does not."""
    epochs: int = 20
    batch_size: int = 64
    learning_rate: float = 0.1
    decay: float = 0.99
    """The learning rate is multiplied by it after each epoch."""
    shrink: float = 5.0
    """The learning rate is divided by it after an epoch that was not the best so far on the dev set."""
    least_rate: float = 1e-5
    """A training whose learning rate falls below it is finished."""
    max_norm: float = 5.0
    """Longer gradients are cut to this length."""
    seed: int = 0
    examples: int | None = None
    """How many pairs are drawn from the data; None for all."""
    version: int = 1
    """How texts are read: 1 as for GloVe, 2 as for fastText."""
    lowercase: bool | None = None
    """Whether texts are put in lower case; None: if the vectors have no capital letters."""

    def __post_init__(self) -> None:
        for name in ("dim", "hidden", "epochs", "batch_size"):
            if getattr(self, name) < 1:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least 1 is needed")
        if self.examples is not None and self.examples < 1:
            raise UsageError("L102", f"examples={self.examples}: at least 1 is needed")
        for name in ("learning_rate", "decay", "shrink", "max_norm"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise UsageError("L102", f"{name}={getattr(self, name)}: must be above 0")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")
        if self.version not in (1, 2):
            raise UsageError("L102", f"version={self.version}: there are versions 1 and 2")

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)


_CAPITALISED = ("The", "A", "I", "In")
"""Vectors that know none of these were made from lower case."""


@dataclass(frozen=True)
class TrainedInferSent:
    """A finished training."""

    folder: Path
    """`infersent:FOLDER` runs it."""
    metrics: Path
    """JSON lines: learning rate, loss and accuracies of each epoch."""
    sha256: str
    """Of the weights."""
    epochs: tuple[dict[str, Any], ...]

    @property
    def dev_accuracy(self) -> float | None:
        """Of the epoch that was kept; None without a dev set."""
        return max((epoch["dev_accuracy"] for epoch in self.epochs if "dev_accuracy" in epoch), default=None)


def train_infersent(
    pairs: Sequence[NliPair],
    out: Path,
    *,
    vectors: str,
    dev: Sequence[NliPair] = (),
    settings: InferSentSettings | None = None,
    progress: Progress | None = None,
    access: Access | None = None,
    fresh: bool = False,
    device: str = AUTO,
) -> TrainedInferSent:
    """Train an encoder on labelled pairs into a folder; returns at once what an equal call has finished before."""
    settings = settings or InferSentSettings()
    check_pairs(pairs, "the training data")
    if dev:
        check_pairs(dev, "the dev data", to_learn=False)
    chosen = draw(pairs, settings.examples, settings.seed)
    check_pairs(chosen, "the drawn training data")
    need_torch("safetensors")
    on = choose_device(device)
    lookup = open_word_vectors(vectors, access or Access())
    if settings.lowercase is None:
        settings = replace(settings, lowercase=not lookup.look_up(_CAPITALISED)[1].any())
    depends_on: dict[str, Any] = {
        "vectors": lookup.sha256,
        "data": digest(chosen),
        "dev": digest(dev),
        "settings": settings.to_dict(),
        "tokens": READINGS[settings.version].name,
        "versions": {name: number for name, number in current_versions().items() if name in {"litotes", "torch"}},
    }
    if on.type != "cpu":
        depends_on["device"] = on.type
    epochs = None if fresh else finished(out, depends_on)
    if epochs is None:
        with progress or Progress() as shown:
            learner = _learner(chosen, dev, lookup, vectors, settings, on, shown)
            epochs = learn(learner, out, epochs=settings.epochs, depends_on=depends_on, fresh=fresh)
    check_is_file(out / WEIGHTS)
    return TrainedInferSent(out, out / METRICS, sha256_file(out / WEIGHTS), tuple(epochs))


def _learner(  # noqa: PLR0917
    pairs: Sequence[NliPair],
    dev: Sequence[NliPair],
    lookup: WordLookup,
    vectors: str,
    settings: InferSentSettings,
    device: torch.device,
    progress: Progress,
) -> InferSentLearner:
    reading, lowercase = READINGS[settings.version], bool(settings.lowercase)
    read = read_sentences(
        [*pairs, *dev], lambda text: [reading.begin, *reading.tokens(text, lowercase=lowercase), reading.end]
    )
    words = Words.of(read.values(), lookup)
    if not words.place:
        raise LitotesError("L203", f"{vectors}: has a vector for none of the words of the training data")
    config = InferSentConfig(settings.version, lowercase, vectors, lookup.sha256)

    def save(out: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
        from safetensors.numpy import save as to_bytes

        write_atomic(out / WEIGHTS, to_bytes(arrays))
        write_atomic(out / CONFIG, config.to_json(lookup.width, settings.dim))
        write_atomic(out / "README.md", _card(config, settings, {**about, "pairs": len(pairs)}))

    return InferSentLearner(
        words.table,
        to_learn(pairs, read, words),
        to_learn(dev, read, words) if dev else None,
        settings,
        save=save,
        device=device,
        progress=progress,
    )


def _card(config: InferSentConfig, settings: InferSentSettings, about: Mapping[str, Any]) -> str:
    """README.md of a model, with the header that model hubs read."""
    dev = (
        f"On {about['dev_pairs']:,} dev pairs the classifier above it was right in {about['dev_accuracy']:.1%}."
        if "dev_pairs" in about
        else "It was not measured on a dev set."
    )
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    return f"""---
pipeline_tag: sentence-similarity
tags: [sentence-embeddings, infersent, litotes]
---

# An InferSent encoder trained by Litotes

A bidirectional LSTM over word vectors and the maximum over its states give a sentence {2 * settings.dim:,} numbers
(Conneau et al., 2017). It was trained on {about["pairs"]:,} NLI pairs by Litotes {__version__}; these are the weights
after epoch {about["best_epoch"]}. {dev}

It reads the word vectors `{Path(config.vectors).name}` (sha256 {config.vectors_sha256[:12]}…), which are not in
this folder.

| setting | |
|---|---|
{rows}

`litotes run infersent:FOLDER --suite triplets-mini` tests it. `training.json` beside this page says what it depends on;
`metrics.jsonl` how the training went. It knows what its pairs taught it and is made for experiments, not for decisions.
"""
