"""Folders of Parquet files with a manifest: written part by part, so that a killed command resumes.

A folder `NAME.parquet` has `part-00000.parquet`, `part-00001.parquet`, … and `_manifest.json`. While it is written, the
finished parts are listed in `_incomplete.jsonl` instead. Readers of other programs ignore names that start with `_`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import is_folder, read_json_value, sha256_file, to_json, write_atomic, writing_to
from litotes.core.locks import lock_folder
from litotes.core.versions import installed_version
from litotes.corpora.parquet import ENDING, open_parquet, rows_of_group

T = TypeVar("T")
Row = dict[str, Any]

MANIFEST = "_manifest.json"
INCOMPLETE = "_incomplete.jsonl"
SCHEMA_VERSION = 1
GROUP_ROWS = 4_096
"""Rows of a row group, which are in memory together."""
_MAX_MANIFEST_BYTES = 1 << 28
_PATTERN = f"part-*{ENDING}"


def is_partitioned(path: Path) -> bool:
    """Return whether an output is a folder of Parquet files, by its name.

    >>> is_partitioned(Path("edits.parquet")), is_partitioned(Path("edits.jsonl"))
    (True, False)
    """
    return path.name.lower().endswith(ENDING)


class PartitionedOutput:
    """Rows that are written in parts; see `open_partitions`."""

    def __init__(self, folder: Path, schema: Any, settings: Mapping[str, Any], *, part_rows: int, resume: bool) -> None:
        self.folder = folder
        self.rows = 0
        """The number of rows in finished parts and in memory."""
        self._schema = schema
        self._part_rows = part_rows
        self._header = {
            "schema_version": SCHEMA_VERSION,
            "columns": {field.name: str(field.type) for field in schema},
            "part_rows": part_rows,
            **settings,
            "pyarrow": installed_version("pyarrow"),
        }
        self._parts = self._finished_parts() if resume else []
        self._write_log()
        self._pending: list[Row] = []
        self._writer: Any = None
        self._sink: Any = None

    def remaining_blocks(
        self,
        items: Iterator[T],
        is_row_of: Callable[[Row, T], bool],
        *,
        size: int,
        columns: list[str],
        on_row: Callable[[Row], None],
    ) -> Iterator[list[T]]:
        """Yield the items whose rows are not in a finished part, in blocks that do not depend on the finished parts.

        Each item has one row. A part whose rows belong to other items, and all later parts, are written again.

        Args:
            items: The items, in the order of the rows.
            is_row_of: Whether a row belongs to an item.
            size: Largest size of a block.
            columns: The columns that the callbacks need.
            on_row: Called with each row of the finished parts.
        """
        position = 0
        for index, part in enumerate(self._parts):
            block = list(islice(items, part["rows"]))
            rows = self._read(part["name"], columns)
            if len(rows) != len(block) or not all(map(is_row_of, rows, block)):
                self._parts = self._parts[:index]
                self._write_log()
                items = chain(block, items)
                break
            for row in rows:
                on_row(row)
            position = self.rows = self.rows + len(rows)
        while block := list(islice(items, min(size, self._part_rows - position % self._part_rows))):
            position += len(block)
            yield block

    def write(self, row: Row) -> None:
        """Append a row."""
        self._pending.append(row)
        self.rows += 1
        if len(self._pending) == GROUP_ROWS or self.rows % self._part_rows == 0:
            self._write_group()
        if self.rows % self._part_rows == 0:
            self._finish_part()

    def finish(self) -> None:
        """Write the last part and the manifest."""
        if self._pending or not self._parts:
            self._write_group()
        if self._writer is not None:
            self._finish_part()
        manifest = {**self._header, "rows": self.rows, "parts": self._parts}
        write_atomic(self.folder / MANIFEST, to_json(manifest, indent=2) + "\n")
        with writing_to(self.folder):
            (self.folder / INCOMPLETE).unlink()
            names = {part["name"] for part in self._parts}
            for path in self.folder.glob(_PATTERN):
                if path.name not in names:
                    path.unlink()

    def _finished_parts(self) -> list[Row]:
        """Return the complete parts of an earlier call with the same settings whose files are intact."""
        parts = []
        for part in _stored_parts(self.folder, self._header):
            path = self.folder / str(part.get("name"))
            if part.get("rows") != self._part_rows or not path.is_file() or sha256_file(path) != part.get("sha256"):
                break
            parts.append(part)
        return parts

    def _write_log(self) -> None:
        lines = [self._header, *self._parts]
        write_atomic(self.folder / INCOMPLETE, "".join(f"{to_json(line)}\n" for line in lines))
        with writing_to(self.folder):
            (self.folder / MANIFEST).unlink(missing_ok=True)

    def _read(self, name: str, columns: list[str]) -> list[Row]:
        with open_parquet(self.folder / name, name) as parquet:
            groups = range(parquet.num_row_groups)
            return [row for group in groups for row in rows_of_group(parquet, group, columns, name)]

    def _write_group(self) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetWriter

        if self._writer is None:
            self._sink = pyarrow.BufferOutputStream()
            self._writer = ParquetWriter(self._sink, self._schema, compression="zstd", write_page_checksum=True)
        self._writer.write_table(pyarrow.Table.from_pylist(self._pending, schema=self._schema))
        self._pending = []

    def _finish_part(self) -> None:
        self._writer.close()
        self._writer = None
        content = self._sink.getvalue().to_pybytes()
        index = len(self._parts)
        name = f"part-{index:05d}{ENDING}"
        part = {
            "name": name,
            "rows": self.rows - self._part_rows * index,
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        write_atomic(self.folder / name, content)
        self._parts.append(part)
        with writing_to(self.folder), (self.folder / INCOMPLETE).open("a", encoding="utf-8") as log:
            log.write(f"{to_json(part)}\n")
            log.flush()
            os.fsync(log.fileno())


@contextmanager
def open_partitions(
    folder: Path,
    schema: Any,
    settings: Mapping[str, Any],
    *,
    part_rows: int,
    resume: bool = True,
) -> Iterator[PartitionedOutput]:
    """Open a folder of Parquet files for writing; `PartitionedOutput.remaining_blocks` resumes a killed call.

    Args:
        folder: The folder; it may not contain other files.
        schema: The columns, as a `pyarrow.Schema`.
        settings: Everything that the rows depend on besides the items; stored in the manifest.
        part_rows: Rows of each part except the last.
        resume: Whether to continue after the finished parts of an earlier call with the same settings.
    """
    if folder.exists():
        if not is_folder(folder):
            raise UsageError("L102", f"{folder}: is a file; Parquet is written to a folder", hint="remove the file")
        others = [
            path.name for path in folder.iterdir() if not path.name.startswith(("_", ".")) and not path.match(_PATTERN)
        ]
        if others:
            hint = "choose another folder with --out"
            raise UsageError("L102", f"{folder}: contains other files ({min(others)})", hint=hint)
    with lock_folder(folder):
        output = PartitionedOutput(folder, schema, settings, part_rows=part_rows, resume=resume)
        yield output
        output.finish()


def check_manifest(folder: str, content: bytes, size_of: Callable[[str], int | None]) -> dict[str, str]:
    """Return the sha256 of each part in a manifest; raise if it is not valid or a part is missing or of another size.

    `size_of` returns the size of a file in the folder, or None if there is no such file.
    """
    try:
        manifest = json.loads(content)
        parts = {str(part["name"]): (int(part["bytes"]), str(part["sha256"])) for part in manifest["parts"]}
        version = int(manifest["schema_version"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        hint = "repeat the command that wrote the folder, or remove the file to read the parts without it"
        raise LitotesError("L203", f"{folder}/{MANIFEST}: is not a manifest", hint=hint) from error
    if version > SCHEMA_VERSION:
        message = f"{folder}/{MANIFEST}: has version {version}, the newest known one is {SCHEMA_VERSION}"
        raise LitotesError("L203", message, hint="update Litotes")
    for name, (size, _) in parts.items():
        if (actual := size_of(name)) != size:
            problem = "is missing" if actual is None else f"has {actual:,} bytes instead of {size:,}"
            hint = "copy the folder again, or repeat the command that wrote it"
            raise LitotesError("L203", f"{folder}/{name}: {problem}, according to {MANIFEST}", hint=hint)
    return {name: sha256 for name, (_, sha256) in parts.items()}


def incomplete_output(folder: str) -> LitotesError:
    """Return the error for a folder that is still being written, or whose command was interrupted."""
    hint = "repeat the command that writes it"
    return LitotesError("L203", f"{folder}: is incomplete; the command that writes it has not finished", hint=hint)


def _stored_parts(folder: Path, header: Row) -> Iterator[Row]:
    """Yield the parts that an earlier call with the same header has listed."""
    with suppress(LitotesError, OSError, ValueError, KeyError, TypeError):  # damaged files are written again
        if (folder / MANIFEST).exists():
            manifest = read_json_value(folder / MANIFEST, _MAX_MANIFEST_BYTES)
            parts = manifest.pop("parts")
            if {**header, "rows": manifest["rows"]} == manifest:
                yield from parts
        elif (folder / INCOMPLETE).exists():
            with (folder / INCOMPLETE).open(encoding="utf-8") as log:
                if json.loads(next(log, "")) == header:
                    yield from map(json.loads, log)
