"""Word vectors as text, one word per line: GloVe's files, and with a heading word2vec's text and fastText's .vec.

All formats but gensim's may be compressed by gzip, or be the only file of a zip archive.
"""

from __future__ import annotations

import contextlib
import gzip
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice, takewhile
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from litotes.core.errors import LitotesError
from litotes.core.files import MAX_LINE_BYTES
from litotes.models.base import Vectors
from litotes.models.word_vectors.store import Block

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
                raise LitotesError(
                    "L202",
                    f"{path}: holds {len(names)} files" + (f" ({shown})" if names else ""),
                    hint="unpack it and name one of its files",
                )
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
        raise LitotesError(
            "L303",
            f"{path}:{number}: is not a word and its vector",
            hint="each line must be a word and its numbers, separated by blanks",
        )
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
