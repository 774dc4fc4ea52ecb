"""Training InferSent: a sentence encoder out of word vectors and NLI pairs; what was killed goes on to the same end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes import __version__
from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, sha256_file, write_atomic
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.corpora.nli import NliPair
from litotes.models.access import Access
from litotes.models.classic.infersent_files import CONFIG, WEIGHTS, InferSentConfig
from litotes.models.transformers.torch_model import AUTO, choose_device, require_torch
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.tokenization import INFERSENT_TOKENIZERS
from litotes.training.checkpoints import METRICS
from litotes.training.classic.epochs import Arrays, finished, learn
from litotes.training.classic.infersent_network import (
    InferSentLearner,
    InferSentSettings,
    Words,
    read_sentences,
    to_learn,
)
from litotes.training.nli.data import check_pairs, digest_pairs, sample_pairs

if TYPE_CHECKING:
    import torch

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
        check_pairs(dev, "the dev data", for_training=False)
    chosen = sample_pairs(pairs, settings.examples, settings.seed)
    check_pairs(chosen, "the drawn training data")
    require_torch("safetensors")
    on = choose_device(device)
    lookup = open_word_vectors(vectors, access or Access())
    if settings.lowercase is None:
        settings = replace(settings, lowercase=not lookup.lookup(_CAPITALISED)[1].any())
    depends_on: dict[str, Any] = {
        "vectors": lookup.sha256,
        "data": digest_pairs(chosen),
        "dev": digest_pairs(dev),
        "settings": settings.to_dict(),
        "tokens": INFERSENT_TOKENIZERS[settings.version].name,
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
    lookup: WordVectors,
    vectors: str,
    settings: InferSentSettings,
    device: torch.device,
    progress: Progress,
) -> InferSentLearner:
    reading, lowercase = INFERSENT_TOKENIZERS[settings.version], bool(settings.lowercase)
    read = read_sentences(
        [*pairs, *dev], lambda text: [reading.start, *reading.tokens(text, lowercase=lowercase), reading.end]
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
