"""The variants of a corpus in an SQLite file, which survives a killed process.

The variants of a block of sentences are written in one transaction. The file is named after everything that its
content depends on; another corpus, seed or version has another file.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from litotes.building.audit_variants import RELATIONS
from litotes.core.files import writing_to
from litotes.core.sqlite import is_damaged, open_database, remove_database, sqlite_errors

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
_RULE_IDS = {rule: rule_id for rule_id, rule in enumerate(_RULES)}
_FETCH_SIZE = 256
"""Rows that are read at once, as reading may pause while they are encoded."""


class SentenceVariants(NamedTuple):
    """The variants of one sentence."""

    variants: tuple[tuple[str, str], ...]
    """Rule and text."""
    skips: tuple[tuple[str, str], ...]
    """Rule and skip code, for each rule without a variant."""


def store_path(folder: Path, depends_on: Mapping[str, Any]) -> Path:
    """Return the path of the file for variants that depend on certain values.

    >>> store_path(Path("cache"), {"corpus": "a"}) == store_path(Path("cache"), {"corpus": "b"})
    False
    """
    key = hashlib.sha256(json.dumps(dict(depends_on), sort_keys=True).encode()).hexdigest()
    return folder / f"variants-{key[:32]}.sqlite"


class VariantStore:
    """The variants of one corpus, in a file or, without a path, in a temporary database."""

    def __init__(self, path: Path | None) -> None:
        self._location: object = path or "the temporary folder"
        if path is not None:
            with writing_to(path):
                path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._connection = _connect(path)
        except sqlite3.DatabaseError as error:
            if path is None or not is_damaged(error):
                with sqlite_errors(self._location):
                    raise
            remove_database(path)
            with sqlite_errors(self._location):
                self._connection = _connect(path)

    def blocks(self) -> frozenset[int]:
        """Return the numbers of the stored blocks."""
        with sqlite_errors(self._location):
            return frozenset(number for (number,) in self._connection.execute("SELECT number FROM blocks"))

    def save(self, number: int, indices: Sequence[int], results: Sequence[SentenceVariants]) -> None:
        """Store the variants of a block of sentences in one transaction; parallel runs write the same values."""
        skips = Counter((_RULE_IDS[rule], code) for result in results for rule, code in result.skips)
        variants = (
            (_RULE_IDS[rule], index, text)
            for index, result in zip(indices, results, strict=True)
            for rule, text in result.variants
        )
        with sqlite_errors(self._location), self._connection as connection:
            connection.execute("INSERT OR REPLACE INTO blocks VALUES (?)", (number,))
            connection.executemany("INSERT OR REPLACE INTO variants VALUES (?, ?, ?)", variants)
            connection.executemany(
                "INSERT OR REPLACE INTO skips VALUES (?, ?, ?, ?)",
                ((number, rule, code, count) for (rule, code), count in sorted(skips.items())),
            )

    def of_rule(self, rule: str) -> Iterator[tuple[int, str]]:
        """Yield the variants by one rule as (index of the sentence, text), in the order of the sentences."""
        with sqlite_errors(self._location):
            query = "SELECT place, text FROM variants WHERE rule = ? ORDER BY place"
            with closing(self._connection.execute(query, (_RULE_IDS[rule],))) as cursor:
                while rows := cursor.fetchmany(_FETCH_SIZE):
                    yield from rows

    def pairs(self) -> Iterator[tuple[int, str, str]]:
        """Yield all variants as (index of the sentence, rule, text), in the order of the sentences and rules."""
        streams = [self._with_rule_id(rule_id) for rule_id in range(len(_RULES))]
        for index, rule_id, text in heapq.merge(*streams):
            yield index, _RULES[rule_id], text

    def _with_rule_id(self, rule_id: int) -> Iterator[tuple[int, int, str]]:
        for index, text in self.of_rule(_RULES[rule_id]):
            yield index, rule_id, text

    def counts(self) -> dict[str, int]:
        """Return the number of variants by rule."""
        with sqlite_errors(self._location):
            counts = dict(self._connection.execute("SELECT rule, count(*) FROM variants GROUP BY rule"))
        return {rule: counts.get(rule_id, 0) for rule_id, rule in enumerate(_RULES)}

    def skips(self, rule: str) -> dict[str, int]:
        """Return the number of sentences without a variant by skip code, the most frequent first."""
        query = "SELECT code, sum(count) AS n FROM skips WHERE rule = ? GROUP BY code ORDER BY n DESC, code"
        with sqlite_errors(self._location):
            return dict(self._connection.execute(query, (_RULE_IDS[rule],)))

    def count_usable(self) -> int:
        """Return the number of sentences with both an opposite and a paraphrase."""
        with_both = 0
        last_index, relations = -1, set[str]()
        for index, rule, _ in self.pairs():
            if index != last_index:
                with_both += relations >= {"opposite", "same"}
                last_index, relations = index, set()
            relations.add(RELATIONS[rule])
        return with_both + (relations >= {"opposite", "same"})

    def finish(self) -> None:
        """Merge the write-ahead log into the file, which any number of processes can read afterwards."""
        with sqlite_errors(self._location):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _connect(path: Path | None) -> sqlite3.Connection:
    # Threads that encode may read, one at a time.
    options: dict[str, Any] = {"timeout": 10, "check_same_thread": False}
    connection = sqlite3.connect("", **options) if path is None else open_database(path, **options)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_mode = WAL")
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {"blocks", "variants", "skips"} <= tables:
            connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    except BaseException:
        connection.close()
        raise
    return connection
