"""The vector cache: one SQLite file per model fingerprint, written batch by batch, safe for several processes."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import numpy as np

from litotes.core.errors import LitotesError, single_line
from litotes.core.sqlite import open_database
from litotes.models.base import Fingerprint, Vectors
from litotes.models.word_vectors.store import list_cached_word_vectors, remove_word_vectors

AUDITS = "audit"
"""The subfolder of the cache in which audits store what they compute from texts."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, row BLOB NOT NULL, crc INTEGER NOT NULL);
"""
_READ_SIZE = 500
"""The number of rows per query."""
_SUFFIX = ".sqlite"
_SQLITE_FILES = ("", "-wal", "-shm")
"""Suffixes of the files that SQLite creates for a database."""
_AUDIT_FILES = {"variants-*.sqlite": "rewritten sentences of an audit", "neighbours-*.npy": "neighbours of an audit"}

Result = TypeVar("Result")
Row = tuple[bytes, bytes, int]
"""A key, a vector as bytes, and the checksum of these bytes."""


@functools.lru_cache(maxsize=32_768)  # every model of a sweep uses the same sentences
def row_key(*texts: str) -> bytes:
    """Return the key of a sentence, or of a pair of sentences.

    >>> row_key("a", "b") == row_key("ab")
    False
    """
    content = b""
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        content += len(data).to_bytes(8, "little") + data
    return hashlib.blake2b(content, digest_size=16).digest()


class VectorCache:
    """Vectors by key for one model.

    A problem with the cache never stops a run. A damaged file is renamed and replaced by a new one; on a full disk or
    in a read-only folder the cache is disabled for the run, with a warning.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        fingerprint: Fingerprint,
        warn: Callable[[str], None],
        *,
        fresh: bool = False,
        on_saved: Callable[[], None] = lambda: None,
    ) -> None:
        self.path = _cache_file(folder, name, fingerprint)
        self._warn = warn
        self._fresh = fresh
        self._on_saved = on_saved
        self._about = {"name": single_line(name), "fingerprint": json.dumps(fingerprint.to_dict(), sort_keys=True)}
        self._connection: sqlite3.Connection | None = None
        self._is_enabled = True
        self._file_identity: tuple[int, int] | None = None
        self._attempt(lambda connection: [])

    def get(self, keys: Sequence[bytes]) -> Iterator[tuple[list[int], Vectors]]:
        """Yield the cached vectors in blocks, each with the indices of its keys."""
        if self._fresh:
            return
        indices = {key: index for index, key in enumerate(keys)}
        n_damaged = 0
        for query in self._queries(keys):
            rows = [row for row in self._attempt(query) if row[0] in indices]
            # In a damaged file, the type of a value may be wrong too.
            intact = [(key, data) for key, data, crc in rows if isinstance(data, bytes) and crc32(data) == crc]
            n_damaged += len(rows) - len(intact)
            if intact:
                vectors = np.frombuffer(b"".join(data for _, data in intact), dtype="<f4").reshape(len(intact), -1)
                yield [indices[key] for key, _ in intact], vectors
        if n_damaged:
            self._warn(f"[L403] {self.path}: {n_damaged} damaged rows are computed again")

    def _queries(self, keys: Sequence[bytes]) -> Iterator[Callable[[sqlite3.Connection], list[Row]]]:
        """Yield the queries that read the keys.

        If most rows of the file are needed, it is read in order, which takes a third of the time of looking up keys.
        """
        first, last = next(iter(self._attempt(_first_and_last_row)), (0, -1))
        if last - first < 2 * len(keys):
            for start in range(first, last + 1, _READ_SIZE):
                yield functools.partial(_select_range, start, start + _READ_SIZE)
        else:
            for start in range(0, len(keys), _READ_SIZE):
                yield functools.partial(_select_keys, keys[start : start + _READ_SIZE])

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Save a batch in one transaction."""
        contents = [vector.astype("<f4").tobytes() for vector in vectors]
        rows = [(key, data, crc32(data)) for key, data in zip(keys, contents, strict=True)]
        self._attempt(functools.partial(_insert, rows))
        if self._is_enabled and not self._fresh:
            self._on_saved()

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def __enter__(self) -> VectorCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _attempt(self, action: Callable[[sqlite3.Connection], list[Result]]) -> list[Result]:
        """Run an action on the database; replace a damaged file and retry; disable the cache if that fails."""
        for _ in range(2):
            if not self._is_enabled:
                break
            try:
                return action(self._connection or self._open())
            except (sqlite3.OperationalError, OSError, LitotesError) as error:
                self._disable(error)
            except sqlite3.DatabaseError as error:
                self._replace_damaged(error)
        return []

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file_identity = _file_identity(self.path)
        connection = open_database(self.path, timeout=60, isolation_level=None)
        self._connection = connection
        connection.text_factory = bytes  # a value of a damaged row may be text that is not UTF-8
        connection.execute("PRAGMA page_size=16384")  # several vectors per page; only affects new files
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_SCHEMA)
        _check_columns(connection)
        for key, value in self._about.items():
            connection.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (key, value))
        return connection

    def _disable(self, reason: Exception) -> None:
        self.close()
        self._is_enabled = False
        self._warn(f"[L403] {self.path}: the vector cache is disabled for this run ({reason})")

    def _replace_damaged(self, reason: Exception) -> None:
        self.close()
        if self._file_identity is not None and _file_identity(self.path) != self._file_identity:
            return  # another process has replaced the file already
        try:
            renamed = _rename_damaged(self.path)
        except OSError:
            self._disable(reason)
            return
        self._warn(f"[L403] {self.path}: is damaged ({reason}); renamed to {renamed.name}, a new cache is created")


def _cache_file(folder: Path, name: str, fingerprint: Fingerprint) -> Path:
    """Return the file of a fingerprint; it is named after the model name under which it was first used."""
    key = fingerprint.key()[:16]
    existing: list[Path] = []
    with contextlib.suppress(OSError):  # reported when the file is opened
        existing = sorted(folder.glob(f"*-{key}{_SUFFIX}"))
    return existing[0] if existing else folder / f"{_slug(name)}-{key}{_SUFFIX}"


def _first_and_last_row(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return the numbers of the first and the last row, or nothing for an empty table."""
    # One subquery each: SQLite would scan all rows for both at once.
    query = "SELECT (SELECT min(rowid) FROM rows), (SELECT max(rowid) FROM rows)"
    return [bounds for bounds in connection.execute(query) if bounds[0] is not None]


def _select_range(start: int, end: int, connection: sqlite3.Connection) -> list[Row]:
    query = "SELECT key, row, crc FROM rows WHERE rowid >= ? AND rowid < ?"
    return connection.execute(query, (start, end)).fetchall()


def _select_keys(keys: Sequence[bytes], connection: sqlite3.Connection) -> list[Row]:
    marks = ",".join("?" * len(keys))
    query = f"SELECT key, row, crc FROM rows WHERE key IN ({marks})"  # noqa: S608  (only question marks)
    return connection.execute(query, list(keys)).fetchall()


def _insert(rows: Sequence[Row], connection: sqlite3.Connection) -> list[Row]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", rows)
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    return []


def _check_columns(connection: sqlite3.Connection) -> None:
    """Raise the error of a damaged file if the tables have other columns."""
    try:
        connection.execute("SELECT key, row, crc FROM rows LIMIT 1").fetchall()
        connection.execute("SELECT key, value FROM about LIMIT 1").fetchall()
    except sqlite3.OperationalError as error:
        if "no such column" in str(error):
            raise sqlite3.DatabaseError(f"it has other tables: {error}") from error
        raise


def _file_identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode, which change if the file is replaced."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _rename_damaged(path: Path) -> Path:
    renamed = path.with_name(f"{path.stem}.damaged-{time.time_ns()}")
    path.replace(renamed)
    for file in _sqlite_files(path)[1:]:
        file.unlink(missing_ok=True)
    return renamed


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-48:] or "model"


# Listing and clearing the cache


@dataclass(frozen=True)
class CacheEntry:
    """One file of the cache."""

    path: Path
    name: str
    rows: int
    size: int


def list_cache(folder: Path) -> list[CacheEntry]:
    """Return the contents of the cache, the largest first; files that cannot be read are listed as damaged."""
    entries = [_vector_entry(path) for path in folder.glob(f"*{_SUFFIX}")]
    entries += [CacheEntry(path, "(damaged)", 0, _size(path)) for path in folder.glob("*.damaged-*")]
    entries += [
        CacheEntry(stored.folder, f"word vectors of {stored.source}", stored.words, stored.size)
        for stored in list_cached_word_vectors(folder)
    ]
    for pattern, name in _AUDIT_FILES.items():
        with contextlib.suppress(OSError):  # a folder without read permission
            paths = list((folder / AUDITS).glob(pattern))
            entries += [CacheEntry(path, name, 0, sum(map(_size, _sqlite_files(path)))) for path in paths]
    return sorted(entries, key=lambda entry: (-entry.size, entry.name))


def _vector_entry(path: Path) -> CacheEntry:
    size = sum(_size(file) for file in _sqlite_files(path))
    # Read-only access would leave SQLite's extra files behind; mode=rw does not create a missing database.
    address = f"{path.absolute().as_uri()}?mode=rw"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=5)) as connection:
            rows = connection.execute("SELECT count(*) FROM rows").fetchone()[0]
            name = connection.execute("SELECT value FROM about WHERE key = 'name'").fetchone()[0]
    except sqlite3.OperationalError:
        return CacheEntry(path, "(cannot be opened)", 0, size)
    except (sqlite3.Error, TypeError):
        return CacheEntry(path, "(damaged)", 0, size)
    return CacheEntry(path, str(name), int(rows), size)


def _sqlite_files(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in _SQLITE_FILES]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # another process may have removed it
        return 0


def clear_cache(entries: Iterable[CacheEntry]) -> None:
    """Remove files of the cache."""
    for file in (file for entry in entries for file in _sqlite_files(entry.path)):
        try:
            if file.is_dir():
                remove_word_vectors(file)
            else:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise LitotesError("L401", f"{file}: cannot be removed ({error.strerror})") from error
