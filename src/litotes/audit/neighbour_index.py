"""Neighbours in large corpora by faiss: vectors in lists around centres, of which those near to a sentence are read."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.core.errors import missing_package
from litotes.core.progress import Progress
from litotes.scorers.base import Vectors

if TYPE_CHECKING:
    from litotes.audit.neighbours import Found

SEED = 20260
_A_LIST = 512
"""About so many sentences lie around one centre."""
_READ = 16
"""Lists that are read for a sentence: those whose centres are nearest."""
_TRAINED_ON = 64
"""Sentences a centre from which the centres are learned."""
_TURNS = 10
_ADDED = 65_536
_ASKED = 8_192
_QUANTISED = 0.02
"""Vectors are kept as one byte a number: candidates so far below the threshold may still be above it."""


def settings(count: int) -> dict[str, int]:
    """What the neighbours depend on besides the vectors."""
    lists = max(1, count // _A_LIST)
    return {"lists": lists, "read": min(_READ, lists), "trained_on": min(count, lists * _TRAINED_ON), "seed": SEED}


def index_bytes(count: int, width: int, wanted: int) -> int:
    """What the index takes at most, with the sentences that it learns from and the answers that are under way."""
    chosen = settings(count)
    # One byte a number and eight a place; lists grow by doubling.
    codes = 2 * count * (width + 8)
    learning = chosen["trained_on"] * width * 4 * 2 + chosen["lists"] * width * 4 * 4
    adding = _ADDED * width * 4 * 2
    asking = _ASKED * (width * 4 + wanted * 120 + chosen["read"] * 12)
    return codes + count * 16 + max(learning, adding + asking)


def search(vectors: Vectors, threshold: float, wanted: int, workers: int, progress: Progress) -> Iterator[Found]:
    """The candidates of each sentence, a block of sentences at a time; the same whatever the number of workers."""
    faiss = _faiss()
    count = len(vectors)
    scale = _scale(vectors)
    index, lists = _built(faiss, vectors, scale, progress)
    # Sentences of one list are asked together: they read the same lists, which then lie in the processor's cache.
    order = np.argsort(lists, kind="stable")
    progress.begin("neighbours", total=count)
    for start in range(0, count, _ASKED):
        asked = order[start : start + _ASKED]
        with _threads(faiss, workers):
            # One more: most find themselves.
            cosines, places = index.search(_whole(vectors[asked], scale), wanted + 1)
        near = cosines >= (threshold - _QUANTISED) * scale**2
        rows, columns = np.nonzero(near & (places >= 0) & (places != asked[:, None]))
        progress.advance(len(asked))
        yield asked[rows], places[rows, columns]
    progress.end()


def _scale(vectors: Vectors) -> float:
    """What the numbers are multiplied by, so that the largest just fits into a byte with a sign."""
    largest = max(float(np.abs(vectors[start : start + _ADDED]).max()) for start in range(0, len(vectors), _ADDED))
    return 126.0 / (largest or 1.0)


def _whole(rows: Vectors, scale: float) -> Vectors:
    """The numbers as faiss keeps them, rounded here: of what it gets it cuts off all behind the point."""
    scaled: Vectors = rows * np.float32(scale)
    return np.rint(scaled, out=scaled)


def _built(
    faiss: Any, vectors: Vectors, scale: float, progress: Progress
) -> tuple[Any, np.ndarray[Any, np.dtype[np.int64]]]:
    """The index with all vectors in it, and the list of each; on one thread, as sums depend on their number."""
    count, width = vectors.shape
    chosen = settings(count)
    centres = faiss.IndexFlatIP(width)
    index = faiss.IndexIVFScalarQuantizer(
        # Of faiss's codes of one byte the one that is read fastest, more than twice as fast as QT_8bit.
        centres,
        width,
        chosen["lists"],
        faiss.ScalarQuantizer.QT_8bit_direct_signed,
        faiss.METRIC_INNER_PRODUCT,
        False,
    )
    index.cp.seed, index.cp.niter, index.cp.spherical = SEED, _TURNS, True
    index.cp.max_points_per_centroid, index.cp.min_points_per_centroid = _TRAINED_ON, 1
    index.nprobe = chosen["read"]
    lists = np.empty(count, dtype=np.int64)
    with _threads(faiss, 1):
        # Evenly over the corpus, which may be sorted.
        sample = np.linspace(0, count - 1, chosen["trained_on"]).astype(np.int64)
        index.train(vectors[sample])
        progress.begin("index", total=count)
        for start in range(0, count, _ADDED):
            rows = np.ascontiguousarray(vectors[start : start + _ADDED])
            nearest = np.ascontiguousarray(centres.search(rows, 1)[1][:, 0])
            lists[start : start + _ADDED] = nearest
            codes = _whole(rows, scale)  # under a name: a pointer alone does not keep an array alive
            index.add_core(len(rows), faiss.swig_ptr(codes), None, faiss.swig_ptr(nearest))
            progress.advance(len(rows))
        progress.end()
    return index, lists


@contextlib.contextmanager
def _threads(faiss: Any, wanted: int) -> Iterator[None]:
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(max(1, wanted))
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def need_faiss() -> None:
    """Raise if the index cannot be made."""
    if importlib.util.find_spec("faiss") is None:
        raise missing_package("faiss", "audit")


def _faiss() -> Any:
    need_faiss()
    import faiss

    return faiss
