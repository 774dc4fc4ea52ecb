"""SQLite where memory would grow with the corpus: tables that go with the process, and errors in one line."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from litotes.core.errors import LitotesError

_CACHE_KILOBYTES = 8_000
_WHERE = "the temporary folder"


def scratch_tables(schema: str) -> sqlite3.Connection:
    """Tables in a temporary file of SQLite's own; what fits into its cache never gets there."""
    db = sqlite3.connect("", isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    db.execute(schema)
    return db


@contextmanager
def sqlite_errors(where: object = _WHERE) -> Iterator[None]:
    """What SQLite raises, as one line for people."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")  # from Python 3.11 on
        if name == "SQLITE_FULL" or "is full" in str(error):
            hint = "make room; the same command goes on then"
            raise LitotesError("L402", f"{where}: the disk is full", hint=hint) from error
        if name.startswith("SQLITE_BUSY") or "is locked" in str(error):
            hint = "wait for it, or build into another folder"
            raise LitotesError("L401", f"{where}: another build is at work there", hint=hint) from error
        hint = "choose another place, or allow it"
        raise LitotesError("L401", f"{where}: cannot be written ({error})", hint=hint) from error


class Seen:
    """Texts that came before.

    >>> seen = Seen()
    >>> seen.is_new("It rained."), seen.is_new("It snowed."), seen.is_new("It rained.")
    (True, True, False)
    """

    def __init__(self) -> None:
        with sqlite_errors():
            self._db = scratch_tables("CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID")

    def is_new(self, *texts: str) -> bool:
        """Whether these texts did not come before; they have from now on."""
        key = hashlib.blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with sqlite_errors(), closing(self._db.execute("INSERT OR IGNORE INTO seen VALUES (?)", (key,))) as done:
            return done.rowcount > 0
