"""`glove:FILE` — the mean of a sentence's word vectors; it does not know the order of the words.

The file is in any of the formats of `scorers/words`; `glove:` and `glove:6b-50d` are the vectors of the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores, Vectors
from litotes.models.names import ScorerName, parse_options
from litotes.models.word_vectors.bag import Bag, grid, on_grid
from litotes.models.word_vectors.encoder import WordEncoder
from litotes.models.word_vectors.lookup import WordLookup, open_word_vectors
from litotes.models.word_vectors.pieces import Cut
from litotes.models.word_vectors.reading import PLAIN_READING, Reading
from litotes.models.word_vectors.tokens import Case, Split


@dataclass(frozen=True)
class Options:
    """What can stand behind the `?`."""

    case: Case = "lower"
    tokens: Split = "treebank"


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> WordAverage:
    """The mean of the word vectors of that name or in that file."""
    options = parse_options(Options, given, scheme="glove")
    reading = Reading(options.case, options.tokens)
    return WordAverage(name.text, open_word_vectors(name.rest, access), reading)


class WordAverage(WordEncoder):
    """The mean of the vectors of a text's words."""

    def __init__(self, name: str, vectors: WordLookup, reading: Reading = PLAIN_READING) -> None:
        reading = reading.of_file(vectors)
        self._vectors = vectors
        self._scale = grid(vectors.largest)
        fingerprint = Fingerprint(
            backend="numpy/word-vectors", weights=vectors.sha256, config=reading.version, pooling="mean"
        )
        super().__init__(name, fingerprint, reading)

    def _new_bags(self) -> Mapping[str, Bag]:
        def measure(_: object, rows: Scores) -> Scores:
            return on_grid(rows, self._scale)

        return {"": Bag(self._vectors, measure=measure, columns=self._vectors.width, reading=self._reading)}

    @property
    def _width(self) -> int:
        return self._vectors.width

    def _pool(self, bags: Mapping[str, Bag], cut: Cut, out: Vectors) -> None:
        bags[""].means(cut, self._scale, out)
