"""`sif:FILE` — smooth inverse frequency (Arora et al., 2017): rare words weigh more, and what all sentences have in
common is taken away.

A word of probability p weighs a / (a + p). The common directions are the first singular vectors of the weighted means
of some sentences. In the paper those are the sentences of the test; here they are fixed, so that a sentence has the
same vector in whatever company it is asked for: the built-in corpus, or `component=FILE`.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, read_lines, sha256_file
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores, Vectors
from litotes.models.names import ScorerName, parse_options
from litotes.models.word_vectors.bag import Bag, grid, on_grid
from litotes.models.word_vectors.encoder import WordEncoder
from litotes.models.word_vectors.lookup import WordLookup, open_word_vectors
from litotes.models.word_vectors.pieces import Cut
from litotes.models.word_vectors.reading import PLAIN_READING, Reading
from litotes.models.word_vectors.tokens import Case, Split

BUILT_IN = "builtin"
_EULER = 0.5772156649015329
"""The sum of 1 / r up to n is about ln n and this."""


@dataclass(frozen=True)
class Options:
    """What can stand behind the `?`."""

    a: float = 0.001
    frequencies: str = ""
    """A file with a word and a count in each line; else the place in the file of vectors tells."""
    remove: str = "1"
    """How many common directions are taken away."""
    component: str = BUILT_IN
    """Whose sentences tell what is common."""
    case: Case = "lower"
    tokens: Split = "treebank"


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> SmoothAverage:
    """The weighted mean of the word vectors of that name or in that file."""
    options = parse_options(Options, given, scheme="sif")
    if not 0 < options.a < math.inf:
        raise UsageError("L102", f"a={options.a:g}: a number above 0 is needed")
    remove = _count("remove", options.remove)
    vectors = open_word_vectors(name.rest, access)
    if remove >= vectors.width:
        raise UsageError("L102", f"remove={remove}: the vectors have only {vectors.width} numbers")
    chances = from_file(expand_user(options.frequencies)) if options.frequencies else by_rank(vectors)
    sentences = _sentences(options.component) if remove else []
    reading = Reading(options.case, options.tokens)
    return SmoothAverage(name.text, vectors, chances, a=options.a, remove=remove, sentences=sentences, reading=reading)


@dataclass(frozen=True)
class Chances:
    """How likely words are."""

    source: str
    """What the numbers depend on, for the fingerprint."""
    of: Callable[[Sequence[str]], Scores]


def by_rank(vectors: WordLookup) -> Chances:
    """By Zipf's law from the place in the file: published files have the most frequent word first.

    A word of place r has 1 / (r · H), H being about the sum of all 1 / r; one that is not there has 0: full weight.
    """
    total = math.log(len(vectors)) + _EULER

    def of(words: Sequence[str]) -> Scores:
        ranks = vectors.ranks(words)
        return np.where(ranks < 0, 0.0, 1.0 / (np.maximum(ranks, 0) + 1.0) / total)

    return Chances("zipf", of)


def from_file(path: Path) -> Chances:
    """From a file with a word and a count in each line, a tab or a blank between them."""
    counts: dict[str, float] = {}
    for number, line in read_lines(path):
        word, _, count = line.rstrip().rpartition("\t" if "\t" in line else " ")
        try:
            value = float(count)
        except ValueError:
            value = math.nan
        if not word or not 0 <= value < math.inf:
            raise LitotesError("L203", f"{path}:{number}: a word and its count are needed")
        counts[word] = counts.get(word, 0.0) + value
    total = math.fsum(counts.values())
    if not total:
        raise LitotesError("L204", f"{path}: has no words with a count above 0")
    return Chances(
        f"sha256:{sha256_file(path)}",
        lambda words: np.array([counts.get(word, 0.0) / total for word in words], dtype=np.float64),
    )


class SmoothAverage(WordEncoder):
    """The weighted mean of the vectors of a text's words, without what is common to all sentences."""

    def __init__(
        self,
        name: str,
        vectors: WordLookup,
        chances: Chances,
        *,
        a: float = 0.001,
        remove: int = 1,
        sentences: Sequence[str] = (),
        reading: Reading = PLAIN_READING,
    ) -> None:
        reading = reading.of_file(vectors)
        self._vectors = vectors
        self._chances = chances
        self._a = a
        self._scale = grid(vectors.largest)
        self._common: Scores = np.empty((0, vectors.width), dtype=np.float64)
        told = hashlib.sha256("\n".join(sentences).encode("utf-8", "surrogatepass")).hexdigest()
        pooling = f"sif a={a!r}, chances={chances.source}, remove={remove}" + (f", component={told}" if remove else "")
        fingerprint = Fingerprint(
            backend="numpy/word-vectors", weights=vectors.sha256, config=reading.version, pooling=pooling
        )
        super().__init__(name, fingerprint, reading)
        if remove:
            self._common = _directions(self.encode(sentences), remove, name)

    def _new_bags(self) -> Mapping[str, Bag]:
        def measure(words: Callable[[], Sequence[str]], rows: Scores) -> Scores:
            weights = self._a / (self._a + self._chances.of(words()))
            return on_grid(rows * weights[:, None], self._scale)

        return {"": Bag(self._vectors, measure=measure, columns=self._vectors.width, reading=self._reading)}

    @property
    def _width(self) -> int:
        return self._vectors.width

    def _pool(self, bags: Mapping[str, Bag], cut: Cut, out: Vectors) -> None:
        bags[""].means(cut, self._scale, out)
        for direction in self._common:
            # Row by row, so that no bit depends on the rows beside it, as it would in a product of matrices.
            along = (out * direction).sum(axis=1)
            out[:] = out - along[:, None] * direction


def _directions(rows: Vectors, count: int, name: str) -> Scores:
    """The first right singular vectors of the rows; not of what is left when their mean is taken away."""
    known = rows[rows.any(axis=1)].astype(np.float64)
    if len(known) < count:
        raise LitotesError(
            "L203", f"{name}: only {len(known)} sentences of the component have a word with a vector", hint="remove=0?"
        )
    _, found = np.linalg.eigh(known.T @ known)
    directions: Scores = np.ascontiguousarray(found[:, ::-1][:, :count].T)
    return directions


def _sentences(source: str) -> list[str]:
    from litotes.corpora.read import read_corpus, single_sentences

    return [record.text for record in single_sentences(read_corpus([source]))]


def _count(key: str, text: str) -> int:
    if not (text.isdecimal() and len(text) < 5):
        raise UsageError("L102", f"{key}={text}: a whole number is needed, 0 for none")
    return int(text)
