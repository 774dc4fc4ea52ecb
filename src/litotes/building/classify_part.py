"""A long output beside its final place: what was written before a kill is read again, checked, and gone on from."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import cannot_write, is_folder, write_atomic

if sys.platform != "win32":
    import fcntl


class PartFile:
    """`FILE.part`, and `FILE.part.key` that says what it is part of; at the end it becomes FILE in one step."""

    def __init__(self, out: Path, key: str) -> None:
        if is_folder(out):
            raise LitotesError("L202", f"{out}: is a folder, a file is needed", hint="name a file in it")
        self._out = out
        self._path, self._key = part_of(out), _key_of(out)
        with _told(self._path):
            out.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a+b")
        try:
            self._lock()
            with _told(self._path):
                if not self._is_of(key):
                    self._file.truncate(0)
                    write_atomic(self._key, f"{key}\n")
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
            hint = "wait for it, or take another --out"
            raise LitotesError("L401", f"{self._path}: another command is at work there", hint=hint) from error

    def _is_of(self, key: str) -> bool:
        try:
            return self._key.read_text("utf-8").strip() == key
        except (OSError, UnicodeDecodeError):
            return False

    def next_lines(self, count: int) -> list[bytes]:
        """The next lines of what was written before; none if there are fewer than so many whole ones."""
        with _told(self._path):
            lines = [self._file.readline() for _ in range(count)]
        return lines if lines and lines[-1].endswith(b"\n") else []

    def place(self) -> int:
        """Where the next line begins."""
        return self._file.tell()

    def forget_from(self, place: int) -> None:
        """Nothing is kept from there on."""
        with _told(self._path):
            self._file.truncate(place)
            self._file.seek(place)

    def write(self, lines: list[str]) -> None:
        """Some more lines, on their way to the disk when this returns."""
        with _told(self._path):
            self._file.write("".join(f"{line}\n" for line in lines).encode("utf-8"))
            self._file.flush()

    def finish(self) -> None:
        """All is written: the file takes its place."""
        with _told(self._out):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._path.replace(self._out)
            self._file.close()
            self._key.unlink(missing_ok=True)

    def leave(self) -> None:
        """The work stops before its end: what was made stays, to go on later; nothing stays of nothing."""
        with suppress(OSError):  # it stops because of an error already, perhaps of this very file
            self._file.close()
            empty = self._path.stat().st_size == 0
            if empty:
                self._path.unlink(missing_ok=True)
                self._key.unlink(missing_ok=True)


def part_of(out: Path) -> Path:
    """Where the lines of a file are as long as it is not finished."""
    return out.with_name(f"{out.name}.part")


def remove_part(out: Path) -> None:
    """Nothing of an unfinished file stays."""
    with _told(out):
        part_of(out).unlink(missing_ok=True)
        _key_of(out).unlink(missing_ok=True)


def _key_of(out: Path) -> Path:
    return out.with_name(f"{out.name}.part.key")


@contextmanager
def part_file(out: Path, key: str, *, finish: bool = True) -> Iterator[PartFile]:
    """A part file that takes its place if all goes well (or stays even then), and stays as a part if not."""
    part = PartFile(out, key)
    try:
        yield part
        if finish:
            part.finish()
        else:
            part.leave()
    except BaseException:
        part.leave()
        raise


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error
