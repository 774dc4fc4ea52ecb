"""fastText's binary models: the words, and a matrix with one row per word and per bucket of character n-grams.

The matrix is memory-mapped in the model file itself; a compressed file is unpacked into the cache. The layout is that
of versions 11 and 12; all numbers are little-endian.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import read_json
from litotes.models.base import Vectors
from litotes.models.word_vectors.file_formats import is_compressed, open_unpacked
from litotes.models.word_vectors.store import MATRIX, StoredWordVectors, convert, write_words

MAGIC = struct.pack("<i", 793712314)
_VERSIONS = (11, 12)
_SUPERVISED = 3
_SENT2VEC = 4
"""fastText has no such kind of model; sent2vec, which derives from it, uses this number."""
_NUMBERS_PER_STEP = 1 << 22
_MAX_WORD_BYTES = 1 << 16
_MAX_WIDTH = 1 << 20
_END_OF_SENTENCE = "</s>"
"""A special word without n-grams."""


class FastTextVectors(StoredWordVectors):
    """The vector of a word is the mean of its own row and those of its n-grams; unknown words have n-grams only."""

    def __init__(self, folder: Path, source: Path) -> None:
        super().__init__(folder, source)
        subwords = read_json(folder / "about.json")["subwords"]
        self._min_n, self._max_n, self._buckets = (int(subwords[name]) for name in ("min_n", "max_n", "buckets"))
        if len(self._matrix) != len(self) + self._buckets:
            raise LitotesError("L403", f"{folder}: its files do not belong together")

    def lookup(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """Return one row per word, zeros for words that are too short for an n-gram, and which words have a vector."""
        vectors = np.zeros((len(words), self.width), dtype=np.float32)
        known = np.zeros(len(words), dtype=bool)
        for index, (word, rank) in enumerate(zip(words, self.ranks(words).tolist(), strict=True)):
            rows = [rank] if rank >= 0 else []
            if self._buckets and word != _END_OF_SENTENCE:
                rows += [len(self) + value % self._buckets for value in ngram_hashes(word, self._min_n, self._max_n)]
            if rows:
                known[index] = True
                vectors[index] = self._matrix[rows].mean(axis=0, dtype=np.float64)
        return vectors, known


def ngram_hashes(word: str, min_n: int, max_n: int) -> list[int]:
    """Return the hashes of the n-grams of `<word>` in fastText's order; `<` and `>` alone are not n-grams.

    fastText's FNV-1a treats bytes as signed: a byte above 127 also flips the upper 24 bits.

    >>> len(ngram_hashes("cat", 3, 6))  # <ca cat at> <cat cat> <cat>
    6
    """
    letters = [
        [byte if byte < 128 else byte | 0xFFFFFF00 for byte in letter.encode("utf-8", "surrogatepass")]
        for letter in f"<{word}>"
    ]
    hashes = []
    for start in range(len(letters)):
        value = 2166136261
        for length, letter in enumerate(letters[start : start + max(max_n, 0)], start=1):
            for byte in letter:
                value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
            is_bracket = length == 1 and start in (0, len(letters) - 1)
            if length >= min_n and not is_bracket:
                hashes.append(value)
    return hashes


def open_fasttext(path: Path) -> FastTextVectors:
    """Return the vectors of a model file."""
    return convert([path], lambda folder: _fill(folder, path), lambda folder: FastTextVectors(folder, path))


def _fill(folder: Path, path: Path) -> dict[str, Any]:
    with open_unpacked(path) as file:
        reader = _FastTextReader(file, path)
        header = reader.read_header()
        about = write_words(folder, reader.read_words(header), path)
        shape = reader.read_shape(header)
        offset, largest = reader.read_matrix(shape, folder / MATRIX if is_compressed(path) else None)
    subwords = {"min_n": header.min_n, "max_n": header.max_n, "buckets": header.buckets}
    return {**about, "largest": largest, "offset": offset, "shape": shape, "subwords": subwords}


class _Header(NamedTuple):
    width: int
    n_entries: int
    n_words: int
    min_n: int
    max_n: int
    buckets: int


class _FastTextReader:
    """Reads a model from its beginning and reports the byte at which it is wrong."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path
        self._offset = 0

    def read_header(self) -> _Header:
        _, version = self._unpack("<2i")
        if version not in _VERSIONS:
            raise self._error(f"is a fastText model of version {version}; versions 11 and 12 are supported")
        settings = self._unpack("<12id")
        width, model, buckets, min_n, max_n = (settings[index] for index in (0, 7, 8, 9, 10))
        if model == _SENT2VEC:
            raise self._error("is a model of sent2vec, not of fastText", f"sent2vec:{self._path} reads it")
        n_entries, n_words, n_labels, _, n_pruned = self._unpack("<3i2q")
        if not (0 < width <= _MAX_WIDTH and 0 <= n_words <= n_entries == n_words + n_labels and buckets >= 0):
            raise self._error("its sizes are inconsistent", "get the file again")
        if n_pruned >= 0:
            raise self._error("is a pruned or quantised model (.ftz)", "use the full model, the .bin file")
        if version == 11 and model == _SUPERVISED:
            max_n = 0  # such models were trained without character n-grams
        return _Header(width, n_entries, n_words, min_n, max_n, buckets)

    def read_words(self, header: _Header) -> list[bytes]:
        """Return the words, without the labels that follow them."""
        words = []
        for _ in range(header.n_entries):
            words.append(self._read_word())
            self._unpack("<qb")  # the count, and whether it is a label
        return words[: header.n_words]

    def read_shape(self, header: _Header) -> tuple[int, int]:
        (is_quantised,) = self._unpack("<?")
        if is_quantised:
            raise self._error("is a quantised model (.ftz)", "use the full model, the .bin file")
        rows, width = self._unpack("<2q")
        if (rows, width) != (header.n_words + header.buckets, header.width):
            expected = f"{header.n_words + header.buckets:,} × {header.width}"
            raise self._error(f"its matrix is {rows:,} × {width}, expected {expected}", "get the file again")
        return rows, width

    def read_matrix(self, shape: tuple[int, int], copy: Path | None) -> tuple[int, float]:
        """Check all numbers and copy them if required; return the offset of the matrix and its largest number."""
        offset, largest = self._offset, 0.0
        n_numbers = shape[0] * shape[1]
        with copy.open("wb") if copy else open(os.devnull, "wb") as target:  # noqa: PTH123
            for start in range(0, n_numbers, _NUMBERS_PER_STEP):
                data = self._read(4 * min(n_numbers - start, _NUMBERS_PER_STEP))
                numbers = np.frombuffer(data, dtype="<f4")
                if not np.isfinite(numbers).all():
                    row = (start + int(np.argmin(np.isfinite(numbers)))) // shape[1]
                    raise self._error(f"row {row:,} of its matrix has NaN or an infinite number", "get the file again")
                largest = max(largest, float(np.abs(numbers).max(initial=0.0)))
                target.write(data)
            target.flush()
            if copy:
                os.fsync(target.fileno())
        return (0 if copy else offset), largest

    def _read_word(self) -> bytes:
        # Byte by byte, because the length is unknown; the file is buffered.
        letters = bytearray()
        while (letter := self._read(1)) != b"\0":
            letters += letter
            if len(letters) > _MAX_WORD_BYTES:
                raise self._error("a word is expected here", "get the file again")
        return bytes(letters)

    def _unpack(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self._read(struct.calcsize(layout)))

    def _read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._offset += len(data)
        if len(data) < size:
            raise self._error(f"ends {size - len(data):,} bytes too early", "get the file again")
        return data

    def _error(self, message: str, hint: str = "") -> LitotesError:
        return LitotesError("L303", f"{self._path}: byte {self._offset:,}: {message}", hint=hint)
