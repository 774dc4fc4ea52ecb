"""Word vectors on disk: a matrix that is mapped, not read, and an index of its words.

A folder holds `vectors.npy` (a row a word, in the order of the source, which is by frequency in published files),
`words.bin` (the words, each behind the other), `starts.npy` (where each begins), `hashes.npy` (of the words, sorted)
and `rows.npy` (the row of each hash). Words are found by halving, so that opening takes no time and no memory, whatever
the number of words.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import secrets
import shutil
from array import array
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
from litotes.scorers.base import Vectors

FORMAT = 3
_BELOW = "word-vectors"
_UNFINISHED = ".tmp"
_HEADER_BYTES = 128
"""The head of a .npy file whose number of rows is not yet known is written last, into the room left for it."""

Opened = TypeVar("Opened")
Block = tuple[list[bytes], Vectors]
"""Some words and their vectors, a row a word."""


class WordIndex:
    """The rows of words; the files stay mapped as long as this lives."""

    def __init__(self, folder: Path) -> None:
        self._rows: NDArray[np.int32] = _mapped(folder / "rows.npy")
        self._hashes: NDArray[np.uint64] = _mapped(folder / "hashes.npy")
        self._starts: NDArray[np.int64] = _mapped(folder / "starts.npy")
        with (folder / "words.bin").open("rb") as file:
            self._words = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if len(self._hashes) != len(self._rows) or self._starts[-1] != len(self._words):
            raise LitotesError("L403", f"{folder}: its files do not belong together")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def rows_of(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The row of each word, -1 for those that are not there."""
        wanted = [word.encode("utf-8", "surrogatepass") for word in words]
        hashes = _hashes(wanted)
        found = np.full(len(wanted), -1, dtype=np.int64)
        places = np.searchsorted(self._hashes, hashes)
        left = np.arange(len(wanted))
        while len(left):
            left = left[places[left] < len(self._hashes)]
            left = left[self._hashes[places[left]] == hashes[left]]
            rows = self._rows[places[left]]
            spans = zip(self._starts[rows].tolist(), self._starts[rows + 1].tolist(), strict=True)
            is_it = [self._words[start:end] == wanted[place] for place, (start, end) in zip(left, spans, strict=True)]
            there = np.array(is_it, dtype=bool)
            found[left[there]] = rows[there]
            left = left[~there]
            places[left] += 1  # two words with one hash: there may be such, once in many millions
        return found


class WordVectors:
    """Vectors by word."""

    def __init__(self, folder: Path) -> None:
        about = read_json(folder / "about.json")
        self.sha256 = str(about["sha256"])
        self.largest = float(about["largest"])
        self.remarks: tuple[str, ...] = tuple(str(one) for one in about["remarks"])
        self._matrix: Vectors = _mapped(folder / "vectors.npy")
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

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The places of the words in the source, from 0; -1 for those that are not there."""
        return self._index.rows_of(words)


def _mapped(path: Path) -> NDArray[Any]:
    # As a plain array: numpy's own class for mapped ones is slow to index.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False)).view(np.ndarray)


def _hashes(words: Sequence[bytes]) -> NDArray[np.uint64]:
    digests = b"".join(hashlib.blake2b(word, digest_size=8).digest() for word in words)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


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


def write_words(folder: Path, blocks: Iterable[list[bytes]], source: Path) -> dict[str, Any]:
    """Write the words as they come and then their index; of a word that stands twice the first row counts."""
    sizes, hashes = array("q"), [np.empty(0, dtype=np.uint64)]
    with (folder / "words.bin").open("wb") as file:
        for words in blocks:
            file.write(b"".join(words))
            sizes.extend(map(len, words))
            hashes.append(_hashes(words))
    if not sizes:
        raise LitotesError("L303", f"{source}: has no words", hint="is it empty, or cut?")
    starts = np.concatenate(([0], np.cumsum(np.frombuffer(sizes, dtype=np.int64))))
    every = np.concatenate(hashes)
    rows = np.argsort(every, kind="stable")
    doubles = _doubles(folder / "words.bin", starts, every, rows)
    rows = rows[~np.isin(rows, doubles)] if doubles else rows
    np.save(folder / "starts.npy", starts)
    np.save(folder / "hashes.npy", every[rows])
    np.save(folder / "rows.npy", rows.astype(np.int32))
    told = f"{source.name}: {len(doubles):,} {'word stands' if len(doubles) == 1 else 'words stand'} there again"
    return {"words": len(sizes), "remarks": [f"{told}; the first vector of each counts"] if doubles else []}


def _doubles(path: Path, starts: NDArray[np.int64], hashes: NDArray[np.uint64], rows: NDArray[np.intp]) -> list[int]:
    """The rows of words that stood there before; `rows` are sorted by hash, and those of one hash by place."""
    same = np.flatnonzero(hashes[rows[1:]] == hashes[rows[:-1]])
    found: list[int] = []
    seen: set[bytes] = set()
    with path.open("rb") as file:
        for place in same.tolist():
            first, second = (_word(file, starts, int(row)) for row in rows[place : place + 2])
            seen.add(first)
            if second in seen:
                found.append(int(rows[place + 1]))
            seen.add(second)
    return found


def _word(file: BinaryIO, starts: NDArray[np.int64], row: int) -> bytes:
    file.seek(int(starts[row]))
    return file.read(int(starts[row + 1] - starts[row]))


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
