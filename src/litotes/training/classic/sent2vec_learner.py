"""sent2vec's objective: a word is told from the mean of its context, against words drawn at random.

The original updates the weights after every word, several threads at once and without locks. Here some dozens of words
are told from the same weights and their updates added up: numpy is quick at that, and every run gives the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import write_together
from litotes.core.progress import Progress
from litotes.models.base import Vectors
from litotes.models.classic.sent2vec import Rows, ngram_rows
from litotes.models.classic.sent2vec_file import MODEL, Sent2VecFileSettings, model_bytes
from litotes.training.classic.epochs import EpochEnd
from litotes.training.classic.sent2vec_text import LearningText


@dataclass(frozen=True)
class Sent2VecSettings:
    """The settings of a training."""

    dim: int = 100
    epochs: int = 5
    word_ngrams: int = 2
    """The words of the longest n-gram; 1 for words alone."""
    bucket: int = 200_000
    """Rows that all n-grams share by their hashes; the original tool has 2,000,000."""
    min_count: int = 5
    """Words that are rarer have no vector."""
    min_target_count: int = 0
    """Words that are rarer are not told from the others of their sentence."""
    negatives: int = 10
    learning_rate: float = 0.2
    """At the beginning; it falls to 0 evenly."""
    dropout_k: int = 4
    """In how many words of a sentence no n-gram may begin or go on, drawn anew for each word that is told."""
    subsample: float = 1e-4
    """Words that are a larger share of all are told less often."""
    batch_size: int = 64
    """Words told at once."""
    seed: int = 0

    def __post_init__(self) -> None:
        least = {"dim": 1, "epochs": 1, "word_ngrams": 1, "min_count": 1, "negatives": 1, "batch_size": 1}
        for name, low in {**least, "bucket": 0, "min_target_count": 0, "dropout_k": 0}.items():
            if getattr(self, name) < low:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least {low} is needed")
        if self.word_ngrams > 1 and self.bucket < 1:
            raise UsageError("L102", "bucket=0: n-grams need rows", hint="or word_ngrams=1 goes without them")
        if self.bucket >= 2**31 or self.dim > 100_000 or self.word_ngrams > 100:
            raise UsageError("L102", "dim, bucket or word_ngrams: is too large for the file's format")
        for name in ("learning_rate", "subsample"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise UsageError("L102", f"{name}={value}: must be above 0")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")

    @property
    def rows_of_ngrams(self) -> int:
        """Words alone need no rows for n-grams."""
        return self.bucket if self.word_ngrams > 1 else 0

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)


NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Contexts:
    """Some words to be told, and the rows whose mean they are told from."""

    targets: Rows
    rows: Rows
    """Those of the first target, then those of the next."""
    starts: Rows
    """Where those of each target begin, and where the last ones end."""

    def part(self, first: int, last: int) -> Contexts:
        """Those of some targets."""
        starts = self.starts[first : last + 1]
        return Contexts(self.targets[first:last], self.rows[starts[0] : starts[-1]], starts - starts[0])


def told_words(text: LearningText, settings: Sent2VecSettings, draw: np.random.Generator) -> tuple[Rows, Rows]:
    """Which words are told in an epoch, by sentence and by place: frequent ones seldom; sentences in a new order."""
    share = np.maximum(text.counts, 1) / text.tokens
    chance = np.sqrt(settings.subsample / share) + settings.subsample / share
    chance[text.counts < settings.min_target_count] = 0.0
    told = np.flatnonzero(draw.random(len(text.ids)) < chance[text.ids])
    sentence = np.searchsorted(text.starts, told, side="right") - 1
    rank = draw.permutation(len(text.starts) - 1)
    order = np.argsort(rank[sentence], kind="stable")
    return sentence[order], told[order]


def contexts(
    text: LearningText, sentences: Rows, places: Rows, settings: Sent2VecSettings, draw: np.random.Generator
) -> Contexts:
    """The contexts of the words at those places of the text, each in its sentence."""
    lengths = text.starts[sentences + 1] - text.starts[sentences]
    ends = np.cumsum(lengths)
    begins = ends - lengths
    owner = np.repeat(np.arange(len(places)), lengths)
    within = np.arange(ends[-1]) - begins[owner]
    ids = text.ids[text.starts[sentences][owner] + within].astype(np.int64)
    target_at = begins + places - text.starts[sentences]
    targets = ids[target_at].copy()
    ids[target_at] = 0  # the placeholder: words on its two sides do not become neighbours
    room = ends[owner] - 1 - np.arange(ends[-1])
    if settings.word_ngrams > 1 and settings.dropout_k:
        room = np.minimum(room, _room_before_dropped(owner, begins, lengths, settings.dropout_k, draw))
    more, at = ngram_rows(
        ids, room, max_n=settings.word_ngrams, n_words=len(text.words), bucket=settings.rows_of_ngrams
    )
    owners = np.concatenate([owner, owner[at]])
    order = np.argsort(owners, kind="stable")
    rows = np.concatenate([ids, more])[order]
    return Contexts(targets, rows, np.searchsorted(owners[order], np.arange(len(places) + 1)))


def _room_before_dropped(
    owner: Rows, begins: Rows, lengths: Rows, dropped: int, draw: np.random.Generator
) -> NDArray[np.int64]:
    """How many words behind each one come before the next that is dropped; -1 for a dropped one.

    So many words are dropped in each sentence that at least two are left, as in the original tool.
    """
    here = np.arange(len(owner))
    shuffled = np.argsort(owner + draw.random(len(owner)), kind="stable")
    is_dropped = np.zeros(len(owner), dtype=bool)
    is_dropped[shuffled] = here - begins[owner] < np.clip(lengths - 2, 0, dropped)[owner]
    following = np.where(is_dropped, here, NEVER)
    upcoming = np.minimum.accumulate(following[::-1])[::-1]
    return upcoming - 1 - here


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
        about = Sent2VecFileSettings(
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
