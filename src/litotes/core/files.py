"""Atomic writing, reading with line numbers, and hashing of files."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from litotes.core.errors import LitotesError
from litotes.core.temporary_files import create_temporary, delete_abandoned

MAX_LINE_BYTES = 1 << 20
"""Longer lines are refused before they fill the memory."""
MAX_SMALL_FILE_BYTES = 1 << 24
"""Larger settings and metadata are refused: parsed JSON needs about twenty times the memory of its text."""

_PROBE_BYTES = 4096
"""On a full disk an empty file can often still be created, but not a block of data."""
_NONBLOCKING = getattr(os, "O_NONBLOCK", 0)
_MAX_LINKS = 40


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file atomically: readers see either the old or the new content."""
    write_together({path: content})


def write_together(contents: Mapping[Path, str | bytes]) -> None:
    """Write several files: all are on the disk before the first one is replaced, so a full disk changes none."""
    with contextlib.ExitStack() as stack:
        outputs: list[_Output] = []
        for path, content in contents.items():
            output = stack.enter_context(contextlib.closing(_Output(path)))
            output.write(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
            output.flush()
            outputs.append(output)
        for output in outputs:
            output.finish()


@contextlib.contextmanager
def atomic_writer(path: Path) -> Iterator[Callable[[str], None]]:
    """Return a function that appends to a temporary file, which replaces the file unless there is an error."""
    with contextlib.closing(_Output(path)) as output:
        yield lambda text: output.write(text.encode("utf-8"))
        output.flush()
        output.finish()


class _Output:
    """A new file that replaces its target when it is finished, or a stream, which is written directly.

    The new file is locked as long as it is open: one that is not locked was left by a killed process, and the next
    process that writes to the same target deletes it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._temporary: Path | None = None
        with writing_to(path):
            stream = open_stream(path)
            if stream is None:
                self._target = resolve_output(path)  # an error now instead of after all the work
                self._target.parent.mkdir(parents=True, exist_ok=True)
                delete_abandoned(self._target)
                self._temporary, stream = create_temporary(self._target)
        self._file = stream

    def write(self, data: bytes) -> None:
        """Append bytes."""
        with writing_to(self._path):
            self._file.write(data)

    def flush(self) -> None:
        """Wait until everything is on the disk."""
        with writing_to(self._path):
            self._file.flush()
            if self._temporary is not None:
                os.fsync(self._file.fileno())

    def finish(self) -> None:
        """Replace the target."""
        with writing_to(self._path):
            if self._temporary is not None:
                if os.name == "nt":  # open files cannot be renamed
                    self._file.close()
                self._temporary.replace(self._target)

    def close(self) -> None:
        """Close the file; without `finish` its content is discarded."""
        with contextlib.suppress(OSError):  # an error of this very file has been raised already
            self._file.close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                self._temporary.unlink()


def follow_umask(paths: Iterable[Path]) -> None:
    """Give files the permissions of new ones: safetensors makes its files readable for their owner only."""
    mask = os.umask(0o077)  # it cannot be read without being set
    os.umask(mask)
    for path in paths:
        with writing_to(path):
            path.chmod(0o666 & ~mask)


def open_stream(path: Path) -> BinaryIO | None:
    """Open a pipe, a character device or an open file such as /dev/stdout for writing; None for any other path."""
    descriptor = _descriptor(path)
    if descriptor is not None:
        return os.fdopen(os.dup(descriptor), "wb")
    if not is_stream(path):
        return None
    try:
        descriptor = os.open(path, os.O_WRONLY | _NONBLOCKING)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        hint = f"start a reader first, for example: cat {path} &"
        raise LitotesError("L401", f"{path}: no process reads this pipe", hint=hint) from None
    if _NONBLOCKING:  # it was needed only to open a pipe without waiting
        os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "wb")


def is_stream(path: Path) -> bool:
    """Return whether a path is a pipe, a character device or an open file such as /dev/stdout."""
    try:
        if _descriptor(path) is not None:
            return True
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _descriptor(path: Path) -> int | None:
    """Return the number of the open file of this process that a path such as /dev/stdout or /dev/fd/63 names."""
    folders = {os.path.realpath(folder) for folder in ("/dev/fd", "/proc/self/fd") if Path(folder).is_dir()}
    for _ in range(_MAX_LINKS if folders else 0):
        if path.name.isdecimal() and os.path.realpath(path.parent) in folders:
            return int(path.name)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None


def resolve_output(path: Path) -> Path:
    """Return the regular file that a path names, which may not exist yet; links lead to their target."""
    with writing_to(path):
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:  # also of a link whose target does not exist yet
            return Path(os.path.realpath(path))
        except ValueError as error:
            raise LitotesError("L401", f"{path}: is not a path ({error})") from None
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise LitotesError("L401", f"{path}: is not a regular file", hint="choose another path")
    return Path(os.path.realpath(path))


@contextlib.contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Raise the errors of the operating system as errors about writing this path."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path | str, error: OSError) -> LitotesError:
    """Return the error for a failed write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return LitotesError("L402", f"{path}: the disk is full", hint="free some space and start again")
    return LitotesError(
        "L401",
        f"{path}: cannot be written ({error.strerror or error})",
        hint="check its permissions, or choose another path",
    )


def ensure_utf8(path: Path) -> None:
    """Raise an error if a path is not UTF-8, as libraries that write models require; check this before long jobs."""
    try:
        os.fspath(path).encode("utf-8")
    except UnicodeEncodeError:
        raise LitotesError(
            "L401", f"{path}: cannot be written (the path is not UTF-8)", hint="choose another path"
        ) from None


def ensure_writable(folder: Path) -> None:
    """Raise an error if files cannot be written to a folder, which may not exist yet; check this before long jobs."""
    with writing_to(folder):
        probe = _nearest_existing(folder) / "probe"
        delete_abandoned(probe)
        temporary, file = create_temporary(probe)
        try:
            with file:
                file.write(bytes(_PROBE_BYTES))
                file.flush()
                os.fsync(file.fileno())
        finally:
            temporary.unlink()


def _nearest_existing(path: Path) -> Path:
    for candidate in (path, *path.parents):
        # Other errors than a missing folder, such as a file in the path, are not suppressed.
        with contextlib.suppress(FileNotFoundError):
            candidate.stat()
            return candidate
    return Path()


def sha256_file(path: Path) -> str:
    """Return the sha256 of a file as hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def expand_user(path: str | Path) -> Path:
    """Return the path with `~` replaced by the home folder; an unknown user's `~name` remains."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def is_file(path: Path) -> bool:
    """Return whether a file exists, also for paths that are too long or contain NUL."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Return whether a folder exists, also for paths that are too long or contain NUL."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def check_is_file(path: Path) -> None:
    """Raise an error if the path is not a readable regular file."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise LitotesError("L201", f"{path}: no such file", hint="check the path") from None
    except (OSError, ValueError) as error:
        raise LitotesError("L201", f"{path}: cannot be read ({_reason(error)})", hint="check the path") from error
    if stat.S_ISDIR(mode):
        raise LitotesError("L202", f"{path}: is a folder; a file is needed", hint="give the path of the file in it")
    if not stat.S_ISREG(mode):
        # Files are read twice, for their lines and for their sha256, which is impossible with a pipe.
        raise LitotesError("L202", f"{path}: is not a regular file", hint="write the data to a file first")
    if not os.access(path, os.R_OK):
        raise LitotesError("L201", f"{path}: cannot be read (permission denied)", hint="change its permissions")


def check_is_small(path: Path, max_bytes: int = MAX_SMALL_FILE_BYTES) -> None:
    """Raise an error if the path is not a readable regular file of at most `max_bytes`."""
    check_is_file(path)
    if (size := path.stat().st_size) > max_bytes:
        raise _too_large(path, f"{size:,}", max_bytes)


def _too_large(path: Path, size: str, max_bytes: int) -> LitotesError:
    message = f"{path}: has {size} bytes, such a file has at most {max_bytes:,}"
    return LitotesError("L209", message, hint="check that it is the right file")


def read_small_file(path: Path, max_bytes: int = MAX_SMALL_FILE_BYTES) -> bytes:
    """Return the content of a regular file; raise if it is larger than `max_bytes`, without reading the rest."""
    check_is_file(path)
    try:
        # A pipe that replaces the file after the check cannot block.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            content = bytearray()
            while len(content) <= max_bytes and (block := file.read(1 << 18)):  # a larger buffer would be allocated
                content += block
    except OSError as error:
        raise LitotesError("L201", f"{path}: cannot be read ({_reason(error)})", hint="check the path") from error
    if len(content) > max_bytes:
        raise _too_large(path, f"more than {max_bytes:,}", max_bytes)
    return bytes(content)


def read_small_text(path: Path, max_bytes: int = MAX_SMALL_FILE_BYTES) -> str:
    """Return the UTF-8 text of a small file, without BOM."""
    try:
        return read_small_file(path, max_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(str(path), error) from error


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file that are not blank with their numbers from 1, without BOM and line ends."""
    check_is_file(path)
    with path.open("rb") as file:
        yield from ((number, line) for number, line in numbered_lines(file, str(path)) if line.strip())


def numbered_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """Yield all lines of a UTF-8 stream with their numbers from 1, without BOM and line ends."""
    for number in itertools.count(1):
        raw = file.readline(MAX_LINE_BYTES + 1)
        if not raw:
            return
        if len(raw) > MAX_LINE_BYTES:
            raise LitotesError(
                "L208",
                f"{name}:{number}: the line is longer than {MAX_LINE_BYTES:,} bytes",
                hint="the file must have one item per line; check that it is the right file",
            )
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            line = raw.decode("utf-8").strip("\r\n")
        except UnicodeDecodeError as error:
            raise _not_utf8(f"{name}:{number}", error) from error
        yield number, line


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON-lines file with their line numbers."""
    for number, line in read_lines(path):
        yield number, _object(line, f"{path}:{number}")


def read_json(path: Path, *, unique_keys: bool = False) -> dict[str, Any]:
    """Return the object in a small JSON file; with `unique_keys`, refuse keys that occur twice."""
    return _object(read_small_text(path), str(path), object_pairs_hook=_without_repetitions if unique_keys else None)


def read_json_value(path: Path, max_bytes: int = MAX_SMALL_FILE_BYTES) -> Any:
    """Return the value in a small JSON file, of any type."""
    return _parse_json(read_small_text(path, max_bytes), str(path))


def _without_repetitions(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f'the key "{next(name for name in names if names.count(name) > 1)}" occurs twice')
    return table


def _parse_json(text: str, where: str, **options: Any) -> Any:
    try:
        return json.loads(text, **options)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a plain ValueError
        raise LitotesError("L203", f"{where}: is not JSON ({_reason(error)})") from error


def _object(text: str, where: str, **options: Any) -> dict[str, Any]:
    value = _parse_json(text, where, **options)
    if not isinstance(value, dict):
        raise LitotesError("L203", f"{where}: must be a JSON object, not {_kind(value)}")
    return value


def _not_utf8(where: str, error: UnicodeDecodeError) -> LitotesError:
    return LitotesError("L207", f"{where}: is not UTF-8 text ({error.reason})", hint="save it as UTF-8")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        return f"{error.msg} at {line}column {error.colno}"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error).partition(";")[0]


def _kind(value: object) -> str:
    names = {list: "a list", str: "a string", int: "a number", float: "a number", bool: "true or false"}
    return names.get(type(value), "null")


def is_encodable(text: str) -> bool:
    r"""Return whether the text can be encoded as UTF-8; texts from JSON can contain lone surrogates such as \ud800.

    >>> is_encodable("good \ud83d\ude00"), is_encodable("\U0001f600")
    (False, True)
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def to_json(value: object, *, indent: int | None = None) -> str:
    """Return the value as JSON that can be encoded as UTF-8; only lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text if is_encodable(text) else json.dumps(value, indent=indent)
