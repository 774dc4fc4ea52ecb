"""`sif:FILE`: smooth inverse frequency (Arora et al., 2017).

Rare words get more weight: a word of probability p weighs a / (a + p). Then the directions that all sentences share are
removed: the first singular vectors of the weighted means of some sentences. In the paper those are the sentences of the
test. Here they are fixed, the built-in corpus or `component=FILE`, so that the vector of a sentence does not depend on
the other sentences.
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
from litotes.models.names import ModelName, parse_options
from litotes.models.word_vectors.encoder import WordEncoder
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.pooling import TextPieces, WordBag, grid_scale, to_grid
from litotes.models.word_vectors.tokenization import WordOptions, WordRules

BUILT_IN = "builtin"
_EULER = 0.5772156649015329
"""The sum of 1 / r up to n is about ln n plus this."""


@dataclass(frozen=True)
class SifOptions(WordOptions):
    """Options after the `?` of `sif:`.

    Args:
        a: The smoothing constant.
        frequencies: A file with a word and its count in each line; default: estimated from the order of the vectors.
        remove: The number of shared directions to remove.
        component: The corpus whose sentences define the shared directions.
    """

    a: float = 0.001
    frequencies: str = ""
    remove: str = "1"
    component: str = BUILT_IN


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> SmoothAverage:
    """Load the weighted mean of the word vectors with that name or in that file."""
    options = parse_options(SifOptions, values, scheme="sif")
    if not 0 < options.a < math.inf:
        raise UsageError("L102", f"a={options.a:g}: must be a number above 0")
    if not (options.remove.isdecimal() and len(options.remove) < 5):
        raise UsageError("L102", f"remove={options.remove}: must be a whole number, 0 for none")
    remove = int(options.remove)
    vectors = open_word_vectors(name.rest, access)
    if remove >= vectors.width:
        raise UsageError("L102", f"remove={remove}: the vectors have only {vectors.width} dimensions")
    path = expand_user(options.frequencies)
    probabilities = probabilities_from_file(path) if options.frequencies else probabilities_by_rank(vectors)
    sentences = _sentences(options.component) if remove else []
    weighting = SifWeighting(probabilities, a=options.a, remove=remove, sentences=sentences)
    return SmoothAverage(name.text, vectors, weighting, options.rules)


@dataclass(frozen=True)
class WordProbabilities:
    """The probability of each word, and for the fingerprint where it comes from."""

    source: str
    of: Callable[[Sequence[str]], Scores]


def probabilities_by_rank(vectors: WordVectors) -> WordProbabilities:
    """Estimate by Zipf's law from the position in the file, because published files start with the most frequent word.

    The word at position r has probability 1 / (r · H), where H is about the sum of all 1 / r; absent words have 0.
    """
    total = math.log(len(vectors)) + _EULER

    def probabilities(words: Sequence[str]) -> Scores:
        ranks = vectors.ranks(words)
        return np.where(ranks < 0, 0.0, 1.0 / (np.maximum(ranks, 0) + 1.0) / total)

    return WordProbabilities("zipf", probabilities)


def probabilities_from_file(path: Path) -> WordProbabilities:
    """Read a file with a word and its count in each line, separated by a tab or a blank."""
    counts: dict[str, float] = {}
    for number, line in read_lines(path):
        word, _, count = line.rstrip().rpartition("\t" if "\t" in line else " ")
        try:
            value = float(count)
        except ValueError:
            value = math.nan
        if not word or not 0 <= value < math.inf:
            raise LitotesError("L203", f"{path}:{number}: must be a word and its count")
        counts[word] = counts.get(word, 0.0) + value
    total = math.fsum(counts.values())
    if not total:
        raise LitotesError("L204", f"{path}: has no words with a count above 0")
    return WordProbabilities(
        f"sha256:{sha256_file(path)}",
        lambda words: np.array([counts.get(word, 0.0) / total for word in words], dtype=np.float64),
    )


@dataclass(frozen=True)
class SifWeighting:
    """How words are weighted and which directions are removed.

    Args:
        probabilities: The probabilities of words.
        a: The smoothing constant.
        remove: The number of shared directions to remove.
        sentences: The sentences that define the shared directions.
    """

    probabilities: WordProbabilities
    a: float = 0.001
    remove: int = 1
    sentences: Sequence[str] = ()

    def describe(self) -> str:
        """Return everything that vectors depend on, for the fingerprint."""
        text = f"sif a={self.a!r}, chances={self.probabilities.source}, remove={self.remove}"
        digest = hashlib.sha256("\n".join(self.sentences).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{text}, component={digest}" if self.remove else text


class SmoothAverage(WordEncoder):
    """The weighted mean of the vectors of the words of a text, without the directions that all sentences share."""

    def __init__(
        self, name: str, vectors: WordVectors, weighting: SifWeighting, rules: WordRules | None = None
    ) -> None:
        rules = (rules or WordRules()).adapted_to(vectors)
        self._vectors = vectors
        self._weighting = weighting
        self._scale = grid_scale(vectors.largest)
        self._shared: Scores = np.empty((0, vectors.width), dtype=np.float64)
        fingerprint = Fingerprint(
            backend="numpy/word-vectors", weights=vectors.sha256, config=rules.version, pooling=weighting.describe()
        )
        super().__init__(name, fingerprint, rules, vectors.width)
        if weighting.remove:
            self._shared = _shared_directions(self.encode(weighting.sentences), weighting.remove, name)

    def _new_bags(self) -> Mapping[str, WordBag]:
        return {"": WordBag(self._vectors, self._rules, features=self._features, n_features=self._width)}

    def _features(self, words: Sequence[str], vectors: Scores) -> Scores:
        a = self._weighting.a
        weights = a / (a + self._weighting.probabilities.of(words))
        return to_grid(vectors * weights[:, None], self._scale)

    def _pool(self, bags: Mapping[str, WordBag], texts: TextPieces) -> Vectors:
        vectors = bags[""].means(texts, self._scale)
        for direction in self._shared:
            # Row by row: in a product of matrices the bits of a row depend on the other rows.
            along = (vectors * direction).sum(axis=1)
            vectors[:] = vectors - along[:, None] * direction
        return vectors


def _shared_directions(rows: Vectors, count: int, name: str) -> Scores:
    """Return the first right singular vectors of the rows, which are not centred."""
    known = rows[rows.any(axis=1)].astype(np.float64)
    if len(known) < count:
        message = f"{name}: only {len(known)} sentences of the component have a word with a vector"
        raise LitotesError("L203", message, hint="remove=0?")
    _, eigenvectors = np.linalg.eigh(known.T @ known)
    directions: Scores = np.ascontiguousarray(eigenvectors[:, ::-1][:, :count].T)
    return directions


def _sentences(source: str) -> list[str]:
    from litotes.corpora.read import read_corpus, single_sentences

    return [record.text for record in single_sentences(read_corpus([source]))]
