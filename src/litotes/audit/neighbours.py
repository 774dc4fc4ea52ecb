"""Which sentences a model puts close to each other: all pairs by matrix products, or an index for large corpora."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.files import is_file, write_atomic
from litotes.core.progress import Progress
from litotes.models.base import Vectors

Method: TypeAlias = Literal["exact", "approximate"]
Found: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Places of sentences and, to each, the place of another that is close to it."""

NEIGHBOURS = 48
"""How many of each sentence, unless told otherwise."""
EXACT_UP_TO = 150_000
"""Sentences: above that, all pairs take hours and the index takes minutes."""
SPARE = 8
"""So many more candidates than wanted are measured again in double precision: rounding decides nothing."""
SLACK = 1e-4
"""Single precision may be off by less: candidates so far below the threshold are measured again too."""

_BLOCK = 2048
_RESCORED = 16_384
_APART = 32 << 20
"""Bytes for all that does not grow."""
_VERSION = 1
_PAIR = np.dtype([("one", "<i4"), ("other", "<i4"), ("similarity", "<f4")])


@dataclass(frozen=True)
class Pairs:
    """Pairs of places, each once with the smaller place first, in order of the places."""

    rows: NDArray[np.void]
    """As they are kept: one, other, similarity."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def one(self) -> NDArray[np.int32]:
        """The first of each pair."""
        return self._column("one")

    @property
    def other(self) -> NDArray[np.int32]:
        """The second of each pair."""
        return self._column("other")

    @property
    def similarity(self) -> NDArray[np.float32]:
        """The cosine of each pair."""
        return self._column("similarity")

    def _column(self, name: str) -> NDArray[Any]:
        return np.asarray(self.rows[name])


def choose_method(count: int, method: Method | None) -> Method:
    """The method that was asked for, or the exact one while it takes minutes.

    >>> choose_method(69_241, None), choose_method(1_000_000, None)
    ('exact', 'approximate')
    """
    return method or ("exact" if count <= EXACT_UP_TO else "approximate")


def memory_needed(count: int, width: int, method: Method | None, neighbours: int = NEIGHBOURS) -> int:
    """The bytes that finding neighbours takes at most, the vectors themselves included.

    >>> f"{memory_needed(1_000_000, 384, 'approximate') / 1e9:.1f} GB"
    '4.3 GB'
    """
    kept = neighbours + SPARE
    side = min(_BLOCK, count)
    vectors = count * width * 4
    pairs = count * neighbours * 28  # keys and what is handed back, each once more while they are sorted and written
    blocks = min(_RESCORED, count * kept) * width * 8 * 3 + _APART
    if choose_method(count, method) == "exact":
        return vectors + pairs + blocks + count * kept * 8 + side * side * 88 + side * kept * 80
    pass

    return vectors + pairs + blocks + index_bytes(count, width, kept)


def nearest(
    vectors: Vectors,
    *,
    threshold: float,
    neighbours: int = NEIGHBOURS,
    method: Method | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    store: Path | None = None,
) -> Pairs:
    """The pairs in which one is among the other's nearest and the cosine is at least the threshold.

    The vectors are normalised, single precision. `store` is a folder in which an equal call finds what this one gave.

    >>> rows = np.array([[1, 0], [0, 1], [0.96, 0.28]], dtype=np.float32)
    >>> found = nearest(rows, threshold=0.5)
    >>> found.one.tolist(), found.other.tolist(), [f"{one:.2f}" for one in found.similarity]
    ([0], [2], ['0.96'])
    """
    _check(vectors, threshold, neighbours)
    chosen = choose_method(len(vectors), method)
    path = None if store is None else store / f"neighbours-{_key(vectors, threshold, neighbours, chosen)}.npy"
    kept = None if path is None else _read(path, len(vectors))
    if kept is not None:
        return kept
    progress = progress or Progress()
    if chosen == "exact" or len(vectors) < 2:
        blocks = _exact(vectors, threshold - SLACK, neighbours + SPARE, progress)
    else:
        pass

        blocks = search(vectors, threshold, neighbours + SPARE, workers, progress)
    pairs = _measured(vectors, blocks, threshold, neighbours)
    if path is not None:
        _keep(path, pairs)
    return pairs


def _check(vectors: Vectors, threshold: float, neighbours: int) -> None:
    if not 0.0 < threshold <= 1.0:
        raise UsageError("L102", f"a similarity threshold lies above 0 and up to 1, this is {threshold:g}")
    if neighbours < 1:
        raise UsageError("L102", f"at least one neighbour a sentence is needed, this is {neighbours}")
    if vectors.ndim != 2 or vectors.dtype != np.float32:
        raise LitotesError("L308", "vectors are needed as rows of single-precision numbers")
    for start in range(0, len(vectors), _RESCORED):
        rows = vectors[start : start + _RESCORED]
        lengths = np.einsum("ij,ij->i", rows, rows)
        # A row of zeros is a sentence of which the model knows no word: it is close to none.
        if not np.all((np.abs(lengths - 1.0) < 1e-2) | (lengths == 0.0)):
            raise LitotesError("L308", "vectors are needed with a length of 1, without NaN")


# All pairs.


def _exact(vectors: Vectors, floor: float, wanted: int, progress: Progress) -> Iterator[Found]:
    """Products of blocks, each once: what it says of its rows it says of its columns too.

    A row meets the others in the order of their places, so of equals the first are kept, as “greater” does it.
    """
    count = len(vectors)
    best = _Best(np.full((count, wanted), floor, dtype=np.float32), np.full((count, wanted), -1, dtype=np.int32))
    buffer = np.empty(_BLOCK * _BLOCK, dtype=np.float32)  # fresh memory for each product would take a third of the time
    progress.begin("neighbours", total=count)
    for start in range(0, count, _BLOCK):
        rows = slice(start, min(start + _BLOCK, count))
        for begin in range(start, count, _BLOCK):
            columns = slice(begin, min(begin + _BLOCK, count))
            shape = (rows.stop - start, columns.stop - begin)
            products = buffer[: shape[0] * shape[1]].reshape(shape)
            np.matmul(vectors[rows], vectors[columns].T, out=products)
            if begin == start:
                np.fill_diagonal(products, -2.0)
            above, beside = _greater(products, best.values[rows, -1:])
            best.take(above + start, beside + begin, products[above, beside])
            if begin != start:
                above, beside = _greater(products, best.values[columns, -1])
                best.take(beside + begin, above + start, products[above, beside])
        progress.advance(rows.stop - start)
        of, kept = np.nonzero(best.places[rows] >= 0)
        yield of + start, best.places[rows][of, kept].astype(np.int64)
    progress.end()


def _greater(products: Vectors, floors: NDArray[np.float32]) -> Found:
    """Where a product is above its floor; numpy is several times faster at this in one dimension than in two."""
    rows, columns = np.divmod(np.flatnonzero(products > floors), products.shape[1])
    return rows, columns


@dataclass(frozen=True)
class _Best:
    """Of each row the best so far, best first."""

    values: NDArray[np.float32]
    places: NDArray[np.int32]

    def take(self, rows: NDArray[np.int64], others: NDArray[np.int64], new: NDArray[np.float32]) -> None:
        """Put in what is better than the worst that was kept."""
        if len(rows) == 0:
            return
        wanted = self.values.shape[1]
        order = np.lexsort((others, -new, rows))
        rows, others, new = rows[order], others[order], new[order]
        touched, first, place = np.unique(rows, return_index=True, return_inverse=True)
        rank = np.arange(len(rows)) - first[place]
        width = min(int(rank.max()) + 1, wanted)
        more = np.full((len(touched), width), -2.0, dtype=np.float32)
        whose = np.full((len(touched), width), -1, dtype=np.int32)
        near = rank < width
        more[place[near], rank[near]] = new[near]
        whose[place[near], rank[near]] = others[near]
        values = np.concatenate([self.values[touched], more], axis=1)
        places = np.concatenate([self.places[touched], whose], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :wanted]
        self.values[touched] = np.take_along_axis(values, order, axis=1)
        self.places[touched] = np.take_along_axis(places, order, axis=1)


# Candidates of either method, measured.


def _measured(vectors: Vectors, blocks: Iterator[Found], threshold: float, neighbours: int) -> Pairs:
    """Of the candidates of each row the nearest that are near enough, by cosines in double precision."""
    count = len(vectors)
    found: list[NDArray[np.int64]] = []
    for candidates in blocks:
        cosines = _cosines(vectors, *candidates)
        order = np.lexsort((candidates[1], -cosines, candidates[0]))
        of, others, cosines = candidates[0][order], candidates[1][order], cosines[order]
        rank = np.arange(len(of)) - np.searchsorted(of, of)
        near = (rank < neighbours) & (cosines >= threshold)
        found.append(np.minimum(of, others)[near] * count + np.maximum(of, others)[near])
    keys = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
    found.clear()
    keys.sort()
    keys = keys[np.diff(keys, prepend=-1) != 0]
    rows = np.empty(len(keys), dtype=_PAIR)
    for start in range(0, len(keys), _RESCORED):
        some = slice(start, start + _RESCORED)
        one, other = np.divmod(keys[some], count)
        rows["one"][some], rows["other"][some] = one, other
        rows["similarity"][some] = _cosines(vectors, one, other)
    return Pairs(rows)


def _cosines(
    vectors: Vectors, ones: NDArray[np.signedinteger], others: NDArray[np.signedinteger]
) -> NDArray[np.float64]:
    """Products in double precision, always summed in the same order; rounding leaves none above 1."""
    found = np.empty(len(ones), dtype=np.float64)
    for start in range(0, len(ones), _RESCORED):
        some = slice(start, start + _RESCORED)
        left, right = vectors[ones[some]].astype(np.float64), vectors[others[some]].astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", left, left) * np.einsum("ij,ij->i", right, right))
        found[some] = np.einsum("ij,ij->i", left, right) / lengths
    return np.minimum(found, 1.0, out=found)


# What an earlier call gave.


def _key(vectors: Vectors, threshold: float, neighbours: int, method: Method) -> str:
    digest = hashlib.blake2b(digest_size=16)
    about = [_VERSION, vectors.shape, float(threshold), neighbours, method]
    if method == "approximate":
        pass

        about.append(settings(len(vectors)))
    digest.update(json.dumps(about).encode())
    for start in range(0, len(vectors), _RESCORED):
        digest.update(np.ascontiguousarray(vectors[start : start + _RESCORED], dtype="<f4").data)
    return digest.hexdigest()


def _read(path: Path, count: int) -> Pairs | None:
    """What was kept; None if it is not there or damaged, and then it is found anew."""
    if not is_file(path):
        return None
    try:
        rows = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    if rows.dtype != _PAIR or rows.ndim != 1 or not np.all((rows["one"] >= 0) & (rows["one"] < rows["other"])):
        return None
    if len(rows) and int(rows["other"].max()) >= count:
        return None
    return Pairs(rows)


def _keep(path: Path, pairs: Pairs) -> None:
    """Write them whole or not at all; a full disk costs the next call its speed, not this one its result."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(pairs.rows))
    with contextlib.suppress(LitotesError):
        write_atomic(path, b"".join((head.getvalue(), pairs.rows.view(np.uint8).data)))


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
