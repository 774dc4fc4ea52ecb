"""word2vec's binary format: a heading, then for each word its bytes, a blank and its numbers as 32-bit floats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from litotes.core.errors import LitotesError
from litotes.models.word_vectors.store import Block
from litotes.models.word_vectors.text_file import HEADING, open_unpacked

_WORDS_AT_ONCE = 4096
_LONGEST_WORD = 1 << 12
_MOST_NUMBERS = 1 << 20


def binary_blocks(path: Path) -> Iterator[Block]:
    """The vectors of the file, some thousand words at a time."""
    with open_unpacked(path) as file:
        heading = HEADING.match(file.readline(64))
        if heading is None or not 0 < int(heading[2]) <= _MOST_NUMBERS:
            raise LitotesError("L303", f"{path}: does not begin with the number of words and of numbers")
        count, width = int(heading[1]), int(heading[2])
        reader = _Reader(file, path, width)
        while reader.words < count:
            yield reader.block(min(_WORDS_AT_ONCE, count - reader.words), count)


class _Reader:
    """Records one after the other; knows where it is."""

    def __init__(self, file: BinaryIO, path: Path, width: int) -> None:
        self._file, self._path, self._width = file, path, width
        self._before = file.tell()
        """How many bytes came before the buffer."""
        self._buffer, self._at = b"", 0
        self.words = 0

    def block(self, wanted: int, count: int) -> Block:
        words: list[bytes] = []
        rows: list[bytes] = []
        size = 4 * self._width
        for _ in range(wanted):
            blank = self._find_blank()
            if blank < 0 or not self._fill(blank + 1 - self._at + size):
                raise self._wrong(f"ends after {self.words + len(words):,} of {count:,} words", "get the file again")
            start = self._find_blank() + 1  # the buffer may have moved
            # Some programs end each record with a line break, which then stands before the next word.
            words.append(self._buffer[self._at : start - 1].lstrip(b"\r\n"))
            rows.append(self._buffer[start : start + size])
            self._at = start + size
        vectors = np.frombuffer(b"".join(rows), dtype="<f4").reshape(wanted, self._width)
        bad = ~np.isfinite(vectors).all(axis=1)
        if bad.any():
            number = self.words + int(np.argmax(bad)) + 1
            raise LitotesError(
                "L303", f"{self._path}: word {number:,} has NaN or an infinite number", hint="get the file again"
            )
        self.words += wanted
        return words, vectors

    def _find_blank(self) -> int:
        """Where in the buffer the word ends that stands next; -1 if it does not."""
        is_enough = self._fill(_LONGEST_WORD)
        blank = self._buffer.find(b" ", self._at, self._at + _LONGEST_WORD)
        if blank < 0 and is_enough:
            raise self._wrong("no word where one should stand", "is it a word2vec file?")
        return blank

    def _fill(self, size: int) -> bool:
        """Read on until so many bytes are there; False if the file ends before."""
        while len(self._buffer) - self._at < size:
            piece = self._file.read(1 << 20)
            if not piece:
                return False
            self._before += self._at
            self._buffer, self._at = self._buffer[self._at :] + piece, 0
        return True

    def _wrong(self, what: str, hint: str) -> LitotesError:
        return LitotesError("L303", f"{self._path}: byte {self._before + self._at:,}: {what}", hint=hint)
