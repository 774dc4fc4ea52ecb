"""Bytes of a file or of standard input, unpacked on the way; what is wrong with them in one line."""

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

CHUNK = 1 << 16
_PACKED_PIECE = 128
"""Of a zst file so little at a time that the most tightly packed piece unfolds to some megabytes, not to all of it."""

_GZIP = b"\x1f\x8b"
_BZIP2 = (b"1AY&SY", b"\x17rE8P\x90")
_ZSTD = b"\x28\xb5\x2f\xfd"
_OTHERS = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ": "an xz file",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF file",
    b"SQLite format 3": "an SQLite file",
}
_MARK = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class _Bytes(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class ByteStream:
    """The bytes of one file, piece by piece as they come: nothing is read before it is asked for."""

    def __init__(self, stream: _Bytes, name: str, start: bytes) -> None:
        self.name = name
        self._stream = stream
        self._head = b""
        self._failure: LitotesError | None = None
        self._started = False
        for magic, what in _OTHERS.items():
            if start.startswith(magic):
                raise LitotesError("L202", f"{name}: is {what}, not text", hint="take the text out of it first")

    def head(self) -> bytes:
        """What the file begins with, up to its first line that is not blank; it will be read again."""
        while len(self._head) < CHUNK and b"\n" not in self._head.lstrip():
            try:
                piece = self._read()
            except LitotesError as error:  # what came before it is still worth reading
                self._failure = error
                break
            if not piece:
                break
            self._head += piece
        return self._head

    def read(self) -> bytes:
        """The next piece, empty at the end."""
        if self._head:
            piece, self._head = self._head, b""
            return piece
        if self._failure:
            raise self._failure
        return self._read()

    def _read(self) -> bytes:
        try:
            piece = self._stream.read1(CHUNK)
            if not self._started:
                self._started = True
                piece = self._without_mark(piece)
            return piece
        except EOFError as error:
            raise LitotesError(
                "L203", f"{self.name}: ends too early, it was cut off", hint="copy or download it again"
            ) from error
        except (OSError, zlib.error, _Damaged) as error:
            raise _unreadable(self.name, error) from error

    def _without_mark(self, piece: bytes) -> bytes:
        if piece.startswith(_UTF16):
            raise LitotesError("L207", f"{self.name}: is UTF-16 text", hint="save it as UTF-8")
        # An empty piece would mean the end, and the mark may have come alone.
        return piece.removeprefix(_MARK) if piece != _MARK else self._stream.read1(CHUNK)


class _Damaged(Exception):
    """A zst file is not what it says it is."""


class _Zstandard:
    """Unpacks zst; the package's own reader takes a file that was cut off for a whole one."""

    def __init__(self, packed: _Bytes) -> None:
        if importlib.util.find_spec("zstandard") is None:
            raise missing_package("zstandard, which reads .zst files,", "corpora")
        self._package: Any = importlib.import_module("zstandard")
        self._packed = packed
        self._frame: Any = None
        self._waiting = memoryview(b"")

    def read1(self, size: int, /) -> bytes:
        """Some of what is unpacked, empty at the end; no more packed bytes are asked for than it takes."""
        unpacked = b""
        while len(unpacked) < size:
            if not self._waiting:
                if unpacked:
                    break  # more may not have come yet
                self._waiting = memoryview(self._packed.read1(CHUNK))
            if not self._waiting:
                if self._frame is not None:
                    raise EOFError
                break
            unpacked += self._unpack_piece()
        return unpacked

    def _unpack_piece(self) -> bytes:
        piece, self._waiting = self._waiting[:_PACKED_PIECE], self._waiting[_PACKED_PIECE:]
        if self._frame is None:
            self._frame = self._package.ZstdDecompressor().decompressobj()
        try:
            unpacked: bytes = self._frame.decompress(piece)
        except self._package.ZstdError as error:
            raise _Damaged(str(error)) from error
        if self._frame.eof:  # several frames may follow each other
            self._waiting = memoryview(self._frame.unused_data + bytes(self._waiting))
            self._frame = None
        return unpacked


@contextlib.contextmanager
def open_bytes(path: Path | None, name: str) -> Iterator[ByteStream]:
    """The unpacked bytes of a file, or of standard input where there is no path."""
    with contextlib.ExitStack() as stack:
        raw = _standard_input() if path is None else stack.enter_context(_opened(path, name))
        try:
            start = raw.peek(16)[:16]
        except OSError as error:
            raise _unreadable(name, error) from error
        yield ByteStream(_unpacked(raw, start), name, start)


def _opened(path: Path, name: str) -> io.BufferedReader:
    try:
        return io.BufferedReader(io.FileIO(path), CHUNK)
    except OSError as error:
        raise _unreadable(name, error) from error


def _standard_input() -> io.BufferedReader:
    if sys.stdin is None or sys.stdin.closed:
        raise LitotesError("L201", "stdin: there is no standard input", hint="name a file")
    stream = sys.stdin.buffer
    # Not everything that stands in for standard input can be peeked at.
    return cast(io.BufferedReader, stream) if hasattr(stream, "peek") else io.BufferedReader(cast(Any, stream))


def _unpacked(raw: io.BufferedReader, start: bytes) -> _Bytes:
    if start.startswith(_GZIP):
        return gzip.GzipFile(fileobj=cast(BinaryIO, raw), mode="rb")
    if start.startswith(b"BZh") and start[4:10] in _BZIP2:
        return bz2.BZ2File(raw)
    if start.startswith(_ZSTD):
        return _Zstandard(raw)
    return raw


def _unreadable(name: str, error: Exception) -> LitotesError:
    if isinstance(error, OSError) and error.errno:
        return LitotesError("L201", f"{name}: cannot be read ({error.strerror})", hint="check the path")
    return LitotesError("L203", f"{name}: is damaged ({error})", hint="copy or download it again")
