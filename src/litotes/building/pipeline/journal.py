"""What a build has made so far, on disk: a build that was killed goes on where it stopped.

The stream of sentences is cut into blocks; what came of a block is kept in one transaction. A build that goes on reads
the corpus again, which is cheap, and takes what was made of the blocks that it knows, which is what took time.
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
from litotes.core.files import cannot_write, is_file, to_json
from litotes.core.sqlite import sqlite_errors

if TYPE_CHECKING:
    from litotes.corpora.base import Record

_SCHEMA = """
CREATE TABLE build (plan TEXT NOT NULL);
CREATE TABLE blocks (number INTEGER PRIMARY KEY, digest BLOB NOT NULL);
CREATE TABLE candidates (
    block INTEGER NOT NULL, place INTEGER NOT NULL, rank INTEGER NOT NULL,
    source TEXT NOT NULL, candidate TEXT NOT NULL, PRIMARY KEY (block, place, rank)
);
CREATE TABLE skips (
    block INTEGER NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL
);
"""


class Kept(NamedTuple):
    """What came of one record."""

    source: str
    text: str
    candidates: tuple[Candidate, ...]
    skips: tuple[tuple[str, str], ...]
    """Code and reason."""


def digest(records: Iterable[Record]) -> bytes:
    """What tells one block from another."""
    found = hashlib.blake2b(digest_size=16)
    for record in records:
        found.update(to_json([record.id, record.text, record.other, record.label, record.score]).encode())
    return found.digest()


class Journal:
    """The blocks of one build; another plan (corpus, settings, versions) begins anew. One process at a time has it."""

    def __init__(self, path: Path, plan: str) -> None:
        self._path = path
        with _folder_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = self._begun(plan)
        except sqlite3.DatabaseError as error:
            with sqlite_errors(path):
                if not _is_damaged(error):
                    raise
                _remove(path)  # half a file, or none of ours: nothing in it can be trusted
                self._db = self._begun(plan)

    def _begun(self, plan: str) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=1, isolation_level=None)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA journal_mode = WAL")
            if _plan_of(db) == plan:
                return db
            with _transaction(db):
                for table in _tables(db):
                    db.execute(f'DROP TABLE "{table}"')
                for statement in _SCHEMA.split(";"):
                    db.execute(statement)
                db.execute("INSERT INTO build VALUES (?)", (plan,))
        except BaseException:
            db.close()
            raise
        return db

    def has(self, number: int, found: bytes) -> bool:
        """Whether a block is done already; one that differs, and all after it, are forgotten."""
        with sqlite_errors(self._path):
            row = self._db.execute("SELECT digest FROM blocks WHERE number = ?", (number,)).fetchone()
        if row is None:
            return False
        if row[0] == found:
            return True
        self.forget_from(number)
        return False

    def forget_from(self, number: int) -> None:
        """Forget a block and all after it: the corpus is another, or has become shorter."""
        with sqlite_errors(self._path), _transaction(self._db):
            self._db.execute("DELETE FROM blocks WHERE number >= ?", (number,))
            self._db.execute("DELETE FROM candidates WHERE block >= ?", (number,))
            self._db.execute("DELETE FROM skips WHERE block >= ?", (number,))

    def keep(self, number: int, found: bytes, made: Sequence[Kept]) -> None:
        """What came of a block, in one transaction."""
        with sqlite_errors(self._path), _transaction(self._db):
            self._db.execute("INSERT INTO blocks VALUES (?, ?)", (number, found))
            self._db.executemany(
                "INSERT INTO candidates VALUES (?, ?, ?, ?, ?)",
                (
                    (number, place, rank, kept.source, to_json(candidate.to_list()))
                    for place, kept in enumerate(made)
                    for rank, candidate in enumerate(kept.candidates)
                ),
            )
            self._db.executemany(
                "INSERT INTO skips VALUES (?, ?, ?, ?, ?)",
                ((number, kept.source, kept.text, code, reason) for kept in made for code, reason in kept.skips),
            )

    def candidates(self) -> Iterator[tuple[str, list[Candidate]]]:
        """Record by record, in the corpus's order: where it stands, and its candidates, best first."""
        source: str | None = None
        some: list[Candidate] = []
        with sqlite_errors(self._path):
            rows = self._db.execute("SELECT source, candidate, rank FROM candidates ORDER BY block, place, rank")
            for where, kept, rank in rows:
                if rank == 0 and source is not None:
                    yield source, some
                    some = []
                source = where
                some.append(Candidate.from_list(json.loads(kept)))
        if source is not None:
            yield source, some

    def sources(self) -> int:
        """How many records have candidates."""
        with sqlite_errors(self._path):
            return int(self._db.execute("SELECT count(*) FROM candidates WHERE rank = 0").fetchone()[0])

    def skips(self) -> Iterator[tuple[str, str, str, str]]:
        """Where, text, code, reason; in the corpus's order."""
        with sqlite_errors(self._path):
            yield from self._db.execute("SELECT source, text, code, reason FROM skips ORDER BY rowid")

    def skip_counts(self) -> dict[str, int]:
        """How many records were skipped for each code; a record may have several."""
        with sqlite_errors(self._path):
            return dict(self._db.execute("SELECT code, count(*) FROM skips GROUP BY code ORDER BY code"))

    def leave(self) -> None:
        """The build stops before its end: what was made stays, to go on later; nothing stays of nothing."""
        kept = 1
        with suppress(sqlite3.Error):  # it stops because of an error already, perhaps of this very file
            kept = self._db.execute("SELECT count(*) FROM blocks").fetchone()[0]
        self._db.close()
        if not kept:
            _remove(self._path)

    def remove_file(self) -> None:
        """The build is done."""
        self._db.close()
        _remove(self._path)


def is_under_way(path: Path, plan: str) -> bool:
    """Whether a build of this very plan was begun there and not ended."""
    if not is_file(path):
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1)) as db:
            return _plan_of(db) == plan
    except sqlite3.Error:  # whatever is wrong with it, the journal says so when it is opened
        return False


def _plan_of(db: sqlite3.Connection) -> str | None:
    found = db.execute("SELECT plan FROM build").fetchone() if "build" in _tables(db) else None
    return found[0] if found else None


def _tables(db: sqlite3.Connection) -> list[str]:
    return [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]


def _remove(path: Path) -> None:
    with _folder_errors(path):
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)


def _is_damaged(error: sqlite3.DatabaseError) -> bool:
    name = getattr(error, "sqlite_errorname", "")  # from Python 3.11 on
    return name in {"SQLITE_NOTADB", "SQLITE_CORRUPT"} or "not a database" in str(error) or "malformed" in str(error)


@contextmanager
def _folder_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error


class _transaction:
    """All of it or nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self._db.execute("COMMIT")
        else:
            with suppress(sqlite3.Error):  # SQLite has rolled back by itself when the disk is full
                self._db.execute("ROLLBACK")
