"""The bytes of a file of vectors, plain or packed; how it is packed is seen from its content."""

from __future__ import annotations

import contextlib
import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from litotes.core.errors import LitotesError

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"


def is_packed(path: Path) -> bool:
    """Whether the file is a gzip file or a zip archive."""
    return _start(path).startswith((_GZIP, _ZIP, _EMPTY_ZIP))


def zip_members(path: Path) -> list[str]:
    """The names of the files in a zip archive; none if it is no archive."""
    if not _start(path).startswith((_ZIP, _EMPTY_ZIP)):
        return []
    with _told(path), zipfile.ZipFile(path) as archive:
        return [entry.filename for entry in archive.infolist() if not entry.is_dir()]


@contextlib.contextmanager
def open_unpacked(path: Path) -> Iterator[BinaryIO]:
    """The bytes, unpacked on the way; of a zip archive its only file."""
    start = _start(path)
    with _told(path), contextlib.ExitStack() as stack:
        if start.startswith(_GZIP):
            yield cast(BinaryIO, stack.enter_context(gzip.open(path, "rb")))
        elif start.startswith((_ZIP, _EMPTY_ZIP)):
            archive = stack.enter_context(zipfile.ZipFile(path))
            names = zip_members(path)
            if len(names) != 1:
                shown = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
                raise LitotesError(
                    "L202",
                    f"{path}: holds {len(names)} files" + (f" ({shown})" if names else ""),
                    hint="unpack it and name the one that is meant",
                )
            yield cast(BinaryIO, stack.enter_context(archive.open(names[0])))
        else:
            yield stack.enter_context(path.open("rb"))


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error, zipfile.BadZipFile) as error:
        raise LitotesError("L303", f"{path}: cannot be unpacked ({error})", hint="get the file again") from error
    except RuntimeError as error:  # a password, or a way of packing that Python does not know
        raise LitotesError("L303", f"{path}: cannot be unpacked ({error})", hint="unpack it by hand") from error


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)
