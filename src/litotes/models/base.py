"""What a scorer is: sentence pairs in, numbers out.

The encoder does it by cosine, the classifier by entailment; the chooser is shown options and says which it takes.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from litotes.corpora.nli import LABELS

Vectors = NDArray[np.float32]
Scores = NDArray[np.float64]
Both = Literal["product", "mean", "min"]
"""How the two directions of a pair become one number."""
_AT_ONCE = 256
"""Sentences whose vectors are asked for together."""


@dataclass(frozen=True)
class Fingerprint:
    """Everything that a scorer's numbers depend on; equal fingerprints may share cached numbers."""

    backend: str
    """What computes: `torch/cpu`, `onnxruntime/cpu`, …"""
    weights: str = ""
    """sha256 over the weight files."""
    config: str = ""
    """sha256 over the files that say how the weights and the tokenizer are used."""
    pooling: str = ""
    dtype: str = "float32"
    max_length: int | None = None
    prompt: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, as results keep them."""
        return asdict(self)

    def key(self) -> str:
        """One short name for all of it.

        >>> Fingerprint("torch/cpu").key() == Fingerprint("torch/cpu", prompt="query: ").key()
        False
        """
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@runtime_checkable
class Model(Protocol):
    """Sentence pairs in, numbers out: the higher, the more alike."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What its numbers depend on."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """One number a pair; a batch at a time, from any thread."""


class Batched:
    """A scorer to which the engine gives batches, of about equal token lengths, from several threads.

    Each thread is limited to one thread of arithmetic by `limit_threads`.
    """

    def __init__(self, name: str, fingerprint: Fingerprint) -> None:
        self.name = name
        self.fingerprint = fingerprint

    @property
    def batch_tokens(self) -> int:
        """How many tokens, padding counted, go into one batch."""
        return 1024

    @property
    def parallel(self) -> bool:
        """Whether several threads computing at once are faster than one."""
        return True

    def limit_threads(self, count: int) -> int:
        """Let one batch in this thread use so many threads; gives the number before."""
        return count

    def stop(self) -> None:
        """Let go of whatever a batch is waiting for: nobody wants its numbers any more."""


class Encoder(Batched, ABC):
    """A scorer that gives every sentence a vector and compares by cosine.

    The engine plans batches by `lengths`, calls `encode` from several threads and compares the vectors itself.
    """

    @property
    def may_know_nothing(self) -> bool:
        """Whether a row of zeros means that nothing of the sentence is known; else it is a fault.

        Such a sentence is like no other: its similarities are 0, and a note should say so.
        """
        return False

    @abstractmethod
    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has after truncation."""

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector a text, as one batch."""

    def notes(self, texts: Sequence[str]) -> list[str]:
        """What readers of the figures should know of these texts, which may all have come from the cache."""
        return []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """The cosine of each pair."""
        if not pairs:
            return np.empty(0, dtype=np.float64)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        place = {text: number for number, text in enumerate(texts)}
        # Some at a time: in one batch thousands of sentences would take gigabytes.
        vectors = np.concatenate([self.encode(texts[at : at + _AT_ONCE]) for at in range(0, len(texts), _AT_ONCE)])
        left = np.array([place[one] for one, _ in pairs], dtype=np.intp)
        right = np.array([place[other] for _, other in pairs], dtype=np.intp)
        return cosines(vectors, left, right)


class PairClassifier(Batched, ABC):
    """A scorer that says of an ordered pair, premise and hypothesis, how likely each label of NLI is.

    The engine plans batches by `lengths`, calls `classify` from several threads, and makes of the two directions of a
    pair the one number that suites of similarities ask for.
    """

    def __init__(self, name: str, fingerprint: Fingerprint, *, both: Both = "product") -> None:
        super().__init__(name, fingerprint)
        self.both: Both = both

    @abstractmethod
    def lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """How many tokens each pair has after truncation."""

    @abstractmethod
    def classify(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """The probabilities of the labels, in the order of LABELS, a row a pair, as one batch."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """How likely each pair is to say the same: entailment both ways."""
        if not pairs:
            return np.empty(0, dtype=np.float64)
        rows = self.classify([*pairs, *((other, one) for one, other in pairs)])
        return entailed_both_ways(rows[: len(pairs)], rows[len(pairs) :], self.both)


@dataclass(frozen=True)
class Question:
    """What a language model is asked, and the options of which it is to take one."""

    text: str
    options: tuple[str, ...]

    def turned(self, by: int) -> Question:
        """The same question with its options moved on by so many places.

        >>> Question("Which?", ("a", "b", "c")).turned(1).options
        ('b', 'c', 'a')
        """
        return Question(self.text, self.options[by:] + self.options[:by])


class Chooser(Batched, ABC):
    """A scorer that sees all options at once and says which of them means the same: a prompted language model.

    Such models favour a place, often the first. So each question is asked as often as it has options, each time with
    the options one place further: every option stands once in every place, and the mean is what counts.
    """

    @abstractmethod
    def lengths(self, questions: Sequence[Question]) -> list[int]:
        """How many tokens the prompt of each question has, about."""

    @abstractmethod
    def ask(self, questions: Sequence[Question]) -> Vectors:
        """How likely the model is to take each option, a row a question as it stands, as one batch."""

    def choose(self, questions: Sequence[Question]) -> Vectors:
        """How likely the model is to take each option, the mean over all turns; as many options in each question."""
        if not questions:
            return np.empty((0, 0), dtype=np.float32)
        turns = range(len(questions[0].options))
        found = [np.roll(self.ask([question.turned(turn) for question in questions]), turn, axis=1) for turn in turns]
        likely: Vectors = np.stack(found).mean(axis=0, dtype=np.float64).astype(np.float32)
        return likely

    def notes(self, rows: Vectors) -> list[str]:
        """What readers of the figures should know of these answers, which may all have come from the cache."""
        return []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """How likely the model is to say yes, asked whether two sentences mean the same."""
        from litotes.models.prompting.prompt import same_or_not

        if not pairs:
            return np.empty(0, dtype=np.float64)
        return self.choose([same_or_not(*pair) for pair in pairs])[:, 0].astype(np.float64)


def entailed_both_ways(there: Vectors, back: Vectors, both: Both) -> Scores:
    """One number a pair from the probabilities of its two directions, in double precision.

    >>> there, back = np.array([[0.5, 0.5, 0]], np.float32), np.array([[0.25, 0, 0.75]], np.float32)
    >>> [float(entailed_both_ways(there, back, both)[0]) for both in ("product", "mean", "min")]
    [0.125, 0.375, 0.25]
    """
    place = LABELS.index("entailment")
    one, other = there[:, place].astype(np.float64), back[:, place].astype(np.float64)
    if both == "product":
        return one * other
    return (one + other) / 2 if both == "mean" else np.minimum(one, other)


def cosines(vectors: Vectors, left: NDArray[np.intp], right: NDArray[np.intp], lengths: Scores | None = None) -> Scores:
    """The cosine between rows of `vectors`, in double precision so that only the vectors' own noise is left.

    Whoever compares the same vectors several times gives their lengths, `norms(vectors)`. A row of zeros has no
    direction: it is at 0 to every other.

    >>> rows = np.array([[1, 0], [1, 1]], dtype=np.float32)
    >>> round(float(cosines(rows, np.array([0]), np.array([1]))[0]), 4)
    0.7071
    """
    sizes = norms(vectors) if lengths is None else lengths
    products = sizes[left] * sizes[right]
    out = np.divide(_dots(vectors, left, right), products, out=np.zeros_like(products), where=products != 0)
    return np.clip(out, -1.0, 1.0, out=out)


def norms(vectors: Vectors) -> Scores:
    """The length of each row, in double precision."""
    every = np.arange(len(vectors))
    return np.sqrt(_dots(vectors, every, every))


def _dots(vectors: Vectors, left: NDArray[np.intp], right: NDArray[np.intp]) -> Scores:
    out = np.empty(len(left), dtype=np.float64)
    step = 256  # the copied rows stay in the processor's cache, and memory stays flat
    for start in range(0, len(left), step):
        a = vectors[left[start : start + step]].astype(np.float64)
        b = vectors[right[start : start + step]].astype(np.float64)
        out[start : start + step] = np.einsum("ij,ij->i", a, b)
    return out
