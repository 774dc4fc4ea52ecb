"""Files: written whole or not at all, read line by line with their numbers, hashed in pieces."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from litotes.core.errors import LitotesError

MAX_LINE_BYTES = 1 << 20
"""A longer line is no sentence: it is refused before it fills the memory."""

_PROBE_BYTES = 4096
"""On a full disk an empty file can often still be made, a block of bytes cannot."""


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader sees the old content or the new, whatever happens on the way."""
    write_together({path: content})


def write_together(contents: Mapping[Path, str | bytes]) -> None:
    """Write files that belong together, in order: all are on the disk before the first takes its place.

    So a full disk changes none of them.
    """
    ready: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = _temporary_name(path.parent)
            ready.append((temporary, path))
            data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
            _write_new(temporary, data)
        for temporary, path in ready:
            temporary.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        for temporary, _ in ready:
            with contextlib.suppress(OSError):
                temporary.unlink()


@contextlib.contextmanager
def writing_atomic(path: Path) -> Iterator[Callable[[str], None]]:
    """A function that writes on and on; the file takes its place if all goes well, else nothing of it is left."""
    if is_folder(path):  # told now, not when all is written
        raise cannot_write(path, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    temporary = _temporary_name(path.parent)
    try:
        with writing_to(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            file = temporary.open("xb")

        def write(text: str) -> None:
            with writing_to(path):
                file.write(text.encode("utf-8"))

        try:
            yield write
            with writing_to(path):
                file.flush()
                os.fsync(file.fileno())
        finally:
            with contextlib.suppress(OSError):  # what is not yet written was told, or is not wanted
                file.close()
        with writing_to(path):
            temporary.replace(path)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


@contextlib.contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Raise the errors of the operating system as errors about writing this path."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error


def _temporary_name(folder: Path) -> Path:
    # On the same file system as the target, or it could not be moved in one step.
    return folder / f".{secrets.token_hex(8)}.tmp"


def _write_new(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def cannot_write(path: Path | str, error: OSError) -> LitotesError:
    """What a failed write means for people."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return LitotesError("L402", f"{path}: the disk is full", hint="make room and start again")
    return LitotesError(
        "L401",
        f"{path}: cannot be written ({error.strerror or error})",
        hint="choose another place, or allow it",
    )


def ensure_writable(folder: Path) -> None:
    """Fail now, before hours of work, if results could not be written there later; leaves nothing behind."""
    try:
        probe = _temporary_name(_nearest_existing(folder))
        try:
            _write_new(probe, bytes(_PROBE_BYTES))
        finally:
            with contextlib.suppress(OSError):
                probe.unlink()
    except OSError as error:
        raise cannot_write(folder, error) from error


def _nearest_existing(path: Path) -> Path:
    for place in (path, *path.parents):
        # Only what is not there may be made: a file on the way, or a name too long, is an error.
        with contextlib.suppress(FileNotFoundError):
            place.stat()
            return place
    return Path()


def sha256_file(path: Path) -> str:
    """The sha256 of a file, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def expand_user(path: str | Path) -> Path:
    """The path with `~` as the user's home; a home that nobody has is a name like any other."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def is_file(path: Path) -> bool:
    """Whether there is a file; a path too long to be looked at is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder; a path too long to be looked at is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def check_is_file(path: Path) -> None:
    """Raise the fitting line if the path is not a file that can be read."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise LitotesError("L201", f"{path}: no such file", hint="check the path") from None
    except (OSError, ValueError) as error:
        raise LitotesError("L201", f"{path}: cannot be read ({_reason(error)})", hint="check the path") from error
    if stat.S_ISDIR(mode):
        raise LitotesError("L202", f"{path}: is a folder, a file is needed", hint="name the file in it")
    if not stat.S_ISREG(mode):
        # A pipe could be read only once, but a file is read for its lines and again for its sha256.
        raise LitotesError("L202", f"{path}: is no regular file", hint="write it to a file first")
    if not os.access(path, os.R_OK):
        raise LitotesError("L201", f"{path}: may not be read", hint="change its permissions")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file with their numbers from 1; without BOM, CRLF and blank lines."""
    check_is_file(path)
    with path.open("rb") as file:
        yield from ((number, line) for number, line in numbered_lines(file, str(path)) if line.strip())


def numbered_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 stream with their numbers from 1, blank ones too; without BOM and CRLF."""
    for number in itertools.count(1):
        raw = file.readline(MAX_LINE_BYTES + 1)
        if not raw:
            return
        if len(raw) > MAX_LINE_BYTES:
            raise LitotesError(
                "L208",
                f"{name}:{number}: the line is longer than {MAX_LINE_BYTES:,} bytes",
                hint="one item a line is needed; is this the right file?",
            )
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            line = raw.decode("utf-8").strip("\r\n")
        except UnicodeDecodeError as error:
            raise _not_utf8(f"{name}:{number}", error) from error
        yield number, line


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON-lines file with their line numbers."""
    for number, line in read_lines(path):
        yield number, _object(line, f"{path}:{number}")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    check_is_file(path)
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(str(path), error) from error
    return _object(text, str(path))


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a plain ValueError
        raise LitotesError("L203", f"{where}: is not JSON ({_reason(error)})") from error
    if not isinstance(value, dict):
        raise LitotesError("L203", f"{where}: a JSON object is needed, this is {_kind(value)}")
    return value


def _not_utf8(where: str, error: UnicodeDecodeError) -> LitotesError:
    return LitotesError("L207", f"{where}: is not UTF-8 text ({error.reason})", hint="save it as UTF-8")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        return f"{error.msg} at {line}column {error.colno}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error).partition(";")[0]


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", int: "a number", float: "a number", bool: "true or false"}
    return names.get(type(value), "null")


def is_whole_text(text: str) -> bool:
    r"""Whether the text can be written as UTF-8; JSON can smuggle in half a character, such as \ud800.

    >>> is_whole_text("good \ud83d\ude00"), is_whole_text("\U0001f600")
    (False, True)
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def to_json(value: object, *, indent: int | None = None) -> str:
    """The value as JSON that can be written as UTF-8: readable letters, but for halves of characters."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text if is_whole_text(text) else json.dumps(value, indent=indent)
