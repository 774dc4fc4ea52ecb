"""Whether an id came before, in memory that does not grow with the corpus."""

from __future__ import annotations

import hashlib

_BYTES = 1 << 23
_PLACES = 4
_LONGEST = 200


class Seen:
    """A Bloom filter: says yes to every id that came before, and now and then to one that did not.

    >>> seen = Seen()
    >>> seen.before("pair-1"), seen.before("pair-2"), seen.before("pair-1")
    (False, False, True)
    """

    def __init__(self) -> None:
        self._bits = bytearray()

    def before(self, key: str) -> bool:
        """Whether the key came before; from now on it has."""
        if not self._bits:
            self._bits = bytearray(_BYTES)
        bits = self._bits
        digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4 * _PLACES).digest()
        known = True
        for start in range(0, 4 * _PLACES, 4):
            place = int.from_bytes(digest[start : start + 4], "big") % (8 * _BYTES)
            byte, bit = place >> 3, 1 << (place & 7)
            if not bits[byte] & bit:
                known = False
                bits[byte] |= bit
        return known

    def place(self, own: str, number: int) -> str:
        """An id within a file: the line's own if it has one, else its number; both where the id may have come before.

        >>> seen = Seen()
        >>> seen.place("a", 1), seen.place("", 2), seen.place("a", 3), seen.place("2", 4)
        ('a', '2', 'a@3', '2@4')
        """
        name = own if own and len(own) <= _LONGEST and own.isprintable() else str(number)
        return f"{name}@{number}" if self.before(name) else name
