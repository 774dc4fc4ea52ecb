"""Verdicts on disk: one SQLite file beside the items, rows only ever added, one transaction a verdict."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file
from litotes.review.verdicts import Verdict

FILE_NAME = "review.sqlite"
SCHEMA_VERSION = 1
_APPLICATION = 0x4C69_5265  # "LiRe": what `file` and we tell the database by

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE verdicts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  unit TEXT NOT NULL,
  annotator TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('accept', 'reject', 'edit', 'undo')),
  reason TEXT NOT NULL DEFAULT '',
  edited TEXT NOT NULL DEFAULT '{}',
  note TEXT NOT NULL DEFAULT '',
  undoes INTEGER UNIQUE REFERENCES verdicts (seq),
  request TEXT UNIQUE,
  made TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  CHECK ((verdict = 'undo') = (undoes IS NOT NULL))
);
CREATE INDEX verdicts_of_annotator ON verdicts (annotator, seq);
CREATE TRIGGER verdicts_are_not_changed BEFORE UPDATE ON verdicts BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER verdicts_are_not_removed BEFORE DELETE ON verdicts BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
"""
_STANDING = "verdict <> 'undo' AND seq NOT IN (SELECT undoes FROM verdicts WHERE undoes IS NOT NULL)"
_COLUMNS = "unit, annotator, verdict, reason, edited, note"

Verdicts = Mapping[str, Mapping[str, Verdict]]
"""What holds now: unit → annotator → verdict."""


class Store:
    """The verdicts of one review.

    The rollback journal, not WAL: the file alone is the review at any moment when nobody writes, it can be copied
    and may lie on a network drive; and with synchronous=FULL what was committed outlives kill -9 and a power cut.
    """

    def __init__(self, path: Path, items_sha256: str, *, create: bool = True) -> None:
        self.path = path
        if not create and not path.exists():
            raise LitotesError(
                "L201", f"{path}: no such file", hint=f"litotes review {path.parent} begins a review of these items"
            )
        if path.exists():
            check_is_file(path)
        with self._told():
            # One thread at a time uses it, though perhaps not the one that opened it.
            self._connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self._opened = self._file()
        try:
            with self._told():
                self._connection.execute("PRAGMA journal_mode = DELETE")
                self._connection.execute("PRAGMA synchronous = FULL")
                self._prepare(items_sha256)
        except BaseException:
            self._connection.close()
            raise
        self._kept: tuple[tuple[int, int], Verdicts] | None = None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def current(self) -> Verdicts:
        """The verdicts that hold now: of each annotator the last one on a unit that was not undone."""
        with self._told():
            state = self._state()
            if self._kept is None or self._kept[0] != state:
                self._kept = state, self._read_current()
            return self._kept[1]

    def add(self, verdict: Verdict, request: str | None = None) -> None:
        """Keep a verdict; it is on the disk when this returns. A request that came before changes nothing."""
        with self._transaction() as connection:
            if not _is_known(connection, request):
                _insert(connection, verdict, request)

    def add_all(self, verdicts: Iterable[Verdict]) -> None:
        """Keep all of them or, if anything goes wrong, none."""
        with self._transaction() as connection:
            for verdict in verdicts:
                _insert(connection, verdict, None)

    def undo(self, annotator: str, request: str | None = None) -> str | None:
        """Take back the annotator's last verdict that stands; gives its unit, or None if there is nothing."""
        with self._transaction() as connection:
            if request is not None:
                found = connection.execute("SELECT unit FROM verdicts WHERE request = ?", (request,)).fetchone()
                if found:
                    return str(found[0])
            last = connection.execute(
                f"SELECT seq, unit FROM verdicts WHERE annotator = ? AND {_STANDING} ORDER BY seq DESC LIMIT 1",  # noqa: S608
                (annotator,),
            ).fetchone()
            if last is None:
                return None
            connection.execute(
                "INSERT INTO verdicts (unit, annotator, verdict, undoes, request) VALUES (?, ?, 'undo', ?, ?)",
                (last[1], annotator, last[0], request),
            )
            return str(last[1])

    def gold(self) -> dict[str, str]:
        """The gold set that was given last: unit → verdict."""
        with self._told():
            found = self._connection.execute("SELECT value FROM about WHERE key = 'gold'").fetchone()
        return {str(unit): str(verdict) for unit, verdict in json.loads(found[0]).items()} if found else {}

    def set_gold(self, gold: Mapping[str, str]) -> None:
        """Keep a gold set in place of the one before."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO about VALUES ('gold', ?)", (json.dumps(dict(gold)),))

    def _prepare(self, items_sha256: str) -> None:
        if not self._has_tables():
            with self._transaction() as connection:
                if not self._has_tables():  # another process may have been faster
                    for statement in _statements(_SCHEMA):
                        connection.execute(statement)
                    connection.execute("INSERT INTO about VALUES ('items_sha256', ?)", (items_sha256,))
                    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        if self._number("PRAGMA application_id") != _APPLICATION:
            raise LitotesError("L203", f"{self.path}: is a database, but no review", hint="move it away")
        if (version := self._number("PRAGMA user_version")) != SCHEMA_VERSION:
            raise LitotesError(
                "L203",
                f"{self.path}: has version {version}, this Litotes reads {SCHEMA_VERSION}",
                hint="update litotes" if version > SCHEMA_VERSION else "open it with the Litotes that made it",
            )
        (made_for,) = self._connection.execute("SELECT value FROM about WHERE key = 'items_sha256'").fetchone()
        if made_for != items_sha256:
            raise LitotesError(
                "L206",
                f"{self.path}: is the review of other items (sha256 {made_for[:12]}…, now {items_sha256[:12]}…)",
                hint="put the old items back, or move it away to begin anew; "
                "verdicts exported before can be imported where the sentences are the same",
            )

    def _has_tables(self) -> bool:
        return self._number("SELECT count(*) FROM sqlite_master") > 0

    def _number(self, question: str) -> int:
        return int(self._connection.execute(question).fetchone()[0])

    def _read_current(self) -> Verdicts:
        found: dict[str, dict[str, Verdict]] = {}
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM verdicts WHERE {_STANDING} ORDER BY seq")  # noqa: S608
        for unit, annotator, verdict, reason, edited, note in rows:
            found.setdefault(unit, {})[annotator] = Verdict(unit, annotator, verdict, reason, json.loads(edited), note)
        return found

    def _file(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _state(self) -> tuple[int, int]:
        """Changes when anybody, here or in another process, has written."""
        (others,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(others), self._connection.total_changes

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._told():
            if self._file() != self._opened:
                # SQLite would go on writing into a file that has no name any more.
                raise LitotesError(
                    "L401",
                    f"{self.path}: was moved or replaced while in use",
                    hint="put it back, or start litotes review again",
                )
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._meaning(error) from error

    def _meaning(self, error: sqlite3.Error) -> LitotesError:
        text = str(error)
        if "full" in text and isinstance(error, sqlite3.OperationalError):
            return LitotesError("L402", f"{self.path}: the disk is full", hint="make room and try again")
        if isinstance(error, sqlite3.OperationalError):
            return LitotesError(
                "L401", f"{self.path}: cannot be used ({text})", hint="allow writing there, or try again"
            )
        return LitotesError(
            "L203", f"{self.path}: is no review, or damaged ({text})", hint="move it away, or bring a copy back"
        )


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: sqlite3's executescript would end our transaction first."""
    statement = ""
    for line in script.strip().splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _is_known(connection: sqlite3.Connection, request: str | None) -> bool:
    asked = connection.execute("SELECT 1 FROM verdicts WHERE request = ?", (request,))
    return request is not None and asked.fetchone() is not None


def _insert(connection: sqlite3.Connection, verdict: Verdict, request: str | None) -> None:
    connection.execute(
        f"INSERT INTO verdicts ({_COLUMNS}, request) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (
            verdict.unit,
            verdict.annotator,
            verdict.verdict,
            verdict.reason,
            json.dumps(dict(verdict.edited), ensure_ascii=False),
            verdict.note,
            request,
        ),
    )
