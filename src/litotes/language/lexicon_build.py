"""WordNet compiled into one SQLite file: words with their senses, synsets with their members and links."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path

from litotes.core.files import cannot_write
from litotes.language.wordnet_files import (
    FILES,
    Link,
    SynsetRecord,
    read_index,
    read_synsets,
    read_tag_counts,
)

FORMAT = "1"

SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE words (word TEXT, pos TEXT, senses TEXT NOT NULL, PRIMARY KEY (word, pos)) WITHOUT ROWID;
CREATE TABLE synsets (
  id INTEGER PRIMARY KEY, lexfile INTEGER NOT NULL, members TEXT NOT NULL,
  markers TEXT, satellite INTEGER, antonyms TEXT, similar TEXT, derived TEXT
);
"""

_POS_DIGIT = {"n": 1, "v": 2, "a": 3, "r": 4}
_MEMBER_LINKS = {"!": "antonyms", "+": "derived"}


def synset_id(pos: str, offset: int) -> int:
    """One number for a synset: its offset with the part of speech as last digit.

    >>> synset_id("a", 1123148)
    11231483
    """
    return offset * 10 + _POS_DIGIT[pos]


def compile_wordnet(folder: Path, target: Path, *, source: str, licence: str) -> None:
    """Compile a WNDB folder; the target is there whole or not at all."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise cannot_write(target, error) from error
    os.close(handle)
    temporary = Path(name)
    temporary.unlink()
    try:
        with contextlib.closing(sqlite3.connect(temporary)) as connection:
            connection.execute("PRAGMA page_size=4096")
            connection.executescript(SCHEMA)
            about = {"format": FORMAT, "source": source, "licence": licence}
            connection.executemany("INSERT INTO about VALUES (?, ?)", sorted(about.items()))
            _fill(connection, folder)
            connection.commit()
            connection.execute("VACUUM")
        temporary.chmod(0o644)
        temporary.replace(target)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        temporary.unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, folder: Path) -> None:
    counts = read_tag_counts(folder)
    for pos in FILES:
        connection.executemany(
            "INSERT INTO synsets VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (_row(record) for record in read_synsets(folder, pos)),
        )
        connection.executemany(
            "INSERT INTO words VALUES (?, ?, ?)",
            sorted(
                (lemma, pos, " ".join(_sense(lemma, pos, offset, counts) for offset in offsets))
                for lemma, offsets in read_index(folder, pos)
            ),
        )


def _sense(lemma: str, pos: str, offset: int, counts: dict[tuple[str, str, int], int]) -> str:
    count = counts.get((lemma, pos, offset), 0)
    return f"{synset_id(pos, offset)}:{count}" if count else str(synset_id(pos, offset))


def _row(record: SynsetRecord) -> tuple[int | str | None, ...]:
    links: dict[str, list[str]] = {"antonyms": [], "derived": []}
    similar = []
    for link in record.links:
        if link.symbol in _MEMBER_LINKS:
            links[_MEMBER_LINKS[link.symbol]].append(_member_link(link))
        elif link.symbol == "&":
            similar.append(str(synset_id(*link.target)))
    return (
        synset_id(record.pos, record.offset),
        record.lexicographer_file,
        " ".join(record.members),
        " ".join(marker or "-" for marker in record.markers) if any(record.markers) else None,
        1 if record.satellite else None,
        " ".join(links["antonyms"]) or None,
        " ".join(similar) or None,
        " ".join(links["derived"]) or None,
    )


def _member_link(link: Link) -> str:
    """`2>11231483.1`: from this synset's second member to the first of that one."""
    return f"{link.member}>{synset_id(*link.target)}.{link.target_member}"
