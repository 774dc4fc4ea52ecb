"""WordNet's own files (WNDB): the relations in them, read as published; glosses and examples are left aside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from litotes.core.errors import LitotesError

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
    """Where an adjective may stand: `a` before its noun, `p` in the predicate, `ip` after it; empty for anywhere."""
    links: tuple[Link, ...]


def read_synsets(folder: Path, pos: str) -> Iterator[SynsetRecord]:
    """The synsets of one part of speech, in the order of the file."""
    path = folder / f"data.{FILES[pos]}"
    for number, line in _lines(path):
        try:
            yield _synset(pos, line)
        except (ValueError, IndexError) as error:
            raise LitotesError("L203", f"{path}:{number}: is no line of a WordNet data file") from error


def _synset(pos: str, line: str) -> SynsetRecord:
    fields = line.split("|", 1)[0].split()
    count = int(fields[3], 16)
    words = fields[4 : 4 + 2 * count : 2]
    markers = [match.group(1) if (match := _MARKER.search(word)) else "" for word in words]
    place = 4 + 2 * count
    links = []
    for start in range(place + 1, place + 1 + 4 * int(fields[place]), 4):
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
    """Each lemma with the offsets of its synsets, the most frequent sense first."""
    path = folder / f"index.{FILES[pos]}"
    for number, line in _lines(path):
        fields = line.split()
        try:
            pointers, count = int(fields[3]), int(fields[2])
            offsets = tuple(int(field) for field in fields[6 + pointers : 6 + pointers + count])
        except (ValueError, IndexError) as error:
            raise LitotesError("L203", f"{path}:{number}: is no line of a WordNet index file") from error
        yield fields[0], offsets


def read_tag_counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """How often each sense stands in the tagged texts, by lemma, part of speech and offset; zeros left out."""
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
            raise LitotesError("L203", f"{path}:{number}: is no line of WordNet's sense index") from error
    return counts


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines behind the licence text, which is indented."""
    if not path.is_file():
        raise LitotesError("L201", f"{path}: no such file", hint="a WordNet folder holds data.noun, index.noun, …")
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.startswith("  ") and line.strip():
                yield number, line
