"""One FAISS index: an inverted file with a byte per dimension, the same whatever the number of threads."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import missing_package
from litotes.core.progress import Progress
from litotes.models.base import Vectors

_SEED = 20260
_LIST_SIZE = 512
"""Average number of vectors in a list of the index."""
_LISTS_PER_QUERY = 16
_TRAINING_PER_LIST = 64
"""Vectors per list from which the centroids are learned."""
_ITERATIONS = 10
ADD_BATCH = 65_536
QUERY_BATCH = 8_192
QUANTISATION = 0.02
"""The index stores one byte per dimension: candidates may be this far below the threshold."""


def index_settings(count: int) -> dict[str, int]:
    """Return the parameters of the index for a number of vectors."""
    lists = max(1, count // _LIST_SIZE)
    return {
        "lists": lists,
        "read": min(_LISTS_PER_QUERY, lists),
        "trained_on": min(count, lists * _TRAINING_PER_LIST),
        "seed": _SEED,
    }


def quantisation_scale(vectors: Vectors) -> float:
    """Return the factor by which the largest number just fits into a signed byte."""
    largest = max(
        float(np.abs(vectors[start : start + ADD_BATCH]).max()) for start in range(0, len(vectors), ADD_BATCH)
    )
    return 126.0 / (largest or 1.0)


def quantise(rows: Vectors, scale: float) -> Vectors:
    """Round the scaled numbers; FAISS itself truncates them."""
    scaled: Vectors = rows * np.float32(scale)
    return np.rint(scaled, out=scaled)


def build_index(vectors: Vectors, scale: float, progress: Progress) -> Any:
    """Return the index of all vectors.

    It is built in one thread, since sums depend on the number of threads.
    """
    faiss = import_faiss()
    count, dimensions = vectors.shape
    settings = index_settings(count)
    centroids = faiss.IndexFlatIP(dimensions)
    index = faiss.IndexIVFScalarQuantizer(
        centroids,
        dimensions,
        settings["lists"],
        faiss.ScalarQuantizer.QT_8bit_direct_signed,  # searched more than twice as fast as QT_8bit
        faiss.METRIC_INNER_PRODUCT,
        False,
    )
    index.cp.seed, index.cp.niter, index.cp.spherical = _SEED, _ITERATIONS, True
    index.cp.max_points_per_centroid, index.cp.min_points_per_centroid = _TRAINING_PER_LIST, 1
    index.nprobe = settings["read"]
    with faiss_threads(1):
        sample = np.linspace(0, count - 1, settings["trained_on"]).astype(np.int64)  # the corpus may be sorted
        index.train(np.ascontiguousarray(vectors[sample]))
        progress.begin("index", total=count)
        for start in range(0, count, ADD_BATCH):
            rows = np.ascontiguousarray(vectors[start : start + ADD_BATCH])
            list_of_row = np.ascontiguousarray(centroids.search(rows, 1)[1][:, 0])
            codes = quantise(rows, scale)  # a variable, as swig_ptr does not keep the array alive
            index.add_core(len(rows), faiss.swig_ptr(codes), None, faiss.swig_ptr(list_of_row))
            progress.advance(len(rows))
        progress.end()
    return index


def lists_of(index: Any) -> NDArray[np.int64]:
    """Return the list of each vector."""
    faiss = import_faiss()
    lists = np.empty(index.ntotal, dtype=np.int64)
    for number in range(index.nlist):
        size = index.invlists.list_size(number)
        if size:
            lists[faiss.rev_swig_ptr(index.invlists.get_ids(number), size)] = number
    return lists


def load_index(content: bytes) -> Any:
    """Return the index that FAISS has written."""
    faiss = import_faiss()
    return faiss.deserialize_index(np.frombuffer(content, dtype=np.uint8))


@contextlib.contextmanager
def faiss_threads(n_threads: int) -> Iterator[None]:
    """Let FAISS use a number of threads."""
    faiss = import_faiss()
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(max(1, n_threads))
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def require_faiss() -> None:
    """Raise if FAISS is not installed."""
    if importlib.util.find_spec("faiss") is None:
        raise missing_package("faiss", "audit")


def import_faiss() -> Any:
    """Return the module `faiss`; raise if it is not installed."""
    require_faiss()
    import faiss

    return faiss
