"""gensim's KeyedVectors: an object, or a file that gensim wrote, which is a pickle."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import read_json
from litotes.models.access import Access
from litotes.models.base import Vectors
from litotes.models.word_vectors.store import converted


@dataclass(frozen=True)
class Checked:
    """What is known of vectors after all of them were looked through."""

    largest: float
    content: str
    """The sha256 of words, vectors and settings."""
    words: int


class GensimVectors:
    """The vectors of a KeyedVectors object, or of a model that has one; fastText's make words of n-grams.

    The object must not change afterwards.
    """

    def __init__(self, vectors: Any, checked: Checked | None = None) -> None:
        self._keyed = _keyed(vectors)
        self._ngrams: NDArray[np.float32] | None = getattr(self._keyed, "vectors_ngrams", None)
        checked = checked or check(self._keyed)
        self.width = int(self._keyed.vectors.shape[1])
        self.largest = checked.largest
        self.remarks: tuple[str, ...] = ()
        self.sha256 = checked.content

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


def _keyed(vectors: Any) -> Any:
    """The KeyedVectors of a model, or the object itself."""
    keyed = getattr(vectors, "wv", vectors)
    if not isinstance(getattr(keyed, "vectors", None), np.ndarray) or not hasattr(keyed, "key_to_index"):
        raise UsageError("L102", f"a {type(vectors).__name__} is no KeyedVectors of gensim")
    return keyed


def check(vectors: Any) -> Checked:
    """Look through all numbers; raises if one of them is none."""
    keyed = _keyed(vectors)
    ngrams = getattr(keyed, "vectors_ngrams", None)
    arrays = [keyed.vectors] if ngrams is None else [keyed.vectors, ngrams]
    if not len(keyed.vectors):
        raise LitotesError("L303", "the KeyedVectors have no words")
    if not all(np.isfinite(one).all() for one in arrays):
        raise LitotesError("L303", "the KeyedVectors have NaN or an infinite number")
    largest = max(float(np.abs(one).max(initial=0.0)) for one in arrays)
    return Checked(largest, _digest(keyed, arrays), len(keyed.vectors))


def _digest(keyed: Any, arrays: Sequence[NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for word in keyed.index_to_key:
        digest.update(f"{word}\n".encode("utf-8", "surrogatepass"))
    for one in arrays:
        digest.update(f"{one.shape} {one.dtype}\n".encode())
        digest.update(np.ascontiguousarray(one).data)
    cut = [getattr(keyed, name, None) for name in ("min_n", "max_n", "bucket")]
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
    # Large arrays are in files of their own beside it.
    beside = sorted(one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}.") and one.is_file())
    try:
        return converted([path, *beside], lambda _: asdict(check(found)), lambda folder: _known(found, folder))
    except LitotesError as error:
        if error.code.startswith("L4"):  # the cache folder, which it names itself
            raise
        raise LitotesError("L303", f"{path}: {error.message}") from error


def _known(found: Any, folder: Path) -> GensimVectors:
    """The vectors with what the folder of the cache has of them: they were looked through before."""
    about = read_json(folder / "about.json")
    return GensimVectors(found, Checked(float(about["largest"]), str(about["content"]), int(about["words"])))
