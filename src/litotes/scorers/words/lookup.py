"""Vectors by word, wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, expand_user
from litotes.scorers.access import Access
from litotes.scorers.base import Vectors

PACKAGED = "6b-50d"


class WordLookup(Protocol):
    """Gives each word its vector, if it has one."""

    def __len__(self) -> int:
        """How many words the file has."""

    @property
    def width(self) -> int:
        """How many numbers a vector has."""

    @property
    def sha256(self) -> str:
        """Of the published file or files: what the vectors depend on."""

    @property
    def largest(self) -> float:
        """No number of any vector is larger, whatever its sign."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What people should know of the file, such as words that stand in it twice."""

    def look_up(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """A row a word, zeros for those without a vector, and which of the words have one."""

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The places of the words in the file, from 0, which is by frequency in published ones; -1 where it is none."""


def open_word_vectors(where: str, access: Access) -> WordLookup:
    """The vectors of a name such as `6b-50d`, or in a file of any of the known formats."""
    from litotes.scorers.words.detect import open_file
    from litotes.scorers.words.package import open_package

    if where == PACKAGED:
        return open_package()
    path = expand_user(where)
    try:
        check_is_file(path)
    except LitotesError as error:
        hint = f"name a file of word vectors, or {PACKAGED}"
        raise LitotesError("L301" if error.code == "L201" else error.code, error.message, hint=hint) from error
    return open_file(path, access)
