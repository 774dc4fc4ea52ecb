"""The words of a file of vectors on disk, and how the row of a word is found: mapped, not read.

`words.bin` holds the words, each behind the other, `starts.npy` where each begins, `hashes.npy` numbers of the words,
sorted, `rows.npy` the row of each number, and `buckets.npy` where the numbers begin that start with certain bits. So
opening takes no time and no memory, whatever the number of words, and thousands of words are found at once.
"""

from __future__ import annotations

import hashlib
import mmap
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.models.word_vectors.keys import LONGEST, ROOM, Keys, Numbers, keys_at, keys_of, mixed


class WordIndex:
    """The rows of words; the files stay mapped as long as this lives."""

    def __init__(self, folder: Path) -> None:
        self._rows: NDArray[np.int32] = mapped(folder / "rows.npy")
        self._hashes: NDArray[np.uint64] = mapped(folder / "hashes.npy")
        self._starts: NDArray[np.int64] = mapped(folder / "starts.npy")
        self._buckets: NDArray[np.int32] = mapped(folder / "buckets.npy")
        with (folder / "words.bin").open("rb") as file:
            self._words = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        whole = self._starts[-1] + len(ROOM) == len(self._words) and self._buckets[-1] == len(self._hashes)
        if len(self._hashes) != len(self._rows) or not whole:
            raise LitotesError("L403", f"{folder}: its files do not belong together")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def rows_of(self, words: Sequence[str]) -> Numbers:
        """The row of each word, -1 for those that are not there."""
        wanted = [word.encode("utf-8", "surrogatepass") for word in words]
        found = self.rows_of_keys(keys_of(wanted))
        for place, word in enumerate(wanted):
            if len(word) > LONGEST:
                found[place] = self._row_of_long(word)
        return found

    def rows_of_keys(self, keys: Keys) -> Numbers:
        """The row of each word that is short enough to have a key, -1 for those that are not there."""
        hashes = mixed(keys)
        places = self._begin(hashes)
        found = np.full(len(keys), -1, dtype=np.int64)
        left = np.flatnonzero(places < len(self._hashes))
        while len(left):
            there = self._hashes[places[left]]
            same = left[there == hashes[left]]
            rows = self._rows[places[same]].astype(np.int64)
            starts = self._starts[rows]
            is_it = (keys_at(self._words, starts, self._starts[rows + 1] - starts) == keys[same]).all(axis=1)
            found[same[is_it]] = rows[is_it]
            # Those of smaller numbers come first; two words with one number may be, once in many millions.
            left = left[(there <= hashes[left]) & (found[left] < 0)]
            places[left] += 1
            left = left[places[left] < len(self._hashes)]
        return found

    def _row_of_long(self, word: bytes) -> int:
        hashes = hashes_of([word])
        place, last = int(self._begin(hashes)[0]), len(self._hashes)
        while place < last and self._hashes[place] <= hashes[0]:
            row = int(self._rows[place])
            if self._hashes[place] == hashes[0] and self._words[self._starts[row] : self._starts[row + 1]] == word:
                return row
            place += 1
        return -1

    def _begin(self, hashes: NDArray[np.uint64]) -> Numbers:
        """Where the numbers begin that have the first bits of these."""
        shift = np.uint64(65 - (len(self._buckets) - 1).bit_length())
        places: Numbers = self._buckets.take((hashes >> shift).view(np.int64)).astype(np.int64)
        return places


def mapped(path: Path) -> NDArray[Any]:
    """The array of a file, which is not read before it is used."""
    # As a plain array: numpy's own class for mapped ones is slow to index.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False)).view(np.ndarray)


def hashes_of(words: Sequence[bytes]) -> NDArray[np.uint64]:
    """A number for each word."""
    found = mixed(keys_of(words))
    for place, word in enumerate(words):
        if len(word) > LONGEST:
            found[place] = int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")
    return found


def write_words(folder: Path, blocks: Iterable[list[bytes]], source: Path) -> dict[str, Any]:
    """Write the words as they come and then their index; of a word that stands twice the first row counts."""
    sizes, hashes = array("q"), [np.empty(0, dtype=np.uint64)]
    with (folder / "words.bin").open("wb") as file:
        for words in blocks:
            file.write(b"".join(words))
            sizes.extend(map(len, words))
            hashes.append(hashes_of(words))
        file.write(ROOM)
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
    np.save(folder / "buckets.npy", _buckets(every[rows]))
    told = f"{source.name}: {len(doubles):,} {'word stands' if len(doubles) == 1 else 'words stand'} there again"
    return {"words": len(sizes), "remarks": [f"{told}; the first vector of each counts"] if doubles else []}


def _buckets(hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Where the numbers begin that start with the same bits, about one each, and behind the last where they end."""
    bits = max(1, len(hashes).bit_length())
    counts = np.bincount((hashes >> np.uint64(64 - bits)).view(np.int64), minlength=1 << bits)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int32)


def _doubles(path: Path, starts: Numbers, hashes: NDArray[np.uint64], rows: NDArray[np.intp]) -> list[int]:
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


def _word(file: BinaryIO, starts: Numbers, row: int) -> bytes:
    file.seek(int(starts[row]))
    return file.read(int(starts[row + 1] - starts[row]))
