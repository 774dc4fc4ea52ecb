"""`sent2vec:FILE.bin` — the mean of the vectors of a sentence's words and n-grams (Pagliardini, Gupta and Jaggi 2018).

`sent2vec:DIR` takes the file `model.bin` in a folder, as `litotes train sent2vec` leaves it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, expand_user, is_file, is_folder
from litotes.scorers.access import Access
from litotes.scorers.base import Encoder, Fingerprint, Vectors
from litotes.scorers.names import ScorerName, parse_options
from litotes.scorers.sent2vec_model.layout import END, MODEL, Model, open_model
from litotes.scorers.sent2vec_model.ngrams import sentence_rows
from litotes.scorers.sent2vec_model.tokens import TOKENS, Tokens
from litotes.scorers.words.notes import note_of_sentences, note_of_words

_VERSION = 1
"""Of how texts become words, for the fingerprint."""


@dataclass(frozen=True)
class Options:
    """What can be said behind the name."""

    tokens: Tokens = "treebank"


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> Sent2Vec:
    """The model in that file or folder."""
    options = parse_options(Options, given, scheme="sent2vec")
    path = _file(expand_user(name.rest))
    return Sent2Vec(name.text, open_model(path), tokens=options.tokens)


def _file(path: Path) -> Path:
    if is_folder(path):
        if not is_file(path / MODEL):
            hint = "litotes train sent2vec makes one; a file of another name is named itself"
            raise LitotesError("L302", f"{path}: has no {MODEL}", hint=hint)
        return path / MODEL
    try:
        check_is_file(path)
    except LitotesError as error:
        hint = "name a .bin file of sent2vec, or a folder in which litotes train sent2vec left one"
        raise LitotesError("L301" if error.code == "L201" else error.code, error.message, hint=hint) from error
    return path


class Sent2Vec(Encoder):
    """Vectors of words and of hashed n-grams, averaged; words that are not in the dictionary are left out."""

    def __init__(self, name: str, model: Model, *, tokens: Tokens = "treebank") -> None:
        fingerprint = Fingerprint(
            backend="numpy/sent2vec",
            weights=model.sha256,
            config=f"{tokens}-{_VERSION}" + (", ends sentences" if model.ends_sentences else ""),
            pooling=f"mean of words and n-grams up to {model.settings.word_ngrams}",
        )
        super().__init__(name, fingerprint)
        self._model = model
        self._tokens = TOKENS[tokens]
        self._known: dict[str, int] = {}
        end = model.words.rows_of([END.decode()] if model.ends_sentences else []).tolist()
        self._end = [row for row in end if row >= 0]

    @property
    def batch_tokens(self) -> int:
        """Nothing is padded: a batch is what is kept at once."""
        return 1 << 15

    @property
    def parallel(self) -> bool:
        """Most of the work is Python's."""
        return False

    @property
    def may_know_nothing(self) -> bool:
        """A sentence may have no word of the dictionary."""
        return True

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """In words."""
        return [max(1, len(self._tokens(text))) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The means; zeros for a text without a known word."""
        words = [self._tokens(text) for text in texts]
        self._look_up(words)
        found = np.zeros((len(texts), self._model.settings.dim), dtype=np.float32)
        for place, tokens in enumerate(words):
            found[place] = self._mean(tokens)
        return found

    def notes(self, texts: Sequence[str]) -> list[str]:
        """How many words are not in the dictionary, which most often, and how many sentences have no other."""
        words = [self._tokens(text) for text in texts]
        self._look_up(words)
        unknown = Counter(word for tokens in words for word in tokens if self._known[word] < 0)
        empty = sum(all(self._known[word] < 0 for word in tokens) for tokens in words)
        return [*self._model.remarks, *note_of_words(unknown, sum(map(len, words))), *note_of_sentences(empty)]

    def _look_up(self, words: Iterable[list[str]]) -> None:
        """Know the row of every word, -1 for one that is not in the dictionary."""
        new = list(dict.fromkeys(word for tokens in words for word in tokens if word not in self._known))
        self._known.update(zip(new, self._model.words.rows_of(new).tolist(), strict=True))

    def _mean(self, tokens: list[str]) -> Vectors:
        ids = [row for row in map(self._known.__getitem__, tokens) if row >= 0]
        settings = self._model.settings
        if not ids:
            return np.zeros(settings.dim, dtype=np.float32)
        rows = sentence_rows(
            ids + self._end, longest=settings.word_ngrams, words=len(self._model.words), bucket=settings.bucket
        )
        # In the order of the rows: the same words and n-grams in another order give the same bits.
        mean: Vectors = self._model.matrix[np.sort(rows)].mean(axis=0, dtype=np.float64).astype(np.float32)
        return mean
