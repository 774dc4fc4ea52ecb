"""Training skip-thought vectors from scratch on ordered text; what was killed goes on to the same end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from litotes import __version__
from litotes.core.errors import UsageError
from litotes.core.files import ensure_writable
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.models.classic.skipthought import TOKENIZER
from litotes.models.transformers.torch_model import require_torch
from litotes.training.checkpoints import METRICS, check_free
from litotes.training.classic.epochs import learn
from litotes.training.classic.skipthought_text import Ordered, neighbours, ordered_text


@dataclass(frozen=True)
class SkipThoughtSettings:
    """The settings of a training."""

    dim: int = 600
    """Numbers of a sentence; the paper's models have 2,400. Of a bidirectional model each direction has half."""
    words: int = 200
    """Numbers of a word; the paper's have 620."""
    vocabulary: int = 20_000
    """The most frequent words; the two for the end and for the unknown are among them."""
    min_count: int = 2
    """Rarer words are read as unknown."""
    epochs: int = 5
    batch_size: int = 64
    """Sentences a step."""
    max_length: int = 30
    """Longer sentences, in words, are left out."""
    learning_rate: float = 1e-3
    samples: int = 512
    """Noise words that a word is told from, drawn once a batch; 0: the whole vocabulary."""
    bidirectional: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        least = {
            "dim": 1,
            "words": 1,
            "vocabulary": 3,
            "min_count": 1,
            "epochs": 1,
            "batch_size": 1,
            "max_length": 1,
            "samples": 0,
        }
        for name, low in least.items():
            if getattr(self, name) < low:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least {low} is needed")
        if self.bidirectional and self.dim % 2:
            raise UsageError("L102", f"dim={self.dim}: must be even, each direction has half of it")
        if not (math.isfinite(self.learning_rate) and self.learning_rate > 0):
            raise UsageError("L102", f"learning_rate={self.learning_rate}: must be above 0")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)


@dataclass(frozen=True)
class TrainedSkipThought:
    """A finished training."""

    folder: Path
    """`skipthought:FOLDER` runs it."""
    metrics: Path
    """JSON lines: the loss of every epoch."""
    documents: int
    sentences: int
    """All that were read."""
    examples: int
    """Those that had a neighbour to learn from."""
    words: int
    """In the dictionary."""
    loss: float
    """Of the last epoch: the mean over the words that were told."""


def train_skipthought(
    documents: Iterable[Sequence[str]],
    out: Path,
    *,
    settings: SkipThoughtSettings | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> TrainedSkipThought:
    """Train on documents of sentences in order; returns at once what an equal call has finished before."""
    settings, progress = settings or SkipThoughtSettings(), progress or Progress()
    require_torch("safetensors")
    ensure_writable(out)
    check_free(out, fresh=fresh)
    from litotes.training.classic.skipthought_learner import SkipThoughtLearner

    text = ordered_text(documents, vocabulary=settings.vocabulary, min_count=settings.min_count)
    examples = neighbours(text, settings.max_length)
    with progress:
        figures = learn(
            SkipThoughtLearner(text, examples, settings, _card(text, len(examples), settings), progress),
            out,
            epochs=settings.epochs,
            depends_on={
                "kind": "skipthought",
                "data": text.sha256(),
                "rules": TOKENIZER,
                "settings": settings.to_dict(),
                "versions": {name: current_versions()[name] for name in ("litotes", "torch")},
            },
            fresh=fresh,
        )
    return TrainedSkipThought(
        folder=out,
        metrics=out / METRICS,
        documents=len(text.documents),
        sentences=text.sentences,
        examples=len(examples),
        words=len(text.words),
        loss=float(figures[-1]["loss"]),
    )


def _card(text: Ordered, examples: int, settings: SkipThoughtSettings) -> str:
    """README.md of the model."""
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    way = "forwards and backwards" if settings.bidirectional else "forwards"
    known = sum(text.counts) - text.counts[0] - text.counts[1]
    share = 100 * known / max(1, known + text.counts[1])
    return f"""---
tags: [sentence-similarity, skip-thought, litotes]
---

# Skip-thought vectors trained by Litotes

A GRU reads a sentence {way}; its last state is the sentence's vector, from which two other GRUs learnt to tell the
sentences before and behind it (Kiros et al. 2015). It was trained by Litotes {__version__} on {text.sentences:,}
sentences in {len(text.documents):,} documents, of which {examples:,} had a neighbour to learn from. The dictionary has
{len(text.words):,} words, which are {share:.1f} % of the words of the text.

| setting | |
|---|---|
{rows}

The files have the layout of the published models, but for the pickled options. `litotes run skipthought:FOLDER` tests
it; `?vectors=6b-50d` gives words that it lacks a place by their GloVe vectors. Words are in lower case, in the manner
of the Penn Treebank. `training.json` says what the model depends on, `metrics.jsonl` how the training went. It knows
what its sentences taught it and is made for experiments, not for decisions.
"""
