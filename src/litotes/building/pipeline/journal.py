"""The journal of a build: finished blocks on disk, so that an interrupted build resumes with the next block.

The stream of records is cut into blocks, and the output of a block is stored in one transaction. A resumed build reads
the corpus again, which is cheap, and skips the blocks in the journal, whose parsing and rewriting took the time.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from litotes.building.base import Candidate
from litotes.core.files import is_file, to_json, writing_to
from litotes.core.sqlite import is_damaged, open_database, remove_database, sqlite_errors

if TYPE_CHECKING:
    from litotes.corpora.base import Record

_SCHEMA = """
CREATE TABLE build (key TEXT NOT NULL);
CREATE TABLE blocks (number INTEGER PRIMARY KEY, digest BLOB NOT NULL);
CREATE TABLE candidates (
    block INTEGER NOT NULL, record INTEGER NOT NULL, rank INTEGER NOT NULL,
    source TEXT NOT NULL, candidate TEXT NOT NULL, PRIMARY KEY (block, record, rank)
);
CREATE TABLE skips (
    block INTEGER NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL
);
"""


class JournalEntry(NamedTuple):
    """What a builder made from one record."""

    source: str
    text: str
    candidates: tuple[Candidate, ...]
    skips: tuple[tuple[str, str], ...]
    """Pairs of code and reason."""


def block_digest(records: Iterable[Record]) -> bytes:
    """Return a hash of the records of a block."""
    digest = hashlib.blake2b(digest_size=16)
    for record in records:
        fields = (record.id, record.text, record.second_text, record.label, record.score)
        digest.update(f"{fields!r}\n".encode("utf-8", "surrogatepass"))
    return digest.digest()


class Journal:
    """The finished blocks of one build, open in one process at a time.

    `key` is a hash of everything that the build depends on; the blocks of a build with another key are discarded.
    """

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        with writing_to(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = self._open(key)
        except sqlite3.DatabaseError as error:
            with sqlite_errors(path):
                if not is_damaged(error):
                    raise
                remove_database(path)
                self._db = self._open(key)

    def _open(self, key: str) -> sqlite3.Connection:
        db = open_database(self._path, timeout=1, isolation_level=None)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA journal_mode = WAL")
            if _stored_key(db) == key:
                return db
            with _transaction(db):
                for table in _tables(db):
                    db.execute(f'DROP TABLE "{table}"')
                for statement in _SCHEMA.split(";"):
                    db.execute(statement)
                db.execute("INSERT INTO build VALUES (?)", (key,))
        except BaseException:
            db.close()
            raise
        return db

    def has(self, block: int, digest: bytes) -> bool:
        """Return whether a block is finished; if its records have changed, it and all later blocks are deleted."""
        with sqlite_errors(self._path):
            row = self._db.execute("SELECT digest FROM blocks WHERE number = ?", (block,)).fetchone()
        if row is None:
            return False
        if row[0] == digest:
            return True
        self.delete_from(block)
        return False

    def delete_from(self, block: int) -> None:
        """Delete a block and all later ones, because the corpus has changed or become shorter."""
        with sqlite_errors(self._path), _transaction(self._db):
            self._db.execute("DELETE FROM blocks WHERE number >= ?", (block,))
            self._db.execute("DELETE FROM candidates WHERE block >= ?", (block,))
            self._db.execute("DELETE FROM skips WHERE block >= ?", (block,))

    def add(self, block: int, digest: bytes, entries: Sequence[JournalEntry]) -> None:
        """Store the output of a block in one transaction."""
        with sqlite_errors(self._path), _transaction(self._db):
            self._db.execute("INSERT INTO blocks VALUES (?, ?)", (block, digest))
            self._db.executemany(
                "INSERT INTO candidates VALUES (?, ?, ?, ?, ?)",
                (
                    (block, number, rank, entry.source, to_json(candidate.to_list()))
                    for number, entry in enumerate(entries)
                    for rank, candidate in enumerate(entry.candidates)
                ),
            )
            self._db.executemany(
                "INSERT INTO skips VALUES (?, ?, ?, ?, ?)",
                ((block, entry.source, entry.text, code, reason) for entry in entries for code, reason in entry.skips),
            )

    def candidates(self) -> Iterator[tuple[str, list[Candidate]]]:
        """Yield the source of each record that has candidates, and these, best first, in the order of the corpus."""
        source: str | None = None
        candidates: list[Candidate] = []
        with sqlite_errors(self._path):
            rows = self._db.execute("SELECT source, candidate, rank FROM candidates ORDER BY block, record, rank")
            for row_source, fields, rank in rows:
                if rank == 0 and source is not None:
                    yield source, candidates
                    candidates = []
                source = row_source
                candidates.append(Candidate.from_list(json.loads(fields)))
        if source is not None:
            yield source, candidates

    def count_sources(self) -> int:
        """Return the number of records that have candidates."""
        with sqlite_errors(self._path):
            return int(self._db.execute("SELECT count(*) FROM candidates WHERE rank = 0").fetchone()[0])

    def skips(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield source, text, code and reason of each skip in the order of the corpus."""
        with sqlite_errors(self._path):
            yield from self._db.execute("SELECT source, text, code, reason FROM skips ORDER BY rowid")

    def skip_counts(self) -> dict[str, int]:
        """Return the number of skips by code; a record may have several."""
        with sqlite_errors(self._path):
            return dict(self._db.execute("SELECT code, count(*) FROM skips GROUP BY code ORDER BY code"))

    def close(self) -> None:
        """Close the journal of an interrupted build; the file remains if it has finished blocks."""
        n_blocks = 1
        with suppress(sqlite3.Error):  # the build may have been interrupted by an error of this very file
            n_blocks = self._db.execute("SELECT count(*) FROM blocks").fetchone()[0]
        self._db.close()
        if not n_blocks:
            remove_database(self._path)

    def remove_file(self) -> None:
        """Close the journal of a finished build and delete its file."""
        self._db.close()
        remove_database(self._path)


def has_journal(path: Path, key: str) -> bool:
    """Return whether there is a journal of an unfinished build with this key."""
    if not is_file(path):
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1)) as db:
            return _stored_key(db) == key
    except sqlite3.Error:  # reported when the journal is opened
        return False


def _stored_key(db: sqlite3.Connection) -> str | None:
    row = db.execute("SELECT * FROM build").fetchone() if "build" in _tables(db) else None
    return row[0] if row else None


def _tables(db: sqlite3.Connection) -> list[str]:
    return [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite has already rolled back if the disk is full
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
