"""Vectors as text, a line a word: GloVe's files, and with a heading word2vec's text format and fastText's .vec."""

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

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"


def is_packed(path: Path) -> bool:
    """Whether the file is a gzip file or a zip archive."""
    return _start(path).startswith((_GZIP, _ZIP, _EMPTY_ZIP))


def zip_members(path: Path) -> list[str]:
    """The names of the files in a zip archive; none if it is no archive."""
    if not _start(path).startswith((_ZIP, _EMPTY_ZIP)):
        return []
    with _told(path), zipfile.ZipFile(path) as archive:
        return [entry.filename for entry in archive.infolist() if not entry.is_dir()]


@contextlib.contextmanager
def open_unpacked(path: Path) -> Iterator[BinaryIO]:
    """The bytes, unpacked on the way; of a zip archive its only file."""
    start = _start(path)
    with _told(path), contextlib.ExitStack() as stack:
        if start.startswith(_GZIP):
            yield cast(BinaryIO, stack.enter_context(gzip.open(path, "rb")))
        elif start.startswith((_ZIP, _EMPTY_ZIP)):
            archive = stack.enter_context(zipfile.ZipFile(path))
            names = zip_members(path)
            if len(names) != 1:
                shown = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
                raise LitotesError(
                    "L202",
                    f"{path}: holds {len(names)} files" + (f" ({shown})" if names else ""),
                    hint="unpack it and name the one that is meant",
                )
            yield cast(BinaryIO, stack.enter_context(archive.open(names[0])))
        else:
            yield stack.enter_context(path.open("rb"))


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error, zipfile.BadZipFile) as error:
        raise LitotesError("L303", f"{path}: cannot be unpacked ({error})", hint="get the file again") from error
    except RuntimeError as error:  # a password, or a way of packing that Python does not know
        raise LitotesError("L303", f"{path}: cannot be unpacked ({error})", hint="unpack it by hand") from error


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)


HEADING = re.compile(rb"\s*(\d{1,12})[ \t]+(\d{1,9})\s*\Z")
"""How many words there are, and of how many numbers."""
_LINES_AT_ONCE = 4096


def text_blocks(path: Path) -> Iterator[Block]:
    """The vectors of a text file, some thousand lines at a time."""
    with open_unpacked(path) as file:
        yield from _parsed(_lines(file), path)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    rest = file.read(3).removeprefix(b"\xef\xbb\xbf")
    while piece := file.read(1 << 20):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
        if len(rest) > MAX_LINE_BYTES:
            break  # no vector is so long: what is read of it is told as wrong
    if rest:
        yield rest


def _parsed(lines: Iterator[bytes], path: Path) -> Iterator[Block]:
    number, first = _next_line(lines, 0)
    heading = HEADING.match(first)
    if heading:
        number, first = _next_line(lines, number)
    if not first and not (heading and int(heading[1])):
        return  # a file without words, which is told by whoever wants to keep them
    width = int(heading[2]) if heading else _trailing_numbers(first)
    if first and width < (1 if heading else 2):
        raise LitotesError(
            "L303",
            f"{path}:{number}: is no word and its vector",
            hint="a line is needed for each word: the word, then its numbers, with blanks between them",
        )
    found = 0
    some = [first, *islice(lines, _LINES_AT_ONCE - 1)]
    while some:
        kept = {number + place: line for place, line in enumerate(map(bytes.rstrip, some)) if line}
        if kept:
            found += len(kept)
            rows = _numbers(kept, width, path, bool(heading))
            words = [line.rsplit(b" ", width)[0] for line in kept.values()]
            _check_words(dict(zip(kept, words, strict=True)), width, path)
            yield words, rows
        number += len(some)
        some = list(islice(lines, _LINES_AT_ONCE))
    if heading and found < int(heading[1]):
        raise LitotesError(
            "L303", f"{path}:{number - 1}: ends after {found:,} of {int(heading[1]):,} words", hint="is it cut?"
        )


def _next_line(lines: Iterator[bytes], number: int) -> tuple[int, bytes]:
    """The next line that is not blank, and its number; an empty one at the end."""
    for line in lines:
        number += 1
        if stripped := line.rstrip():
            return number, stripped
    return number, b""


def _trailing_numbers(line: bytes) -> int:
    """How many numbers stand at the end, behind at least one field: a word may hold blanks, and be a number itself.

    >>> _trailing_numbers(b". . . 0.5 1e-3"), _trailing_numbers(b"1984 0.5 1.5")
    (2, 2)
    """
    _, *fields = line.split(b" ")
    numbers = takewhile(lambda field: _floats(field) is not None, reversed(fields))
    return sum(1 for _ in numbers)


def _numbers(lines: Mapping[int, bytes], width: int, path: Path, is_headed: bool) -> Vectors:
    """All the numbers of some lines in one go, or line by line to find the one that is wrong."""
    tails = {number: line.split(b" ", max(0, line.count(b" ") - width + 1))[-1] for number, line in lines.items()}
    enough = all(line.count(b" ") >= width for line in lines.values())
    found = _floats(b" ".join(tails.values()))
    if enough and found is not None and len(found) == len(lines) * width and np.isfinite(found).all():
        return found.reshape(len(lines), width)
    told = "as the first line says" if is_headed else "as in the first line"
    for number, line in lines.items():
        row = _floats(tails[number])
        if line.count(b" ") < width or row is None or len(row) != width:
            raise LitotesError("L303", f"{path}:{number}: no word with {width} numbers, {told}", hint="is it cut?")
        if not np.isfinite(row).all():
            raise LitotesError("L303", f"{path}:{number}: has NaN or an infinite number", hint="get the file again")
    raise LitotesError("L303", f"{path}: its numbers cannot be read")


def _check_words(words: Mapping[int, bytes], width: int, path: Path) -> None:
    """Raise if a line has more numbers than the others: the first of them would go for the end of its word."""
    for number, word in words.items():
        if b" " in word and _floats(word.rpartition(b" ")[2]) is not None:
            raise LitotesError("L303", f"{path}:{number}: a word with more than {width} numbers", hint="is it damaged?")


def _floats(text: bytes) -> Vectors | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text.decode("ascii"), dtype=np.float32, sep=" ")
        except (DeprecationWarning, ValueError):  # something between the numbers is none
            return None
