"""Vectors by word, wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from litotes.core.files import expand_user
from litotes.scorers.access import Access
from litotes.scorers.base import Vectors


class WordLookup(Protocol):
    """Gives each word its vector, if it has one."""

    @property
    def width(self) -> int:
        """How many numbers a vector has."""

    @property
    def sha256(self) -> str:
        """Of the published file or files: what the vectors depend on."""

    def look_up(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """A row a word, zeros for those without a vector, and which of the words have one."""


def open_word_vectors(where: str, access: Access) -> WordLookup:
    """The vectors of a name such as `6b-50d`, or in a file of any of the known formats."""
    from litotes.scorers.glove import _in_file, _packaged

    return _packaged() if where == "6b-50d" else _in_file(expand_user(where))
