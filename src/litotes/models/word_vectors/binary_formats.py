"""Word vectors as binary numbers: NumPy's .npy and .npz, and the binary format of word2vec."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import is_file
from litotes.models.word_vectors.store import Block, StoredWordVectors, convert_vectors
from litotes.models.word_vectors.text_format import HEADING, open_unpacked

_ROWS_PER_BLOCK = 1 << 14
_WORDS_PER_BLOCK = 4096
_MAX_WORD_BYTES = 1 << 12
_MAX_WIDTH = 1 << 20


def open_npy(path: Path) -> StoredWordVectors:
    """Return the rows of an array; its words are in NAME.vocab, NAME.txt, NAME.vocab.txt or vocab.txt next to it."""
    names = [f"{path.stem}.vocab", f"{path.stem}.txt", f"{path.stem}.vocab.txt", "vocab.txt"]
    candidates = [path.with_name(name) for name in dict.fromkeys(names)]
    words = next((candidate for candidate in candidates if is_file(candidate)), None)
    if words is None:
        hint = f"one word per line, in {', '.join(names)}"
        raise LitotesError("L301", f"{path}: has no list of words next to it", hint=hint)
    return convert_vectors([path, words], lambda: _npy_blocks(path, words))


def _npy_blocks(path: Path, words: Path) -> Iterator[Block]:
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise LitotesError("L303", f"{path}: cannot be read as an array ({error})") from error
    lines = words.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines and not lines[-1].strip():
        lines.pop()
    yield from _matrix_blocks(matrix, [line.rstrip(b"\r") for line in lines], path, words.name)


def open_npz(path: Path) -> StoredWordVectors:
    """Return the vectors in a file with one array of rows and one of words."""
    return convert_vectors([path], lambda: _npz_blocks(path))


def _npz_blocks(path: Path) -> Iterator[Block]:
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays: dict[str, NDArray[Any]] = {name: file[name] for name in file.files}
    except (ValueError, EOFError, OSError, zipfile.BadZipFile, zlib.error) as error:
        raise LitotesError("L303", f"{path}: cannot be read as arrays ({error})") from error
    matrices = [array for array in arrays.values() if array.ndim == 2 and array.dtype.kind == "f"]
    lists = [array for array in arrays.values() if array.ndim == 1 and array.dtype.kind in "US"]
    if len(matrices) != 1 or len(lists) != 1:
        names = ", ".join(arrays) or "nothing"
        raise LitotesError("L303", f"{path}: one array of rows and one of words are needed, it holds {names}")
    words = [
        word if isinstance(word, bytes) else str(word).encode("utf-8", "surrogatepass") for word in lists[0].tolist()
    ]
    yield from _matrix_blocks(matrices[0], words, path, "its list")


def _matrix_blocks(matrix: NDArray[Any], words: Sequence[bytes], path: Path, words_name: str) -> Iterator[Block]:
    if matrix.ndim != 2 or matrix.dtype.kind != "f" or not matrix.shape[1]:
        shape = " × ".join(map(str, matrix.shape)) or "no"
        raise LitotesError("L303", f"{path}: rows of floats are needed, this is {shape} of {matrix.dtype}")
    if len(matrix) != len(words):
        raise LitotesError("L303", f"{path}: has {len(matrix):,} rows, and {words_name} {len(words):,} words")
    for start in range(0, len(words), _ROWS_PER_BLOCK):
        block = slice(start, start + _ROWS_PER_BLOCK)
        with np.errstate(over="ignore"):  # a number that is too large for 32 bits becomes infinite and is reported
            vectors = np.asarray(matrix[block], dtype=np.float32)
        is_wrong = ~np.isfinite(vectors).all(axis=1)
        if is_wrong.any():
            row = start + int(np.argmax(is_wrong))
            raise LitotesError("L303", f"{path}: row {row:,}, from 0, has NaN or an infinite number")
        yield list(words[block]), vectors


def word2vec_blocks(path: Path) -> Iterator[Block]:
    """Yield the vectors of a binary word2vec file: a heading, then each word, a blank and its 32-bit floats."""
    with open_unpacked(path) as file:
        heading = HEADING.match(file.readline(64))
        if heading is None or not 0 < int(heading[2]) <= _MAX_WIDTH:
            raise LitotesError("L303", f"{path}: does not begin with the number of words and of dimensions")
        n_words, width = int(heading[1]), int(heading[2])
        reader = _Word2VecReader(file, path, width)
        while reader.n_read < n_words:
            yield reader.read_block(min(_WORDS_PER_BLOCK, n_words - reader.n_read), n_words)


class _Word2VecReader:
    """Reads records one after the other and tracks the position in the file."""

    def __init__(self, file: BinaryIO, path: Path, width: int) -> None:
        self._file, self._path, self._width = file, path, width
        self._buffer_offset = file.tell()
        self._buffer, self._position = b"", 0
        self.n_read = 0

    def read_block(self, size: int, n_words: int) -> Block:
        words: list[bytes] = []
        rows: list[bytes] = []
        n_bytes = 4 * self._width
        for _ in range(size):
            blank = self._find_blank()
            if blank < 0 or not self._fill(blank + 1 - self._position + n_bytes):
                message = f"ends after {self.n_read + len(words):,} of {n_words:,} words"
                raise self._error(message, "get the file again")
            start = self._find_blank() + 1  # filling may have moved the buffer
            # Some programs end each record with a line break, which then precedes the next word.
            words.append(self._buffer[self._position : start - 1].lstrip(b"\r\n"))
            rows.append(self._buffer[start : start + n_bytes])
            self._position = start + n_bytes
        vectors = np.frombuffer(b"".join(rows), dtype="<f4").reshape(size, self._width)
        is_wrong = ~np.isfinite(vectors).all(axis=1)
        if is_wrong.any():
            number = self.n_read + int(np.argmax(is_wrong)) + 1
            message = f"{self._path}: word {number:,} has NaN or an infinite number"
            raise LitotesError("L303", message, hint="get the file again")
        self.n_read += size
        return words, vectors

    def _find_blank(self) -> int:
        """Return where in the buffer the next word ends; -1 if the file ends before."""
        is_complete = self._fill(_MAX_WORD_BYTES)
        blank = self._buffer.find(b" ", self._position, self._position + _MAX_WORD_BYTES)
        if blank < 0 and is_complete:
            raise self._error("a word is expected here", "is it a word2vec file?")
        return blank

    def _fill(self, size: int) -> bool:
        """Read until the buffer holds `size` bytes; return whether the file has that many."""
        while len(self._buffer) - self._position < size:
            chunk = self._file.read(1 << 20)
            if not chunk:
                return False
            self._buffer_offset += self._position
            self._buffer, self._position = self._buffer[self._position :] + chunk, 0
        return True

    def _error(self, message: str, hint: str) -> LitotesError:
        position = self._buffer_offset + self._position
        return LitotesError("L303", f"{self._path}: byte {position:,}: {message}", hint=hint)
