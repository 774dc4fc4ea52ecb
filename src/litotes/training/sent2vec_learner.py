"""sent2vec's objective: a word is told from the mean of its context, against words drawn at random.

The original updates the weights after every word, several threads at once and without locks. Here some dozens of words
are told from the same weights and their updates added up: numpy is quick at that, and every run gives the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import write_together
from litotes.core.progress import Progress
from litotes.scorers.base import Vectors
from litotes.scorers.sent2vec_model.layout import MODEL, Settings, model_bytes
from litotes.scorers.sent2vec_model.ngrams import Rows
from litotes.training.epochs import EpochEnd
from litotes.training.sent2vec_contexts import Contexts, contexts, told_words
from litotes.training.sent2vec_settings import Sent2VecSettings
from litotes.training.sent2vec_text import LearningText

_BATCHES_AT_ONCE = 64
"""So many batches have their contexts made in one go."""
_SURE = 30.0
"""Beyond it the logistic function is 0 or 1 in single precision."""


class Sent2VecLearner:
    """The weights of a model, epoch by epoch."""

    def __init__(self, text: LearningText, settings: Sent2VecSettings, card: str, progress: Progress) -> None:
        self._text = text
        self._settings = settings
        self._card = card
        self._progress = progress
        draw = np.random.default_rng([settings.seed, 0])
        rows, high = len(text.words) + settings.rows_of_ngrams, 1.0 / settings.dim
        self._input: Vectors = draw.random((rows, settings.dim), dtype=np.float32) * np.float32(2 * high)
        self._input -= np.float32(high)
        self._output: Vectors = np.zeros((len(text.words), settings.dim), dtype=np.float32)
        self._likelihood = np.cumsum(np.sqrt(text.counts))
        self._likelihood /= self._likelihood[-1]

    def epoch(self, number: int) -> EpochEnd:
        """Learn from all sentences once; the first epoch has the number 1."""
        settings = self._settings
        draw = np.random.default_rng([settings.seed, number])
        sentences, places = told_words(self._text, settings, draw)
        step = settings.batch_size * _BATCHES_AT_ONCE
        loss = 0.0
        self._progress.begin(f"epoch {number} of {settings.epochs}", total=len(places))
        for start in range(0, len(places), step):
            some = contexts(self._text, sentences[start : start + step], places[start : start + step], settings, draw)
            negatives = np.searchsorted(
                self._likelihood, draw.random((len(some.targets), settings.negatives)), side="right"
            )
            for first in range(0, len(some.targets), settings.batch_size):
                last = min(first + settings.batch_size, len(some.targets))
                done = (number - 1 + (start + first) / len(places)) / settings.epochs
                rate = settings.learning_rate * (1 - done)
                with np.errstate(over="ignore", invalid="ignore"):  # told below
                    loss += update(self._input, self._output, some.part(first, last), negatives[first:last], rate)
            if not np.isfinite(loss):
                hint = "take a smaller --learning-rate"
                raise LitotesError("L308", "the training has run away: its numbers are no longer finite", hint=hint)
            self._progress.advance(len(some.targets))
        self._progress.end()
        return EpochEnd({"loss": loss / max(1, len(places)), "told": len(places)})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Both matrices."""
        return {"input": self._input, "output": self._output}

    def numbers(self) -> dict[str, Any]:
        """The learning rate follows from the number of the epoch."""
        return {}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Be as after the epoch that left these."""
        if arrays["input"].shape != self._input.shape or arrays["output"].shape != self._output.shape:
            raise ValueError("the matrices of another training")
        self._input, self._output = arrays["input"].copy(), arrays["output"].copy()

    def save(self, out: Path) -> None:
        """Write `model.bin`, in the published format, and its card."""
        settings = self._settings
        about = Settings(
            dim=settings.dim,
            word_ngrams=settings.word_ngrams,
            bucket=settings.rows_of_ngrams,
            epochs=settings.epochs,
            min_count=settings.min_count,
            negatives=settings.negatives,
            subsample=settings.subsample,
        )
        model = model_bytes(
            about,
            self._text.words,
            self._text.counts.tolist(),
            tokens=self._text.tokens,
            rows=self._input,
            output=self._output,
        )
        write_together({out / MODEL: model, out / "README.md": self._card})


def update(source: Vectors, output: Vectors, some: Contexts, negatives: Rows, rate: float) -> float:
    """Change both matrices by what some words and their negatives teach; gives the sum of the losses before it."""
    lengths = np.diff(some.starts)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    known, share = _shares(some.rows, owner, (1.0 / lengths)[owner])
    vectors = source[known]
    mean = share @ vectors
    told = np.concatenate([some.targets[:, None], negatives], axis=1)
    right = np.zeros(told.shape, dtype=np.float32)
    right[:, 0] = 1.0
    ahead = output[told]
    scores = np.clip(np.einsum("bkd,bd->bk", ahead, mean), -_SURE, _SURE)
    chance = 1.0 / (1.0 + np.exp(-scores))
    pull = np.float32(rate) * (right - chance)
    pull[:, 1:][negatives == told[:, :1]] = 0.0  # drawn although it is the word itself
    source[known] = vectors + share.T @ np.einsum("bk,bkd->bd", pull, ahead)
    words, pulls = _shares(told.ravel(), np.repeat(np.arange(len(told)), told.shape[1]), pull.ravel())
    output[words] += pulls.T @ mean
    return float(-np.log(np.maximum(np.abs(chance - 1 + right), 1e-7)).sum(dtype=np.float64))


def _shares(rows: Rows, owner: Rows, weights: NDArray[Any]) -> tuple[Rows, Vectors]:
    """The different rows, and what each owner's weights for each of them add up to.

    As a full matrix: a batch has some hundred different rows, and a product with it takes less than half the time of
    adding row by row. The last bits of a product depend on the number of threads.
    """
    known, place = np.unique(rows, return_inverse=True)
    wide, owners = len(known), int(owner[-1]) + 1
    sums = np.bincount(owner * wide + place, weights=weights, minlength=owners * wide)
    return known, sums.reshape(owners, wide).astype(np.float32)
