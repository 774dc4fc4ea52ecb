"""The cache of word vectors: each file is converted once into a list of words and a matrix to memory-map."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import read_json, sha256_file, to_json, writing_to
from litotes.core.paths import cache_folder
from litotes.core.temporary_files import temporary_folder
from litotes.models.base import Vectors

FORMAT = 5
MATRIX = "vectors.bin"
_WORDS = "words.json"
_ABOUT = "about.json"
_SUBFOLDER = "word-vectors"
_UNFINISHED = ".tmp"

Opened = TypeVar("Opened")
Block = tuple[list[bytes], Vectors]
"""Some words and their vectors, one row per word."""


class StoredWordVectors:
    """Word vectors in a folder of the cache; the matrix is memory-mapped."""

    def __init__(self, folder: Path, source: Path | None = None) -> None:
        about = read_json(folder / _ABOUT)
        self.sha256 = str(about["sha256"])
        self.largest = float(about["largest"])
        self.remarks: tuple[str, ...] = tuple(about["remarks"])
        self._n_words = int(about["words"])
        self._rows = read_word_rows(folder)
        self._matrix = map_matrix(about, folder / MATRIX if (folder / MATRIX).is_file() else source)

    def __len__(self) -> int:
        return self._n_words

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return int(self._matrix.shape[1])

    def lookup(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """Return one row per word, zeros for unknown words, and which words are known."""
        ranks = self.ranks(words)
        known = ranks >= 0
        vectors = np.zeros((len(words), self.width), dtype=np.float32)
        vectors[known] = self._matrix[ranks[known]]
        return vectors, known

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the position of each word in the source file, from 0; -1 for unknown words."""
        return np.array([self._rows.get(word, -1) for word in words], dtype=np.int64)


def map_matrix(about: Mapping[str, Any], file: Path | None) -> Vectors:
    """Return the memory-mapped matrix that `about` describes."""
    rows, width = about["shape"]
    if file is None:
        raise LitotesError("L403", "the cached word vectors have no matrix")
    # A plain array: indexing numpy's own class for mapped arrays is slow.
    return np.asarray(np.memmap(file, dtype="<f4", mode="r", offset=int(about["offset"]), shape=(rows, width)))


def read_word_rows(folder: Path) -> dict[str, int]:
    """Return the row of each word, the first one if it occurs twice."""
    words = json.loads((folder / _WORDS).read_bytes())
    return dict(zip(reversed(words), range(len(words) - 1, -1, -1), strict=True))


def write_words(folder: Path, words: Sequence[bytes], source: Path) -> dict[str, Any]:
    """Write the list of words and return what about.json records about it."""
    if not words:
        raise LitotesError("L303", f"{source}: has no words", hint="is it empty or truncated?")
    texts = [word.decode("utf-8", "surrogateescape") for word in words]
    (folder / _WORDS).write_text(json.dumps(texts), "ascii")
    n_repeated = len(words) - len(set(words))
    occur = "word occurs" if n_repeated == 1 else "words occur"
    remark = f"{source.name}: {n_repeated:,} {occur} more than once; the first vector is used"
    return {"words": len(words), "remarks": [remark] if n_repeated else []}


def write_vectors(folder: Path, blocks: Iterable[Block], source: Path) -> dict[str, Any]:
    """Write words and vectors block by block and return what about.json records about them."""
    words: list[bytes] = []
    largest, width = 0.0, 0
    with (folder / MATRIX).open("wb") as file:
        for block_words, vectors in blocks:
            words += block_words
            width = vectors.shape[1]
            largest = max(largest, float(np.abs(vectors).max(initial=0.0)))
            file.write(np.ascontiguousarray(vectors, dtype="<f4").tobytes())
        file.flush()
        os.fsync(file.fileno())
    return {**write_words(folder, words, source), "largest": largest, "offset": 0, "shape": [len(words), width]}


def convert(
    sources: Sequence[Path], fill: Callable[[Path], Mapping[str, Any]], open_folder: Callable[[Path], Opened]
) -> Opened:
    """Return `open_folder` of the cached conversion of the source files, which `fill` creates on first use.

    The cache key is path, size and modification time of each source. A damaged conversion is created again.
    """
    folder = cache_folder() / _SUBFOLDER / _cache_key(sources)
    if (folder / _ABOUT).is_file():
        with contextlib.suppress(LitotesError, LookupError, TypeError, ValueError, OSError):
            return open_folder(folder)
        shutil.rmtree(folder, ignore_errors=True)
    with writing_to(folder), temporary_folder(folder) as temporary:
        about = {"source": sources[0].name, "format": FORMAT, **fill(temporary), "sha256": _joint_sha256(sources)}
        (temporary / _ABOUT).write_text(to_json(about, indent=2) + "\n", "utf-8")
        _rename_unless_present(temporary, folder)
    return open_folder(folder)


def convert_vectors(sources: Sequence[Path], read_blocks: Callable[[], Iterator[Block]]) -> StoredWordVectors:
    """Return the vectors of the source files, converted on first use."""
    return convert(sources, lambda folder: write_vectors(folder, read_blocks(), sources[0]), StoredWordVectors)


def _cache_key(sources: Sequence[Path]) -> str:
    parts = [f"format {FORMAT}"]
    for path in sources:
        status = path.stat()
        parts.append(f"{path.resolve()} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _joint_sha256(sources: Sequence[Path]) -> str:
    digests = [sha256_file(path) for path in sources]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def _rename_unless_present(temporary: Path, folder: Path) -> None:
    """Rename the folder, unless another process has written the same conversion in the meantime."""
    try:
        temporary.rename(folder)
    except OSError:
        if not (folder / _ABOUT).is_file():
            raise


@dataclass(frozen=True)
class CachedWordVectors:
    """A conversion in the cache folder, for `litotes cache`."""

    folder: Path
    source: str
    words: int
    size: int


def list_cached_word_vectors(cache: Path) -> list[CachedWordVectors]:
    """Return the conversions in a cache folder, with the remains of interrupted ones."""
    folders: set[Path] = set()
    with contextlib.suppress(OSError):
        folders.update(path.parent for path in (cache / _SUBFOLDER).glob(f"*/{_ABOUT}"))
        folders.update((cache / _SUBFOLDER).glob(f".*{_UNFINISHED}"))
    return [_cached_word_vectors(folder) for folder in sorted(folders)]


def _cached_word_vectors(folder: Path) -> CachedWordVectors:
    size = 0
    with contextlib.suppress(OSError):  # another process may be renaming the folder right now
        size = sum(file.stat().st_size for file in folder.iterdir())
    if folder.name.endswith(_UNFINISHED):
        return CachedWordVectors(folder, "(unfinished)", 0, size)
    try:
        about = read_json(folder / _ABOUT)
        return CachedWordVectors(folder, str(about["source"]), int(about["words"]), size)
    except (LitotesError, LookupError, TypeError, ValueError):
        return CachedWordVectors(folder, "(damaged)", 0, size)


def remove_word_vectors(folder: Path) -> None:
    """Remove one conversion, and the folder around it if that is empty then."""
    shutil.rmtree(folder, ignore_errors=folder.name.endswith(_UNFINISHED))
    with contextlib.suppress(OSError):  # other conversions remain
        folder.parent.rmdir()
