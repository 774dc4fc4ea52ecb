"""Encoders that pool the vectors of the words of a sentence, and the plainest of them, `glove:FILE`: the mean."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores, Vectors
from litotes.models.lookup_encoder import LookupEncoder, unknown_sentences_note, unknown_words_note
from litotes.models.names import ModelName, parse_options
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.pooling import PieceVocabulary, TextPieces, WordBag, grid_scale, to_grid
from litotes.models.word_vectors.tokenization import WordOptions, WordRules

_TEXTS_PER_BLOCK = 2048
_MAX_CACHED_NUMBERS = 1 << 24
"""128 MB; the pieces that were seen are forgotten when their pooled vectors have more numbers."""


class WordEncoder(LookupEncoder):
    """Bags of words; words without a vector are left out."""

    def __init__(self, name: str, fingerprint: Fingerprint, rules: WordRules, width: int) -> None:
        super().__init__(name, fingerprint)
        self._rules = rules
        self._width = width
        self._vocabulary = PieceVocabulary(rules)
        self._bags = self._new_bags()
        self._lock = threading.Lock()

    @abstractmethod
    def _new_bags(self) -> Mapping[str, WordBag]:
        """Return an empty bag per file of vectors, by the name of the file."""

    @abstractmethod
    def _pool(self, bags: Mapping[str, WordBag], texts: TextPieces) -> Vectors:
        """Return the vectors of the texts; zeros for texts without a known word."""

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text, at least 1."""
        with self._lock:
            totals = [pieces.totals(self._vocabulary.n_tokens) for pieces in self._split(texts)]
        return [max(1, length) for block in totals for length in block.tolist()]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the pooled vectors; zeros for a text without a known word."""
        with self._lock:
            blocks = [self._pool(self._bags, pieces) for pieces in self._split(texts)]
        return np.concatenate(blocks) if blocks else np.empty((0, self._width), dtype=np.float32)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return notes about words without a vector and sentences without a known word."""
        unknown: dict[str, Counter[str]] = {source: Counter() for source in self._bags}
        n_words = n_empty = 0
        with self._lock:
            for pieces in self._split(texts):
                frequencies = np.bincount(pieces.pieces, minlength=len(self._vocabulary))
                n_words += int(frequencies @ self._vocabulary.n_tokens)
                n_empty += int(np.sum(sum(bag.counts(pieces) for bag in self._bags.values()) == 0))
                for source, bag in self._bags.items():
                    for piece, words in bag.unknown.items():
                        for word in words if frequencies[piece] else ():
                            unknown[source][word] += int(frequencies[piece])
        notes = [remark for bag in self._bags.values() for remark in bag.vectors.remarks]
        for source, counts in unknown.items():
            where = f" in {source}" if len(self._bags) > 1 else ""
            notes += unknown_words_note(counts, n_words, f"have no vector{where} and are left out")
        return notes + unknown_sentences_note(n_empty)

    def _split(self, texts: Sequence[str]) -> Iterator[TextPieces]:
        """Yield the pieces of some thousand texts at a time, after all their words were looked up."""
        for start in range(0, len(texts), _TEXTS_PER_BLOCK):
            if len(self._vocabulary) * sum(bag.n_columns for bag in self._bags.values()) > _MAX_CACHED_NUMBERS:
                self._vocabulary, self._bags = PieceVocabulary(self._rules), self._new_bags()
            pieces = self._vocabulary.split(texts[start : start + _TEXTS_PER_BLOCK])
            for bag in self._bags.values():
                bag.update(self._vocabulary)
            yield pieces


class WordAverage(WordEncoder):
    """The mean of the vectors of the words of a text."""

    def __init__(self, name: str, vectors: WordVectors, rules: WordRules | None = None) -> None:
        rules = (rules or WordRules()).adapted_to(vectors)
        self._vectors = vectors
        self._scale = grid_scale(vectors.largest)
        fingerprint = Fingerprint(
            backend="numpy/word-vectors", weights=vectors.sha256, config=rules.version, pooling="mean"
        )
        super().__init__(name, fingerprint, rules, vectors.width)

    def _new_bags(self) -> Mapping[str, WordBag]:
        return {"": WordBag(self._vectors, self._rules, features=self._features, n_features=self._width)}

    def _features(self, words: Sequence[str], vectors: Scores) -> Scores:
        return to_grid(vectors, self._scale)

    def _pool(self, bags: Mapping[str, WordBag], texts: TextPieces) -> Vectors:
        return bags[""].means(texts, self._scale)


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> WordAverage:
    """Load `glove:NAME` or `glove:FILE`."""
    options = parse_options(WordOptions, values, scheme=name.scheme)
    return WordAverage(name.text, open_word_vectors(name.rest, access), options.rules)
