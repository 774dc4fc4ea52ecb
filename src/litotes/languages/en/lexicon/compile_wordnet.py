"""WordNet compiled into one SQLite file: words with their senses, synsets with their members and links."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import writing_to
from litotes.core.temporary_files import temporary_folder

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""Parts of speech and the endings of their files."""

_MARKER = re.compile(r"\((a|p|ip)\)$")


@dataclass(frozen=True)
class Link:
    """A pointer from one member of a synset (or the whole, member 0) to a member of another."""

    symbol: str
    member: int
    target: tuple[str, int]
    target_member: int


@dataclass(frozen=True)
class SynsetRecord:
    """A line of a data file."""

    pos: str
    offset: int
    satellite: bool
    lexicographer_file: int
    members: tuple[str, ...]
    """Lemmas as written, with underscores for spaces."""
    markers: tuple[str, ...]
    """Syntactic markers of adjectives: `a` only before a noun, `p` in the predicate, `ip` after a noun, or ""."""
    links: tuple[Link, ...]


def read_synsets(folder: Path, pos: str) -> Iterator[SynsetRecord]:
    """Yield the synsets of a part of speech in the order of the file."""
    path = folder / f"data.{FILES[pos]}"
    for number, line in _lines(path):
        try:
            yield _synset(pos, line)
        except (ValueError, IndexError) as error:
            raise LitotesError("L203", f"{path}:{number}: is not a line of a WordNet data file") from error


def _synset(pos: str, line: str) -> SynsetRecord:
    fields = line.split("|", 1)[0].split()
    count = int(fields[3], 16)
    words = fields[4 : 4 + 2 * count : 2]
    markers = [match.group(1) if (match := _MARKER.search(word)) else "" for word in words]
    start_of_links = 4 + 2 * count
    links = []
    for start in range(start_of_links + 1, start_of_links + 1 + 4 * int(fields[start_of_links]), 4):
        symbol, offset, target_pos, ends = fields[start : start + 4]
        target = ("a" if target_pos == "s" else target_pos, int(offset))
        links.append(Link(symbol, int(ends[:2], 16), target, int(ends[2:], 16)))
    return SynsetRecord(
        pos=pos,
        offset=int(fields[0]),
        satellite=fields[2] == "s",
        lexicographer_file=int(fields[1]),
        members=tuple(_MARKER.sub("", word) for word in words),
        markers=tuple(markers),
        links=tuple(links),
    )


def read_index(folder: Path, pos: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each lemma with the offsets of its synsets, the most frequent sense first."""
    path = folder / f"index.{FILES[pos]}"
    for number, line in _lines(path):
        fields = line.split()
        try:
            pointers, count = int(fields[3]), int(fields[2])
            offsets = tuple(int(field) for field in fields[6 + pointers : 6 + pointers + count])
        except (ValueError, IndexError) as error:
            raise LitotesError("L203", f"{path}:{number}: is not a line of a WordNet index file") from error
        yield fields[0], offsets


def read_tag_counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """Return the frequency of each sense in the tagged texts, by lemma, part of speech and offset, without zeros."""
    path = folder / "index.sense"
    kinds = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
    counts: dict[tuple[str, str, int], int] = {}
    for number, line in _lines(path):
        try:
            key, offset, _, count = line.split()
            if count != "0":
                lemma, _, rest = key.partition("%")
                counts[lemma, kinds[rest[0]], int(offset)] = int(count)
        except (ValueError, IndexError, KeyError) as error:
            raise LitotesError("L203", f"{path}:{number}: is not a line of WordNet's sense index") from error
    return counts


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    if not path.is_file():
        raise LitotesError("L201", f"{path}: no such file", hint="a WordNet folder contains data.noun, index.noun, …")
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.startswith("  ") and line.strip():
                yield number, line


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
    """Return the id of a synset: its offset, followed by a digit for the part of speech.

    >>> synset_id("a", 1123148)
    11231483
    """
    return offset * 10 + _POS_DIGIT[pos]


def compile_wordnet(folder: Path, target: Path, *, source: str, licence: str) -> None:
    """Compile a WNDB folder into an SQLite file, atomically."""
    with writing_to(target), temporary_folder(target) as temporary_:
        temporary = temporary_ / target.name
        with contextlib.closing(sqlite3.connect(temporary)) as connection:
            connection.execute("PRAGMA page_size=4096")
            connection.executescript(SCHEMA)
            about = {"format": FORMAT, "source": source, "licence": licence}
            connection.executemany("INSERT INTO about VALUES (?, ?)", sorted(about.items()))
            _fill(connection, folder)
            connection.commit()
            connection.execute("VACUUM")
        temporary.replace(target)


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
    """`2>11231483.1`: from the second member of this synset to the first of that one."""
    return f"{link.member}>{synset_id(*link.target)}.{link.target_member}"
