"""Word vectors on disk: a matrix that is mapped, not read, and an index of its words.

A folder holds `vectors.npy` (a row a word, in the order of the source, which is by frequency in published files) and
the index of the words (`words/index.py`).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import cannot_write, read_json, sha256_file, to_json
from litotes.core.paths import cache_folder
from litotes.models.base import Vectors
from litotes.models.word_vectors.index import WordIndex, mapped, write_words
from litotes.models.word_vectors.keys import Keys, Numbers

FORMAT = 4
_BELOW = "word-vectors"
_UNFINISHED = ".tmp"
_HEADER_BYTES = 128
"""The head of a .npy file whose number of rows is not yet known is written last, into the room left for it."""

Opened = TypeVar("Opened")
Block = tuple[list[bytes], Vectors]
"""Some words and their vectors, a row a word."""


class WordVectors:
    """Vectors by word."""

    def __init__(self, folder: Path) -> None:
        about = read_json(folder / "about.json")
        self.sha256 = str(about["sha256"])
        self.largest = float(about["largest"])
        self.remarks: tuple[str, ...] = tuple(str(one) for one in about["remarks"])
        self._matrix: Vectors = mapped(folder / "vectors.npy")
        self._index = WordIndex(folder)
        if len(self._matrix) != len(self._index):
            raise LitotesError("L403", f"{folder}: its files do not belong together")

    def __len__(self) -> int:
        return len(self._index)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self._matrix.shape[1])

    def look_up(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """A row a word, zeros for those without a vector, and which of the words have one."""
        rows = self._index.rows_of(words)
        known = rows >= 0
        found = np.zeros((len(rows), self.width), dtype=np.float32)
        found[known] = self._matrix[rows[known]]
        return found, known

    def rows_of_keys(self, keys: Keys) -> Numbers:
        """The rows of words that are given by their keys, -1 for those without a vector."""
        return self._index.rows_of_keys(keys)

    def at(self, rows: Numbers) -> Vectors:
        """The vectors of rows."""
        return self._matrix.take(rows, axis=0)

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The places of the words in the source, from 0; -1 for those that are not there."""
        return self._index.rows_of(words)


def converted(
    sources: Sequence[Path],
    fill: Callable[[Path], Mapping[str, Any]],
    open_folder: Callable[[Path], Opened],
) -> Opened:
    """What `open_folder` makes of the folder that `fill` filled from the source files, on first use.

    What is kept belongs to the files as they are: others of the same name, size and time of change would have to be
    made on purpose.
    """
    folder = cache_folder() / _BELOW / _key(sources)
    if (folder / "about.json").is_file():
        # What is kept may be damaged; that costs time, not a run.
        with contextlib.suppress(LitotesError, LookupError, TypeError, ValueError, OSError):
            return open_folder(folder)
        shutil.rmtree(folder, ignore_errors=True)
    _convert(folder, sources, fill)
    return open_folder(folder)


def converted_vectors(sources: Sequence[Path], read: Callable[[], Iterator[Block]]) -> WordVectors:
    """The vectors of the source files, which `read` gives block by block; converted on first use."""
    return converted(sources, lambda folder: write_vectors(folder, read(), sources[0]), WordVectors)


def _key(sources: Sequence[Path]) -> str:
    parts = [f"format {FORMAT}"]
    for path in sources:
        found = path.stat()
        parts.append(f"{path.resolve()} {found.st_size} {found.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _convert(folder: Path, sources: Sequence[Path], fill: Callable[[Path], Mapping[str, Any]]) -> None:
    temporary = folder.with_name(f".{secrets.token_hex(8)}{_UNFINISHED}")
    try:
        temporary.mkdir(parents=True)
        about = {"source": sources[0].name, "format": FORMAT, **fill(temporary), "sha256": _sha256(sources)}
        (temporary / "about.json").write_text(to_json(about, indent=2) + "\n", "utf-8")
        _take_place(temporary, folder)
    except OSError as error:
        raise cannot_write(folder, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _sha256(sources: Sequence[Path]) -> str:
    found = [sha256_file(path) for path in sources]
    return found[0] if len(found) == 1 else hashlib.sha256("".join(found).encode()).hexdigest()


def _take_place(temporary: Path, folder: Path) -> None:
    """The folder appears whole; where another process was faster, its folder stays."""
    try:
        temporary.rename(folder)
    except OSError:
        if not (folder / "about.json").is_file():
            raise


def write_vectors(folder: Path, blocks: Iterable[Block], source: Path) -> dict[str, Any]:
    """Write the vectors and their words as they come; gives what is to be known of them."""
    largest, width, rows = 0.0, 0, 0
    with (folder / "vectors.npy").open("wb") as file:
        file.write(bytes(_HEADER_BYTES))

        def words() -> Iterator[list[bytes]]:
            nonlocal largest, width, rows
            for some, vectors in blocks:
                width, rows = vectors.shape[1], rows + len(some)
                largest = max(largest, float(np.abs(vectors).max(initial=0.0)))
                file.write(np.ascontiguousarray(vectors, dtype="<f4").tobytes())
                yield some

        about = write_words(folder, words(), source)
        _write_head(file, (rows, width))
        file.flush()
        os.fsync(file.fileno())
    return {**about, "largest": largest}


def _write_head(file: BinaryIO, shape: tuple[int, int]) -> None:
    head = BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f4", "fortran_order": False, "shape": shape})
    if len(head.getvalue()) != _HEADER_BYTES:
        raise LitotesError("L901", f"the head of {shape} numbers has {len(head.getvalue())} bytes")
    file.seek(0)
    file.write(head.getvalue())


@dataclass(frozen=True)
class Kept:
    """Converted vectors in the cache folder."""

    folder: Path
    source: str
    words: int
    size: int


def kept_word_vectors(cache: Path) -> list[Kept]:
    """What is there of converted vectors, and what a conversion that was killed has left; else nothing."""
    found: set[Path] = set()
    with contextlib.suppress(OSError):
        found.update(path.parent for path in (cache / _BELOW).glob("*/about.json"))
        found.update((cache / _BELOW).glob(f".*{_UNFINISHED}"))
    return [_kept(folder) for folder in sorted(found)]


def _kept(folder: Path) -> Kept:
    size = 0
    with contextlib.suppress(OSError):  # a conversion that goes on takes its place at any time
        size = sum(file.stat().st_size for file in folder.iterdir())
    if folder.name.endswith(_UNFINISHED):
        return Kept(folder, "(unfinished)", 0, size)
    try:
        about = read_json(folder / "about.json")
        return Kept(folder, str(about["source"]), int(about["words"]), size)
    except (LitotesError, LookupError, TypeError, ValueError):
        return Kept(folder, "(damaged)", 0, size)


def remove_word_vectors(folder: Path) -> None:
    """Remove one of them, and the folder around them if it was the last."""
    shutil.rmtree(folder, ignore_errors=folder.name.endswith(_UNFINISHED))
    with contextlib.suppress(OSError):  # others are in it
        folder.parent.rmdir()
