"""Unique record ids in constant memory."""

from __future__ import annotations

import hashlib

_FILTER_BYTES = 1 << 23
_N_HASHES = 4
_MAX_ID_LENGTH = 200


class UniqueIds:
    """Makes the ids within one file unique; a Bloom filter remembers them.

    >>> ids = UniqueIds()
    >>> ids.make("a", 1), ids.make("", 2), ids.make("a", 3), ids.make("2", 4)
    ('a', '2', 'a@3', '2@4')
    """

    def __init__(self) -> None:
        self._bits = bytearray()

    def make(self, file_id: str, line: int) -> str:
        """Return the id that the file assigns, or else the line number; both if the id is probably not new."""
        is_usable = 0 < len(file_id) <= _MAX_ID_LENGTH and file_id.isprintable()
        name = file_id if is_usable else str(line)
        return name if self._add(name) else f"{name}@{line}"

    def _add(self, key: str) -> bool:
        """Add a key; return whether it is certainly new."""
        if not self._bits:
            self._bits = bytearray(_FILTER_BYTES)
        bits = self._bits
        digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4 * _N_HASHES).digest()
        is_new = False
        for start in range(0, len(digest), 4):
            index = int.from_bytes(digest[start : start + 4], "big") % (8 * _FILTER_BYTES)
            byte, bit = index >> 3, 1 << (index & 7)
            if not bits[byte] & bit:
                is_new = True
                bits[byte] |= bit
        return is_new
