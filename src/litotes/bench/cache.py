"""The vector cache: one SQLite file a fingerprint, written batch by batch, safe for several processes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from litotes.scorers.base import Fingerprint, Vectors

Warn = Callable[[str], None]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, row BLOB NOT NULL, crc INTEGER NOT NULL);
"""
_LOOK_UP_AT_ONCE = 500
_SUFFIX = ".sqlite"


def row_key(*texts: str) -> bytes:
    """The key of a sentence, or of a pair of them.

    >>> row_key("a", "b") == row_key("ab")
    False
    """
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


class VectorCache:
    """Rows of numbers by key, for one scorer.

    Everything that can go wrong with a cache costs speed, never a run: a damaged file is put aside and begun
    anew, a full disk or a read-only folder switches the cache off with a warning.
    """

    def __init__(
        self, folder: Path, name: str, fingerprint: Fingerprint, warn: Warn, *, fresh: bool = False
    ) -> None:
        self.path = folder / f"{_slug(name)}-{fingerprint.key()[:16]}{_SUFFIX}"
        self._warn = warn
        self._fresh = fresh
        self._about = {"name": name, "fingerprint": json.dumps(fingerprint.to_dict(), sort_keys=True)}
        self._connection: sqlite3.Connection | None = None
        self._guarded(self._open)

    def get(self, keys: Sequence[bytes]) -> Iterator[tuple[list[int], Vectors]]:
        """The rows that are there, some at a time, with their places in `keys`."""
        if self._fresh:
            return
        place = {key: number for number, key in enumerate(keys)}
        damaged = 0
        for start in range(0, len(keys), _LOOK_UP_AT_ONCE):
            asked = keys[start : start + _LOOK_UP_AT_ONCE]
            entries = self._guarded(lambda asked=asked: self._select(asked))
            whole = [(key, data) for key, data, crc in entries if zlib.crc32(data) == crc]
            damaged += len(entries) - len(whole)
            if whole:
                rows = np.frombuffer(b"".join(data for _, data in whole), dtype="<f4").reshape(len(whole), -1)
                yield [place[key] for key, _ in whole], rows
        if damaged:
            self._warn(f"[L403] {self.path}: {damaged} damaged rows are computed again")

    def put(self, keys: Sequence[bytes], rows: Vectors) -> None:
        """Keep a batch, in one transaction."""
        stored = [row.astype("<f4").tobytes() for row in rows]
        entries = [(key, data, zlib.crc32(data)) for key, data in zip(keys, stored, strict=True)]
        self._guarded(lambda: self._insert(entries))

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

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=60, isolation_level=None)
        self._connection = connection
        connection.execute(
            "PRAGMA page_size=16384"
        )  # several vectors a page; takes effect when the file is made
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_SCHEMA)
        for key, value in self._about.items():
            connection.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (key, value))

    def _select(self, keys: Sequence[bytes]) -> list[tuple[bytes, bytes, int]]:
        if self._connection is None:
            return []
        marks = ",".join("?" * len(keys))
        query = f"SELECT key, row, crc FROM rows WHERE key IN ({marks})"  # noqa: S608  (only question marks)
        return self._connection.execute(query, list(keys)).fetchall()

    def _insert(self, entries: Sequence[tuple[bytes, bytes, int]]) -> None:
        if self._connection is None:
            return
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", entries)
            self._connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def _guarded(
        self, action: Callable[[], list[tuple[bytes, bytes, int]] | None]
    ) -> list[tuple[bytes, bytes, int]]:
        """Do it; if the file turns out to be damaged put it aside and go on, if it cannot be used go on without."""
        try:
            return action() or []
        except (sqlite3.OperationalError, OSError) as error:
            self.close()
            self._warn(f"[L403] {self.path}: the vector cache is switched off for this run ({error})")
        except sqlite3.DatabaseError as error:
            self.close()
            aside = _put_aside(self.path)
            self._warn(f"[L403] {self.path}: is damaged ({error}); kept as {aside.name}, begun anew")
            try:
                self._open()
            except (sqlite3.Error, OSError):
                self.close()
        return []


def _put_aside(path: Path) -> Path:
    aside = path.with_name(f"{path.stem}.damaged-{time.time_ns()}")
    with contextlib.suppress(OSError):
        os.replace(path, aside)
    for extra in ("-wal", "-shm"):
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
    entries += [CacheEntry(path, "(damaged)", 0, path.stat().st_size) for path in folder.glob("*.damaged-*")]
    return sorted(entries, key=lambda entry: (-entry.size, entry.name))


def _entry(path: Path) -> CacheEntry:
    extras = [path.with_name(path.name + extra) for extra in ("-wal", "-shm")]
    size = sum(file.stat().st_size for file in (path, *extras) if file.exists())
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)) as connection:
            rows = connection.execute("SELECT count(*) FROM rows").fetchone()[0]
            name = connection.execute("SELECT value FROM about WHERE key = 'name'").fetchone()[0]
    except (sqlite3.Error, TypeError):
        return CacheEntry(path, "(damaged)", 0, size)
    return CacheEntry(path, str(name), int(rows), size)


def clear_cache(folder: Path, name: str | None = None) -> list[CacheEntry]:
    """Remove the files of one model, or all; gives what was removed."""
    gone = [entry for entry in list_cache(folder) if name is None or entry.name == name]
    for entry in gone:
        for file in (
            entry.path,
            *(entry.path.with_name(entry.path.name + extra) for extra in ("-wal", "-shm")),
        ):
            file.unlink(missing_ok=True)
    return gone
