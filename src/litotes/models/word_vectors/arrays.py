"""Vectors as numpy's arrays: a .npy with its words in a file beside it, or a .npz that holds both."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import is_file
from litotes.models.word_vectors.store import Block, WordVectors, converted_vectors

_ROWS_AT_ONCE = 1 << 14


def open_npy(path: Path) -> WordVectors:
    """The rows of the array; the words are in NAME.vocab, NAME.txt, NAME.vocab.txt or vocab.txt beside it."""
    names = [f"{path.stem}.vocab", f"{path.stem}.txt", f"{path.stem}.vocab.txt", "vocab.txt"]
    places = [path.with_name(name) for name in dict.fromkeys(names)]
    words = next((place for place in places if is_file(place)), None)
    if words is None:
        raise LitotesError(
            "L301", f"{path}: no list of words beside it", hint=f"one word a line, in {', '.join(names)}"
        )
    return converted_vectors([path, words], lambda: _npy_blocks(path, words))


def _npy_blocks(path: Path, words: Path) -> Iterator[Block]:
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise LitotesError("L303", f"{path}: cannot be read as an array ({error})") from error
    listed = words.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if listed and not listed[-1].strip():
        listed.pop()
    yield from _blocks(matrix, [line.rstrip(b"\r") for line in listed], path, words.name)


def open_npz(path: Path) -> WordVectors:
    """The only array of rows in the file, and its only list of texts."""
    return converted_vectors([path], lambda: _npz_blocks(path))


def _npz_blocks(path: Path) -> Iterator[Block]:
    try:
        with np.load(path, allow_pickle=False) as found:
            arrays: dict[str, NDArray[Any]] = {name: found[name] for name in found.files}
    except (ValueError, EOFError, OSError, zipfile.BadZipFile, zlib.error) as error:
        raise LitotesError("L303", f"{path}: cannot be read as arrays ({error})") from error
    matrices = [one for one in arrays.values() if one.ndim == 2 and one.dtype.kind == "f"]
    lists = [one for one in arrays.values() if one.ndim == 1 and one.dtype.kind in "US"]
    if len(matrices) != 1 or len(lists) != 1:
        raise LitotesError(
            "L303", f"{path}: one array of rows and one of words are needed, it holds {', '.join(arrays) or 'nothing'}"
        )
    words = [one if isinstance(one, bytes) else str(one).encode("utf-8", "surrogatepass") for one in lists[0].tolist()]
    yield from _blocks(matrices[0], words, path, "its list")


def _blocks(matrix: NDArray[Any], words: Sequence[bytes], path: Path, listed: str) -> Iterator[Block]:
    if matrix.ndim != 2 or matrix.dtype.kind != "f" or not matrix.shape[1]:
        shape = " × ".join(map(str, matrix.shape)) or "no"
        raise LitotesError("L303", f"{path}: rows of floats are needed, this is {shape} of {matrix.dtype}")
    if len(matrix) != len(words):
        raise LitotesError("L303", f"{path}: has {len(matrix):,} rows, and {listed} {len(words):,} words")
    for start in range(0, len(words), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        with np.errstate(over="ignore"):  # a number too large for 32 bits becomes infinite, and is told so
            vectors = np.asarray(matrix[part], dtype=np.float32)
        bad = ~np.isfinite(vectors).all(axis=1)
        if bad.any():
            row = start + int(np.argmax(bad))
            raise LitotesError("L303", f"{path}: row {row:,}, from 0, has NaN or an infinite number")
        yield list(words[part]), vectors
