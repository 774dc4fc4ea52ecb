"""fastText's binary models: the words, and a matrix with a row for each word and for each bucket of n-grams.

The matrix is mapped where it lies in the file; only the words are indexed. A packed file is unpacked into the cache.
The layout is that of versions 11 and 12; the numbers are little-endian.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import read_json
from litotes.models.base import Vectors
from litotes.models.word_vectors.index import WordIndex, write_words
from litotes.models.word_vectors.store import converted
from litotes.models.word_vectors.text_file import is_packed, open_unpacked

_END_OF_SENTENCE = "</s>"
"""A word of its own, which is not cut."""


class FastTextVectors:
    """A word's vector is the mean of its own row and those of its n-grams; one that is not known has its n-grams."""

    def __init__(self, folder: Path, source: Path) -> None:
        about = read_json(folder / "about.json")
        self.sha256 = str(about["sha256"])
        self.largest = float(about["largest"])
        self.remarks: tuple[str, ...] = tuple(str(one) for one in about["remarks"])
        cut = about["subwords"]
        self._shortest, self._longest, self._buckets = int(cut["shortest"]), int(cut["longest"]), int(cut["buckets"])
        self._index = WordIndex(folder)
        rows, width = about["shape"]
        copied = folder / "vectors.bin"
        file = copied if copied.is_file() else source
        self._matrix: NDArray[np.float32] = np.memmap(
            file, dtype="<f4", mode="r", offset=int(about["offset"]), shape=(int(rows), int(width))
        )
        if int(rows) != len(self._index) + self._buckets:
            raise LitotesError("L403", f"{folder}: its files do not belong together")

    def __len__(self) -> int:
        return len(self._index)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self._matrix.shape[1])

    def look_up(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """A row a word, zeros for those that are too short for an n-gram, and which of the words have a vector."""
        found = np.zeros((len(words), self.width), dtype=np.float32)
        known = np.zeros(len(words), dtype=bool)
        for place, (word, row) in enumerate(zip(words, self._index.rows_of(words).tolist(), strict=True)):
            rows = [row] if row >= 0 else []
            if self._buckets and word != _END_OF_SENTENCE:
                rows += [len(self) + bucket for bucket in self._ngram_buckets(word)]
            if rows:
                known[place] = True
                found[place] = self._matrix[rows].mean(axis=0, dtype=np.float64)
        return found, known

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The places of the words in the model, from 0; -1 for those that it does not have."""
        return self._index.rows_of(words)

    def _ngram_buckets(self, word: str) -> list[int]:
        return [number % self._buckets for number in ngram_hashes(word, self._shortest, self._longest)]


def ngram_hashes(word: str, shortest: int, longest: int) -> list[int]:
    """The numbers of the n-grams of a word between `<` and `>`, in fastText's order; the marks alone are no n-grams.

    fastText's FNV-1a takes bytes as signed: one above 127 flips the upper 24 bits too.

    >>> len(ngram_hashes("cat", 3, 6))  # <ca cat at> <cat cat> <cat>
    6
    """
    letters = [
        [byte if byte < 128 else byte | 0xFFFFFF00 for byte in letter.encode("utf-8", "surrogatepass")]
        for letter in f"<{word}>"
    ]
    found = []
    for start in range(len(letters)):
        number = 2166136261
        for length, letter in enumerate(letters[start : start + max(longest, 0)], start=1):
            for byte in letter:
                number = ((number ^ byte) * 16777619) & 0xFFFFFFFF
            is_mark = length == 1 and start in (0, len(letters) - 1)
            if length >= shortest and not is_mark:
                found.append(number)
    return found


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
