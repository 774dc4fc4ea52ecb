"""Training of skip-thought vectors on ordered text; an interrupted training resumes with the same result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from litotes import __version__
from litotes.core.files import ensure_writable
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.models.classic.skipthought import TOKENIZER
from litotes.models.transformers.torch_model import require_torch
from litotes.training.checkpoints import METRICS, check_free
from litotes.training.classic.epochs import train_epochs
from litotes.training.classic.settings import SkipThoughtSettings
from litotes.training.classic.skipthought_text import OrderedText, index_documents, make_examples


@dataclass(frozen=True)
class SkipThoughtResult:
    """A finished training."""

    folder: Path
    """`skipthought:FOLDER` runs it."""
    metrics: Path
    """JSON lines: the loss of each epoch."""
    documents: int
    sentences: int
    examples: int
    """Sentences with a neighbour to predict."""
    words: int
    """Size of the vocabulary."""
    loss: float
    """Mean loss of a predicted word in the last epoch."""


def train_skipthought(
    documents: Iterable[Sequence[str]],
    out: Path,
    *,
    settings: SkipThoughtSettings | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> SkipThoughtResult:
    """Train on documents of sentences and write the model to a folder; a finished training is not repeated."""
    settings, progress = settings or SkipThoughtSettings(), progress or Progress()
    require_torch("safetensors")
    ensure_writable(out)
    check_free(out, fresh=fresh)
    from litotes.training.classic.skipthought_network import SkipThoughtLearner

    text = index_documents(documents, vocabulary=settings.vocabulary, min_count=settings.min_count)
    examples = make_examples(text, settings.max_length)
    with progress:
        metrics = train_epochs(
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
    return SkipThoughtResult(
        folder=out,
        metrics=out / METRICS,
        documents=len(text.documents),
        sentences=text.sentences,
        examples=len(examples),
        words=len(text.words),
        loss=float(metrics[-1]["loss"]),
    )


def _card(text: OrderedText, n_examples: int, settings: SkipThoughtSettings) -> str:
    """Return the README.md of the model."""
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    direction = "forwards and backwards" if settings.bidirectional else "forwards"
    known = sum(text.counts) - text.counts[0] - text.counts[1]
    share = 100 * known / max(1, known + text.counts[1])
    return f"""---
tags: [sentence-similarity, skip-thought, litotes]
---

# Skip-thought vectors trained with Litotes

A GRU reads a sentence {direction}; its last state is the sentence vector, from which two other GRUs predict the
previous and the next sentence (Kiros et al. 2015). It was trained with Litotes {__version__} on {text.sentences:,}
sentences in {len(text.documents):,} documents, of which {n_examples:,} have a neighbour to predict. The vocabulary has
{len(text.words):,} words, which cover {share:.1f} % of the text.

| setting | |
|---|---|
{rows}

The files have the layout of the published models, without the pickled options. Evaluate it with
`litotes run skipthought:FOLDER`; `?vectors=6b-50d` adds unknown words by their GloVe vectors. Texts are lower-cased and
tokenised like the Penn Treebank. `training.json` records what the model depends on, `metrics.jsonl` how the training
went. The model is meant for experiments, not for decisions.
"""
