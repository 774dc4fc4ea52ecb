"""Training of a sent2vec model on plain text; an interrupted training resumes with the same result."""

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
from litotes.training.classic.epochs import train_epochs
from litotes.training.classic.sent2vec_learner import Sent2VecLearner, TrainingText, read_training_text
from litotes.training.classic.settings import Sent2VecSettings


@dataclass(frozen=True)
class Sent2VecResult:
    """A finished training."""

    folder: Path
    """`sent2vec:FOLDER` runs it."""
    model: Path
    """The model in the published file format."""
    sha256: str
    metrics: Path
    """JSON lines: the loss of each epoch."""
    sentences: int
    words: int
    """Size of the vocabulary."""
    loss: float
    """Mean loss of a predicted word in the last epoch."""
    predicted: int
    """Number of predicted words in all epochs; if it is 0, nothing was learned."""


def train_sent2vec(
    sentences: Iterable[str],
    out: Path,
    *,
    settings: Sent2VecSettings | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> Sent2VecResult:
    """Train on sentences and write the model to a folder; a finished training is not repeated."""
    settings, progress = settings or Sent2VecSettings(), progress or Progress()
    if importlib.util.find_spec("safetensors") is None:
        raise missing_package("safetensors", "static")
    model = out / MODEL
    check_free(out, fresh=fresh)
    ensure_writable(out)
    with progress:
        text = read_training_text(sentences, tokenise=treebank, min_count=settings.min_count, progress=progress)
        epochs = train_epochs(
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
        hint = "--fresh trains again"
        raise LitotesError("L302", f"{out}: has no {MODEL}, although the training is finished", hint=hint)
    return Sent2VecResult(
        folder=out,
        model=model,
        sha256=sha256_file(model),
        metrics=out / METRICS,
        sentences=text.sentences,
        words=len(text.words) - 1,
        loss=float(epochs[-1]["loss"]),
        predicted=sum(int(epoch["predicted"]) for epoch in epochs),
    )


def _card(text: TrainingText, settings: Sent2VecSettings) -> str:
    """Return the README.md of the model."""
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    return f"""---
tags: [sentence-similarity, sent2vec, litotes]
---

# A sent2vec model trained with Litotes

A sentence vector is the mean of the vectors of its words and n-grams (Pagliardini, Gupta and Jaggi 2018). The model was
trained with Litotes {__version__} on {text.sentences:,} sentences with {text.tokens - text.sentences:,} words; the
vocabulary has {len(text.words) - 1:,} words.

| setting | |
|---|---|
{rows}

`model.bin` has the format of the published models. Texts must be lower-cased and tokenised like the Penn
Treebank, as `litotes run sent2vec:FOLDER` does. `training.json` records what the model depends on, `metrics.jsonl` how
the training went. The model is meant for experiments, not for decisions.
"""
