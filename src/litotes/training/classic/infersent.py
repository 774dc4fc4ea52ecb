"""Training of InferSent, a sentence encoder on top of word vectors, on NLI pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from litotes.training.classic.epochs import Arrays, finished_epochs, train_epochs
from litotes.training.classic.infersent_network import (
    InferSentLearner,
    WordTable,
    index_pairs,
    tokenise_sentences,
)
from litotes.training.classic.settings import InferSentSettings
from litotes.training.nli.data import check_pairs, digest_pairs, sample_pairs

if TYPE_CHECKING:
    import torch

_CAPITALISED_WORDS = ("The", "A", "I", "In")
"""Vectors without these were trained on lower-case text."""


@dataclass(frozen=True)
class InferSentResult:
    """A finished training."""

    folder: Path
    """`infersent:FOLDER` runs it."""
    metrics: Path
    """JSON lines: learning rate, loss and accuracies of each epoch."""
    sha256: str
    """Hash of the weights."""
    epochs: tuple[dict[str, Any], ...]

    @property
    def dev_accuracy(self) -> float | None:
        """Accuracy of the best epoch; None without a dev set."""
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
) -> InferSentResult:
    """Train an encoder on labelled pairs and write it to a folder; a finished training is not repeated."""
    settings = settings or InferSentSettings()
    check_pairs(pairs, "the training data")
    if dev:
        check_pairs(dev, "the dev data", for_training=False)
    sample = sample_pairs(pairs, settings.examples, settings.seed)
    check_pairs(sample, "the sample of the training data")
    require_torch("safetensors")
    torch_device = choose_device(device)
    lookup = open_word_vectors(vectors, access or Access())
    if settings.lowercase is None:
        settings = settings.replace(lowercase=not lookup.lookup(_CAPITALISED_WORDS)[1].any())
    depends_on: dict[str, Any] = {
        "vectors": lookup.sha256,
        "data": digest_pairs(sample),
        "dev": digest_pairs(dev),
        "settings": settings.to_dict(),
        "tokens": INFERSENT_TOKENIZERS[settings.version].name,
        "versions": {name: number for name, number in current_versions().items() if name in {"litotes", "torch"}},
    }
    if torch_device.type != "cpu":
        depends_on["device"] = torch_device.type
    epochs = None if fresh else finished_epochs(out, depends_on)
    if epochs is None:
        with progress or Progress() as bar:
            learner = _make_learner(sample, dev, lookup, vectors, settings, torch_device, bar)
            epochs = train_epochs(learner, out, epochs=settings.epochs, depends_on=depends_on, fresh=fresh)
    check_is_file(out / WEIGHTS)
    return InferSentResult(out, out / METRICS, sha256_file(out / WEIGHTS), tuple(epochs))


def _make_learner(  # noqa: PLR0917
    pairs: Sequence[NliPair],
    dev: Sequence[NliPair],
    lookup: WordVectors,
    vectors: str,
    settings: InferSentSettings,
    device: torch.device,
    progress: Progress,
) -> InferSentLearner:
    tokenizer, lowercase = INFERSENT_TOKENIZERS[settings.version], bool(settings.lowercase)
    tokenised = tokenise_sentences(
        [*pairs, *dev], lambda text: [tokenizer.start, *tokenizer.tokens(text, lowercase=lowercase), tokenizer.end]
    )
    words = WordTable.from_sentences(tokenised.values(), lookup)
    if not words.rows:
        raise LitotesError("L203", f"{vectors}: has no vector for any word of the training data")
    config = InferSentConfig(settings.version, lowercase, vectors, lookup.sha256)

    def save(out: Path, arrays: Arrays, metadata: Mapping[str, Any]) -> None:
        from safetensors.numpy import save as to_bytes

        write_atomic(out / WEIGHTS, to_bytes(arrays))
        write_atomic(out / CONFIG, config.to_json(lookup.width, settings.dim))
        write_atomic(out / "README.md", _card(config, settings, {**metadata, "pairs": len(pairs)}))

    return InferSentLearner(
        words.table,
        index_pairs(pairs, tokenised, words),
        index_pairs(dev, tokenised, words) if dev else None,
        settings,
        save=save,
        device=device,
        progress=progress,
    )


def _card(config: InferSentConfig, settings: InferSentSettings, metadata: Mapping[str, Any]) -> str:
    """Return the README.md of a model, with the header that model hubs read."""
    dev = (
        f"On {metadata['dev_pairs']:,} dev pairs its classifier has an accuracy of {metadata['dev_accuracy']:.1%}."
        if "dev_pairs" in metadata
        else "It was not evaluated on a dev set."
    )
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    return f"""---
pipeline_tag: sentence-similarity
tags: [sentence-embeddings, infersent, litotes]
---

# An InferSent encoder trained with Litotes

A bidirectional LSTM over word vectors with max pooling gives vectors of {2 * settings.dim:,} dimensions (Conneau et
al., 2017). It was trained on {metadata["pairs"]:,} NLI pairs with Litotes {__version__}; these are the weights after
epoch {metadata["best_epoch"]}. {dev}

It needs the word vectors `{Path(config.vectors).name}` (sha256 {config.vectors_sha256[:12]}…), which are not in
this folder.

| setting | |
|---|---|
{rows}

Evaluate it with `litotes run infersent:FOLDER --suite triplets-mini`. `training.json` records what the training depends
on, `metrics.jsonl` how it went. The model is meant for experiments, not for decisions.
"""
