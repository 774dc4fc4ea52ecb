"""Folders of vectors: Arrow files of a fixed number of rows, and a manifest that names the model.

Each file contains the columns `id`, `text` and `vector`, uncompressed, so that the vectors are mapped into memory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from litotes.core.errors import LitotesError, UsageError, require_packages
from litotes.core.files import expand_user, is_file, read_json, sha256_file, to_json, write_atomic, writing_to
from litotes.core.settings import convert
from litotes.models.base import Fingerprint, Vectors

MANIFEST = "vectors.json"
_FORMAT = "litotes vectors 1"
_METADATA = b"litotes"
_PARTS = "part-*.arrow"


class VectorPart(msgspec.Struct, frozen=True):
    """One file of a folder."""

    file: str
    rows: int
    bytes: int
    sha256: str


class VectorManifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a folder contains; written when it is complete."""

    format: str = _FORMAT
    model: str
    fingerprint: dict[str, Any]
    """Everything that the vectors depend on besides the texts."""
    dimensions: int
    dtype: str = "float32"
    rows: int
    part_rows: int
    """The number of rows of each part except the last one."""
    corpus: list[dict[str, Any]]
    """For each file: name, bytes, sha256, format and licence."""
    parts: list[VectorPart]
    versions: dict[str, str]


class Block(NamedTuple):
    """The sentences of one part."""

    number: int
    ids: list[str]
    texts: list[str]

    @property
    def file(self) -> str:
        """The name of the part's file."""
        return f"part-{self.number:05}.arrow"

    def metadata(self, fingerprint: Fingerprint, part_rows: int) -> bytes:
        """Return what identifies the content of the part; it is stored in its file."""
        digest = hashlib.sha256(to_json([self.ids, self.texts]).encode())
        content = {"fingerprint": fingerprint.key(), "input": digest.hexdigest(), "part_rows": part_rows}
        return json.dumps(content, sort_keys=True).encode()


@dataclass(frozen=True)
class VectorFolder:
    """A folder of vectors.

    >>> folder = open_vectors("vectors")  # doctest: +SKIP
    >>> folder.vectors().shape  # doctest: +SKIP
    (120000, 384)
    """

    path: Path
    manifest: VectorManifest

    def __len__(self) -> int:
        return self.manifest.rows

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint of the model."""
        return Fingerprint(**self.manifest.fingerprint)

    def parts(self) -> Iterator[Vectors]:
        """Yield the vectors of each part, mapped into memory and read-only."""
        for part in self.manifest.parts:
            column = _read_batch(self.path / part.file)["vector"]
            yield column.flatten().to_numpy(zero_copy_only=True).reshape(part.rows, self.manifest.dimensions)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the text of each row."""
        for part in self.manifest.parts:
            batch = _read_batch(self.path / part.file)
            yield from zip(batch["id"].to_pylist(), batch["text"].to_pylist(), strict=True)

    def vectors(self) -> Vectors:
        """Return all vectors as one array in memory."""
        return np.concatenate(list(self.parts()))

    def check(self) -> None:
        """Raise an error unless every file has the size and the sha256 of the manifest."""
        for part in self.manifest.parts:
            path = self.path / part.file
            if not is_file(path) or path.stat().st_size != part.bytes or sha256_file(path) != part.sha256:
                hint = "encode it again: intact files are used again"
                raise LitotesError("L203", f"{path}: is not the file of {MANIFEST}", hint=hint)


def open_vectors(path: str | Path, *, check: bool = True) -> VectorFolder:
    """Open a folder that `encode` wrote.

    Args:
        path: The folder.
        check: Whether to compare every file with its sha256 first; do not leave that out for folders of others.
    """
    require_packages("parquet", "pyarrow")
    folder = expand_user(path)
    manifest = read_manifest(folder)
    if manifest is None:
        raise LitotesError("L201", f"{folder}: contains no {MANIFEST}", hint="litotes encode writes one at its end")
    opened = VectorFolder(folder, manifest)
    if check:
        opened.check()
    return opened


def read_manifest(folder: Path) -> VectorManifest | None:
    """Return the manifest of a folder, or None if there is none."""
    path = folder / MANIFEST
    if not is_file(path):
        return None
    manifest = convert(read_json(path), VectorManifest, where=str(path), code="L203")
    is_consistent = (
        manifest.format == _FORMAT
        and manifest.dtype == "float32"
        and manifest.dimensions > 0
        and sum(part.rows for part in manifest.parts) == manifest.rows
        and all(part.file == Block(number, [], []).file for number, part in enumerate(manifest.parts))
    )
    if not is_consistent:
        raise LitotesError("L203", f"{path}: is not a manifest of vectors", hint="encode the text again")
    return manifest


class VectorWriter:
    """Writes the parts of a folder, or finds those that are stored already."""

    def __init__(self, folder: Path, fingerprint: Fingerprint, part_rows: int, *, fresh: bool) -> None:
        self._folder = folder
        self._fingerprint = fingerprint
        self._part_rows = part_rows
        self._fresh = fresh
        self._dimensions = 0
        self._parts: dict[int, VectorPart] = {}
        manifest = None if fresh else read_manifest(folder)
        if manifest is not None and manifest.fingerprint != fingerprint.to_dict():
            raise self._conflict("another model")

    def has(self, block: Block) -> bool:
        """Return whether the part is stored; raise an error if the file has the vectors of other sentences."""
        path = self._folder / block.file
        if self._fresh or not is_file(path):
            return False
        try:
            batch = _read_batch(path)
            stored = batch.schema.metadata[_METADATA]
            content = json.loads(stored)
            model, part_rows = content["fingerprint"], content["part_rows"]
        except (LitotesError, LookupError, TypeError, ValueError):
            return False  # damaged
        if model != self._fingerprint.key():
            raise self._conflict("another model")
        if part_rows != self._part_rows:
            raise self._conflict(f"this model in parts of {part_rows} rows")
        if stored != block.metadata(self._fingerprint, self._part_rows):
            rows = (batch["id"].to_pylist(), batch["text"].to_pylist())
            if rows != (block.ids[: len(batch)], block.texts[: len(batch)]):
                raise self._conflict("another text")
            return False  # the last part of a text that has grown
        self._add(block, path.stat().st_size, sha256_file(path), batch["vector"].type.list_size)
        return True

    def write(self, block: Block, vectors: Vectors) -> None:
        """Write a part."""
        import pyarrow

        dimensions = vectors.shape[1]
        values = pyarrow.array(np.ascontiguousarray(vectors, dtype="<f4").reshape(-1))
        columns = {
            "id": pyarrow.array(block.ids, pyarrow.string()),
            "text": pyarrow.array(block.texts, pyarrow.string()),
            "vector": pyarrow.FixedSizeListArray.from_arrays(values, dimensions),
        }
        metadata = {_METADATA: block.metadata(self._fingerprint, self._part_rows)}
        batch = pyarrow.RecordBatch.from_pydict(columns, metadata=metadata)
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_file(sink, batch.schema) as writer:
            writer.write_batch(batch)
        content = sink.getvalue().to_pybytes()
        write_atomic(self._folder / block.file, content)
        self._add(block, len(content), hashlib.sha256(content).hexdigest(), dimensions)

    def finish(self, model: str, corpus: Sequence[Mapping[str, Any]], versions: Mapping[str, str]) -> VectorFolder:
        """Write the manifest."""
        parts = [self._parts[number] for number in sorted(self._parts)]
        manifest = VectorManifest(
            model=model,
            fingerprint=self._fingerprint.to_dict(),
            dimensions=self._dimensions,
            rows=sum(part.rows for part in parts),
            part_rows=self._part_rows,
            corpus=[dict(file) for file in corpus],
            parts=parts,
            versions=dict(versions),
        )
        write_atomic(self._folder / MANIFEST, to_json(msgspec.to_builtins(manifest), indent=2) + "\n")
        expected = {part.file for part in parts}
        with writing_to(self._folder):
            for path in self._folder.glob(_PARTS):
                if path.name not in expected:
                    path.unlink()  # of a longer text, with --fresh
        return VectorFolder(self._folder, manifest)

    def _add(self, block: Block, size: int, sha256: str, dimensions: int) -> None:
        if self._dimensions not in (0, dimensions):
            message = f"the model returned vectors of {self._dimensions} and of {dimensions} dimensions"
            raise LitotesError("L308", message)
        self._dimensions = dimensions
        self._parts[block.number] = VectorPart(block.file, len(block.texts), size, sha256)

    def _conflict(self, content: str) -> UsageError:
        hint = "use --fresh to overwrite it, or another --out"
        return UsageError("L102", f"{self._folder}: contains the vectors of {content}", hint=hint)


def _read_batch(path: Path) -> Any:
    """Return the columns of a part, mapped into memory."""
    import pyarrow

    try:
        reader = pyarrow.ipc.open_file(pyarrow.memory_map(str(path)))
        batch = reader.get_batch(0)
        batch.validate(full=True)
        kinds = [pyarrow.string(), pyarrow.string(), pyarrow.list_(pyarrow.float32(), batch["vector"].type.list_size)]
        is_part = reader.num_record_batches == 1 and [column.type for column in batch.columns] == kinds
        if not is_part or any(column.null_count for column in (*batch.columns, batch["vector"].flatten())):
            raise ValueError("it is not a part of a folder of vectors")
    except (pyarrow.ArrowException, OSError, ValueError, LookupError, AttributeError) as error:
        raise LitotesError("L203", f"{path}: is damaged ({error})", hint="encode it again") from error
    return batch
