"""SQLite for data that would not fit into memory, and its errors as one line."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import resolve_output, writing_to

_CACHE_KILOBYTES = 2_000


def temporary_database(schema: str) -> sqlite3.Connection:
    """Return a database that is deleted when it is closed; it uses the disk only beyond its cache in memory."""
    db = sqlite3.connect("", isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    db.execute(schema)
    return db


def open_database(path: Path, **options: Any) -> sqlite3.Connection:
    """Open the database in a file, which is created if necessary; `options` are those of `sqlite3.connect`.

    A pipe or device, on which SQLite would wait, is refused.
    """
    connection: sqlite3.Connection = sqlite3.connect(resolve_output(path), **options)
    return connection


def remove_database(path: Path) -> None:
    """Delete the file of a database with its write-ahead log."""
    with writing_to(path):
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def is_damaged(error: sqlite3.DatabaseError) -> bool:
    """Return whether an error means that a file is not a database, or not an intact one."""
    name = getattr(error, "sqlite_errorname", "")  # new in Python 3.11
    return name in {"SQLITE_NOTADB", "SQLITE_CORRUPT"} or "not a database" in str(error) or "malformed" in str(error)


@contextmanager
def sqlite_errors(path: object = "the temporary folder") -> Iterator[None]:
    """Raise the errors of SQLite as `LitotesError`."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")  # new in Python 3.11
        if name == "SQLITE_FULL" or "is full" in str(error):
            hint = "free some space; the same command then resumes"
            raise LitotesError("L402", f"{path}: the disk is full", hint=hint) from error
        if name.startswith("SQLITE_BUSY") or "is locked" in str(error):
            hint = "wait for it, or use another folder"
            raise LitotesError("L401", f"{path}: another process is writing to it", hint=hint) from error
        if isinstance(path, Path) and "disk I/O error" in str(error) and not path.exists():
            message = f"{path}: was deleted by another process, which has finished the same work"
            raise LitotesError("L401", message, hint="run the command again", is_retryable=True) from error
        hint = "check its permissions, or use another folder"
        raise LitotesError("L401", f"{path}: cannot be written ({error})", hint=hint) from error


def text_key(*texts: str) -> bytes:
    """Return a hash of a tuple of texts."""
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


class SeenTexts:
    """A set of texts in constant memory.

    >>> seen = SeenTexts()
    >>> seen.add("It rained."), seen.add("It snowed."), seen.add("It rained.")
    (True, True, False)
    """

    def __init__(self) -> None:
        with sqlite_errors():
            self._db = temporary_database("CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID")

    def add(self, *texts: str) -> bool:
        """Add a tuple of texts; return whether it is new."""
        return self.add_key(text_key(*texts))

    def add_key(self, key: bytes) -> bool:
        """Add the key of a tuple of texts; return whether it is new."""
        with sqlite_errors(), closing(self._db.execute("INSERT OR IGNORE INTO seen VALUES (?)", (key,))) as cursor:
            return cursor.rowcount > 0
