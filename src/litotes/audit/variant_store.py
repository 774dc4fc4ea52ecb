"""The variants of a corpus on disk: made once, read by every audit of it; a run that was killed goes on.

What came of a block of sentences is kept in one transaction. The file is named after everything that its content
depends on, so that another corpus, another seed or another version has a file of its own.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from litotes.building.audit_variants import RELATIONS
from litotes.core.errors import LitotesError
from litotes.core.files import cannot_write
from litotes.core.sqlite import sqlite_errors

_SCHEMA = """
CREATE TABLE IF NOT EXISTS blocks (number INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS variants (
    rule INTEGER NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (rule, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS skips (
    block INTEGER NOT NULL, rule INTEGER NOT NULL, code TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (block, rule, code)
) WITHOUT ROWID;
"""
_RULES = tuple(RELATIONS)
_NUMBERS = {rule: number for number, rule in enumerate(_RULES)}
_AT_ONCE = 256
"""Rows that are fetched together: reading may pause while they are encoded."""


class Made(NamedTuple):
    """What came of one sentence."""

    variants: tuple[tuple[str, str], ...]
    """Rule and text."""
    skips: tuple[tuple[str, str], ...]
    """Rule and code, for each rule that made nothing the first reason."""


def store_path(folder: Path, depends_on: Mapping[str, Any]) -> Path:
    """The file for variants that depend on these things.

    >>> store_path(Path("cache"), {"corpus": "a"}) == store_path(Path("cache"), {"corpus": "b"})
    False
    """
    key = hashlib.sha256(json.dumps(dict(depends_on), sort_keys=True).encode()).hexdigest()
    return folder / f"variants-{key[:32]}.sqlite"


class VariantStore:
    """The variants of one corpus; in a temporary file of SQLite's own if there is no path."""

    def __init__(self, path: Path | None) -> None:
        self._where: object = path or "the temporary folder"
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise cannot_write(path, error) from error
        try:
            self._db = _opened(path)
        except sqlite3.DatabaseError as error:
            if path is None or not _is_damaged(error):
                raise self._told(error) from error
            _remove(path)  # half a file, or none of ours: nothing in it can be trusted
            with self._errors():
                self._db = _opened(path)

    def blocks(self) -> frozenset[int]:
        """The numbers of the blocks that are done."""
        with self._errors():
            return frozenset(number for (number,) in self._db.execute("SELECT number FROM blocks"))

    def keep(self, number: int, places: Sequence[int], made: Sequence[Made]) -> None:
        """What came of the sentences of a block, in one transaction; two runs at once make the same of it."""
        skips = Counter((_NUMBERS[rule], code) for one in made for rule, code in one.skips)
        with self._errors(), self._db:
            self._db.execute("INSERT OR REPLACE INTO blocks VALUES (?)", (number,))
            self._db.executemany(
                "INSERT OR REPLACE INTO variants VALUES (?, ?, ?)",
                (
                    (_NUMBERS[rule], place, text)
                    for place, one in zip(places, made, strict=True)
                    for rule, text in one.variants
                ),
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO skips VALUES (?, ?, ?, ?)",
                ((number, rule, code, count) for (rule, code), count in sorted(skips.items())),
            )

    def of_rule(self, rule: str) -> Iterator[tuple[int, str]]:
        """The variants of one rule: place of the sentence and text, by place."""
        with self._errors():
            query = "SELECT place, text FROM variants WHERE rule = ? ORDER BY place"
            with closing(self._db.execute(query, (_NUMBERS[rule],))) as rows:
                while some := rows.fetchmany(_AT_ONCE):
                    yield from some

    def pairs(self) -> Iterator[tuple[int, str, str]]:
        """All variants: place, rule and text, by place and then in the order of the rules."""
        streams = [self._numbered(number) for number in range(len(_RULES))]
        for place, number, text in heapq.merge(*streams):
            yield place, _RULES[number], text

    def _numbered(self, number: int) -> Iterator[tuple[int, int, str]]:
        for place, text in self.of_rule(_RULES[number]):
            yield place, number, text

    def made(self) -> dict[str, int]:
        """Rule → of how many sentences it made a variant."""
        with self._errors():
            found = dict(self._db.execute("SELECT rule, count(*) FROM variants GROUP BY rule"))
        return {rule: found.get(number, 0) for number, rule in enumerate(_RULES)}

    def skips(self, rule: str) -> dict[str, int]:
        """Code → how many sentences a rule made nothing of for it, the most frequent first."""
        query = "SELECT code, sum(count) AS n FROM skips WHERE rule = ? GROUP BY code ORDER BY n DESC, code"
        with self._errors():
            return dict(self._db.execute(query, (_NUMBERS[rule],)))

    def usable(self) -> int:
        """How many sentences have an opposite and a variant of the same meaning."""
        both = 0
        last, seen = -1, set[str]()
        for place, rule, _ in self.pairs():
            if place != last:
                both += seen >= {"opposite", "same"}
                last, seen = place, set()
            seen.add(RELATIONS[rule])
        return both + (seen >= {"opposite", "same"})

    def finish(self) -> None:
        """Everything is made: one file is left, which any number of processes can read."""
        with self._errors():
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._told(error) from error

    def _told(self, error: sqlite3.Error) -> LitotesError:
        if "is locked" in str(error):
            return LitotesError("L401", f"{self._where}: another audit is at work there", hint="wait until it is done")
        try:
            with sqlite_errors(self._where):
                raise error
        except LitotesError as told:
            return told


def _opened(path: Path | None) -> sqlite3.Connection:
    # Vectors may be asked for in threads while rows are read; one thread at a time has the connection.
    db = sqlite3.connect(path or "", timeout=10, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA journal_mode = WAL")
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {"blocks", "variants", "skips"} <= tables:  # by now another audit may have made them
            db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    except BaseException:
        db.close()
        raise
    return db


def _remove(path: Path) -> None:
    try:
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error


def _is_damaged(error: sqlite3.DatabaseError) -> bool:
    name = getattr(error, "sqlite_errorname", "")  # from Python 3.11 on
    return name in {"SQLITE_NOTADB", "SQLITE_CORRUPT"} or "not a database" in str(error) or "malformed" in str(error)
