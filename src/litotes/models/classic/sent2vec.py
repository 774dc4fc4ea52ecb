"""`sent2vec:FILE.bin`: the mean of the vectors of words and n-grams (Pagliardini, Gupta and Jaggi, 2018).

`sent2vec:FOLDER` reads model.bin in a folder that `litotes train sent2vec` has written. Files have the format of the
original tool; all numbers are little-endian. A file contains, in this order:

- the magic number 793712314 and the version 11 (int32 each); fastText's own files have the same magic;
- the settings: dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn, maxn, lrUpdateRate (int32) and
  t (float64);
- the dictionary: entries, words, labels (int32), tokens, pruned n-grams (int64; -1 for none), then for each entry
  the word in UTF-8, a NUL, its count (int64) and whether it is a label (int8);
- whether the matrix is quantised (1 byte), its rows and columns (int64), its numbers (float32): one row per word,
  in the order of the dictionary, then one row per bucket of n-grams;
- the same for the output matrix, one row per word, which only training needs.

The first published models lack magic number, version, pruned n-grams and the byte before each matrix.
"""

from __future__ import annotations

import mmap
import re
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, expand_user, is_file, is_folder, read_json
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Vectors
from litotes.models.lookup_encoder import LookupEncoder, unknown_sentences_note, unknown_words_note
from litotes.models.names import ModelName, parse_options
from litotes.models.word_vectors.store import convert, map_matrix, read_word_rows, write_words
from litotes.models.word_vectors.tokenization import word_tokens

MODEL = "model.bin"
"""The name of the file in a folder that litotes has written."""
MAGIC = 793712314
VERSION = 11
SENT2VEC = 4
"""The number of this kind of model in the tool."""
NEGATIVE_SAMPLING = 2
PLACEHOLDER = b"<PLACEHOLDER>"
"""The first word, which replaces the word to predict."""
END = b"</s>"

_MAGIC = struct.Struct("<ii")
_SETTINGS = struct.Struct("<12id")
_COUNTS = struct.Struct("<iiiq")
_PRUNED = struct.Struct("<q")
_SHAPE = struct.Struct("<qq")
_SUPERVISED = 3
_ENTRY_BYTES = 10
"""The bytes after a word: NUL, count and kind."""
_MAX_DIM = 100_000
_MAX_NGRAM = 100
_MAX_WORD_BYTES = 1 << 16
_NUMBERS_PER_STEP = 1 << 22
_DOWNLOAD_HINT = "get the file again"


@dataclass(frozen=True)
class Sent2VecFileSettings:
    """The settings in a file; vectors depend on the first three only, training on the others."""

    dim: int
    word_ngrams: int
    bucket: int
    epochs: int = 5
    min_count: int = 5
    negatives: int = 10
    subsample: float = 1e-4


class Sent2VecModel:
    """An open model file; its matrix is memory-mapped, its list of words is in the cache."""

    def __init__(self, folder: Path, path: Path) -> None:
        about = read_json(folder / "about.json")
        self.sha256 = str(about["sha256"])
        self.remarks: tuple[str, ...] = tuple(about["remarks"])
        self.settings = Sent2VecFileSettings(**about["settings"])
        self.ends_sentences = bool(about["ends_sentences"])
        """Whether the version of the tool that wrote the file adds `</s>` to each sentence, as the first ones did."""
        self.n_words = int(about["words"])
        self._rows = read_word_rows(folder)
        self.matrix: Vectors = map_matrix(about, path)
        """One row per word, then one row per bucket."""

    def rows_of(self, words: Iterable[str]) -> list[int]:
        """Return the row of each word, -1 for unknown words."""
        return [self._rows.get(word, -1) for word in words]


def open_model(path: Path) -> Sent2VecModel:
    """Open a model file; the first time, all numbers are checked and its words are written to the cache."""
    return convert([path], lambda folder: _fill(folder, path), lambda folder: Sent2VecModel(folder, path))


def _fill(folder: Path, path: Path) -> dict[str, Any]:
    if path.stat().st_size == 0:
        raise LitotesError("L303", f"{path}: is empty", hint=_DOWNLOAD_HINT)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        reader = _Sent2VecReader(path, data)
        has_magic = reader.read_magic()
        settings = reader.read_settings(has_magic)
        n_entries, n_words = reader.read_counts(has_magic)
        about = write_words(folder, reader.read_words(n_entries, n_words), path)
        shape = (n_words + settings.bucket, settings.dim)
        offset = reader.check_matrix(shape, has_magic)
        reader.check_matrix((n_words, settings.dim), has_magic)
        reader.check_end()
    return {**about, "settings": asdict(settings), "offset": offset, "shape": shape, "ends_sentences": not has_magic}


class _Sent2VecReader:
    """Reads a file from its beginning; raises if it is truncated."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self._path, self._data = path, data
        self._position = 0

    def read_magic(self) -> bool:
        """Return whether the file has the magic number, which only the first published ones lack."""
        magic, version = self._unpack(_MAGIC)
        if magic != MAGIC:
            self._position = 0
            return False
        if version != VERSION:
            message = f"is a fastText model of version {version}, not a sent2vec model"
            raise self._error(message, f"glove:{self._path} reads it")
        return True

    def read_settings(self, has_magic: bool) -> Sent2VecFileSettings:
        *integers, subsample = self._unpack(_SETTINGS)
        dim, _, epochs, min_count, negatives, ngrams, loss, model, bucket, *_ = integers
        is_valid = 0 < dim <= _MAX_DIM and 0 < ngrams <= _MAX_NGRAM and bucket >= 0 and loss in (1, 2, 3)
        if not is_valid or model not in range(1, 6):
            raise self._error("is not a sent2vec model", "name a .bin file of the sent2vec tool")
        if model != SENT2VEC:
            kind = "classifier" if model == _SUPERVISED else "model of words"
            message = f"is a fastText {kind}, not a sent2vec model"
            raise self._error(message, f"glove:{self._path} reads word vectors" if has_magic else "")
        if ngrams > 1 and bucket < 1:
            raise self._error(f"has n-grams of {ngrams} words but no rows for them")
        return Sent2VecFileSettings(dim, ngrams, bucket, epochs, min_count, negatives, subsample)

    def read_counts(self, has_magic: bool) -> tuple[int, int]:
        """Return the number of entries of the dictionary, and how many of them are words."""
        entries, words, labels, _ = self._unpack(_COUNTS)
        pruned = self._unpack(_PRUNED)[0] if has_magic else -1
        if entries < 1 or words < 1 or labels < 0 or entries != words + labels:
            raise self._error(f"has {words:,} words and {labels:,} labels among {entries:,}")
        if pruned >= 0:
            raise self._quantised()
        return entries, words

    def read_words(self, n_entries: int, n_words: int) -> list[bytes]:
        """Return the words, without the labels that follow them."""
        words: list[bytes] = []
        for number in range(n_entries):
            end = self._data.find(b"\0", self._position, self._position + _MAX_WORD_BYTES)
            if end < 0 or end + _ENTRY_BYTES > len(self._data):
                raise self._error("is truncated or damaged in its list of words")
            if self._data[end + _ENTRY_BYTES - 1] != (number >= n_words):
                raise self._error(f"its word {number + 1:,} is damaged")
            words.append(self._data[self._position : end])
            self._position = end + _ENTRY_BYTES
        return words[:n_words]

    def check_matrix(self, shape: tuple[int, int], has_magic: bool) -> int:
        """Check all numbers of the next matrix and return its offset."""
        if has_magic and self._unpack(struct.Struct("<?"))[0]:
            raise self._quantised()
        actual = self._unpack(_SHAPE)
        if actual != shape:
            expected_text, actual_text = (f"{rows:,} × {columns:,}" for rows, columns in (shape, actual))
            raise self._error(f"its matrix is {actual_text}, expected {expected_text}")
        offset, total = self._position, shape[0] * shape[1]
        self._require(4 * total)
        for start in range(0, total, _NUMBERS_PER_STEP):
            stop = min(start + _NUMBERS_PER_STEP, total)
            finite = np.isfinite(np.frombuffer(self._data[offset + 4 * start : offset + 4 * stop], dtype="<f4"))
            if not finite.all():
                row = (start + int(np.argmin(finite))) // shape[1]
                raise self._error(f"row {row + 1:,} of its matrix has NaN or an infinite number")
        self._position += 4 * total
        return offset

    def check_end(self) -> None:
        if extra := len(self._data) - self._position:
            raise self._error(f"has {extra:,} bytes too many")

    def _unpack(self, form: struct.Struct) -> tuple[Any, ...]:
        self._require(form.size)
        self._position += form.size
        return form.unpack_from(self._data, self._position - form.size)

    def _require(self, count: int) -> None:
        if (missing := self._position + count - len(self._data)) > 0:
            raise self._error(f"is truncated: at least {missing:,} bytes are missing")

    def _quantised(self) -> LitotesError:
        return self._error("is quantised, which is not supported", "use the model before quantisation")

    def _error(self, message: str, hint: str = _DOWNLOAD_HINT) -> LitotesError:
        return LitotesError("L303", f"{self._path}: {message}", hint=hint)


def model_bytes(
    settings: Sent2VecFileSettings,
    words: Sequence[bytes],
    counts: Sequence[int],
    *,
    tokens: int,
    rows: NDArray[np.float32],
    output: NDArray[np.float32],
) -> bytes:
    """Return the content of a model file in the current layout."""
    numbers = (
        settings.dim, 5, settings.epochs, settings.min_count, settings.negatives, settings.word_ngrams,
        NEGATIVE_SAMPLING, SENT2VEC, settings.bucket, 0, 0, 100, settings.subsample,
    )  # fmt: skip
    entry = struct.Struct("<xqb")
    return b"".join(
        [
            _MAGIC.pack(MAGIC, VERSION),
            _SETTINGS.pack(*numbers),
            _COUNTS.pack(len(words), len(words), 0, tokens),
            _PRUNED.pack(-1),
            *(word + entry.pack(count, 0) for word, count in zip(words, counts, strict=True)),
            b"\0",
            _SHAPE.pack(*rows.shape),
            _matrix_bytes(rows),
            b"\0",
            _SHAPE.pack(*output.shape),
            _matrix_bytes(output),
        ]
    )


def _matrix_bytes(numbers: NDArray[np.float32]) -> memoryview:
    """Return the bytes of a matrix in the file, without a copy if possible."""
    return np.ascontiguousarray(numbers, dtype="<f4").reshape(-1).view(np.uint8).data


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
