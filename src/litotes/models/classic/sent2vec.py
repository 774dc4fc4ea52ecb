"""`sent2vec:FILE.bin` — the mean of the vectors of a sentence's words and n-grams (Pagliardini, Gupta and Jaggi 2018).

`sent2vec:DIR` takes the file `model.bin` in a folder, as `litotes train sent2vec` leaves it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, expand_user, is_file, is_folder
from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.classic.sent2vec_file import END, MODEL, Model, open_model
from litotes.models.names import ScorerName, parse_options
from litotes.models.word_vectors.encoder import note_of_sentences, note_of_words
from litotes.models.word_vectors.tokens import word_tokens

_FACTOR = np.uint64(116049371)

Rows = NDArray[np.int64]


def ngram_rows(ids: Rows, room: Rows, *, longest: int, words: int, bucket: int) -> tuple[Rows, Rows]:
    """The rows of all n-grams of 2 to `longest` words, and the place where each begins.

    `room` says for each word how many of those behind it may be in one n-gram with it. The hash is made of the words'
    numbers in the dictionary, in 64 bits that overflow; not, as in fastText, of hashes of the words themselves.
    """
    hashes = ids.astype(np.uint64)
    here = np.arange(len(ids))
    rows, places = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for step in range(1, longest):
        here = here[room[here] >= step]
        if not len(here):
            break
        hashes[here] = hashes[here] * _FACTOR + ids[here + step].astype(np.uint64)
        rows.append(words + (hashes[here] % np.uint64(bucket)).astype(np.int64))
        places.append(here)
    return np.concatenate(rows), np.concatenate(places)


def sentence_rows(ids: Sequence[int], *, longest: int, words: int, bucket: int) -> Rows:
    """The rows of a sentence: its words, then its n-grams.

    >>> sentence_rows([5, 7], longest=2, words=100, bucket=1000).tolist()
    [5, 7, 962]
    >>> (5 * 116049371 + 7) % 1000 + 100
    962
    """
    own = np.asarray(ids, dtype=np.int64)
    room = np.arange(len(own) - 1, -1, -1)
    more, _ = ngram_rows(own, room, longest=longest, words=words, bucket=bucket)
    return np.concatenate([own, more])


Tokens = Literal["treebank", "tweet", "blanks"]

_NAMED = re.compile(r"(?P<url>https?://\S+|www\.\S+)|(?<!\S)@\w+", re.IGNORECASE)
_OPENING = re.compile(r"(?:(?<=^)|(?<=[\s(\[{]))\"(?=\S)")
_TWEET = re.compile(
    r"""
    [<>]?[:;=8][-o*']?[)\](\[dDpP/\\|}{@]+             # :-) and the like
    | <3
    | \#\w+
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?
    | [^\W_]+(?:['-][^\W_]+)*                           # don't, well-known
    | \.\.+ | …
    | \S
    """,
    re.VERBOSE,
)


def treebank(text: str) -> list[str]:
    """In the manner of the Penn Treebank, for the models of Wikipedia and of books.

    >>> treebank('"It isn’t here," said @ann at www.example.org')
    ['``', 'it', 'is', "n't", 'here', ',', "''", 'said', '<user>', 'at', '<url>']
    """
    directed = _OPENING.sub("``", text).replace('"', "''")
    return _with_names(directed, word_tokens)


def tweet(text: str) -> list[str]:
    """In the manner of tweets, for the models of Twitter: contractions whole, hashtags and faces too.

    >>> tweet("@ann isn't here :-( #Late")
    ['<user>', "isn't", 'here', ':-(', '#late']
    """
    return _with_names(text, lambda piece: [token.lower() for token in _TWEET.findall(piece)])


def blanks(text: str) -> list[str]:
    """At the blanks and nowhere else, nothing changed: for texts that are tokenised already.

    >>> blanks("Do n't go .")
    ['Do', "n't", 'go', '.']
    """
    return text.split()


def _with_names(text: str, tokens: Callable[[str], list[str]]) -> list[str]:
    found: list[str] = []
    start = 0
    for name in _NAMED.finditer(text):
        found += tokens(text[start : name.start()])
        found.append("<url>" if name["url"] else "<user>")
        start = name.end()
    return found + tokens(text[start:])


TOKENS: dict[str, Callable[[str], list[str]]] = {"treebank": treebank, "tweet": tweet, "blanks": blanks}
"""How a text is cut into words, by name."""


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
