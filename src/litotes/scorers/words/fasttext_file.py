"""fastText's binary models: the words, and a matrix with a row for each word and for each bucket of n-grams.

The matrix is mapped where it lies in the file; only the words are indexed. A packed file is unpacked into the cache.
The layout is that of versions 11 and 12; the numbers are little-endian.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from litotes.core.errors import LitotesError
from litotes.scorers.words.fasttext_vectors import FastTextVectors
from litotes.scorers.words.index import write_words
from litotes.scorers.words.store import converted
from litotes.scorers.words.unpacked import is_packed, open_unpacked

MAGIC = struct.pack("<i", 793712314)
_VERSIONS = (11, 12)
_SUPERVISED = 3
_SENT2VEC = 4
"""fastText itself has no model of that number; sent2vec, which was made of it, gives it to its own."""
_WORDS_AT_ONCE = 1 << 14
_NUMBERS_AT_ONCE = 1 << 22
_LONGEST_WORD = 1 << 16


@dataclass(frozen=True)
class Subwords:
    """How a word is cut into n-grams."""

    shortest: int
    longest: int
    buckets: int


def open_fasttext(path: Path) -> FastTextVectors:
    """The vectors of a model; words that it does not have are made of their n-grams."""
    return converted([path], lambda folder: _fill(folder, path), lambda folder: FastTextVectors(folder, path))


def _fill(folder: Path, path: Path) -> dict[str, Any]:
    with open_unpacked(path) as file:
        reader = _Reader(file, path)
        head = reader.head()
        about = write_words(folder, reader.words(head), path)
        rows, width = reader.shape(head)
        offset, largest = reader.matrix(rows, width, folder / "vectors.bin" if is_packed(path) else None)
    return {**about, "largest": largest, "offset": offset, "shape": [rows, width], "subwords": asdict(head.subwords)}


@dataclass(frozen=True)
class _Head:
    width: int
    entries: int
    words: int
    subwords: Subwords


class _Reader:
    """Reads a model from its beginning, and says at which byte it is wrong."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path
        self._offset = 0

    def head(self) -> _Head:
        """Settings and sizes."""
        _, version = self._numbers("<2i")
        if version not in _VERSIONS:
            raise self._wrong(f"is a fastText model of version {version}; 11 and 12 can be read")
        settings = self._numbers("<12id")
        width, model, buckets, shortest, longest = (settings[place] for place in (0, 7, 8, 9, 10))
        if model == _SENT2VEC:
            raise self._wrong("is a model of sent2vec, not of fastText", f"sent2vec:{self._path} reads it")
        entries, words, labels, _, pruned = self._numbers("<3i2q")
        if not (0 < width <= 1 << 20 and 0 <= words <= entries == words + labels and buckets >= 0):
            raise self._wrong("its sizes make no sense", "get the file again")
        if pruned >= 0:
            raise self._wrong("is a pruned or quantised model (.ftz)", "use the full model, the .bin file")
        if version == 11 and model == _SUPERVISED:
            longest = 0  # such models were trained without n-grams of letters
        return _Head(width, entries, words, Subwords(shortest, longest, buckets))

    def words(self, head: _Head) -> Iterator[list[bytes]]:
        """The words; labels, which stand behind them, are left out."""
        some: list[bytes] = []
        for number in range(head.entries):
            word = self._word()
            self._numbers("<qb")  # how often it was seen, and that it is a word
            if number < head.words:
                some.append(word)
            if len(some) == _WORDS_AT_ONCE:
                yield some
                some = []
        yield some

    def shape(self, head: _Head) -> tuple[int, int]:
        """Of the matrix that comes next."""
        (is_quantised,) = self._numbers("<?")
        if is_quantised:
            raise self._wrong("is a quantised model (.ftz)", "use the full model, the .bin file")
        rows, width = self._numbers("<2q")
        if (rows, width) != (head.words + head.subwords.buckets, head.width):
            expected = f"{head.words + head.subwords.buckets:,} × {head.width}"
            raise self._wrong(f"its matrix is {rows:,} × {width}, and should be {expected}", "get the file again")
        return rows, width

    def matrix(self, rows: int, width: int, copy: Path | None) -> tuple[int, float]:
        """Where the matrix begins in the file, or in the copy, and its largest number; every number is looked at."""
        begins, left, largest = self._offset, rows * width, 0.0
        target = copy.open("wb") if copy else None
        try:
            while left:
                count = min(left, _NUMBERS_AT_ONCE)
                piece = self._bytes(4 * count)
                numbers = np.frombuffer(piece, dtype="<f4")
                if not np.isfinite(numbers).all():
                    row = (rows * width - left + int(np.argmin(np.isfinite(numbers)))) // width
                    raise self._wrong(f"row {row:,} of its matrix has NaN or an infinite number", "get the file again")
                largest = max(largest, float(np.abs(numbers).max(initial=0.0)))
                left -= count
                if target:
                    target.write(piece)
            if target:
                target.flush()
                os.fsync(target.fileno())
        finally:
            if target:
                target.close()
        return (0 if copy else begins), largest

    def _word(self) -> bytes:
        # One byte after the other, as the format wants it; the file has a buffer.
        letters = bytearray()
        while (letter := self._bytes(1)) != b"\0":
            letters += letter
            if len(letters) > _LONGEST_WORD:
                raise self._wrong("no word where one should stand", "get the file again")
        return bytes(letters)

    def _numbers(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self._bytes(struct.calcsize(layout)))

    def _bytes(self, size: int) -> bytes:
        found = self._file.read(size)
        self._offset += len(found)
        if len(found) < size:
            raise self._wrong(f"ends, {size - len(found):,} bytes too early", "get the file again")
        return found

    def _wrong(self, what: str, hint: str = "") -> LitotesError:
        return LitotesError("L303", f"{self._path}: byte {self._offset:,}: {what}", hint=hint)
