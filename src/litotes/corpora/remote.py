"""Files on object storage, named by URLs such as `s3://bucket/folder`, read with pyarrow and fsspec."""

from __future__ import annotations

import importlib
import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import parse_qs, urlsplit

from litotes.core.errors import LitotesError, UsageError, missing_package, shorten
from litotes.core.http import is_loopback, is_offline

ARROW_SCHEMES = ("s3", "gs")
FSSPEC_SCHEMES = ("hf", "memory")

_BUFFER_BYTES = 1 << 22
"""Bytes of a text file that are requested at a time."""
_MAGIC = frozenset("*[")
_ANONYMOUS = "anonymous"


@dataclass(frozen=True)
class RemoteFile:
    """A file of a remote file system."""

    url: str
    """Without the query."""
    size: int
    path: str
    file_system: Any

    def open_stream(self) -> io.BufferedReader:
        """Open the file for reading from its beginning to its end."""
        with remote_errors(self.url):
            stream = self.file_system.open_input_stream(self.path, compression=None, buffer_size=_BUFFER_BYTES)
        return io.BufferedReader(cast(Any, _RemoteStream(stream, self.url)))

    def open_file(self) -> Any:
        """Open the file for reading in any order."""
        with remote_errors(self.url):
            return self.file_system.open_input_file(self.path)


class _RemoteStream(io.RawIOBase):
    """A stream of pyarrow whose errors name the file."""

    def __init__(self, stream: Any, url: str) -> None:
        self._stream = stream
        self._url = url

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        with remote_errors(self._url):
            return int(self._stream.readinto(buffer))

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


class RemoteListing(NamedTuple):
    """The files that a URL names."""

    files: list[tuple[str, RemoteFile]]
    """Name relative to the folder or to the fixed part of the pattern → file, sorted."""
    is_folder: bool


def is_remote(name: str) -> bool:
    """Return whether a source is the URL of a file system.

    >>> is_remote("s3://bucket/notes.txt"), is_remote("notes.txt"), is_remote("hf:owner/dataset")
    (True, False, False)
    """
    scheme, separator, _ = name.partition("://")
    return bool(separator) and scheme.isalnum()


def list_files(url: str) -> RemoteListing:
    """Return the file that a URL names, the files below a folder, or those that match a pattern."""
    scheme, _, location = url.partition("://")
    location, _, query = location.partition("?")
    user, _, location = location.rpartition("@") if scheme in ARROW_SCHEMES else ("", "", location)
    _check_url(scheme, user, location)
    shown = shorten(f"{scheme}://{location}", 200)
    if is_offline() and _needs_network(scheme, query):
        raise _no_network(shown)
    file_system = _open_file_system(scheme, f"{user}@" if user else "", _parts(location)[0], query)
    parts = _parts(location)
    n_fixed = next((index for index, part in enumerate(parts) if _MAGIC & set(part)), len(parts))
    base = "/".join(parts[:n_fixed])
    with remote_errors(shown):
        info = file_system.get_file_info(base)
        if info.is_file:
            return RemoteListing([(parts[-1], RemoteFile(shown, info.size or 0, info.path, file_system))], False)
        if info.type.name == "NotFound":
            raise _not_found(shown, scheme, file_system, parts[0])
        from pyarrow.fs import FileSelector

        infos = file_system.get_file_info(FileSelector(base, recursive=True))
    by_parts = {_parts(info.path): info for info in infos if info.is_file}
    if n_fixed < len(parts):
        by_parts = {path: info for path, info in by_parts.items() if _matches(path, parts)}
        if not by_parts:
            raise LitotesError("L201", f"{shown}: no file matches", hint="check the pattern")
    files = [
        (
            "/".join(path[n_fixed:]),
            RemoteFile(f"{scheme}://{'/'.join(path)}", info.size or 0, info.path, file_system),
        )
        for path, info in sorted(by_parts.items())
    ]
    return RemoteListing(files, n_fixed == len(parts))


def check_network(sources: str | Path | Sequence[str | Path], *, may_use_network: bool) -> None:
    """Raise if a source is on another machine and the network may not be used."""
    for url in map(str, [sources] if isinstance(sources, (str, Path)) else sources):
        scheme, separator, rest = url.partition("://")
        if not may_use_network and separator and is_remote(url) and _needs_network(scheme, rest.partition("?")[2]):
            raise _no_network(url.partition("?")[0])


@contextmanager
def remote_errors(name: str) -> Iterator[None]:
    """Raise the errors of a file system as one line."""
    try:
        yield
    except LitotesError:
        raise
    except FileNotFoundError as error:
        raise LitotesError("L201", f"{name}: no such file or folder", hint="check the address") from error
    except Exception as error:  # a file system of fsspec may raise anything
        hint = "check the address, the permissions and the connection"
        message = f"{name}: cannot be read ({shorten(str(error) or type(error).__name__, 300)})"
        raise LitotesError("L501", message, hint=hint, is_retryable=True) from error


def require_pyarrow() -> Any:
    """Return the module pyarrow; raise if it is not installed."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise missing_package("pyarrow, which reads Parquet files and object storage,", "parquet") from error


def _check_url(scheme: str, user: str, location: str) -> None:
    shown = shorten(f"{scheme}://{location}", 200)
    if scheme not in (*ARROW_SCHEMES, *FSSPEC_SCHEMES):
        known = ", ".join(f"{name}://" for name in ("file", *ARROW_SCHEMES, "hf"))
        raise UsageError("L102", f"{shown}: unknown file system", hint=f"known: {known}")
    if user not in ("", _ANONYMOUS):
        hint = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE"
        raise UsageError("L102", f"{shown}: the address contains a key", hint=hint)
    if not _parts(location):
        raise UsageError("L102", f"{shown}: names no bucket", hint="for example s3://bucket/folder")


def _needs_network(scheme: str, query: str) -> bool:
    """Return whether a file system is on another machine."""
    if scheme in ("file", "memory"):
        return False
    endpoint = "".join(parse_qs(query).get("endpoint_override", [])) or os.environ.get("AWS_ENDPOINT_URL", "")
    host = urlsplit(endpoint if "://" in endpoint else f"//{endpoint}").hostname or ""
    return scheme not in ARROW_SCHEMES or not is_loopback(host)


def _no_network(name: str) -> LitotesError:
    hint = "drop --offline and unset HF_HUB_OFFLINE and TRANSFORMERS_OFFLINE, or copy it to this machine"
    return LitotesError("L309", f"{name}: is not on this machine, and the network may not be used", hint=hint)


@lru_cache(maxsize=16)
def _open_file_system(scheme: str, user: str, bucket: str, query: str) -> Any:
    require_pyarrow()
    from pyarrow import fs

    name = f"{scheme}://{bucket}"
    try:
        if scheme in ARROW_SCHEMES:
            return fs.FileSystem.from_uri(f"{scheme}://{user}{bucket}" + (f"?{query}" if query else ""))[0]
        fsspec = importlib.import_module("fsspec")
        return fs.PyFileSystem(fs.FSSpecHandler(fsspec.filesystem(scheme)))
    except ImportError as error:
        extra = "parquet,torch" if scheme == "hf" else "parquet"  # huggingface_hub is part of torch's extra
        raise missing_package(f"the file system of {scheme}://", extra) from error
    except ValueError as error:
        raise UsageError("L102", f"{name}: {error}", hint="check the address and its options after the ?") from error
    except OSError as error:
        raise LitotesError("L501", f"{name}: cannot be opened ({error})", is_retryable=True) from error


def _not_found(name: str, scheme: str, file_system: Any, bucket: str) -> LitotesError:
    is_bucket = scheme in ARROW_SCHEMES and file_system.get_file_info(bucket).type.name == "NotFound"
    what = f"no such bucket ({bucket})" if is_bucket else "no such file or folder"
    return LitotesError("L201", f"{name}: {what}", hint="check the address")


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.split("/") if part)


def _matches(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    """Return whether the parts of a path match the parts of a pattern, of which `**` matches any number of folders."""
    if not patterns or not parts:
        return not parts and all(pattern == "**" for pattern in patterns)
    if patterns[0] == "**":
        return any(_matches(parts[start:], patterns[1:]) for start in range(len(parts) + 1))
    return fnmatchcase(parts[0], patterns[0]) and _matches(parts[1:], patterns[1:])
