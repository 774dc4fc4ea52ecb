"""The layout of sent2vec's .bin files, as the published models have it and as the original tool reads it.

All numbers are little-endian. A file holds, one behind the other:

- the magic number 793712314 and the version 11 (int32 each); fastText's own files have the same magic;
- the settings: dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn, maxn, lrUpdateRate (int32) and
  t (float64);
- the dictionary: entries, words, labels (int32), tokens, pruned n-grams (int64; -1 for none), then for each entry
  the word in UTF-8, a NUL, its count (int64) and whether it is a label (int8);
- whether the matrix is quantised (1 byte), its rows and columns (int64), its numbers (float32): a row a word, in the
  order of the dictionary, then a row a bucket of n-grams;
- the same for the output matrix, a row a word, which only training needs.

The first published models have neither magic number nor version, nor pruned n-grams, nor the bytes before the matrices.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import read_json
from litotes.models.base import Vectors
from litotes.models.word_vectors.index import WordIndex, write_words
from litotes.models.word_vectors.store import converted

MODEL = "model.bin"
"""The file in a folder of ours."""
MAGIC = 793712314
VERSION = 11
SENT2VEC = 4
"""The number of the model among those that the tool can train."""
NEGATIVE_SAMPLING = 2
PLACEHOLDER = b"<PLACEHOLDER>"
"""The first word: what stands in a sentence in the place of the word that is to be told."""
END = b"</s>"

_SIGN = struct.Struct("<ii")
_SETTINGS = struct.Struct("<12id")
_COUNTS = struct.Struct("<iiiq")
_PRUNED = struct.Struct("<q")
_SHAPE = struct.Struct("<qq")
_SUPERVISED = 3
_BEHIND_WORD = 10
"""Bytes of the NUL, the count and the kind."""
_MOST_COLUMNS = 100_000
_LONGEST_NGRAM = 100
_LONGEST_WORD = 1 << 16
_WORDS_AT_ONCE = 1 << 14
_NUMBERS_AT_ONCE = 1 << 22
_AGAIN = "get the file again"


@dataclass(frozen=True)
class Settings:
    """What a file says of how its model was trained; the vectors depend on the first three alone."""

    dim: int
    word_ngrams: int
    bucket: int
    epochs: int = 5
    min_count: int = 5
    negatives: int = 10
    subsample: float = 1e-4


class Model:
    """A model that is open: its matrix stays in the file and its words in the cache, until they are asked for."""

    def __init__(self, folder: Path, path: Path) -> None:
        about = read_json(folder / "about.json")
        self.sha256 = str(about["sha256"])
        self.remarks: tuple[str, ...] = tuple(str(one) for one in about["remarks"])
        self.settings = Settings(**about["settings"])
        self.ends_sentences = bool(about["ends_sentences"])
        """Whether the tool that belongs to the file puts `</s>` behind a sentence, as the first ones did."""
        self.words = WordIndex(folder)
        shape = (len(self.words) + self.settings.bucket, self.settings.dim)
        self.matrix: Vectors = np.memmap(path, dtype="<f4", mode="r", offset=int(about["offset"]), shape=shape)
        """A row a word, then a row a bucket; mapped."""


def open_model(path: Path) -> Model:
    """The model in a file. The first time all of it is looked at, and where its words stand is kept in the cache."""
    return converted([path], lambda folder: _fill(folder, path), lambda folder: Model(folder, path))


def _fill(folder: Path, path: Path) -> dict[str, Any]:
    if path.stat().st_size == 0:
        raise LitotesError("L303", f"{path}: is empty", hint=_AGAIN)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        reader = _Reader(path, data)
        signed = reader.sign()
        settings = reader.settings(signed)
        entries, words = reader.counts(signed)
        about = write_words(folder, reader.words(entries, words), path)
        offset = reader.matrix((words + settings.bucket, settings.dim), signed)
        reader.matrix((words, settings.dim), signed)
        reader.end()
    return {**about, "settings": asdict(settings), "offset": offset, "ends_sentences": not signed}


class _Reader:
    """Reads a file from its beginning; one that ends too early is cut."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self._path, self._data = path, data
        self._place = 0

    def sign(self) -> bool:
        """Whether the file has the magic number, as all but the first published ones have."""
        magic, version = self._take(_SIGN)
        if magic != MAGIC:
            self._place = 0
            return False
        if version != VERSION:
            what = f"is a fastText model of version {version}, not one of sent2vec"
            raise self._wrong(what, f"glove:{self._path} reads it")
        return True

    def settings(self, signed: bool) -> Settings:
        """What the model was trained with."""
        *whole, subsample = self._take(_SETTINGS)
        dim, _, epochs, min_count, negatives, ngrams, loss, model, bucket, *_ = whole
        sound = 0 < dim <= _MOST_COLUMNS and 0 < ngrams <= _LONGEST_NGRAM and bucket >= 0 and loss in (1, 2, 3)
        if not sound or model not in range(1, 6):
            raise self._wrong("is no sent2vec model", "a .bin file of the sent2vec tool is needed")
        if model != SENT2VEC:
            what = "labels" if model == _SUPERVISED else "words"
            told = f"is a model of {what}, as fastText makes them, not one of sent2vec"
            raise self._wrong(told, f"glove:{self._path} reads word vectors" if signed else "")
        if ngrams > 1 and bucket < 1:
            raise self._wrong(f"has n-grams of {ngrams} words, but no rows for them")
        return Settings(dim, ngrams, bucket, epochs, min_count, negatives, subsample)

    def counts(self, signed: bool) -> tuple[int, int]:
        """How many entries the dictionary has, and how many of them are words."""
        entries, words, labels, _ = self._take(_COUNTS)
        pruned = self._take(_PRUNED)[0] if signed else -1
        if entries < 1 or words < 1 or labels < 0 or entries != words + labels:
            raise self._wrong(f"has {words:,} words and {labels:,} labels among {entries:,}")
        if pruned >= 0:
            raise self._quantised()
        return entries, words

    def words(self, entries: int, words: int) -> Iterator[list[bytes]]:
        """The words; labels, which stand behind them, are left out."""
        some: list[bytes] = []
        for number in range(entries):
            end = self._data.find(b"\0", self._place, self._place + _LONGEST_WORD)
            if end < 0 or end + _BEHIND_WORD > len(self._data):
                raise self._wrong("is cut or damaged among its words")
            if self._data[end + _BEHIND_WORD - 1] != (number >= words):
                raise self._wrong(f"its word {number + 1:,} is damaged")
            if number < words:
                some.append(self._data[self._place : end])
            self._place = end + _BEHIND_WORD
            if len(some) == _WORDS_AT_ONCE:
                yield some
                some = []
        yield some

    def matrix(self, shape: tuple[int, int], signed: bool) -> int:
        """Where the next matrix begins; every number of it is looked at."""
        if signed and self._take(struct.Struct("<?"))[0]:
            raise self._quantised()
        seen = self._take(_SHAPE)
        if seen != shape:
            wanted, found = (f"{rows:,} × {columns:,}" for rows, columns in (shape, seen))
            raise self._wrong(f"a matrix of {wanted} numbers is needed, {found} are told")
        begins, total = self._place, shape[0] * shape[1]
        self._need(4 * total)
        for start in range(0, total, _NUMBERS_AT_ONCE):
            stop = min(start + _NUMBERS_AT_ONCE, total)
            finite = np.isfinite(np.frombuffer(self._data[begins + 4 * start : begins + 4 * stop], dtype="<f4"))
            if not finite.all():
                row = (start + int(np.argmin(finite))) // shape[1]
                raise self._wrong(f"row {row + 1:,} of its matrix has NaN or an infinite number")
        self._place += 4 * total
        return begins

    def end(self) -> None:
        """Nothing more may come."""
        if extra := len(self._data) - self._place:
            raise self._wrong(f"has {extra:,} bytes too many")

    def _take(self, form: struct.Struct) -> tuple[Any, ...]:
        self._need(form.size)
        self._place += form.size
        return form.unpack_from(self._data, self._place - form.size)

    def _need(self, count: int) -> None:
        if (missing := self._place + count - len(self._data)) > 0:
            raise self._wrong(f"is cut, {missing:,} bytes are missing at least")

    def _quantised(self) -> LitotesError:
        return self._wrong("is quantised, which is not read", "take the model before quantisation")

    def _wrong(self, what: str, hint: str = _AGAIN) -> LitotesError:
        return LitotesError("L303", f"{self._path}: {what}", hint=hint)


def model_bytes(
    settings: Settings,
    words: Sequence[bytes],
    counts: Sequence[int],
    *,
    tokens: int,
    rows: NDArray[np.float32],
    output: NDArray[np.float32],
) -> bytes:
    """A model as a file of the present layout."""
    numbers = (
        settings.dim, 5, settings.epochs, settings.min_count, settings.negatives, settings.word_ngrams,
        NEGATIVE_SAMPLING, SENT2VEC, settings.bucket, 0, 0, 100, settings.subsample,
    )  # fmt: skip
    entry = struct.Struct("<xqb")
    return b"".join(
        [
            _SIGN.pack(MAGIC, VERSION),
            _SETTINGS.pack(*numbers),
            _COUNTS.pack(len(words), len(words), 0, tokens),
            _PRUNED.pack(-1),
            *(word + entry.pack(count, 0) for word, count in zip(words, counts, strict=True)),
            b"\0",
            _SHAPE.pack(*rows.shape),
            _plain(rows),
            b"\0",
            _SHAPE.pack(*output.shape),
            _plain(output),
        ]
    )


def _plain(numbers: NDArray[np.float32]) -> memoryview:
    """The bytes of a matrix as they stand in a file; one that has them so is not copied."""
    return np.ascontiguousarray(numbers, dtype="<f4").reshape(-1).view(np.uint8).data
