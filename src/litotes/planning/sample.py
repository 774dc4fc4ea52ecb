"""A sample of a corpus as files of the same names and formats, taken evenly from the whole corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.parquet import is_parquet, open_parquet, rows_of_group
from litotes.corpora.sources import Source, resolve_sources
from litotes.corpora.streams import open_bytes, uncompressed_name

_MAX_FILES = 16
_PLACES_PER_FILE = 16
_HEAD_BYTES = 1 << 16


@dataclass(frozen=True)
class CorpusSample:
    """Files with a part of a corpus."""

    files: tuple[str, ...]
    corpus_bytes: int
    """The size of the files of the whole corpus, compressed as they are."""
    share: float
    """The estimated part of the corpus' text that the sample contains."""


def sample_corpus(names: Sequence[str], folder: Path, *, max_bytes: int) -> CorpusSample:
    """Write a sample of up to about `max_bytes` of text into a folder.

    Up to 16 files are read, at 16 places each (row groups of Parquet); a compressed file only at its beginning.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     corpus = Path(folder) / "notes.txt"
    ...     _ = corpus.write_text("".join(f"The lamp in room {n} is new.\\n" for n in range(9000)))
    ...     sample = sample_corpus([str(corpus)], Path(folder) / "sample", max_bytes=20_000)
    ...     lines = Path(sample.files[0]).read_text().splitlines()
    >>> 0.06 < sample.share < 0.1, lines[0], lines[-1] > "The lamp in room 8"
    (True, 'The lamp in room 0 is new.', True)
    """
    sources = resolve_sources(names)
    sizes = [_size(source) for source in sources]
    corpus_bytes = sum(sizes)
    if corpus_bytes == 0:
        raise LitotesError("L204", f"{sources[0].name}: no sentence could be read (it is empty)")
    chosen = _evenly_spaced(sizes)
    budget = max(1, max_bytes // len(chosen))
    sampled = expected = 0.0
    files = []
    for number, index in enumerate(chosen):
        source = sources[index]
        # The format is detected from the names of the file and its folder.
        original = PurePath(source.remote.path if source.remote else source.path.absolute() if source.path else "")
        path = folder / str(number) / original.parent.name / uncompressed_name(original.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        sample = _sample_parquet if is_parquet(source.file) else _sample_text
        part = sample(source, sizes[index], budget, path)
        files.append(str(path))
        sampled += part.sampled
        expected += part.expected
    text_bytes_per_byte = expected / sum(sizes[index] for index in chosen)
    return CorpusSample(tuple(files), corpus_bytes, min(1.0, sampled / (corpus_bytes * text_bytes_per_byte)))


class _Part(NamedTuple):
    """How much of a file was sampled, in bytes of its text."""

    sampled: float
    expected: float
    """The estimated size of the whole text."""


def _size(source: Source) -> int:
    if source.remote is not None:
        return source.remote.size
    if source.path is None or not source.is_regular:
        raise UsageError("L102", f"{source.name}: its size is not known", hint="plan with a file or a folder")
    return source.path.stat().st_size


def _evenly_spaced(sizes: Sequence[int]) -> list[int]:
    """Return the indices of the files that contain evenly spaced bytes of the corpus."""
    total = sum(sizes)
    wanted = [(2 * number + 1) * total // (2 * _MAX_FILES) for number in range(_MAX_FILES)]
    chosen: dict[int, None] = {}
    end = 0
    for index, size in enumerate(sizes):
        end += size
        while wanted and wanted[0] < end:
            del wanted[0]
            chosen[index] = None
    return list(chosen)


def _sample_text(source: Source, size: int, budget: int, path: Path) -> _Part:
    with open_bytes(source.file, source.name) as stream:
        head = stream.head()
        if not stream.is_compressed and size > 2 * budget:
            separator = b"\n\n" if b"\n\n" in head[:_HEAD_BYTES] else b"\n"
            with _open_at_any_place(source) as file:
                n_bytes = path.write_bytes(_blocks(file, size, budget, separator))
            return _Part(n_bytes, size)
        text = bytearray()
        while len(text) < budget and (chunk := stream.read()):
            text += chunk
        at_end = not stream.read()
        ratio = len(text) / stream.raw_position() if stream.raw_position() else 1.0
    if at_end:
        return _Part(path.write_bytes(text), len(text))
    return _Part(path.write_bytes(text[: text.rfind(b"\n") + 1] or text), size * ratio)


def _sample_parquet(source: Source, size: int, budget: int, path: Path) -> _Part:
    """Copy the first rows of evenly spaced row groups."""
    from pyarrow import Table, concat_tables, parquet

    assert source.file is not None  # noqa: S101  (a file)
    with open_parquet(source.file, source.name) as opened:
        schema, names = opened.schema_arrow, opened.schema_arrow.names
        if not (n_rows := opened.metadata.num_rows):
            parquet.write_table(schema.empty_table(), path)
            return _Part(0, size)
        groups = sorted({part * opened.num_row_groups // _PLACES_PER_FILE for part in range(_PLACES_PER_FILE)})
        n_wanted = -(-n_rows * budget // max(size, budget) // len(groups))
        tables = [
            Table.from_pylist(list(islice(rows_of_group(opened, group, names, source.name), n_wanted)), schema)
            for group in groups
        ]
        sample = concat_tables(tables)
        parquet.write_table(sample, path)
    return _Part(size * sample.num_rows / n_rows, size)


def _open_at_any_place(source: Source) -> Any:
    if source.remote is not None:
        return source.remote.open_file()
    assert source.path is not None  # noqa: S101  (a file)
    return source.path.open("rb")


def _blocks(file: Any, size: int, budget: int, separator: bytes) -> bytes:
    """Return whole lines, or whole paragraphs, from evenly spaced places; the first place is the beginning."""
    length = max(1, budget // _PLACES_PER_FILE)
    parts = []
    for number in range(_PLACES_PER_FILE):
        file.seek(number * (size // _PLACES_PER_FILE))
        block = file.read(length + _HEAD_BYTES)
        start = 0 if number == 0 else block.find(separator) + len(separator)
        end = block.find(separator, start + length)
        parts.append(block[start : end + len(separator)] if end >= 0 else block[start:])
    return b"".join(parts)
