"""Bytes of files and of standard input, decompressed while reading."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import importlib
import importlib.util
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from litotes.core.errors import LitotesError, missing_package
from litotes.core.progress import reporting_wait
from litotes.corpora.remote import RemoteFile

CHUNK_BYTES = 1 << 16
COMPRESSION_ENDINGS = (".gz", ".bz2", ".zst")
_ZSTD_STEP = 128
"""Compressed bytes per step: even at the highest compression they expand to a few megabytes."""

_GZIP = b"\x1f\x8b"
_BZIP2 = (b"1AY&SY", b"\x17rE8P\x90")
_ZSTD = b"\x28\xb5\x2f\xfd"
_BINARY_FORMATS = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ": "an xz file",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF file",
    b"SQLite format 3": "an SQLite file",
}
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class ByteStream:
    """The decompressed bytes of a file, which are read only when they are needed."""

    def __init__(self, raw: io.BufferedReader, name: str, start: bytes) -> None:
        self.name = name
        self._raw = raw
        self._stream = _decompressor(raw, start)
        self._head = b""
        self._failure: LitotesError | None = None
        self._started = False
        for magic, description in _BINARY_FORMATS.items():
            if start.startswith(magic):
                is_parquet = start.startswith(b"PAR1")  # standard input, or a remote file with another name
                hint = "write it to a file that ends with .parquet" if is_parquet else "extract the text first"
                raise LitotesError("L202", f"{name}: is {description}, not text", hint=hint)

    @property
    def is_compressed(self) -> bool:
        """Whether the file is decompressed while reading."""
        return self._stream is not self._raw

    def raw_position(self) -> int:
        """Return the number of bytes that were read from the file, before decompression."""
        return self._raw.tell()

    def head(self) -> bytes:
        """Return the beginning of the file up to its first line that is not blank; `read` returns it again."""
        while len(self._head) < CHUNK_BYTES and b"\n" not in self._head.lstrip():
            try:
                chunk = self._read()
            except LitotesError as error:  # raised after the bytes before it have been read
                self._failure = error
                break
            if not chunk:
                break
            self._head += chunk
        return self._head

    def read(self) -> bytes:
        """Return the next bytes; empty at the end."""
        if self._head:
            chunk, self._head = self._head, b""
            return chunk
        if self._failure:
            raise self._failure
        return self._read()

    def _read(self) -> bytes:
        try:
            chunk = self._stream.read1(CHUNK_BYTES)
            if not self._started:
                self._started = True
                chunk = self._without_bom(chunk)
            return chunk
        except EOFError as error:
            raise LitotesError("L203", f"{self.name}: is truncated", hint="copy or download it again") from error
        except (OSError, zlib.error, _DamagedFile) as error:
            raise _read_error(self.name, error) from error

    def _without_bom(self, chunk: bytes) -> bytes:
        if chunk.startswith(_UTF16):
            raise LitotesError("L207", f"{self.name}: is UTF-16 text", hint="save it as UTF-8")
        # The byte order mark may arrive alone, and an empty result would mean the end.
        return chunk.removeprefix(_BOM) if chunk != _BOM else self._stream.read1(CHUNK_BYTES)


class _DamagedFile(Exception):
    """A zst file cannot be decompressed."""


class _Zstandard:
    """A reader of zst files; the reader of the package does not notice truncated files."""

    def __init__(self, compressed: _Readable) -> None:
        if importlib.util.find_spec("zstandard") is None:
            raise missing_package("zstandard, which reads .zst files,", "corpora")
        self._package: Any = importlib.import_module("zstandard")
        self._compressed = compressed
        self._frame: Any = None
        self._pending = memoryview(b"")

    def read1(self, size: int, /) -> bytes:
        """Return some decompressed bytes, empty at the end, without reading more than necessary."""
        decompressed = b""
        while len(decompressed) < size:
            if not self._pending:
                if decompressed:
                    break  # more input may not have arrived
                self._pending = memoryview(self._compressed.read1(CHUNK_BYTES))
            if not self._pending:
                if self._frame is not None:
                    raise EOFError
                break
            decompressed += self._decompress_step()
        return decompressed

    def _decompress_step(self) -> bytes:
        step, self._pending = self._pending[:_ZSTD_STEP], self._pending[_ZSTD_STEP:]
        if self._frame is None:
            self._frame = self._package.ZstdDecompressor().decompressobj()
        try:
            decompressed: bytes = self._frame.decompress(step)
        except self._package.ZstdError as error:
            raise _DamagedFile(str(error)) from error
        if self._frame.eof:  # another frame may follow
            self._pending = memoryview(self._frame.unused_data + bytes(self._pending))
            self._frame = None
        return decompressed


@contextlib.contextmanager
def open_bytes(file: Path | RemoteFile | None, name: str) -> Iterator[ByteStream]:
    """Open a file, or standard input without a file."""
    with contextlib.ExitStack() as stack:
        with reporting_pipe(file, name):
            raw = _standard_input() if file is None else stack.enter_context(_open_file(file, name))
            try:
                start = raw.peek(16)[:16]
            except OSError as error:
                raise _read_error(name, error) from error
        yield ByteStream(raw, name, start)


def reporting_pipe(file: Path | RemoteFile | None, name: str) -> contextlib.AbstractContextManager[None]:
    """Log a message if the beginning of a pipe does not arrive: opening it waits for another program."""
    if not isinstance(file, Path) or not file.is_fifo():
        return contextlib.nullcontext()
    return reporting_wait(f"{name}: waiting for another program to write to this pipe")


def uncompressed_name(name: str) -> str:
    """Return the name of a file without the ending of its compression.

    >>> uncompressed_name("en-train.txt.bz2")
    'en-train.txt'
    """
    return next((name.removesuffix(ending) for ending in COMPRESSION_ENDINGS if name.lower().endswith(ending)), name)


def _open_file(file: Path | RemoteFile, name: str) -> io.BufferedReader:
    if isinstance(file, RemoteFile):
        return file.open_stream()
    try:
        return io.BufferedReader(io.FileIO(file), CHUNK_BYTES)
    except OSError as error:
        raise _read_error(name, error) from error


def _standard_input() -> io.BufferedReader:
    if sys.stdin is None or sys.stdin.closed:
        raise LitotesError("L201", "stdin: standard input is closed", hint="name a file")
    stream = sys.stdin.buffer
    # A replacement of standard input may not support peek().
    return cast(io.BufferedReader, stream) if hasattr(stream, "peek") else io.BufferedReader(cast(Any, stream))


def _decompressor(raw: io.BufferedReader, start: bytes) -> _Readable:
    if start.startswith(_GZIP):
        return gzip.GzipFile(fileobj=cast(BinaryIO, raw), mode="rb")
    if start.startswith(b"BZh") and start[4:10] in _BZIP2:
        return bz2.BZ2File(raw)
    if start.startswith(_ZSTD):
        return _Zstandard(raw)
    return raw


def _read_error(name: str, error: Exception) -> LitotesError:
    if isinstance(error, OSError) and error.errno:
        return LitotesError("L201", f"{name}: cannot be read ({error.strerror})", hint="check the path")
    return LitotesError("L203", f"{name}: is damaged ({error})", hint="copy or download it again")
