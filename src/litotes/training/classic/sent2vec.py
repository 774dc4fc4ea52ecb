"""Training of a sent2vec model on plain text; an interrupted training resumes with the same result."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes import __version__
from litotes.core.errors import LitotesError, require_packages
from litotes.core.files import ensure_writable, is_file, sha256_file, write_together
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.models.base import Vectors
from litotes.models.classic.sent2vec import (
    END,
    MODEL,
    PLACEHOLDER,
    Rows,
    Sent2VecFileSettings,
    model_bytes,
    ngram_rows,
    treebank,
)
from litotes.training.checkpoints import METRICS, check_free
from litotes.training.classic.epochs import EpochResult, check_finite, train_epochs
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
    require_packages("static", "safetensors")
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


MAX_SENTENCE_LENGTH = 256
"""Words of a sentence; longer ones are split, since every word is predicted from all others."""


@dataclass(frozen=True)
class TrainingText:
    """A vocabulary, the most frequent word first, and sentences as word ids without rare words."""

    words: tuple[bytes, ...]
    """The vocabulary; the first entry is a placeholder."""
    counts: NDArray[np.int64]
    ids: NDArray[np.int32]
    """The words of all sentences, concatenated."""
    starts: NDArray[np.int64]
    """Start of each sentence, and end of the last one; sentences with one known word are left out."""
    tokens: int
    """Number of words and sentence ends that were read, as the original tool counts them."""
    sentences: int
    """Number of sentences that were read."""

    def sha256(self) -> str:
        """Return a hash of vocabulary and sentences."""
        digest = hashlib.sha256(b"\0".join(self.words))
        for part in (self.counts, self.ids, self.starts):
            digest.update(part.tobytes())
        return digest.hexdigest()


def read_training_text(
    sentences: Iterable[str], *, tokenise: Callable[[str], list[str]], min_count: int, progress: Progress | None = None
) -> TrainingText:
    """Tokenise sentences, count their words and replace them by ids."""
    progress = progress or Progress()
    word_numbers: dict[str, int] = {}
    flat, lengths = array("i"), array("i")
    progress.begin("reading", total=None)
    for sentence in sentences:
        numbers = [word_numbers.setdefault(word, len(word_numbers)) for word in tokenise(sentence.replace("\0", " "))]
        flat.extend(numbers)
        lengths.append(len(numbers))
        progress.advance(len(numbers))
    progress.end()
    read = np.frombuffer(flat, dtype=np.int32) if flat else np.empty(0, dtype=np.int32)
    seen = np.bincount(read, minlength=len(word_numbers))
    # In the original tool the sentence end is a word that is never predicted, but used as a negative sample.
    entries = [
        (word.encode("utf-8", "surrogatepass"), int(seen[number]), number) for word, number in word_numbers.items()
    ]
    frequent = [entry for entry in [*entries, (END, len(lengths), -1)] if entry[1] >= min_count]
    frequent.sort(key=lambda entry: (-entry[1], entry[0]))
    renumbered = np.full(len(word_numbers), -1, dtype=np.int32)
    for rank, (_, _, number) in enumerate(frequent, 1):
        if number >= 0:
            renumbered[number] = rank
    ids, starts = _drop_unknown(renumbered[read], np.frombuffer(lengths, dtype=np.int32) if lengths else read)
    if len(starts) < 2:
        message = f"the text: has no sentence with two words that occur at least {min_count} times"
        raise LitotesError("L204", message, hint="use more text, or a smaller --min-count")
    return TrainingText(
        words=(PLACEHOLDER, *(word for word, _, _ in frequent)),
        counts=np.array([0, *(count for _, count, _ in frequent)], dtype=np.int64),
        ids=ids,
        starts=starts,
        tokens=len(read) + len(lengths),
        sentences=len(lengths),
    )


def _drop_unknown(ids: NDArray[np.int32], lengths: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Without the words that have no number, long sentences in pieces, those of less than two words left out."""
    known = ids >= 0
    sentence_of = np.repeat(np.arange(len(lengths)), lengths)[known]
    ids, left = ids[known], np.bincount(sentence_of, minlength=len(lengths))
    within = np.arange(len(ids)) - (np.cumsum(left) - left)[sentence_of]
    begins = np.flatnonzero(within % MAX_SENTENCE_LENGTH == 0)
    sizes = np.diff(np.append(begins, len(ids)))
    is_long_enough = np.repeat(sizes > 1, sizes)
    return ids[is_long_enough], np.concatenate([[0], np.cumsum(sizes[sizes > 1])]).astype(np.int64)


# Contexts

_NO_POSITION = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Contexts:
    """Words to predict, and the matrix rows of their contexts."""

    targets: Rows
    rows: Rows
    """Rows of the context of each target, concatenated."""
    starts: Rows
    """Start of the rows of each target, and end of the last ones."""

    def batch(self, first: int, last: int) -> Contexts:
        """Return the contexts of some targets."""
        starts = self.starts[first : last + 1]
        return Contexts(self.targets[first:last], self.rows[starts[0] : starts[-1]], starts - starts[0])


def sample_targets(text: TrainingText, settings: Sent2VecSettings, generator: np.random.Generator) -> tuple[Rows, Rows]:
    """Draw the words to predict in an epoch, frequent ones less often; return their sentences and positions."""
    share = np.maximum(text.counts, 1) / text.tokens
    chance = np.sqrt(settings.subsample / share) + settings.subsample / share
    chance[text.counts < settings.min_target_count] = 0.0
    positions = np.flatnonzero(generator.random(len(text.ids)) < chance[text.ids])
    sentence = np.searchsorted(text.starts, positions, side="right") - 1
    rank = generator.permutation(len(text.starts) - 1)
    order = np.argsort(rank[sentence], kind="stable")
    return sentence[order], positions[order]


def contexts(
    text: TrainingText, sentences: Rows, positions: Rows, settings: Sent2VecSettings, generator: np.random.Generator
) -> Contexts:
    """Return the contexts of the words at some positions within their sentences."""
    lengths = text.starts[sentences + 1] - text.starts[sentences]
    ends = np.cumsum(lengths)
    begins = ends - lengths
    owner = np.repeat(np.arange(len(positions)), lengths)
    within = np.arange(ends[-1]) - begins[owner]
    ids = text.ids[text.starts[sentences][owner] + within].astype(np.int64)
    target_at = begins + positions - text.starts[sentences]
    targets = ids[target_at].copy()
    ids[target_at] = 0  # the placeholder, so that no n-gram spans the target
    n_following = ends[owner] - 1 - np.arange(ends[-1])
    if settings.word_ngrams > 1 and settings.dropout_k:
        n_following = np.minimum(n_following, _n_before_dropped(owner, begins, lengths, settings.dropout_k, generator))
    ngrams, at = ngram_rows(
        ids, n_following, max_n=settings.word_ngrams, n_words=len(text.words), bucket=settings.ngram_rows
    )
    owners = np.concatenate([owner, owner[at]])
    order = np.argsort(owners, kind="stable")
    rows = np.concatenate([ids, ngrams])[order]
    return Contexts(targets, rows, np.searchsorted(owners[order], np.arange(len(positions) + 1)))


def _n_before_dropped(
    owner: Rows, begins: Rows, lengths: Rows, dropped: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Return the number of words between each word and the next dropped one; -1 for dropped words.

    As in the original tool, at least two words of each sentence are not dropped.
    """
    indexes = np.arange(len(owner))
    shuffled = np.argsort(owner + generator.random(len(owner)), kind="stable")
    is_dropped = np.zeros(len(owner), dtype=bool)
    is_dropped[shuffled] = indexes - begins[owner] < np.clip(lengths - 2, 0, dropped)[owner]
    following = np.where(is_dropped, indexes, _NO_POSITION)
    upcoming = np.minimum.accumulate(following[::-1])[::-1]
    return upcoming - 1 - indexes


_BATCHES_PER_CHUNK = 64
"""Batches whose contexts are computed together."""
_MAX_LOGIT = 30.0
"""Beyond it the logistic function is 0 or 1 in single precision."""


class Sent2VecLearner:
    """The weights of a sent2vec model during training."""

    def __init__(self, text: TrainingText, settings: Sent2VecSettings, card: str, progress: Progress) -> None:
        self._text = text
        self._settings = settings
        self._card = card
        self._progress = progress
        generator = np.random.default_rng([settings.seed, 0])
        rows, high = len(text.words) + settings.ngram_rows, 1.0 / settings.dim
        self._input: Vectors = generator.random((rows, settings.dim), dtype=np.float32) * np.float32(2 * high)
        self._input -= np.float32(high)
        self._output: Vectors = np.zeros((len(text.words), settings.dim), dtype=np.float32)
        self._cumulative = np.cumsum(np.sqrt(text.counts))
        self._cumulative /= self._cumulative[-1]

    def train_epoch(self, number: int) -> EpochResult:
        """Train on all sentences once."""
        settings = self._settings
        generator = np.random.default_rng([settings.seed, number])
        sentences, positions = sample_targets(self._text, settings, generator)
        step = settings.batch_size * _BATCHES_PER_CHUNK
        loss = 0.0
        self._progress.begin(f"epoch {number} of {settings.epochs}", total=len(positions))
        for start in range(0, len(positions), step):
            end = start + step
            chunk = contexts(self._text, sentences[start:end], positions[start:end], settings, generator)
            negatives = np.searchsorted(
                self._cumulative, generator.random((len(chunk.targets), settings.negatives)), side="right"
            )
            for first in range(0, len(chunk.targets), settings.batch_size):
                last = min(first + settings.batch_size, len(chunk.targets))
                done = (number - 1 + (start + first) / len(positions)) / settings.epochs
                rate = settings.learning_rate * (1 - done)
                with np.errstate(over="ignore", invalid="ignore"):  # reported below
                    loss += update_weights(
                        self._input, self._output, chunk.batch(first, last), negatives[first:last], rate
                    )
            check_finite(loss, number)
            self._progress.advance(len(chunk.targets))
        self._progress.end()
        return EpochResult({"loss": loss / max(1, len(positions)), "predicted": len(positions)})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return both matrices."""
        return {"input": self._input, "output": self._output}

    def numbers(self) -> dict[str, Any]:
        """Return nothing: the learning rate depends on the epoch alone."""
        return {}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore the state of a checkpoint."""
        if arrays["input"].shape != self._input.shape or arrays["output"].shape != self._output.shape:
            raise ValueError("the matrices of another training")
        self._input, self._output = arrays["input"].copy(), arrays["output"].copy()

    def save(self, out: Path) -> None:
        """Write `model.bin` in the published format, and the model card."""
        settings = self._settings
        file_settings = Sent2VecFileSettings(
            dim=settings.dim,
            word_ngrams=settings.word_ngrams,
            bucket=settings.ngram_rows,
            epochs=settings.epochs,
            min_count=settings.min_count,
            negatives=settings.negatives,
            subsample=settings.subsample,
        )
        model = model_bytes(
            file_settings,
            self._text.words,
            self._text.counts.tolist(),
            tokens=self._text.tokens,
            rows=self._input,
            output=self._output,
        )
        write_together({out / MODEL: model, out / "README.md": self._card})


def update_weights(source: Vectors, output: Vectors, batch: Contexts, negatives: Rows, rate: float) -> float:
    """Make a gradient step with a batch and its negative samples; return the sum of the losses before it."""
    lengths = np.diff(batch.starts)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    context_rows, share = _row_weights(batch.rows, owner, (1.0 / lengths)[owner])
    vectors = source[context_rows]
    mean = share @ vectors
    outputs = np.concatenate([batch.targets[:, None], negatives], axis=1)
    labels = np.zeros(outputs.shape, dtype=np.float32)
    labels[:, 0] = 1.0
    output_vectors = output[outputs]
    scores = np.clip(np.einsum("bkd,bd->bk", output_vectors, mean), -_MAX_LOGIT, _MAX_LOGIT)
    probabilities = 1.0 / (1.0 + np.exp(-scores))
    gradient = np.float32(rate) * (labels - probabilities)
    gradient[:, 1:][negatives == outputs[:, :1]] = 0.0  # the sample is the target itself
    source[context_rows] = vectors + share.T @ np.einsum("bk,bkd->bd", gradient, output_vectors)
    words, gradients = _row_weights(
        outputs.ravel(), np.repeat(np.arange(len(outputs)), outputs.shape[1]), gradient.ravel()
    )
    output[words] += gradients.T @ mean
    return float(-np.log(np.maximum(np.abs(probabilities - 1 + labels), 1e-7)).sum(dtype=np.float64))


def _row_weights(rows: Rows, owner: Rows, weights: NDArray[Any]) -> tuple[Rows, Vectors]:
    """Return the distinct rows, and a matrix with the sum of the weights of each owner for each row.

    A batch has few distinct rows, so that a product with this matrix is faster than adding row by row. The last bits of
    a product depend on the number of threads.
    """
    distinct, positions = np.unique(rows, return_inverse=True)
    n_rows, n_owners = len(distinct), int(owner[-1]) + 1
    sums = np.bincount(owner * n_rows + positions, weights=weights, minlength=n_owners * n_rows)
    return distinct, sums.reshape(n_owners, n_rows).astype(np.float32)
