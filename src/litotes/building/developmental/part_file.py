"""Lines that are written to `FILE.part` first, so that an interrupted call resumes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from litotes.core.errors import LitotesError
from litotes.core.files import open_stream, resolve_output, write_atomic, writing_to

if sys.platform != "win32":
    import fcntl


class PartFile:
    """`FILE.part` with the lines written so far, and `FILE.part.key` with a hash of what they depend on.

    The lines for a pipe or device are in a temporary file, and are written when they are complete.
    """

    def __init__(self, out: Path, key: str) -> None:
        with writing_to(out):
            self._out = self._path = out
            self._stream = open_stream(out)
            if self._stream is not None:
                self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115
                return
            self._out = resolve_output(out)
            self._path, self._key_path = part_path(out), _key_path(out)
            self._out.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a+b")
        try:
            self._lock()
            with writing_to(self._path):
                if not self._has_key(key):
                    self._file.truncate(0)
                    write_atomic(self._key_path, f"{key}\n")
                self._file.seek(0)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            hint = "wait until it has finished, or use another --out"
            raise LitotesError("L401", f"{self._path}: another command is writing this file", hint=hint) from error

    def _has_key(self, key: str) -> bool:
        try:
            return self._key_path.read_text("utf-8").strip() == key
        except (OSError, UnicodeDecodeError):
            return False

    def read_lines(self, count: int) -> list[bytes]:
        """Return the next lines of an earlier call; an empty list if there are fewer than `count` complete ones."""
        with writing_to(self._path):
            lines = [self._file.readline() for _ in range(count)]
        return lines if lines and lines[-1].endswith(b"\n") else []

    def tell(self) -> int:
        """Return the position of the next line."""
        return self._file.tell()

    def truncate(self, position: int) -> None:
        """Delete everything after a position."""
        with writing_to(self._path):
            self._file.truncate(position)
            self._file.seek(position)

    def write(self, lines: list[str]) -> None:
        """Append lines and flush them."""
        with writing_to(self._path):
            self._file.write("".join(f"{line}\n" for line in lines).encode("utf-8"))
            self._file.flush()

    def finish(self) -> None:
        """Rename the complete file to its final name."""
        if self._stream is not None:
            with writing_to(self._out), self._stream, self._file:
                self._file.seek(0)
                shutil.copyfileobj(self._file, self._stream)
            return
        with writing_to(self._out):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._path.replace(self._out)
            self._file.close()
            self._key_path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close an unfinished file; it remains for the next call unless it is empty."""
        with suppress(OSError):  # closing may follow an error of this very file
            self._file.close()
            if self._stream is not None:
                self._stream.close()
                return
            if self._path.stat().st_size == 0:
                self._path.unlink(missing_ok=True)
                self._key_path.unlink(missing_ok=True)


def part_path(out: Path) -> Path:
    """Return the path of the lines of an unfinished file."""
    out = resolve_output(out)
    return out.with_name(f"{out.name}.part")


def remove_part_file(out: Path) -> None:
    """Delete the lines of an unfinished file."""
    with writing_to(out):
        part_path(out).unlink(missing_ok=True)
        _key_path(out).unlink(missing_ok=True)


def _key_path(out: Path) -> Path:
    part = part_path(out)
    return part.with_name(f"{part.name}.key")


@contextmanager
def open_part_file(out: Path, key: str, *, finish: bool = True) -> Iterator[PartFile]:
    """Open a part file; on success it gets its final name unless `finish` is false."""
    part = PartFile(out, key)
    try:
        yield part
        if finish:
            part.finish()
        else:
            part.close()
    except BaseException:
        part.close()
        raise
