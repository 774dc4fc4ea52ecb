"""Files: written whole or not at all, read line by line with their numbers, hashed in pieces."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError

MAX_LINE_BYTES = 1 << 20
"""A longer line is no sentence: it is refused before it fills the memory."""


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader sees the old content or the new, whatever happens on the way."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _give_usual_permissions(temporary)
        os.replace(temporary, path)
    except BaseException as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError):
            raise cannot_write(path, error) from error
        raise


def _give_usual_permissions(path: str) -> None:
    # mkstemp makes files that only their owner can read; a result is a file like any other.
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(path, 0o666 & ~mask)


def cannot_write(path: Path, error: OSError) -> LitotesError:
    """What a failed write means for people."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return LitotesError("L402", f"{path}: the disk is full", hint="make room and start again")
    return LitotesError("L401", f"{path}: cannot be written ({error.strerror or error})")


def ensure_writable(folder: Path) -> None:
    """Fail now, before hours of work, if results could not be written there later."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".litotes-", dir=folder)
        os.close(handle)
        os.unlink(name)
    except OSError as error:
        raise cannot_write(folder, error) from error


def sha256_file(path: Path) -> str:
    """The sha256 of a file, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def check_is_file(path: Path) -> None:
    """Raise the fitting line if the path is not a file that can be read."""
    if path.is_dir():
        raise LitotesError("L202", f"{path}: is a folder, a file is needed")
    if not path.exists():
        raise LitotesError("L201", f"{path}: no such file")
    if not os.access(path, os.R_OK):
        raise LitotesError("L201", f"{path}: may not be read")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file with their numbers from 1; BOM and CRLF are taken off, blank lines left out."""
    check_is_file(path)
    with path.open("rb") as file:
        for number in _count():
            raw = file.readline(MAX_LINE_BYTES + 1)
            if not raw:
                return
            if len(raw) > MAX_LINE_BYTES:
                raise LitotesError("L208", f"{path}:{number}: the line is longer than {MAX_LINE_BYTES:,} bytes")
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            try:
                line = raw.decode("utf-8").strip("\r\n")
            except UnicodeDecodeError as error:
                raise LitotesError("L207", f"{path}:{number}: is not UTF-8 text ({error.reason})") from error
            if line.strip():
                yield number, line


def _count() -> Iterator[int]:
    number = 0
    while True:
        number += 1
        yield number


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON-lines file with their line numbers."""
    for number, line in read_lines(path):
        try:
            value = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise LitotesError("L203", f"{path}:{number}: is not JSON ({_reason(error)})") from error
        if not isinstance(value, dict):
            raise LitotesError("L203", f"{path}:{number}: a JSON object is needed, this is {_kind(value)}")
        yield number, value


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    check_is_file(path)
    try:
        value = json.loads(path.read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise LitotesError("L207", f"{path}: is not UTF-8 text ({error.reason})") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise LitotesError("L203", f"{path}: is not JSON ({_reason(error)})") from error
    if not isinstance(value, dict):
        raise LitotesError("L203", f"{path}: a JSON object is needed, this is {_kind(value)}")
    return value


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", int: "a number", float: "a number", bool: "true or false"}
    return names.get(type(value), "null")
