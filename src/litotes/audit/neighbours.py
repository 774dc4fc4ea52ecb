"""Pairs of sentences with similar vectors: exact by matrix products, or approximate with a FAISS index."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from litotes.audit.neighbour_index import (
    SHARD_ROWS,
    Candidates,
    SearchRuntime,
    index_comparisons,
    index_memory,
    search_index,
    search_settings,
)
from litotes.audit.settings import AuditSettings, SearchMethod
from litotes.core.arrays import map_npy
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_file, write_atomic
from litotes.core.progress import Progress
from litotes.models.base import Vectors

NEIGHBOURS = AuditSettings().neighbours
MAX_EXACT = 150_000
"""Sentences: beyond this, comparing all pairs takes hours and the index takes minutes."""
EXTRA_CANDIDATES = 8
"""More neighbours than requested are found in single precision and compared again in double precision."""
ROUNDING = 1e-4
"""Candidates may be this far below the threshold in single precision."""

_EXACT_BLOCK = 2048
_RESCORE_BATCH = 16_384
_FIXED_MEMORY = 32 << 20
_CACHE_VERSION = 1
_PAIR = np.dtype([("first", "<i4"), ("second", "<i4"), ("similarity", "<f4")])


@dataclass(frozen=True)
class Pairs:
    """Pairs of sentence indices, each once with the smaller index first, in ascending order."""

    rows: NDArray[np.void]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def first(self) -> NDArray[np.int32]:
        """The smaller index of each pair."""
        return self._column("first")

    @property
    def second(self) -> NDArray[np.int32]:
        """The larger index of each pair."""
        return self._column("second")

    @property
    def similarity(self) -> NDArray[np.float32]:
        """The cosine of each pair."""
        return self._column("similarity")

    def _column(self, name: str) -> NDArray[Any]:
        return np.asarray(self.rows[name])


def choose_method(count: int, method: SearchMethod | None) -> SearchMethod:
    """Return the requested method, or by default the exact one for corpora of moderate size.

    >>> choose_method(69_241, None), choose_method(1_000_000, None)
    ('exact', 'approximate')
    """
    return method or ("exact" if count <= MAX_EXACT else "approximate")


def estimate_memory(count: int, dimensions: int, method: SearchMethod | None, neighbours: int = NEIGHBOURS) -> int:
    """Return the maximum memory of the search in bytes, including the vectors.

    >>> f"{estimate_memory(1_000_000, 384, 'approximate') / 1e9:.1f} GB"
    '5.2 GB'
    """
    n_candidates = neighbours + EXTRA_CANDIDATES
    vectors = count * dimensions * 4
    pairs = count * neighbours * 28  # keys and results, each twice while they are sorted and written
    rescoring = min(_RESCORE_BATCH, count * n_candidates) * dimensions * 8 * 3 + _FIXED_MEMORY
    if choose_method(count, method) == "exact":
        side = min(_EXACT_BLOCK, count)
        search = count * n_candidates * 8 + side * side * 88 + side * n_candidates * 80
    else:
        search = index_memory(count, dimensions, n_candidates)
    return vectors + pairs + rescoring + search


class Comparisons(NamedTuple):
    """How many pairs of vectors a search compares."""

    n_pairs: int
    are_distributed: bool
    """Whether they run in tasks of the engine, and not in the driver."""


def estimate_comparisons(count: int, method: SearchMethod | None) -> Comparisons:
    """Return how many pairs of vectors the search compares.

    >>> estimate_comparisons(1_000, None).n_pairs
    500000
    >>> estimate_comparisons(2_000_000, None).are_distributed
    True
    """
    if choose_method(count, method) == "exact":
        return Comparisons(count * count // 2, False)
    return Comparisons(count * index_comparisons(count), count > SHARD_ROWS)


def find_neighbours(
    vectors: Vectors,
    *,
    threshold: float,
    neighbours: int = NEIGHBOURS,
    method: SearchMethod | None = None,
    runtime: SearchRuntime | None = None,
) -> Pairs:
    """Return the pairs in which one is a nearest neighbour of the other and the cosine reaches the threshold.

    Args:
        vectors: Normalised rows in single precision.
        threshold: Minimum cosine.
        neighbours: Number of nearest neighbours per sentence.
        method: How to search; by default exact up to `MAX_EXACT` sentences.
        runtime: Where the search runs, and what it stores.

    >>> rows = np.array([[1, 0], [0, 1], [0.96, 0.28]], dtype=np.float32)
    >>> pairs = find_neighbours(rows, threshold=0.5)
    >>> pairs.first.tolist(), pairs.second.tolist(), [f"{cosine:.2f}" for cosine in pairs.similarity]
    ([0], [2], ['0.96'])
    """
    _check(vectors, threshold, neighbours)
    method = choose_method(len(vectors), method)
    runtime = runtime or SearchRuntime()
    path = None
    if runtime.store is not None:
        path = runtime.store / f"neighbours-{_cache_key(vectors, threshold, neighbours, method)}.npy"
    cached = None if path is None else _read_pairs(path, len(vectors))
    if cached is not None and (runtime.index is None or method == "exact"):
        return cached
    n_candidates = neighbours + EXTRA_CANDIDATES
    if method == "exact" or len(vectors) < 2:
        blocks = _search_exact(vectors, threshold - ROUNDING, n_candidates, runtime.progress)
    else:
        blocks = search_index(vectors, threshold, n_candidates, runtime)
    pairs = _rescore(vectors, blocks, threshold, neighbours)
    if path is not None:
        _write_pairs(path, pairs)
    return pairs


def _check(vectors: Vectors, threshold: float, neighbours: int) -> None:
    if not 0.0 < threshold <= 1.0:
        raise UsageError("L102", f"threshold={threshold:g}: must be above 0, up to 1")
    if neighbours < 1:
        raise UsageError("L102", f"neighbours={neighbours}: must be at least 1")
    if vectors.ndim != 2 or vectors.dtype != np.float32:
        raise LitotesError("L308", "vectors must be rows of single-precision numbers")
    for start in range(0, len(vectors), _RESCORE_BATCH):
        rows = vectors[start : start + _RESCORE_BATCH]
        lengths = np.einsum("ij,ij->i", rows, rows)
        # A row of zeros is a sentence without a known word; it has no neighbours.
        if not np.all((np.abs(lengths - 1.0) < 1e-2) | (lengths == 0.0)):
            raise LitotesError("L308", "vectors must have length 1 and contain no NaN")


# Exact search


def _search_exact(vectors: Vectors, floor: float, n_candidates: int, progress: Progress) -> Iterator[Candidates]:
    """Multiply each pair of blocks once, for the candidates of its rows and of its columns.

    A row meets the others in ascending order, so that ties are broken in favour of smaller indices.
    """
    count = len(vectors)
    best = _BestCandidates(
        np.full((count, n_candidates), floor, dtype=np.float32), np.full((count, n_candidates), -1, dtype=np.int32)
    )
    buffer = np.empty(_EXACT_BLOCK * _EXACT_BLOCK, dtype=np.float32)  # allocation per product would be slow
    progress.begin("neighbours", total=count)
    for start in range(0, count, _EXACT_BLOCK):
        rows = slice(start, min(start + _EXACT_BLOCK, count))
        for begin in range(start, count, _EXACT_BLOCK):
            columns = slice(begin, min(begin + _EXACT_BLOCK, count))
            shape = (rows.stop - start, columns.stop - begin)
            products = buffer[: shape[0] * shape[1]].reshape(shape)
            np.matmul(vectors[rows], vectors[columns].T, out=products)
            if begin == start:
                np.fill_diagonal(products, -2.0)
            row, column = _positions_above(products, best.values[rows, -1:])
            best.update(row + start, column + begin, products[row, column])
            if begin != start:
                row, column = _positions_above(products, best.values[columns, -1])
                best.update(column + begin, row + start, products[row, column])
        progress.advance(rows.stop - start)
        row, rank = np.nonzero(best.indices[rows] >= 0)
        yield row + start, best.indices[rows][row, rank].astype(np.int64)
    progress.end()


def _positions_above(products: Vectors, floors: NDArray[np.float32]) -> Candidates:
    """Return rows and columns of products above their floor; `np.flatnonzero` is faster than `np.nonzero`."""
    rows, columns = np.divmod(np.flatnonzero(products > floors), products.shape[1])
    return rows, columns


@dataclass(frozen=True)
class _BestCandidates:
    """The best candidates of each row so far, in descending order."""

    values: NDArray[np.float32]
    indices: NDArray[np.int32]

    def update(self, rows: NDArray[np.int64], others: NDArray[np.int64], new: NDArray[np.float32]) -> None:
        """Insert candidates that are better than the worst stored one."""
        if len(rows) == 0:
            return
        n_stored = self.values.shape[1]
        order = np.lexsort((others, -new, rows))
        rows, others, new = rows[order], others[order], new[order]
        changed, first, position = np.unique(rows, return_index=True, return_inverse=True)
        rank = np.arange(len(rows)) - first[position]
        width = min(int(rank.max()) + 1, n_stored)
        new_values = np.full((len(changed), width), -2.0, dtype=np.float32)
        new_indices = np.full((len(changed), width), -1, dtype=np.int32)
        fits = rank < width
        new_values[position[fits], rank[fits]] = new[fits]
        new_indices[position[fits], rank[fits]] = others[fits]
        values = np.concatenate([self.values[changed], new_values], axis=1)
        indices = np.concatenate([self.indices[changed], new_indices], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :n_stored]
        self.values[changed] = np.take_along_axis(values, order, axis=1)
        self.indices[changed] = np.take_along_axis(indices, order, axis=1)


# Rescoring of the candidates of both methods


def _rescore(vectors: Vectors, blocks: Iterator[Candidates], threshold: float, neighbours: int) -> Pairs:
    """Select the nearest candidates of each row by their cosines in double precision."""
    count = len(vectors)
    selected: list[NDArray[np.int64]] = []
    for rows, others in blocks:
        cosines = _cosines(vectors, rows, others)
        order = np.lexsort((others, -cosines, rows))
        sorted_rows = rows[order]
        rank = np.arange(len(order)) - np.searchsorted(sorted_rows, sorted_rows)
        near = order[(rank < neighbours) & (cosines[order] >= threshold)]
        selected.append(np.minimum(rows[near], others[near]) * count + np.maximum(rows[near], others[near]))
    keys = np.concatenate(selected) if selected else np.empty(0, dtype=np.int64)
    selected.clear()
    keys.sort()
    keys = keys[np.diff(keys, prepend=-1) != 0]
    pairs = np.empty(len(keys), dtype=_PAIR)
    for start in range(0, len(keys), _RESCORE_BATCH):
        batch = slice(start, start + _RESCORE_BATCH)
        first, second = np.divmod(keys[batch], count)
        pairs["first"][batch], pairs["second"][batch] = first, second
        pairs["similarity"][batch] = _cosines(vectors, first, second)
    return Pairs(pairs)


def _cosines(
    vectors: Vectors, first: NDArray[np.signedinteger], second: NDArray[np.signedinteger]
) -> NDArray[np.float64]:
    """Return cosines in double precision, summed in a fixed order and at most 1."""
    cosines = np.empty(len(first), dtype=np.float64)
    for start in range(0, len(first), _RESCORE_BATCH):
        batch = slice(start, start + _RESCORE_BATCH)
        left, right = vectors[first[batch]].astype(np.float64), vectors[second[batch]].astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", left, left) * np.einsum("ij,ij->i", right, right))
        cosines[batch] = np.einsum("ij,ij->i", left, right) / lengths
    return np.minimum(cosines, 1.0, out=cosines)


# Cache


def _cache_key(vectors: Vectors, threshold: float, neighbours: int, method: SearchMethod) -> str:
    digest = hashlib.blake2b(digest_size=16)
    settings: list[Any] = [_CACHE_VERSION, vectors.shape, float(threshold), neighbours, method]
    if method == "approximate":
        settings.append(search_settings(len(vectors)))
    digest.update(json.dumps(settings).encode())
    for start in range(0, len(vectors), _RESCORE_BATCH):
        digest.update(np.ascontiguousarray(vectors[start : start + _RESCORE_BATCH], dtype="<f4").data)
    return digest.hexdigest()


def _read_pairs(path: Path, count: int) -> Pairs | None:
    """Return the cached pairs, or None if there are none or the file is damaged."""
    if not is_file(path):
        return None
    try:
        rows = np.array(map_npy(path))
    except ValueError:
        return None
    if rows.dtype != _PAIR or rows.ndim != 1 or not np.all((rows["first"] >= 0) & (rows["first"] < rows["second"])):
        return None
    if len(rows) and int(rows["second"].max()) >= count:
        return None
    return Pairs(rows)


def _write_pairs(path: Path, pairs: Pairs) -> None:
    """Cache the pairs; an error, such as a full disk, does not affect the result."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(pairs.rows))
    with contextlib.suppress(LitotesError):
        write_atomic(path, b"".join((header.getvalue(), pairs.rows.view(np.uint8).data)))
