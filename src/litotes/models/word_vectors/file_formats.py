"""Word vectors as text or as binary numbers.

Text has one word per line: GloVe's files, and with a heading word2vec's text and fastText's .vec. Binary are NumPy's
.npy and .npz and the binary format of word2vec. Files may be compressed by gzip, or be the only file of a zip archive.
"""

from __future__ import annotations

import contextlib
import gzip
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from litotes.core.arrays import map_npy, read_npz
from litotes.core.errors import LitotesError
from litotes.core.files import MAX_LINE_BYTES, is_file
from litotes.models.base import Vectors
from litotes.models.word_vectors.store import Block, StoredWordVectors, convert_vectors

HEADING = re.compile(rb"\s*(\d{1,12})[ \t]+(\d{1,9})\s*\Z")
"""The first line of a word2vec file: the number of words and of dimensions."""
_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_LINES_PER_BLOCK = 4096


def is_compressed(path: Path) -> bool:
    """Return whether the file is compressed by gzip or a zip archive."""
    return _first_bytes(path).startswith((_GZIP, *_ZIP))


def zip_members(path: Path) -> list[str]:
    """Return the names of the files in a zip archive; none if the file is not an archive."""
    if not _first_bytes(path).startswith(_ZIP):
        return []
    with _reporting_damage(path), zipfile.ZipFile(path) as archive:
        return [entry.filename for entry in archive.infolist() if not entry.is_dir()]


@contextlib.contextmanager
def open_unpacked(path: Path) -> Iterator[BinaryIO]:
    """Open a file, or the only file of a zip archive, and decompress it while reading."""
    with _reporting_damage(path), contextlib.ExitStack() as stack:
        start = _first_bytes(path)
        if start.startswith(_GZIP):
            yield cast(BinaryIO, stack.enter_context(gzip.open(path, "rb")))
        elif start.startswith(_ZIP):
            names = zip_members(path)
            if len(names) != 1:
                shown = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
                message = f"{path}: holds {len(names)} files" + (f" ({shown})" if names else "")
                raise LitotesError("L202", message, hint="unpack it and name one of its files")
            archive = stack.enter_context(zipfile.ZipFile(path))
            yield cast(BinaryIO, stack.enter_context(archive.open(names[0])))
        else:
            yield stack.enter_context(path.open("rb"))


@contextlib.contextmanager
def _reporting_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error, zipfile.BadZipFile) as error:
        raise LitotesError("L303", f"{path}: cannot be unpacked ({error})", hint="get the file again") from error
    except RuntimeError as error:  # encrypted, or compressed in a way that Python does not support
        raise LitotesError("L303", f"{path}: cannot be unpacked ({error})", hint="unpack it by hand") from error


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)


def text_blocks(path: Path) -> Iterator[Block]:
    """Yield the vectors of a text file, some thousand lines at a time."""
    with open_unpacked(path) as file:
        yield from _parse(_lines(file), path)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    rest = file.read(3).removeprefix(b"\xef\xbb\xbf")
    while chunk := file.read(1 << 20):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        if len(rest) > MAX_LINE_BYTES:
            break  # no vector is that long; the parser reports the beginning of the line
    if rest:
        yield rest


def _parse(lines: Iterator[bytes], path: Path) -> Iterator[Block]:
    number, first = _next_line(lines, 0)
    heading = HEADING.match(first)
    if heading:
        number, first = _next_line(lines, number)
    if not first and not (heading and int(heading[1])):
        return  # no words: reported when the list of words is written
    width = int(heading[2]) if heading else _count_trailing_numbers(first)
    if first and width < (1 if heading else 2):
        hint = "each line must be a word and its numbers, separated by blanks"
        raise LitotesError("L303", f"{path}:{number}: is not a word and its vector", hint=hint)
    n_words = 0
    block = [first, *islice(lines, _LINES_PER_BLOCK - 1)]
    while block:
        filled = {number + index: line for index, line in enumerate(map(bytes.rstrip, block)) if line}
        if filled:
            n_words += len(filled)
            vectors = _numbers(filled, width, path, has_heading=bool(heading))
            words = [line.rsplit(b" ", width)[0] for line in filled.values()]
            _check_words(dict(zip(filled, words, strict=True)), width, path)
            yield words, vectors
        number += len(block)
        block = list(islice(lines, _LINES_PER_BLOCK))
    if heading and n_words < int(heading[1]):
        message = f"{path}:{number - 1}: ends after {n_words:,} of {int(heading[1]):,} words"
        raise LitotesError("L303", message, hint="is it truncated?")


def _next_line(lines: Iterator[bytes], number: int) -> tuple[int, bytes]:
    """Return the next line that is not blank and its number; an empty line at the end."""
    for line in lines:
        number += 1
        if stripped := line.rstrip():
            return number, stripped
    return number, b""


def _count_trailing_numbers(line: bytes) -> int:
    """Return how many numbers end a line after its first field; words may contain blanks or be numbers themselves.

    >>> _count_trailing_numbers(b". . . 0.5 1e-3"), _count_trailing_numbers(b"1984 0.5 1.5")
    (2, 2)
    """
    _, *fields = line.split(b" ")
    return sum(1 for _ in takewhile(lambda field: _floats(field) is not None, reversed(fields)))


def _numbers(lines: Mapping[int, bytes], width: int, path: Path, *, has_heading: bool) -> Vectors:
    """Return the vectors of some lines, parsed together; if that fails, raise for the first wrong line."""
    tails = {number: line.split(b" ", max(0, line.count(b" ") - width + 1))[-1] for number, line in lines.items()}
    are_long_enough = all(line.count(b" ") >= width for line in lines.values())
    numbers = _floats(b" ".join(tails.values()))
    if are_long_enough and numbers is not None and len(numbers) == len(lines) * width and np.isfinite(numbers).all():
        return numbers.reshape(len(lines), width)
    expected = "as the first line says" if has_heading else "as in the first line"
    for number, line in lines.items():
        row = _floats(tails[number])
        if line.count(b" ") < width or row is None or len(row) != width:
            message = f"{path}:{number}: is not a word with {width} numbers, {expected}"
            raise LitotesError("L303", message, hint="is it truncated?")
        if not np.isfinite(row).all():
            raise LitotesError("L303", f"{path}:{number}: has NaN or an infinite number", hint="get the file again")
    raise LitotesError("L303", f"{path}: its numbers cannot be read")


def _check_words(words: Mapping[int, bytes], width: int, path: Path) -> None:
    """Raise if a line has more numbers than the others: its word would end in a number."""
    for number, word in words.items():
        if b" " in word and _floats(word.rpartition(b" ")[2]) is not None:
            message = f"{path}:{number}: a word with more than {width} numbers"
            raise LitotesError("L303", message, hint="is the file damaged?")


def _floats(text: bytes) -> Vectors | None:
    """Return the numbers in a text; None if anything else is in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text.decode("ascii"), dtype=np.float32, sep=" ")
        except (DeprecationWarning, ValueError):
            return None


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
        matrix = map_npy(path)
    except ValueError as error:
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
        arrays = read_npz(path)
    except ValueError as error:
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
