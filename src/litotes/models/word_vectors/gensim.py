"""gensim's KeyedVectors: an object, or a file that gensim saved, which is a pickle."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import read_json
from litotes.models.access import Access
from litotes.models.base import Vectors
from litotes.models.word_vectors.store import convert


class GensimVectors:
    """The vectors of a KeyedVectors object or of a model that has one; the object must not change afterwards.

    Args:
        vectors: The object, for example `gensim.models.KeyedVectors` or `gensim.models.FastText`.
        summary: The result of `summarize` for the same object, if it is known; otherwise all numbers are checked.
    """

    remarks: tuple[str, ...] = ()

    def __init__(self, vectors: Any, summary: Mapping[str, Any] | None = None) -> None:
        self._keyed = _keyed_vectors(vectors)
        self._has_ngrams = getattr(self._keyed, "vectors_ngrams", None) is not None and self._keyed.max_n > 0
        summary = summary or summarize(self._keyed)
        self.width = int(self._keyed.vectors.shape[1])
        self.largest = float(summary["largest"])
        self.sha256 = str(summary["content"])

    def __len__(self) -> int:
        return len(self._keyed.vectors)

    def lookup(self, words: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """Return one row per word, zeros for words without a vector, and which words have one."""
        is_listed = self.ranks(words) >= 0
        vectors = np.zeros((len(words), self.width), dtype=np.float32)
        for index, word in enumerate(words):
            if is_listed[index] or (self._has_ngrams and word):  # gensim composes the vectors of others from n-grams
                vectors[index] = self._keyed.get_vector(word)
        return vectors, is_listed | vectors.any(axis=1)

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the position of each word, from 0; -1 for words that are not listed."""
        return np.array([self._keyed.key_to_index.get(word, -1) for word in words], dtype=np.int64)


def _keyed_vectors(vectors: Any) -> Any:
    keyed = getattr(vectors, "wv", vectors)
    if not isinstance(getattr(keyed, "vectors", None), np.ndarray) or not hasattr(keyed, "key_to_index"):
        raise UsageError("L102", f"a {type(vectors).__name__} is not a KeyedVectors object of gensim")
    return keyed


def summarize(vectors: Any) -> dict[str, Any]:
    """Return the largest number, a hash of the content and the number of words; raise if a number is not finite."""
    keyed = _keyed_vectors(vectors)
    ngrams = getattr(keyed, "vectors_ngrams", None)
    arrays = [keyed.vectors] if ngrams is None else [keyed.vectors, ngrams]
    if not len(keyed.vectors):
        raise LitotesError("L303", "the KeyedVectors have no words")
    if not all(np.isfinite(array).all() for array in arrays):
        raise LitotesError("L303", "the KeyedVectors have NaN or an infinite number")
    largest = max(float(np.abs(array).max(initial=0.0)) for array in arrays)
    return {"largest": largest, "content": _hash_content(keyed, arrays), "words": len(keyed.vectors)}


def _hash_content(keyed: Any, arrays: Sequence[NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for word in keyed.index_to_key:
        digest.update(f"{word}\n".encode("utf-8", "surrogatepass"))
    for array in arrays:
        digest.update(f"{array.shape} {array.dtype}\n".encode())
        digest.update(np.ascontiguousarray(array).data)
    digest.update(repr([getattr(keyed, name, None) for name in ("min_n", "max_n", "bucket")]).encode())
    return digest.hexdigest()


def open_gensim(path: Path, access: Access) -> GensimVectors:
    """Return the vectors of a file that gensim saved, if pickles are allowed."""
    if not access.allow_pickle:
        hint = "--allow-pickle if you trust it; better, save it in gensim by save_word2vec_format"
        raise LitotesError("L305", f"{path}: is a pickle, which can run any program when it is read", hint=hint)
    try:
        gensim = importlib.import_module("gensim.utils")
    except ImportError as error:
        raise LitotesError("L103", "gensim is not installed", hint="run: pip install gensim") from error
    try:
        keyed = gensim.SaveLoad.load(str(path), mmap="r")
    except Exception as error:  # unpickling can fail in any way
        raise LitotesError("L303", f"{path}: gensim cannot read it ({type(error).__name__}: {error})") from error
    # gensim saves large arrays in files of their own next to the main file.
    parts = sorted(file for file in path.parent.iterdir() if file.name.startswith(f"{path.name}.") and file.is_file())
    try:
        return convert(
            [path, *parts],
            lambda folder: summarize(keyed),
            lambda folder: GensimVectors(keyed, read_json(folder / "about.json")),
        )
    except LitotesError as error:
        if error.code.startswith("L4"):  # the cache folder, which the message names already
            raise
        raise LitotesError("L303", f"{path}: {error.message}") from error
