"""gensim's KeyedVectors: an object, or a file that gensim wrote, which is a pickle."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError
from litotes.scorers.access import Access
from litotes.scorers.base import Vectors


class GensimVectors:
    """The vectors of a KeyedVectors object, or of a model that has one; fastText's make words of n-grams.

    The object must not change afterwards.
    """

    def __init__(self, vectors: Any) -> None:
        self._keyed = getattr(vectors, "wv", vectors)
        matrix = getattr(self._keyed, "vectors", None)
        if not isinstance(matrix, np.ndarray) or not hasattr(self._keyed, "key_to_index"):
            raise UsageError("L102", f"a {type(vectors).__name__} is no KeyedVectors of gensim")
        self._ngrams: NDArray[np.float32] | None = getattr(self._keyed, "vectors_ngrams", None)
        arrays = [matrix] if self._ngrams is None else [matrix, self._ngrams]
        if not len(matrix):
            raise LitotesError("L303", "the KeyedVectors have no words")
        if not all(np.isfinite(one).all() for one in arrays):
            raise LitotesError("L303", "the KeyedVectors have NaN or an infinite number")
        self.width = int(matrix.shape[1])
        self.largest = max(float(np.abs(one).max(initial=0.0)) for one in arrays)
        self.remarks: tuple[str, ...] = ()
        self.sha256 = self._digest(arrays)

    def __len__(self) -> int:
        return len(self._keyed.vectors)

    def look_up(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """A row a word, zeros for those without a vector, and which of the words have one."""
        known = self.ranks(words) >= 0
        if self._ngrams is not None:  # of the others gensim makes a vector of their n-grams
            known |= np.array([bool(word) and self._keyed.max_n > 0 for word in words], dtype=bool)
        found = np.zeros((len(words), self.width), dtype=np.float32)
        for place in np.flatnonzero(known).tolist():
            found[place] = self._keyed.get_vector(words[place])
        known &= found.any(axis=1) | (self.ranks(words) >= 0)
        return found, known

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The places of the words, from 0; -1 for those that are not there."""
        return np.array([self._keyed.key_to_index.get(word, -1) for word in words], dtype=np.int64)

    def _digest(self, arrays: Sequence[NDArray[Any]]) -> str:
        digest = hashlib.sha256()
        for word in self._keyed.index_to_key:
            digest.update(f"{word}\n".encode("utf-8", "surrogatepass"))
        for one in arrays:
            digest.update(f"{one.shape} {one.dtype}\n".encode())
            digest.update(np.ascontiguousarray(one).data)
        cut = [getattr(self._keyed, name, None) for name in ("min_n", "max_n", "bucket")]
        digest.update(repr(cut).encode())
        return digest.hexdigest()


def open_gensim(path: Path, access: Access) -> GensimVectors:
    """The vectors of a file that gensim saved; only if pickled models may be read."""
    if not access.allow_pickle:
        raise LitotesError(
            "L305",
            f"{path}: is a pickle, which can run any program when it is read",
            hint="--allow-pickle if you trust it; better, save it in gensim by save_word2vec_format",
        )
    try:
        gensim = importlib.import_module("gensim.utils")
    except ImportError as error:
        raise LitotesError("L103", "gensim is not installed", hint="pip install gensim brings it") from error
    try:
        found = gensim.SaveLoad.load(str(path), mmap="r")
    except Exception as error:  # a pickle can fail in any way
        raise LitotesError("L303", f"{path}: gensim cannot read it ({type(error).__name__}: {error})") from error
    try:
        return GensimVectors(found)
    except LitotesError as error:
        raise LitotesError("L303", f"{path}: {error.message}") from error
