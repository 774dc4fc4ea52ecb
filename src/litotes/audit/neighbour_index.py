"""Approximate neighbour search with FAISS: an index per shard of the corpus, built and searched on an engine.

The shards have a fixed number of rows. Each index depends on the rows of its shard alone, so one that is stored can be
used again after sentences have been appended. All indices are searched for every sentence; the best candidates of a
sentence are merged, and compared exactly by `audit.neighbours`.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from litotes.audit.faiss_index import (
    ADD_BATCH,
    QUANTISATION,
    QUERY_BATCH,
    build_index,
    faiss_threads,
    import_faiss,
    index_settings,
    lists_of,
    load_index,
    quantisation_scale,
    quantise,
    require_faiss,
)
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_file, read_json, sha256_file, to_json, write_atomic, writing_to
from litotes.core.parallel.engine import SERIAL, ParallelEngine, map_ordered
from litotes.core.progress import Progress
from litotes.core.settings import convert
from litotes.core.versions import installed_version
from litotes.models.base import Vectors

Candidates: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Indices of sentences and, for each, the index of a neighbour."""

SHARD_ROWS = 262_144
MANIFEST = "index.json"
_FORMAT = "litotes index 1"


class IndexShard(msgspec.Struct, frozen=True):
    """The stored index of one shard."""

    file: str
    rows: int
    bytes: int
    sha256: str
    vectors: str
    """A hash of the vectors."""
    scale: float
    """The factor by which the vectors were multiplied before they were rounded to a byte per dimension."""


class IndexManifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a folder with an index contains."""

    format: str = _FORMAT
    fingerprint: str
    """The hash of what the vectors depend on besides the sentences."""
    dimensions: int
    settings: dict[str, Any]
    shards: list[IndexShard]


def search_settings(count: int) -> dict[str, int]:
    """Return everything besides the vectors that the candidates depend on."""
    if count <= SHARD_ROWS:
        return index_settings(count)
    return {**index_settings(SHARD_ROWS), "shard_rows": SHARD_ROWS}


def index_memory(count: int, dimensions: int, n_candidates: int) -> int:
    """Return the maximum memory of an index in bytes, with its training data and unfinished queries.

    With several shards it includes the messages that are sent to a worker and that arrive.
    """
    rows = min(count, SHARD_ROWS)
    settings = index_settings(rows)
    codes = 2 * rows * (dimensions + 8)  # a byte per dimension and eight for the index; lists grow by doubling
    training = settings["trained_on"] * dimensions * 4 * 2 + settings["lists"] * dimensions * 4 * 4
    adding = ADD_BATCH * dimensions * 4 * 2
    querying = QUERY_BATCH * (dimensions * 4 + n_candidates * 120 + settings["read"] * 12)
    search = codes + rows * 16 + max(training, adding + querying)
    if count <= SHARD_ROWS:
        return search
    return search + 3 * rows * dimensions * 4 + 4 * rows * n_candidates * 8


def index_comparisons(count: int) -> int:
    """Return the number of vectors and centroids with which a vector is compared, in all shards."""
    full, last = divmod(count, SHARD_ROWS)
    shards = [SHARD_ROWS] * full + [last] * bool(last)
    return sum(
        settings["lists"] + settings["read"] * rows // settings["lists"]
        for rows in shards
        for settings in [index_settings(rows)]
    )


def worker_memory(count: int, dimensions: int, n_candidates: int) -> int:
    """Return the maximum memory in bytes of each worker of an engine; 0 if there is only one shard."""
    if count <= SHARD_ROWS:
        return 0
    building = 4 * SHARD_ROWS * (dimensions + 8)  # the index twice as bytes, and in the reply
    return index_memory(count, dimensions, n_candidates) + building


@dataclass(frozen=True)
class SearchRuntime:
    """Where neighbours are searched, and what is stored; none of it changes the result."""

    workers: int = 1
    """Number of threads of this process."""
    progress: Progress = field(default_factory=Progress)
    store: Path | None = None
    """Folder in which results are cached."""
    engine: ParallelEngine = SERIAL
    """Where the shards of the approximate search are indexed and searched; the exact search runs in this process."""
    index: Path | None = None
    """Folder of the index of the approximate search; None to discard it."""
    fingerprint: str = ""
    """What the vectors depend on besides the sentences; an index of other vectors is an error."""


def search_index(vectors: Vectors, threshold: float, n_candidates: int, runtime: SearchRuntime) -> Iterator[Candidates]:
    """Yield the candidates of one batch of sentences at a time; `threshold` is the minimum cosine."""
    require_faiss()
    count = len(vectors)
    task = SearchTask(threshold, n_candidates, 1 if runtime.engine.is_remote else runtime.workers)
    if runtime.index is None and count <= SHARD_ROWS:
        index = build_index(vectors, scale := quantisation_scale(vectors), runtime.progress)
        yield from _search_one(index, vectors, scale, task, runtime)
        return
    with contextlib.ExitStack() as stack:
        folder = runtime.index or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stored = update_index(vectors, folder, runtime.fingerprint, engine=runtime.engine, progress=runtime.progress)
        if count <= SHARD_ROWS:
            index, scale = load_index(stored.read(0)), stored.manifest.shards[0].scale
            yield from _search_one(index, vectors, scale, task, runtime)
        else:
            yield from _search_shards(vectors, stored, task, runtime.engine, runtime.progress)


# One shard


def _search_one(
    index: Any, vectors: Vectors, scale: float, task: SearchTask, runtime: SearchRuntime
) -> Iterator[Candidates]:
    # Sentences of one list are searched together, as they read the same lists from the processor's cache.
    order = np.argsort(lists_of(index), kind="stable")
    runtime.progress.begin("neighbours", total=len(vectors))
    for start in range(0, len(vectors), QUERY_BATCH):
        queries = order[start : start + QUERY_BATCH]
        with faiss_threads(runtime.workers):
            cosines, indices = index.search(quantise(vectors[queries], scale), task.n_candidates + 1)  # and itself
        near = cosines >= (task.threshold - QUANTISATION) * scale**2
        rows, columns = np.nonzero(near & (indices >= 0) & (indices != queries[:, None]))
        runtime.progress.advance(len(queries))
        yield queries[rows], indices[rows, columns]
    runtime.progress.end()


# Several shards


class SearchTask(NamedTuple):
    """What a worker needs to search any shard."""

    threshold: float
    n_candidates: int
    threads: int


class ShardQueries(NamedTuple):
    """The rows of a shard, and the index of the same or another one."""

    content: bytes
    """The index as FAISS writes it."""
    scale: float
    """Of the index."""
    codes: NDArray[np.int8]
    """The rows, multiplied by their own scale and rounded."""
    own_scale: float
    is_same: bool
    """Whether the rows are those of the index."""


class ShardCandidates(NamedTuple):
    """For each row the best candidates in another shard: approximate cosines, and indices or -1."""

    cosines: Vectors
    indices: NDArray[np.int32]


def _search_shards(
    vectors: Vectors, stored: StoredIndex, task: SearchTask, engine: ParallelEngine, progress: Progress
) -> Iterator[Candidates]:
    """Search all indices for the rows of each shard, and merge their candidates."""
    shards = stored.manifest.shards
    progress.begin("neighbours", total=len(vectors) * len(shards))

    def queries() -> Iterator[ShardQueries]:
        for rows, own in zip(_shards(vectors), shards, strict=True):
            codes = quantise(rows, own.scale).astype(np.int8)
            for number, shard in enumerate(shards):
                yield ShardQueries(stored.read(number), shard.scale, codes, own.scale, shard is own)

    results = map_ordered(partial(search_shards, task), queries(), engine=engine, chunk_size=1, chunks_per_worker=1)
    with contextlib.closing(results):
        for start in range(0, len(vectors), SHARD_ROWS):
            best_cosines, best_indices = None, None
            for number in range(len(shards)):
                found = next(results)
                indices = np.where(found.indices >= 0, found.indices.astype(np.int64) + number * SHARD_ROWS, -1)
                if best_cosines is None or best_indices is None:
                    best_cosines, best_indices = found.cosines, indices
                else:
                    _merge(best_cosines, best_indices, found.cosines, indices)
                progress.advance(len(indices))
            assert best_indices is not None  # noqa: S101  (for mypy)
            for begin in range(0, len(best_indices), QUERY_BATCH):
                block = best_indices[begin : begin + QUERY_BATCH]
                row, rank = np.nonzero(block >= 0)
                yield row + start + begin, block[row, rank]
    progress.end()


def _merge(cosines: Vectors, indices: NDArray[np.int64], more: Vectors, new_indices: NDArray[np.int64]) -> None:
    """Replace candidates by better ones, in place; ties are broken in favour of smaller indices."""
    for start in range(0, len(cosines), QUERY_BATCH):
        rows = slice(start, start + QUERY_BATCH)
        both = np.concatenate([cosines[rows], more[rows]], axis=1)
        order = np.argsort(-both, axis=1, kind="stable")[:, : cosines.shape[1]]
        all_indices = np.concatenate([indices[rows], new_indices[rows]], axis=1)
        cosines[rows] = np.take_along_axis(both, order, axis=1)
        indices[rows] = np.take_along_axis(all_indices, order, axis=1)


def search_shards(task: SearchTask, chunk: Sequence[ShardQueries]) -> list[ShardCandidates]:
    """Return the candidates of each item; runs in a worker."""
    return [_search_shard(task, queries) for queries in chunk]


def _search_shard(task: SearchTask, queries: ShardQueries) -> ShardCandidates:
    index = load_index(queries.content)
    rows = queries.codes * np.float32(1 / queries.own_scale)
    cosines = np.full((len(rows), task.n_candidates), -2.0, dtype=np.float32)
    indices = np.full(cosines.shape, -1, dtype=np.int32)
    with faiss_threads(task.threads):
        order = np.argsort(index.quantizer.search(rows, 1)[1][:, 0], kind="stable")
        for start in range(0, len(rows), QUERY_BATCH):
            batch = order[start : start + QUERY_BATCH]
            products, neighbours = index.search(quantise(rows[batch], queries.scale), task.n_candidates + 1)
            products /= np.float32(queries.scale**2)
            products[neighbours < 0] = -2.0
            if queries.is_same:
                products[neighbours == batch[:, None]] = -2.0
            neighbours[products < task.threshold - QUANTISATION] = -1
            products[neighbours < 0] = -2.0
            best = np.argsort(-products, axis=1, kind="stable")[:, : task.n_candidates]
            cosines[batch] = np.take_along_axis(products, best, axis=1)
            indices[batch] = np.take_along_axis(neighbours, best, axis=1)
    return ShardCandidates(cosines, indices)


# The folder of an index


class StoredIndex(NamedTuple):
    """A folder with the index of each shard."""

    folder: Path
    manifest: IndexManifest

    def read(self, number: int) -> bytes:
        """Return the file of a shard; raise an error if it is not the one of the manifest."""
        shard = self.manifest.shards[number]
        path = self.folder / shard.file
        try:
            content = path.read_bytes()
        except OSError as error:
            raise LitotesError("L201", f"{path}: cannot be read ({error.strerror})") from error
        if hashlib.sha256(content).hexdigest() != shard.sha256:
            raise LitotesError("L203", f"{path}: is not the file of {MANIFEST}", hint="repeat the command")
        return content


def update_index(
    vectors: Vectors, folder: Path, fingerprint: str, *, engine: ParallelEngine, progress: Progress
) -> StoredIndex:
    """Return the index of the vectors in a folder, after building the shards that it does not contain yet.

    Each shard is stored when it is built, so that a call that was killed resumes.
    """
    settings = {**search_settings(SHARD_ROWS), "shard_rows": SHARD_ROWS, "faiss": installed_version("faiss-cpu") or ""}
    dimensions = vectors.shape[1]
    existing = check_index(folder, fingerprint)
    if existing is not None and existing.dimensions != dimensions:
        raise LitotesError("L203", f"{folder}: has vectors of {existing.dimensions} dimensions, not {dimensions}")
    usable = existing.shards if existing is not None and existing.settings == settings else []
    digests = [_digest(rows) for rows in _shards(vectors)]
    stored = {
        number: shard
        for number, (shard, digest) in enumerate(zip(usable, digests, strict=False))
        if shard.vectors == digest and _is_intact(folder, shard)
    }
    missing = [number for number in range(len(digests)) if number not in stored]

    def write_manifest() -> IndexManifest:
        first = list(itertools.takewhile(stored.__contains__, range(len(digests))))
        shards = [stored[number] for number in first]
        manifest = IndexManifest(fingerprint=fingerprint, dimensions=dimensions, settings=settings, shards=shards)
        write_atomic(folder / MANIFEST, to_json(msgspec.to_builtins(manifest), indent=2) + "\n")
        return manifest

    parts = (np.ascontiguousarray(vectors[n * SHARD_ROWS : (n + 1) * SHARD_ROWS]) for n in missing)
    progress.begin("index", total=len(vectors), done=sum(shard.rows for shard in stored.values()))
    built = map_ordered(build_shards, parts, engine=engine, chunk_size=1, chunks_per_worker=1)
    with contextlib.closing(built):
        for number, (content, rows, scale) in zip(missing, built, strict=True):
            file = f"shard-{number:05}.faiss"
            sha256 = hashlib.sha256(content).hexdigest()
            write_atomic(folder / file, content)
            stored[number] = IndexShard(file, rows, len(content), sha256, digests[number], scale)
            write_manifest()
            progress.advance(rows)
    progress.end()
    manifest = write_manifest()
    with writing_to(folder):
        for path in folder.glob("shard-*.faiss"):
            if path.name not in {shard.file for shard in manifest.shards}:
                path.unlink()  # of a longer corpus
    return StoredIndex(folder, manifest)


class BuiltShard(NamedTuple):
    """The index of a shard as FAISS writes it."""

    content: bytes
    rows: int
    scale: float


def build_shards(chunk: Sequence[Vectors]) -> list[BuiltShard]:
    """Build the index of each shard; runs in a worker."""
    faiss = import_faiss()
    built = []
    for rows in chunk:
        scale = quantisation_scale(rows)
        index = build_index(rows, scale, Progress())
        built.append(BuiltShard(faiss.serialize_index(index).tobytes(), len(rows), scale))
    return built


def _shards(vectors: Vectors) -> Iterator[Vectors]:
    for start in range(0, len(vectors), SHARD_ROWS):
        yield vectors[start : start + SHARD_ROWS]


def _digest(rows: Vectors) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for start in range(0, len(rows), ADD_BATCH):
        digest.update(np.ascontiguousarray(rows[start : start + ADD_BATCH], dtype="<f4").data)
    return digest.hexdigest()


def check_index(folder: Path, fingerprint: str) -> IndexManifest | None:
    """Return the manifest of a folder, or None if it has none; raise an error if it belongs to another model."""
    path = folder / MANIFEST
    if not is_file(path):
        return None
    manifest = convert(read_json(path), IndexManifest, where=str(path), code="L203")
    is_named = all(shard.file == f"shard-{number:05}.faiss" for number, shard in enumerate(manifest.shards))
    if manifest.format != _FORMAT or not is_named:
        raise LitotesError("L203", f"{path}: is not a manifest of an index", hint="choose another folder")
    if manifest.fingerprint != fingerprint:
        hint = "choose another folder for each model"
        raise UsageError("L102", f"{folder}: contains the index of another model", hint=hint)
    return manifest


def _is_intact(folder: Path, shard: IndexShard) -> bool:
    path = folder / shard.file
    return is_file(path) and path.stat().st_size == shard.bytes and sha256_file(path) == shard.sha256
