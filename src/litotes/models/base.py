"""The interfaces of models: `Encoder` gives vectors, `PairClassifier` NLI labels, `Chooser` answers to questions.

All of them are a `Model`: they score sentence pairs by how similar the two sentences are in meaning. Subclass one of
the three to run your own model; the engine plans the batches, uses several threads and caches the results.
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
from litotes.models.prompts import Question, same_meaning_question

Vectors = NDArray[np.float32]
Scores = NDArray[np.float64]
Combination = Literal["product", "mean", "min"]
"""How the results for both directions of a pair are combined."""
_SENTENCES_PER_BATCH = 256


@dataclass(frozen=True)
class Fingerprint:
    """Everything that the output of a model depends on; models with equal fingerprints share cached results.

    Args:
        backend: The library and device that compute, such as `torch/cpu` or `onnxruntime/cpu`.
        weights: The sha256 of the weight files.
        config: The sha256 of the files that determine how weights and tokenizer are used.
        pooling: How vectors of tokens become a vector of the sentence.
        dtype: The number type of the weights.
        max_length: The number of tokens after which input is truncated.
        prompt: The text before each sentence, or the wording of questions.
    """

    backend: str
    weights: str = ""
    config: str = ""
    pooling: str = ""
    dtype: str = "float32"
    max_length: int | None = None
    prompt: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, as result files store them."""
        return asdict(self)

    def key(self) -> str:
        """Return a hash of all fields.

        >>> Fingerprint("torch/cpu").key() == Fingerprint("torch/cpu", prompt="query: ").key()
        False
        """
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@runtime_checkable
class Model(Protocol):
    """Anything that scores sentence pairs; the higher the score, the more similar the sentences.

    >>> class SameLength:
    ...     name = "same length"
    ...     fingerprint = Fingerprint("python")
    ...     def score(self, pairs):
    ...         return np.array([float(len(first) == len(second)) for first, second in pairs])
    >>> isinstance(SameLength(), Model)
    True
    """

    @property
    def name(self) -> str:
        """The name in tables."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What the scores depend on."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Return one score per pair. May be called from any thread."""


class BatchedModel:
    """Base class of models that compute batches of inputs with about the same number of tokens.

    The engine calls them from several threads, each of which is limited to one thread of arithmetic.

    Args:
        name: The name in tables.
        fingerprint: What the output depends on.
    """

    def __init__(self, name: str, fingerprint: Fingerprint) -> None:
        self.name = name
        self.fingerprint = fingerprint

    @property
    def batch_tokens(self) -> int:
        """The maximum number of tokens in a batch, including padding."""
        return 1024

    @property
    def parallel(self) -> bool:
        """Whether several threads are faster than one."""
        return True

    def limit_threads(self, count: int) -> int:
        """Let each batch that is computed in this thread use `count` threads; return the previous limit."""
        return count

    def stop(self) -> None:
        """Cancel whatever the batches in progress are waiting for."""


class Encoder(BatchedModel, ABC):
    """A model that gives each sentence a vector; sentences are compared by cosine similarity.

    >>> class LetterCounts(Encoder):
    ...     def lengths(self, texts):
    ...         return [len(text) for text in texts]
    ...     def encode(self, texts):
    ...         return np.array([[text.count(letter) for letter in "aeiou"] for text in texts], np.float32)
    >>> model = LetterCounts("letter counts", Fingerprint("python"))
    >>> model.score([("A cat sat.", "A rat sat."), ("A cat sat.", "It is open.")]).round(2).tolist()
    [1.0, 0.0]
    """

    @property
    def allows_zero_vectors(self) -> bool:
        """Whether a vector of zeros means that the model knows nothing of the sentence; otherwise it is an error.

        The similarity of such a sentence to every other is 0. `notes` should report them.
        """
        return False

    @abstractmethod
    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text after truncation."""

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, computed as one batch."""

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return what readers of the results should know about these texts, whose vectors may have been cached."""
        return []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Return the cosine similarity of each pair."""
        if not pairs:
            return np.empty(0, dtype=np.float64)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        batches = [texts[start : start + _SENTENCES_PER_BATCH] for start in range(0, len(texts), _SENTENCES_PER_BATCH)]
        vectors = np.concatenate([self.encode(batch) for batch in batches])
        index = {text: number for number, text in enumerate(texts)}
        left, right = np.array([(index[first], index[second]) for first, second in pairs], dtype=np.intp).T
        return cosines(vectors, left, right)


class DerivedEncoder(Encoder):
    """An encoder whose vectors are computed from those of another one, which it runs in the same way.

    Args:
        name: The name in tables.
        fingerprint: What the output depends on.
        base: The other encoder.
    """

    def __init__(self, name: str, fingerprint: Fingerprint, base: Encoder) -> None:
        super().__init__(name, fingerprint)
        self._base = base

    @property
    def batch_tokens(self) -> int:
        """The limit of the base model."""
        return self._base.batch_tokens

    @property
    def parallel(self) -> bool:
        """Whether the base model is faster in several threads."""
        return self._base.parallel

    @property
    def allows_zero_vectors(self) -> bool:
        """Whether the base model allows them."""
        return self._base.allows_zero_vectors

    def limit_threads(self, count: int) -> int:
        """Limit the threads of the base model."""
        return self._base.limit_threads(count)

    def stop(self) -> None:
        """Stop the base model."""
        self._base.stop()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the lengths in tokens of the base model."""
        return self._base.lengths(texts)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return the notes of the base model."""
        return self._base.notes(texts)


class PairClassifier(BatchedModel, ABC):
    """A model that gives the probability of each NLI label for an ordered pair of premise and hypothesis.

    Args:
        name: The name in tables.
        fingerprint: What the output depends on.
        both: How the probabilities of entailment in both directions become the similarity of a pair.
    """

    def __init__(self, name: str, fingerprint: Fingerprint, *, both: Combination = "product") -> None:
        super().__init__(name, fingerprint)
        self.both: Combination = both

    @abstractmethod
    def lengths(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """Return the number of tokens of each pair after truncation."""

    @abstractmethod
    def classify(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """Return one row per pair with the probabilities of the labels in the order of LABELS, as one batch."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Return how likely the sentences of each pair are to mean the same: entailment in both directions."""
        if not pairs:
            return np.empty(0, dtype=np.float64)
        rows = self.classify([*pairs, *((second, first) for first, second in pairs)])
        return mutual_entailment(rows[: len(pairs)], rows[len(pairs) :], self.both)


class Chooser(BatchedModel, ABC):
    """A model that sees all options at once and chooses one: a prompted language model.

    Such models prefer certain positions, often the first. Each question is therefore asked once per option, with the
    options rotated by one position each time, and the probabilities are averaged.

    >>> class PrefersFirst(Chooser):
    ...     def lengths(self, questions):
    ...         return [10 for _ in questions]
    ...     def ask(self, questions):
    ...         return np.array([[1.0, 0.0] for _ in questions], np.float32)
    >>> PrefersFirst("first", Fingerprint("python")).choose([Question("Which?", ("yes", "no"))]).tolist()
    [[0.5, 0.5]]
    """

    @abstractmethod
    def lengths(self, questions: Sequence[Question]) -> list[int]:
        """Return the approximate number of tokens of the prompt of each question."""

    @abstractmethod
    def ask(self, questions: Sequence[Question]) -> Vectors:
        """Return one row per question with the probabilities of its options in the given order, as one batch."""

    def choose(self, questions: Sequence[Question]) -> Vectors:
        """Return the mean probabilities over all rotations; all questions must have the same number of options."""
        if not questions:
            return np.empty((0, 0), dtype=np.float32)
        rows = []
        for by in range(len(questions[0].options)):
            rotated = self.ask([question.rotated(by) for question in questions])
            rows.append(np.roll(rotated, by, axis=1))
        probabilities: Vectors = np.stack(rows).mean(axis=0, dtype=np.float64).astype(np.float32)
        return probabilities

    def notes(self, rows: Vectors) -> list[str]:
        """Return what readers of the results should know about these answers, which may have been cached."""
        return []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Return the probability of "yes" to the question whether the sentences of each pair mean the same."""
        if not pairs:
            return np.empty(0, dtype=np.float64)
        return self.choose([same_meaning_question(*pair) for pair in pairs])[:, 0].astype(np.float64)


def mutual_entailment(forward: Vectors, backward: Vectors, combination: Combination) -> Scores:
    """Return one number per pair from the label probabilities of both directions, in double precision.

    >>> forward, backward = np.array([[0.5, 0.5, 0]], np.float32), np.array([[0.25, 0, 0.75]], np.float32)
    >>> [mutual_entailment(forward, backward, how).item() for how in ("product", "mean", "min")]
    [0.125, 0.375, 0.25]
    """
    entailment = LABELS.index("entailment")
    first, second = forward[:, entailment].astype(np.float64), backward[:, entailment].astype(np.float64)
    if combination == "product":
        return first * second
    return (first + second) / 2 if combination == "mean" else np.minimum(first, second)


def cosines(vectors: Vectors, left: NDArray[np.intp], right: NDArray[np.intp], lengths: Scores | None = None) -> Scores:
    """Return the cosine similarity of pairs of rows, in double precision; 0 for rows of zeros.

    Args:
        vectors: One vector per row.
        left: The row of the first member of each pair.
        right: The row of the second member of each pair.
        lengths: `norms(vectors)`, if the same vectors are compared several times.

    >>> rows = np.array([[1, 0], [1, 1]], dtype=np.float32)
    >>> cosines(rows, np.array([0]), np.array([1])).round(4).tolist()
    [0.7071]
    """
    sizes = norms(vectors) if lengths is None else lengths
    products = sizes[left] * sizes[right]
    out = np.divide(_dot_products(vectors, left, right), products, out=np.zeros_like(products), where=products != 0)
    return np.clip(out, -1.0, 1.0, out=out)


def norms(vectors: Vectors) -> Scores:
    """Return the length of each row, in double precision."""
    rows = np.arange(len(vectors))
    return np.sqrt(_dot_products(vectors, rows, rows))


def _dot_products(vectors: Vectors, left: NDArray[np.intp], right: NDArray[np.intp]) -> Scores:
    out = np.empty(len(left), dtype=np.float64)
    step = 256  # the copied rows stay in the processor's cache, and memory use is constant
    for start in range(0, len(left), step):
        first = vectors[left[start : start + step]].astype(np.float64)
        second = vectors[right[start : start + step]].astype(np.float64)
        out[start : start + step] = np.einsum("ij,ij->i", first, second)
    return out
