"""The vector cache: one SQLite file a fingerprint, written batch by batch, safe for several processes."""

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

from litotes.core.errors import LitotesError, one_line
from litotes.models.base import Fingerprint, Vectors
from litotes.models.word_vectors.store import list_cached_word_vectors, remove_word_vectors

Warn = Callable[[str], None]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, row BLOB NOT NULL, crc INTEGER NOT NULL);
"""
_LOOK_UP_AT_ONCE = 500
_SUFFIX = ".sqlite"
AUDITS = "audit"
"""The folder in the cache in which audits keep what they made of texts."""
_OF_AUDITS = {"variants-*.sqlite": "rewritten sentences of an audit", "neighbours-*.npy": "neighbours of an audit"}
_EXTRAS = ("-wal", "-shm")
"""What SQLite keeps beside a file while it is in use."""


@functools.lru_cache(maxsize=32_768)  # a sweep asks for the same sentences model after model
def row_key(*texts: str) -> bytes:
    """The key of a sentence, or of a pair of them.

    >>> row_key("a", "b") == row_key("ab")
    False
    """
    whole = b""
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        whole += len(data).to_bytes(8, "little") + data
    return hashlib.blake2b(whole, digest_size=16).digest()


Found = TypeVar("Found")
Entry = tuple[bytes, bytes, int]
"""A key, its row's bytes and their check sum."""


class VectorCache:
    """Rows of numbers by key, for one scorer.

    Everything that can go wrong with a cache costs speed, never a run: a damaged file is put aside and begun
    anew, a full disk or a read-only folder switches the cache off with a warning.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        fingerprint: Fingerprint,
        warn: Warn,
        *,
        fresh: bool = False,
        on_saved: Callable[[], None] = lambda: None,
    ) -> None:
        self.path = _file_of(folder, name, fingerprint)
        self._warn = warn
        self._fresh = fresh
        self._on_saved = on_saved
        self._about = {
            "name": one_line(name),
            "fingerprint": json.dumps(fingerprint.to_dict(), sort_keys=True),
        }
        self._connection: sqlite3.Connection | None = None
        self._usable = True
        self._identity: _Identity | None = None
        self._guarded(lambda connection: [])

    def get(self, keys: Sequence[bytes]) -> Iterator[tuple[list[int], Vectors]]:
        """The rows that are there, some at a time, with their places in `keys`."""
        if self._fresh:
            return
        place = {key: number for number, key in enumerate(keys)}
        damaged = 0
        for question in self._questions(keys):
            entries = [entry for entry in self._guarded(question) if entry[0] in place]
            # A damaged row may pass for something else than bytes.
            whole = [(key, data) for key, data, crc in entries if isinstance(data, bytes) and crc32(data) == crc]
            damaged += len(entries) - len(whole)
            if whole:
                rows = np.frombuffer(b"".join(data for _, data in whole), dtype="<f4").reshape(len(whole), -1)
                yield [place[key] for key, _ in whole], rows
        if damaged:
            self._warn(f"[L403] {self.path}: {damaged} damaged rows are computed again")

    def _questions(self, keys: Sequence[bytes]) -> Iterator[Callable[[sqlite3.Connection], list[Entry]]]:
        """What to ask the file, some rows at a time.

        Where most of what is there is wanted, all is read in its order: that takes a third of looking up each key.
        """
        first, last = next(iter(self._guarded(_bounds)), (0, -1))
        if last - first < 2 * len(keys):
            for start in range(first, last + 1, _LOOK_UP_AT_ONCE):
                yield functools.partial(_stretch, start, start + _LOOK_UP_AT_ONCE)
        else:
            for start in range(0, len(keys), _LOOK_UP_AT_ONCE):
                yield functools.partial(_select, keys[start : start + _LOOK_UP_AT_ONCE])

    def put(self, keys: Sequence[bytes], rows: Vectors) -> None:
        """Keep a batch, in one transaction."""
        stored = [row.astype("<f4").tobytes() for row in rows]
        entries = [(key, data, crc32(data)) for key, data in zip(keys, stored, strict=True)]
        self._guarded(functools.partial(_insert, entries))
        if self._usable and not self._fresh:
            self._on_saved()

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def __enter__(self) -> VectorCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _guarded(self, action: Callable[[sqlite3.Connection], list[Found]]) -> list[Found]:
        """Do it, if the file is damaged with a new one, and if none can be used not at all."""
        for _ in range(2):
            if not self._usable:
                break
            try:
                return action(self._connection or self._open())
            except (sqlite3.OperationalError, OSError) as error:
                self._switch_off(error)
            except sqlite3.DatabaseError as error:
                self._begin_anew(error)
        return []

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._identity = _identity(self.path)
        connection = sqlite3.connect(self.path, timeout=60, isolation_level=None)
        self._connection = connection
        connection.text_factory = bytes  # a damaged row may pass for a text; its check sum tells
        connection.execute("PRAGMA page_size=16384")  # several vectors a page; counts when the file is made
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_SCHEMA)
        _check_columns(connection)
        for key, value in self._about.items():
            connection.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (key, value))
        return connection

    def _switch_off(self, reason: Exception) -> None:
        self.close()
        self._usable = False
        self._warn(f"[L403] {self.path}: the vector cache is switched off for this run ({reason})")

    def _begin_anew(self, reason: Exception) -> None:
        self.close()
        if self._identity is not None and _identity(self.path) != self._identity:
            return  # another process put the damaged file aside already; what is there now is its new one
        try:
            aside = _put_aside(self.path)
        except OSError:
            self._switch_off(reason)
            return
        self._warn(f"[L403] {self.path}: is damaged ({reason}); kept as {aside.name}, begun anew")


def _file_of(folder: Path, name: str, fingerprint: Fingerprint) -> Path:
    """The file of a fingerprint; a model that has two names has one file, called after the first."""
    key = fingerprint.key()[:16]
    there: list[Path] = []
    with contextlib.suppress(OSError):  # a folder that cannot be read is told when it is opened
        there = sorted(folder.glob(f"*-{key}{_SUFFIX}"))
    return there[0] if there else folder / f"{_slug(name)}-{key}{_SUFFIX}"


def _bounds(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """The numbers of the first row and of the last; nothing of an empty file."""
    # One at a time, or all rows would be gone through.
    question = "SELECT (SELECT min(rowid) FROM rows), (SELECT max(rowid) FROM rows)"
    return [found for found in connection.execute(question) if found[0] is not None]


def _stretch(start: int, end: int, connection: sqlite3.Connection) -> list[Entry]:
    question = "SELECT key, row, crc FROM rows WHERE rowid >= ? AND rowid < ?"
    return connection.execute(question, (start, end)).fetchall()


def _select(keys: Sequence[bytes], connection: sqlite3.Connection) -> list[Entry]:
    marks = ",".join("?" * len(keys))
    query = f"SELECT key, row, crc FROM rows WHERE key IN ({marks})"  # noqa: S608  (only question marks)
    return connection.execute(query, list(keys)).fetchall()


def _insert(entries: Sequence[Entry], connection: sqlite3.Connection) -> list[Entry]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", entries)
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    return []


def _check_columns(connection: sqlite3.Connection) -> None:
    """Raise what a damaged file raises if the tables are not ours."""
    try:
        connection.execute("SELECT key, row, crc FROM rows LIMIT 1").fetchall()
        connection.execute("SELECT key, value FROM about LIMIT 1").fetchall()
    except sqlite3.OperationalError as error:
        if "no such column" in str(error):
            raise sqlite3.DatabaseError(f"it has other tables: {error}") from error
        raise


_Identity = tuple[int, int]


def _identity(path: Path) -> _Identity | None:
    """What tells a file from another of the same name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _put_aside(path: Path) -> Path:
    aside = path.with_name(f"{path.stem}.damaged-{time.time_ns()}")
    path.replace(aside)
    for extra in _EXTRAS:
        path.with_name(path.name + extra).unlink(missing_ok=True)
    return aside


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-48:] or "model"


@dataclass(frozen=True)
class CacheEntry:
    """One file of the cache, for people to see."""

    path: Path
    name: str
    rows: int
    size: int


def list_cache(folder: Path) -> list[CacheEntry]:
    """What the cache holds, largest first; files that cannot be read show as damaged."""
    entries = [_entry(path) for path in folder.glob(f"*{_SUFFIX}")]
    entries += [CacheEntry(path, "(damaged)", 0, _size(path)) for path in folder.glob("*.damaged-*")]
    entries += [
        CacheEntry(kept.folder, f"word vectors of {kept.source}", kept.words, kept.size)
        for kept in list_cached_word_vectors(folder)
    ]
    for pattern, name in _OF_AUDITS.items():
        with contextlib.suppress(OSError):  # a folder that may not be read
            entries += [
                CacheEntry(path, name, 0, sum(map(_size, _files(path)))) for path in (folder / AUDITS).glob(pattern)
            ]
    return sorted(entries, key=lambda entry: (-entry.size, entry.name))


def _entry(path: Path) -> CacheEntry:
    size = sum(_size(file) for file in _files(path))
    # A reader that may not write would leave SQLite's extra files behind; one that may not make does not.
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


def _files(path: Path) -> list[Path]:
    return [path, *(path.with_name(path.name + extra) for extra in _EXTRAS)]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # another process may have taken it away
        return 0


def clear_cache(entries: Iterable[CacheEntry]) -> None:
    """Remove files of the cache."""
    for file in (file for entry in entries for file in _files(entry.path)):
        try:
            if file.is_dir():
                remove_word_vectors(file)
            else:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise LitotesError("L401", f"{file}: cannot be removed ({error.strerror})") from error
