"""Verdicts in an append-only SQLite file next to the items, one transaction per verdict."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, is_folder, read_json_lines
from litotes.review.units import Unit, group_units
from litotes.review.verdicts import VERDICTS, Verdict
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder

FILE_NAME = "review.sqlite"
SCHEMA_VERSION = 1
_APPLICATION = 0x4C69_5265  # "LiRe": identifies the database

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
_CURRENT = "verdict <> 'undo' AND seq NOT IN (SELECT undoes FROM verdicts WHERE undoes IS NOT NULL)"
_COLUMNS = "unit, annotator, verdict, reason, edited, note"

VerdictsByUnit = Mapping[str, Mapping[str, Verdict]]
"""The current verdicts: unit → annotator → verdict."""


class ReviewStore:
    """The verdicts of one review.

    It uses a rollback journal instead of WAL: between transactions the single file is the whole review, can be copied
    and may be on a network drive. With synchronous=FULL, committed verdicts survive SIGKILL and power loss.
    """

    def __init__(self, path: Path, items_sha256: str, *, create: bool = True) -> None:
        self.path = path
        if not create and not path.exists():
            raise LitotesError(
                "L201", f"{path}: no such file", hint=f"start a review with litotes review {path.parent}"
            )
        if path.exists():
            check_is_file(path)
        with self._sqlite_errors():
            # Used by one thread at a time, but not necessarily by the one that opened it.
            self._connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self._opened_file = self._file_id()
        try:
            with self._sqlite_errors():
                self._connection.execute("PRAGMA journal_mode = DELETE")
                self._connection.execute("PRAGMA synchronous = FULL")
                self._prepare(items_sha256)
        except BaseException:
            self._connection.close()
            raise
        self._cached: tuple[tuple[int, int], VerdictsByUnit] | None = None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> ReviewStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def current(self) -> VerdictsByUnit:
        """Return the current verdicts: per unit and annotator the last one that was not undone."""
        with self._sqlite_errors():
            state = self._state()
            if self._cached is None or self._cached[0] != state:
                self._cached = state, self._read_current()
            return self._cached[1]

    def add(self, verdict: Verdict, request: str | None = None) -> None:
        """Store a verdict durably; a repeated request has no effect."""
        with self._transaction() as connection:
            if not _is_known(connection, request):
                _insert(connection, verdict, request)

    def add_all(self, verdicts: Iterable[Verdict]) -> None:
        """Store all verdicts or, if there is an error, none."""
        with self._transaction() as connection:
            for verdict in verdicts:
                _insert(connection, verdict, None)

    def undo(self, annotator: str, request: str | None = None) -> str | None:
        """Undo the annotator's last current verdict and return its unit, or None if there is none."""
        with self._transaction() as connection:
            if request is not None:
                repeated = connection.execute("SELECT unit FROM verdicts WHERE request = ?", (request,)).fetchone()
                if repeated:
                    return str(repeated[0])
            last = connection.execute(
                f"SELECT seq, unit FROM verdicts WHERE annotator = ? AND {_CURRENT} ORDER BY seq DESC LIMIT 1",  # noqa: S608
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
        """Return the latest gold set: unit → verdict."""
        with self._sqlite_errors():
            row = self._connection.execute("SELECT value FROM about WHERE key = 'gold'").fetchone()
        return {str(unit): str(verdict) for unit, verdict in json.loads(row[0]).items()} if row else {}

    def set_gold(self, gold: Mapping[str, str]) -> None:
        """Replace the gold set."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO about VALUES ('gold', ?)", (json.dumps(dict(gold)),))

    def _prepare(self, items_sha256: str) -> None:
        if not self._has_tables():
            with self._transaction() as connection:
                if not self._has_tables():  # another process may have created them
                    for statement in _statements(_SCHEMA):
                        connection.execute(statement)
                    connection.execute("INSERT INTO about VALUES ('items_sha256', ?)", (items_sha256,))
                    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        if self._query_number("PRAGMA application_id") != _APPLICATION:
            raise LitotesError("L203", f"{self.path}: is not a review database", hint="move it away")
        if (version := self._query_number("PRAGMA user_version")) != SCHEMA_VERSION:
            raise LitotesError(
                "L203",
                f"{self.path}: has version {version}; this version of Litotes reads {SCHEMA_VERSION}",
                hint="update litotes"
                if version > SCHEMA_VERSION
                else "open it with the version of Litotes that created it",
            )
        (made_for,) = self._connection.execute("SELECT value FROM about WHERE key = 'items_sha256'").fetchone()
        if made_for != items_sha256:
            raise LitotesError(
                "L206",
                f"{self.path}: is the review of different items (sha256 {made_for[:12]}…, now {items_sha256[:12]}…)",
                hint="restore the old items, or move the file away to start again; "
                "exported verdicts can be imported if the sentences are the same",
            )

    def _has_tables(self) -> bool:
        return self._query_number("SELECT count(*) FROM sqlite_master") > 0

    def _query_number(self, query: str) -> int:
        return int(self._connection.execute(query).fetchone()[0])

    def _read_current(self) -> VerdictsByUnit:
        verdicts: dict[str, dict[str, Verdict]] = {}
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM verdicts WHERE {_CURRENT} ORDER BY seq")  # noqa: S608
        for unit, annotator, verdict, reason, edited, note in rows:
            verdicts.setdefault(unit, {})[annotator] = Verdict(
                unit, annotator, verdict, reason, json.loads(edited), note
            )
        return verdicts

    def _file_id(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _state(self) -> tuple[int, int]:
        """Return a value that changes after every write by this or another process."""
        (others,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(others), self._connection.total_changes

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._sqlite_errors():
            if self._file_id() != self._opened_file:
                # SQLite would keep writing to the deleted file.
                raise LitotesError(
                    "L401",
                    f"{self.path}: was moved or replaced while in use",
                    hint="put it back, or restart litotes review",
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
    def _sqlite_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._as_litotes_error(error) from error

    def _as_litotes_error(self, error: sqlite3.Error) -> LitotesError:
        text = str(error)
        if "full" in text and isinstance(error, sqlite3.OperationalError):
            return LitotesError("L402", f"{self.path}: the disk is full", hint="free some space and try again")
        if isinstance(error, sqlite3.OperationalError):
            return LitotesError(
                "L401", f"{self.path}: cannot be used ({text})", hint="check the permissions, or try again"
            )
        return LitotesError(
            "L203",
            f"{self.path}: is not a review database or is damaged ({text})",
            hint="move it away, or restore a copy",
        )


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; sqlite3's executescript would commit the open transaction."""
    statement = ""
    for line in script.strip().splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _is_known(connection: sqlite3.Connection, request: str | None) -> bool:
    rows = connection.execute("SELECT 1 FROM verdicts WHERE request = ?", (request,))
    return request is not None and rows.fetchone() is not None


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


@dataclass(frozen=True)
class ReviewSession:
    """A suite, its units and the store with the verdicts on them."""

    folder: Path
    suite: Suite
    units: Mapping[str, Unit]
    store: ReviewStore

    def ordered_verdicts(self) -> list[Verdict]:
        """Return the current verdicts, ordered by unit and then by annotator."""
        current = self.store.current()
        return [current[key][name] for key in self.units for name in sorted(current.get(key, ()))]


@contextmanager
def open_review(folder: Path, *, create: bool = True) -> Iterator[ReviewSession]:
    """Open the review of the suite in a folder; `create` starts one if there is none."""
    if not is_folder(folder):
        raise LitotesError("L201", f"{folder}: no such folder", hint="a suite is a folder with suite.json")
    suite = load_folder(folder)
    units = group_units(suite.items)
    with ReviewStore(folder / FILE_NAME, suite.sha256, create=create) as store:
        yield ReviewSession(folder, suite, units, store)


def read_gold(path: Path, units: Mapping[str, Unit]) -> dict[str, str]:
    """Read a gold set: JSON lines with a unit and the correct verdict."""
    gold: dict[str, str] = {}
    for line, record in read_json_lines(path):
        unit, verdict = record.get("unit"), record.get("verdict")
        if not isinstance(unit, str) or unit not in units:
            raise LitotesError("L203", f'{path}:{line}: unknown unit "{unit}"')
        if verdict not in VERDICTS:
            raise LitotesError("L203", f'{path}:{line}: "verdict" must be {", ".join(VERDICTS[:-1])} or {VERDICTS[-1]}')
        if unit in gold:
            raise LitotesError("L205", f'{path}:{line}: duplicate unit "{unit}"')
        gold[unit] = verdict
    if not gold:
        raise LitotesError("L204", f"{path}: contains no gold verdicts")
    return gold
