"""`sent2vec:FILE.bin`: the mean of the vectors of words and n-grams (Pagliardini, Gupta and Jaggi, 2018).

`sent2vec:FOLDER` reads model.bin in a folder that `litotes train sent2vec` has written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, expand_user, is_file, is_folder
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Vectors
from litotes.models.classic.sent2vec_file import END, MODEL, Sent2VecModel, open_model
from litotes.models.lookup_encoder import LookupEncoder, unknown_sentences_note, unknown_words_note
from litotes.models.names import ModelName, parse_options
from litotes.models.word_vectors.tokenization import word_tokens

_FACTOR = np.uint64(116049371)

Rows = NDArray[np.int64]


def ngram_rows(ids: Rows, following: Rows, *, max_n: int, n_words: int, bucket: int) -> tuple[Rows, Rows]:
    """Return the rows of all n-grams of 2 to `max_n` words, and the position of the first word of each.

    Unlike in fastText, the hash is computed from the rows of the words, in 64 bits that overflow.

    Args:
        ids: The rows of the words.
        following: For each word, how many of the next words may be in an n-gram with it.
        max_n: The maximum length of n-grams.
        n_words: The number of words of the dictionary.
        bucket: The number of rows for n-grams.
    """
    hashes = ids.astype(np.uint64)
    starts = np.arange(len(ids))
    rows, positions = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for step in range(1, max_n):
        starts = starts[following[starts] >= step]
        if not len(starts):
            break
        hashes[starts] = hashes[starts] * _FACTOR + ids[starts + step].astype(np.uint64)
        rows.append(n_words + (hashes[starts] % np.uint64(bucket)).astype(np.int64))
        positions.append(starts)
    return np.concatenate(rows), np.concatenate(positions)


def sentence_rows(ids: Sequence[int], *, max_n: int, n_words: int, bucket: int) -> Rows:
    """Return the rows of a sentence: its words, then its n-grams.

    >>> sentence_rows([5, 7], max_n=2, n_words=100, bucket=1000).tolist()
    [5, 7, 962]
    >>> (5 * 116049371 + 7) % 1000 + 100
    962
    """
    words = np.asarray(ids, dtype=np.int64)
    following = np.arange(len(words) - 1, -1, -1)
    ngrams, _ = ngram_rows(words, following, max_n=max_n, n_words=n_words, bucket=bucket)
    return np.concatenate([words, ngrams])


TokenizerName = Literal["treebank", "tweet", "blanks"]

_URL_OR_MENTION = re.compile(r"(?P<url>https?://\S+|www\.\S+)|(?<!\S)@\w+", re.IGNORECASE)
_OPENING_QUOTE = re.compile(r"(?:(?<=^)|(?<=[\s(\[{]))\"(?=\S)")
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
    """Return the tokens of a text as in the Penn Treebank, for the models of Wikipedia and of books.

    >>> treebank('"It isn’t here," said @ann at www.example.org')
    ['``', 'it', 'is', "n't", 'here', ',', "''", 'said', '<user>', 'at', '<url>']
    """
    directed = _OPENING_QUOTE.sub("``", text).replace('"', "''")
    return _tokenize_around_names(directed, word_tokens)


def tweet(text: str) -> list[str]:
    """Return the tokens of a tweet, for the models of Twitter: contractions, hashtags and emoticons are not split.

    >>> tweet("@ann isn't here :-( #Late")
    ['<user>', "isn't", 'here', ':-(', '#late']
    """
    return _tokenize_around_names(text, lambda piece: [token.lower() for token in _TWEET.findall(piece)])


def blanks(text: str) -> list[str]:
    """Return what is between blanks, unchanged, for texts that are already tokenized.

    >>> blanks("Do n't go .")
    ['Do', "n't", 'go', '.']
    """
    return text.split()


def _tokenize_around_names(text: str, tokenize: Callable[[str], list[str]]) -> list[str]:
    tokens: list[str] = []
    start = 0
    for match in _URL_OR_MENTION.finditer(text):
        tokens += tokenize(text[start : match.start()])
        tokens.append("<url>" if match["url"] else "<user>")
        start = match.end()
    return tokens + tokenize(text[start:])


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {"treebank": treebank, "tweet": tweet, "blanks": blanks}
_VERSION = 1
"""Changes with every change of a tokenizer; part of fingerprints."""


@dataclass(frozen=True)
class Sent2VecOptions:
    """Options after the `?`."""

    tokens: TokenizerName = "treebank"


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> Sent2Vec:
    """Load `sent2vec:FILE` or `sent2vec:FOLDER`."""
    options = parse_options(Sent2VecOptions, values, scheme="sent2vec")
    path = _file(expand_user(name.rest))
    return Sent2Vec(name.text, open_model(path), tokens=options.tokens)


def _file(path: Path) -> Path:
    if is_folder(path):
        if not is_file(path / MODEL):
            hint = "name the model file, or a folder that litotes train sent2vec has written"
            raise LitotesError("L302", f"{path}: has no {MODEL}", hint=hint)
        return path / MODEL
    try:
        check_is_file(path)
    except LitotesError as error:
        hint = "name a .bin file of sent2vec, or a folder that litotes train sent2vec has written"
        raise LitotesError("L301" if error.code == "L201" else error.code, error.message, hint=hint) from error
    return path


class Sent2Vec(LookupEncoder):
    """The mean of the vectors of words and hashed n-grams; unknown words are left out."""

    def __init__(self, name: str, model: Sent2VecModel, *, tokens: TokenizerName = "treebank") -> None:
        fingerprint = Fingerprint(
            backend="numpy/sent2vec",
            weights=model.sha256,
            config=f"{tokens}-{_VERSION}" + (", ends sentences" if model.ends_sentences else ""),
            pooling=f"mean of words and n-grams up to {model.settings.word_ngrams}",
        )
        super().__init__(name, fingerprint)
        self._model = model
        self._tokenize = TOKENIZERS[tokens]
        end = model.rows_of([END.decode()] if model.ends_sentences else [])
        self._end = [row for row in end if row >= 0]

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text, at least 1."""
        return [max(1, len(self._tokenize(text))) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the means; zeros for a text without a known word."""
        vectors = np.zeros((len(texts), self._model.settings.dim), dtype=np.float32)
        for index, text in enumerate(texts):
            vectors[index] = self._mean(self._tokenize(text))
        return vectors

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return notes about unknown words and sentences without a known word."""
        unknown: Counter[str] = Counter()
        n_words = n_empty = 0
        for text in texts:
            tokens = self._tokenize(text)
            missing = [word for word, row in zip(tokens, self._model.rows_of(tokens), strict=True) if row < 0]
            unknown.update(missing)
            n_words += len(tokens)
            n_empty += len(missing) == len(tokens)
        return [*self._model.remarks, *unknown_words_note(unknown, n_words), *unknown_sentences_note(n_empty)]

    def _mean(self, tokens: list[str]) -> Vectors:
        ids = [row for row in self._model.rows_of(tokens) if row >= 0]
        settings = self._model.settings
        if not ids:
            return np.zeros(settings.dim, dtype=np.float32)
        rows = sentence_rows(
            ids + self._end, max_n=settings.word_ngrams, n_words=self._model.n_words, bucket=settings.bucket
        )
        # Sorted, so that the same words and n-grams in another order give the same bits.
        mean: Vectors = self._model.matrix[np.sort(rows)].mean(axis=0, dtype=np.float64).astype(np.float32)
        return mean
