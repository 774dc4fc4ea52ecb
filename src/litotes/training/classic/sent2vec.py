"""Training a sent2vec model from scratch on plain text; what was killed goes on to the same end."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from litotes import __version__
from litotes.core.errors import LitotesError, missing_package
from litotes.core.files import ensure_writable, is_file, sha256_file
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.models.classic.sent2vec import treebank
from litotes.models.classic.sent2vec_file import MODEL
from litotes.training.checkpoints import METRICS, check_free
from litotes.training.classic.epochs import learn
from litotes.training.classic.sent2vec_learner import Sent2VecLearner, Sent2VecSettings
from litotes.training.classic.sent2vec_text import LearningText, read_learning_text


@dataclass(frozen=True)
class TrainedSent2Vec:
    """A finished training."""

    folder: Path
    """`sent2vec:FOLDER` runs it."""
    model: Path
    """The file in the published format."""
    sha256: str
    metrics: Path
    """JSON lines: the loss of every epoch."""
    sentences: int
    words: int
    """In the dictionary."""
    loss: float
    """Of the last epoch: the mean over the words that were told."""
    told: int
    """How many words were told in all epochs: 0 means that nothing was learnt."""


def train_sent2vec(
    sentences: Iterable[str],
    out: Path,
    *,
    settings: Sent2VecSettings | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> TrainedSent2Vec:
    """Train on sentences into a folder; returns at once what an equal call has finished before."""
    settings, progress = settings or Sent2VecSettings(), progress or Progress()
    if importlib.util.find_spec("safetensors") is None:
        raise missing_package("safetensors", "static")
    model = out / MODEL
    check_free(out, fresh=fresh)
    ensure_writable(out)
    with progress:
        text = read_learning_text(sentences, tokens=treebank, min_count=settings.min_count, progress=progress)
        found = learn(
            Sent2VecLearner(text, settings, _card(text, settings), progress),
            out,
            epochs=settings.epochs,
            depends_on={
                "kind": "sent2vec",
                "data": text.sha256(),
                "settings": settings.to_dict(),
                "versions": {name: current_versions()[name] for name in ("litotes", "numpy")},
            },
            fresh=fresh,
        )
    if not is_file(model):
        hint = "--fresh trains anew"
        raise LitotesError("L302", f"{out}: has no {MODEL}, though its training.json says finished", hint=hint)
    return TrainedSent2Vec(
        folder=out,
        model=model,
        sha256=sha256_file(model),
        metrics=out / METRICS,
        sentences=text.sentences,
        words=len(text.words) - 1,
        loss=float(found[-1]["loss"]),
        told=sum(int(epoch["told"]) for epoch in found),
    )


def _card(text: LearningText, settings: Sent2VecSettings) -> str:
    """README.md of the model."""
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    return f"""---
tags: [sentence-similarity, sent2vec, litotes]
---

# A sent2vec model trained by Litotes

It gives a sentence the mean of the vectors of its words and of its n-grams (Pagliardini, Gupta and Jaggi 2018). It was
trained by Litotes {__version__} on {text.sentences:,} sentences with {text.tokens - text.sentences:,} words, of which
{len(text.words) - 1:,} different ones have a vector.

| setting | |
|---|---|
{rows}

`model.bin` has the format of the published models. Texts must be in lower case and cut into words in the manner of the
Penn Treebank, as `litotes run sent2vec:FOLDER` does. `training.json` says what the model depends on, `metrics.jsonl`
how the training went. It knows what its sentences taught it and is made for experiments, not for decisions.
"""
