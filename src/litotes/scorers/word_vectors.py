"""Word vectors on disk: a matrix that is mapped, not read, and a sorted list of words beside it.

A folder holds `vectors.npy` (a row a word, in the order of the source, which is by frequency in published files),
`words.bin` (the words, sorted, each behind the other), `starts.npy` (where each begins) and `rows.npy` (its row in the
matrix). Words are found by halving, so that opening takes no time and no memory, whatever the number of words.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import secrets
import shutil
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import cannot_write, read_json, sha256_file, to_json
from litotes.core.paths import cache_folder
from litotes.scorers.base import Vectors

FORMAT = 1
_BELOW = "word-vectors"
_HEADER_BYTES = 128
"""The head of a .npy file whose number of rows is not yet known is written last, into the room left for it."""


class WordVectors:
    """Vectors by word; the files stay mapped as long as this lives."""

    def __init__(self, folder: Path) -> None:
        about = read_json(folder / "about.json")
        self.sha256 = str(about["sha256"])
        self._matrix: Vectors = np.load(folder / "vectors.npy", mmap_mode="r")
        self._rows: NDArray[np.int32] = np.load(folder / "rows.npy", mmap_mode="r")
        self._starts: NDArray[np.int64] = np.load(folder / "starts.npy", mmap_mode="r")
        with (folder / "words.bin").open("rb") as file:
            self._words = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if len(self._starts) != len(self._rows) + 1 or len(self._matrix) != len(self._rows):
            raise LitotesError("L403", f"{folder}: its files do not belong together")

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self._matrix.shape[1])

    def row_of(self, word: str) -> int | None:
        """The row of a word, by its rank in the source; None for a word that is not there."""
        wanted = word.encode("utf-8", "surrogatepass")
        place = bisect_left(range(len(self)), wanted, key=self._word)
        return int(self._rows[place]) if place < len(self) and self._word(place) == wanted else None

    def vectors(self, rows: Sequence[int]) -> Vectors:
        """The vectors in those rows."""
        return np.asarray(self._matrix[np.asarray(rows, dtype=np.intp)], dtype=np.float32)

    def look_up(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """A row a word, zeros for those without a vector, and which of the words have one."""
        rows = [self.row_of(word) for word in words]
        known = np.array([row is not None for row in rows], dtype=bool)
        found = np.zeros((len(rows), self.width), dtype=np.float32)
        found[known] = self.vectors([row for row in rows if row is not None])
        return found, known

    def _word(self, place: int) -> bytes:
        return self._words[self._starts[place] : self._starts[place + 1]]


Block = tuple[list[bytes], Vectors]
"""Some words and their vectors, a row a word."""


def converted(sources: Sequence[Path], read: Callable[[], Iterator[Block]]) -> WordVectors:
    """The vectors of the source files, converted on first use and kept in the cache folder.

    What is kept belongs to the files as they are: others of the same name, size and time of change would have to be
    made on purpose.
    """
    folder = cache_folder() / _BELOW / _key(sources)
    if (folder / "about.json").is_file():
        # What is kept may be damaged; that costs time, not a run.
        with contextlib.suppress(LitotesError, LookupError, ValueError, OSError):
            return WordVectors(folder)
        shutil.rmtree(folder, ignore_errors=True)
    _convert(folder, sources, read)
    return WordVectors(folder)


def _key(sources: Sequence[Path]) -> str:
    parts = [f"format {FORMAT}"]
    for path in sources:
        found = path.stat()
        parts.append(f"{path.resolve()} {found.st_size} {found.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _convert(folder: Path, sources: Sequence[Path], read: Callable[[], Iterator[Block]]) -> None:
    temporary = folder.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        temporary.mkdir(parents=True)
        words = _write_matrix(temporary / "vectors.npy", read())
        _write_words(temporary, words)
        about = {"sha256": _sha256(sources), "source": sources[0].name, "words": len(words), "format": FORMAT}
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


def _write_matrix(path: Path, blocks: Iterable[Block]) -> list[bytes]:
    """Write the rows as they come; gives the words in the same order, each for its first row."""
    words: list[bytes] = []
    width = 0
    with path.open("wb") as file:
        file.write(bytes(_HEADER_BYTES))
        for some, vectors in blocks:
            width = vectors.shape[1]
            words += some
            file.write(np.ascontiguousarray(vectors, dtype="<f4").tobytes())
        _write_head(file, (len(words), width))
        file.flush()
        os.fsync(file.fileno())
    return words


def _write_head(file: BinaryIO, shape: tuple[int, int]) -> None:
    head = BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f4", "fortran_order": False, "shape": shape})
    if len(head.getvalue()) != _HEADER_BYTES:
        raise LitotesError("L901", f"the head of {shape} numbers has {len(head.getvalue())} bytes")
    file.seek(0)
    file.write(head.getvalue())


def _write_words(folder: Path, words: Sequence[bytes]) -> None:
    # Sorting is stable: of a word that stands twice the first row comes first, and is the one that halving finds.
    order = sorted(range(len(words)), key=words.__getitem__)
    ends = np.cumsum([0, *(len(words[place]) for place in order)], dtype=np.int64)
    (folder / "words.bin").write_bytes(b"".join(words[place] for place in order))
    np.save(folder / "starts.npy", ends)
    np.save(folder / "rows.npy", np.array(order, dtype=np.int32))


@dataclass(frozen=True)
class Kept:
    """Converted vectors in the cache folder."""

    folder: Path
    source: str
    words: int
    size: int


def kept_word_vectors(cache: Path) -> list[Kept]:
    """What is there of converted vectors; of a folder that may not be read, nothing."""
    found: list[Path] = []
    with contextlib.suppress(OSError):
        found = sorted((cache / _BELOW).glob("*/about.json"))
    return [_kept(path.parent) for path in found]


def _kept(folder: Path) -> Kept:
    size = sum(file.stat().st_size for file in folder.iterdir())
    try:
        about = read_json(folder / "about.json")
        return Kept(folder, str(about["source"]), int(about["words"]), size)
    except (LitotesError, LookupError, TypeError, ValueError):
        return Kept(folder, "(damaged)", 0, size)


def remove_word_vectors(folder: Path) -> None:
    """Remove one of them, and the folder around them if it was the last."""
    shutil.rmtree(folder)
    with contextlib.suppress(OSError):  # others are in it
        folder.parent.rmdir()
