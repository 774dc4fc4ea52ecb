"""Words of up to fifteen bytes as two whole numbers each, so that thousands of them are compared and looked up at once.

Python would spend most of its time on making a text of each word and on one look into a dictionary for it.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Keys = NDArray[np.uint64]
"""A row a word: its first eight bytes, and the next seven with the length in the last."""

LONGEST = 15
"""In bytes; the sixteenth says how many there are, so that no two words have the same two numbers."""
ROOM = bytes(16)
"""What must follow the last word: as many bytes are read from where each word begins."""

_COUNTED = np.array(
    [[(1 << 8 * min(size, 8)) - 1, (1 << 8 * max(size - 8, 0)) - 1] for size in range(LONGEST + 1)] + [[0, 0]],
    dtype=np.uint64,
)
"""By the length of a word: which of its first sixteen bytes are its own; none of one that is longer."""
_LENGTH = np.array([*range(LONGEST + 1), 0], dtype=np.uint8)
_NONE = np.uint64((1 << 64) - 1)
"""In no key: its last byte would be a length."""
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)


def keys_at(data: bytes | mmap.mmap, starts: NDArray[np.integer], sizes: NDArray[np.integer]) -> Keys:
    """The keys of the words that begin there and are so long; zeros for those that are too long for a key."""
    here = np.ndarray((len(data) - LONGEST,), dtype="V16", buffer=data, strides=(1,))
    keys: Keys = here[starts].view("<u8").reshape(-1, 2)
    keys &= _COUNTED.take(sizes, axis=0, mode="clip")
    keys.view(np.uint8)[:, 15] = _LENGTH.take(sizes, mode="clip")
    return keys


def keys_of(words: Sequence[bytes]) -> Keys:
    """The keys of words.

    >>> [words_of(keys_of([b"no", b"a word of many letters"]))[0]]
    [b'no']
    """
    sizes = np.fromiter(map(len, words), np.int64, len(words))
    return keys_at(b"".join([*words, ROOM]), np.cumsum(sizes) - sizes, sizes)


def words_of(keys: Keys) -> list[bytes]:
    """The words of keys."""
    data = keys.tobytes()
    ends = np.arange(0, len(data), 16) + sizes_of(keys)
    return [data[start:end] for start, end in zip(range(0, len(data), 16), ends.tolist(), strict=True)]


def sizes_of(keys: Keys) -> NDArray[np.uint8]:
    """How many bytes each word has."""
    return keys.view(np.uint8)[:, 15]


def have(keys: Keys, sign: str) -> NDArray[np.bool_]:
    """Which of the words have a certain sign of ASCII in them."""
    found: NDArray[np.bool_] = (keys.view(np.uint8)[:, :LONGEST] == ord(sign)).any(axis=1)
    return found


def lowered(keys: Keys) -> Keys:
    """The keys with the capital letters of ASCII made small."""
    signs = keys.view(np.uint8).reshape(-1, 16)
    capital = signs - np.uint8(ord("A")) <= np.uint8(25)  # what is less becomes large
    small: Keys = (signs + (capital.view(np.uint8) << np.uint8(5))).view(np.uint64)
    return small


def mixed(keys: Keys) -> NDArray[np.uint64]:
    """A number that is spread evenly over all that there are; its upper bits hang on every bit of the key."""
    found: NDArray[np.uint64] = keys[:, 0] * _MIX[0]
    found += keys[:, 1] * _MIX[1]
    return found


def distinct(keys: Keys) -> tuple[Numbers, Numbers]:
    """Where each different key stands first, in that order; and for every key the place of its like among these.

    >>> first, like = distinct(keys_of([b"to", b"be", b"to"]))
    >>> first.tolist(), like.tolist()
    ([0, 1], [0, 1, 0])
    """
    if not len(keys):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    numbers = mixed(keys)
    order = np.argsort(numbers)
    begins = np.ones(len(keys), dtype=bool)
    np.not_equal(numbers[order[1:]], numbers[order[:-1]], out=begins[1:])
    first = np.minimum.reduceat(order, np.flatnonzero(begins))
    like = np.empty(len(keys), dtype=np.int64)
    like[order] = np.cumsum(begins) - 1
    if not np.array_equal(keys[first[like]], keys):  # two keys with one number: there may be such, once in an age
        _, first, like = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        like = like.reshape(-1)
    in_order = np.argsort(first)
    place = np.empty(len(first), dtype=np.int64)
    place[in_order] = np.arange(len(first))
    return first[in_order], place[like]


class KeyTable:
    """Numbers by keys, in an open table, at most a quarter full; looked up and filled in arrays."""

    def __init__(self, size: int) -> None:
        self._numbers: Numbers = np.full(size, -1, dtype=np.int64)
        """By place; -1 where it is empty."""
        self._keys: Keys = np.full((size // 4, 2), _NONE, dtype=np.uint64)
        """By number; of those that are not in the table, what no word has."""
        self._filled = 0

    def find(self, keys: Keys) -> tuple[Numbers, Numbers]:
        """The numbers of the keys, and for which of them there is none."""
        places = self._places(keys)
        numbers = self._numbers.take(places)
        wrong = np.flatnonzero(self._differs(numbers, keys))
        missing = [wrong[numbers[wrong] < 0]]
        wrong = wrong[numbers[wrong] >= 0]
        while len(wrong):  # another word is there: one place on
            places[wrong] = (places[wrong] + 1) & (len(self._numbers) - 1)
            numbers[wrong] = there = self._numbers.take(places[wrong])
            missing.append(wrong[there < 0])
            wrong = wrong[(there >= 0) & self._differs(there, keys[wrong])]
        return numbers, np.sort(np.concatenate(missing))

    def add(self, keys: Keys, numbers: Numbers) -> None:
        """Add keys that are not there, each once, the numbers in their order."""
        if not len(numbers):
            return
        if numbers[-1] >= len(self._keys):
            grown = np.full((2 * (int(numbers[-1]) + 1), 2), _NONE, dtype=np.uint64)
            grown[: len(self._keys)] = self._keys
            self._keys = grown
        self._keys[numbers] = keys
        self._filled += len(numbers)
        if 4 * self._filled > len(self._numbers):
            self._numbers = np.full(1 << (8 * self._filled).bit_length(), -1, dtype=np.int64)
            numbers = np.flatnonzero(self._keys[:, 1] != _NONE)
        places = self._places(self._keys[numbers])
        left = np.arange(len(numbers))
        while len(left):
            free = left[self._numbers[places[left]] < 0]
            # Where several want one place, one of them gets it, and the others go on.
            self._numbers[places[free]] = numbers[free]
            left = left[self._numbers[places[left]] != numbers[left]]
            places[left] = (places[left] + 1) & (len(self._numbers) - 1)

    def _differs(self, numbers: Numbers, keys: Keys) -> NDArray[np.bool_]:
        """Whether the words of these numbers have other keys; -1 is 0 here, which would have been found at once."""
        same = self._keys.take(numbers, axis=0, mode="clip") == keys
        differs: NDArray[np.bool_] = same.view(np.uint16)[:, 0] != 0x0101
        return differs

    def _places(self, keys: Keys) -> Numbers:
        places: Numbers = (mixed(keys) >> np.uint64(65 - len(self._numbers).bit_length())).view(np.int64)
        return places
