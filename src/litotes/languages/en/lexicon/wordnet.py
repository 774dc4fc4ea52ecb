"""The lexicon: words, senses and what they are opposed and akin to; a file that opens in milliseconds."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from litotes.core.errors import LitotesError
from litotes.core.paths import cache_folder
from litotes.languages.en.lexicon.compile_wordnet import FILES, FORMAT, compile_wordnet

_POS = {1: "n", 2: "v", 3: "a", 4: "r"}
_NOUN_SUPERSENSES = dict(
    enumerate(
        "tops act animal artifact attribute body cognition communication event feeling food group location motive"
        " object person phenomenon plant possession process quantity relation shape state substance time".split(),
        start=3,
    )
)
"""WordNet's lexicographer files of nouns, by number."""
_MOST_KEPT = 16_384
"""Words and synsets that are kept in memory: a text has far fewer words than sentences."""
_MAPPED = 1 << 28

Link: TypeAlias = tuple[int, int, int]
"""(own member from 0, other synset, its member from 0); -1 where the whole synset is meant."""


class Synset:
    """Words that can stand for one meaning; its links are read when they are asked for, as few are."""

    __slots__ = ("_antonyms", "_derived", "_markers", "_similar", "id", "lexfile", "members", "satellite")

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.id: int
        self.lexfile: int
        self.id, self.lexfile, members, self._markers, satellite, self._antonyms, self._similar, self._derived = row
        names = members.split()
        self.members: tuple[str, ...] = tuple([_plain(name) for name in names] if "_" in members else names)
        self.satellite = bool(satellite)

    @property
    def pos(self) -> str:
        """n, v, a or r."""
        return _POS[self.id % 10]

    @property
    def supersense(self) -> str:
        """The broad class of a noun's meaning, such as "animal" or "act"; "tops" for the most general nouns.

        WordNet calls it the lexicographer file. For other parts of speech it is "".
        """
        return _NOUN_SUPERSENSES.get(self.lexfile, "")

    @property
    def markers(self) -> tuple[str, ...]:
        """Where each member may stand, if it is an adjective that may not stand anywhere: `a`, `p`, `ip`."""
        written = self._markers
        return tuple([marker.replace("-", "") for marker in written.split()]) if written else ()

    @property
    def antonyms(self) -> tuple[Link, ...]:
        """From its words to those that are opposed to them."""
        return _links(self._antonyms) if self._antonyms else ()

    @property
    def has_antonyms(self) -> bool:
        """Whether any of its words has an antonym; quicker told than which."""
        return self._antonyms is not None

    @property
    def similar(self) -> tuple[int, ...]:
        """The ids of synsets that an adjective is said to be like."""
        written = self._similar
        return tuple([int(other) for other in written.split()]) if written else ()

    @property
    def derived(self) -> tuple[Link, ...]:
        """Words of the same root, as `antonyms` has them."""
        return _links(self._derived) if self._derived else ()


class Sense:
    """A word in one of its meanings; the synset is read when it is asked for, as most questions are not about it."""

    __slots__ = ("_lexicon", "_lower", "_member", "count", "number", "rank")

    def __init__(
        self, lexicon: Lexicon, lower: str, number: int, rank: int, count: int, *, member: int | None = None
    ) -> None:
        self._lexicon, self._lower, self._member = lexicon, lower, member
        self.number = number
        """The synset's id."""
        self.rank = rank
        """0 is the most frequent sense of the word."""
        self.count = count
        """How often the word has this sense in the tagged texts."""

    def __repr__(self) -> str:
        return f"Sense({self.word!r}, synset={self.number}, rank={self.rank}, count={self.count})"

    @property
    def synset(self) -> Synset:
        """The meaning, and the other words for it."""
        return self._lexicon.synset(self.number)

    @property
    def member(self) -> int:
        """Which of the synset's words it is, from 0."""
        if self._member is None:
            names = self.synset.members
            self._member = next(place for place, name in enumerate(names) if name.lower() == self._lower)
        return self._member

    @property
    def word(self) -> str:
        """As WordNet writes it, with spaces: `ice cream`, `French`."""
        return self.synset.members[self.member]

    @property
    def marker(self) -> str:
        """`a` if it stands only before its noun, `p` only in the predicate, `ip` only after the noun."""
        markers = self.synset.markers
        return markers[self.member] if markers else ""


class Lexicon:
    """A compiled WordNet.

    >>> lexicon = default_lexicon()
    >>> [other.word for sense in lexicon.senses("asleep", "a") for other in lexicon.antonyms(sense)]
    ['awake']
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise LitotesError("L201", f"{path}: no such lexicon")
        self.path = path
        self._local = threading.local()
        if self.about().get("format") != FORMAT:
            raise LitotesError("L203", f"{path}: is no lexicon of this version")
        self.senses = lru_cache(maxsize=_MOST_KEPT)(self._senses)
        self._entry = lru_cache(maxsize=_MOST_KEPT)(self._read_entry)
        self._synsets: dict[int, Synset] = {}

    def about(self) -> dict[str, str]:
        """Source, licence and format."""
        try:
            return dict(self._connection().execute("SELECT key, value FROM about"))
        except sqlite3.DatabaseError as error:
            raise LitotesError("L203", f"{self.path}: is no lexicon ({error})") from error

    def __contains__(self, word: str) -> bool:
        """Whether a word is known, as any part of speech."""
        return bool(self._entry(word.lower()))

    def knows(self, word: str, pos: str) -> bool:
        """Whether a word is known as that part of speech; quicker told than its senses."""
        return pos in self._entry(word.lower())

    def sense_count(self, word: str, pos: str) -> int:
        """How many senses a word has; quicker told than which."""
        listed = self._entry(word.lower()).get(pos)
        return 0 if listed is None else listed.count(" ") + 1

    def uses(self, word: str, pos: str) -> int:
        """How often a word was counted in tagged texts, in all its senses; quicker told than sense by sense."""
        listed = self._entry(word.lower()).get(pos)
        return 0 if listed is None else sum([int(entry.partition(":")[2] or 0) for entry in listed.split()])

    def words(self, pos: str) -> Iterator[str]:
        """Every word of a part of speech, in alphabetical order."""
        rows = self._connection().execute("SELECT word FROM words WHERE pos = ? ORDER BY word", (pos,))
        return (_plain(word) for (word,) in rows)

    def synsets(self) -> Iterator[int]:
        """The ids of all synsets."""
        return (number for (number,) in self._connection().execute("SELECT id FROM synsets ORDER BY id"))

    def synset(self, number: int) -> Synset:
        """The synset of that id."""
        found = self._synsets.get(number)
        return self.synsets_at((number,))[0] if found is None else found

    def synsets_at(self, numbers: Sequence[int]) -> list[Synset]:
        """The synsets of these ids: one question to the file for all of them is quicker than many."""
        if len(self._synsets) > _MOST_KEPT:
            self._synsets = {}
        known = self._synsets
        unread = [number for number in numbers if number not in known]
        if unread:
            for row in self._connection().execute(_question(len(unread)), unread):
                known[row[0]] = Synset(row)
        return [known[number] for number in numbers]

    def antonyms(self, sense: Sense) -> list[Sense]:
        """The direct antonyms of a word in this sense."""
        synset = sense.synset
        if not synset.has_antonyms:
            return []
        return [self._linked(target, member) for own, target, member in synset.antonyms if own in (sense.member, -1)]

    def derived(self, sense: Sense) -> list[Sense]:
        """Words of other parts of speech made from the same root."""
        return [
            self._linked(target, member) for own, target, member in sense.synset.derived if own in (sense.member, -1)
        ]

    def members(self, synset: Synset) -> list[Sense]:
        """The words of a synset, each in that sense."""
        return [self._linked(synset.id, member) for member in range(len(synset.members))]

    def similar(self, synset: Synset) -> list[Synset]:
        """The synsets that an adjective synset is said to be like."""
        return self.synsets_at(synset.similar)

    def name(self, number: int, member: int) -> str:
        """The word at a place of a synset, as links have it: from 0, and -1 where the whole synset is meant."""
        return self.synset(number).members[max(member, 0)]

    def names(self, links: Sequence[Link]) -> list[str]:
        """The words that links lead to."""
        synsets = self.synsets_at([number for _, number, _ in links])
        return [synset.members[max(link[2], 0)] for synset, link in zip(synsets, links, strict=True)]

    def _linked(self, number: int, member: int) -> Sense:
        """A member of a synset, with its rank and count among the word's own senses."""
        synset = self.synset(number)
        place = max(member, 0)
        lower = synset.members[place].lower()
        listed = self._entry(lower)[synset.pos].split()
        written = str(number)
        rank = next(rank for rank, entry in enumerate(listed) if entry.partition(":")[0] == written)
        # A synset may hold a word twice, in two spellings ("a.m.", "A.M."): the place says which is meant.
        return Sense(self, lower, number, rank, int(listed[rank].partition(":")[2] or 0), member=place)

    def _senses(self, word: str, pos: str) -> tuple[Sense, ...]:
        """The senses of a word, the most frequent first; none if the word is not known."""
        lower = word.lower()
        listed = self._entry(lower).get(pos)
        if listed is None:
            return ()
        plain = _plain(lower)
        found = []
        for rank, entry in enumerate(listed.split()):
            number, _, count = entry.partition(":")
            found.append(Sense(self, plain, int(number), rank, int(count) if count else 0))
        return tuple(found)

    def _read_entry(self, lower: str) -> dict[str, str]:
        """The senses of a word by part of speech, as they are written in the file: one reading for all."""
        return dict(
            self._connection().execute("SELECT pos, senses FROM words WHERE word = ?", (lower.replace(" ", "_"),))
        )

    def _connection(self) -> sqlite3.Connection:
        """One connection a thread: SQLite's may not be shared."""
        try:
            connection: sqlite3.Connection = self._local.connection
        except AttributeError:
            connection = self._local.connection = sqlite3.connect(f"file:{self.path}?mode=ro&immutable=1", uri=True)
            connection.execute(f"PRAGMA mmap_size={_MAPPED}")  # a quarter quicker than reading page by page
        return connection


def _plain(word: str) -> str:
    return word.replace("_", " ")


@lru_cache(maxsize=64)
def _question(count: int) -> str:
    return f"SELECT * FROM synsets WHERE id IN ({','.join('?' * count)})"  # noqa: S608  (of marks alone)


def _links(text: str) -> tuple[Link, ...]:
    found = []
    for entry in text.split():
        own, _, rest = entry.partition(">")
        target, _, member = rest.partition(".")
        found.append((int(own) - 1, int(target), int(member) - 1))
    return tuple(found)


OTHER = "LITOTES_WORDNET"
"""The variable that names another WordNet: its folder (WNDB), or a lexicon that was compiled from one."""
_FILES = tuple(f"{kind}.{ending}" for ending in FILES.values() for kind in ("data", "index"))


@lru_cache(maxsize=1)
def default_lexicon() -> Lexicon:
    """The WordNet that comes with the package, or the one that LITOTES_WORDNET names; read once."""
    named = os.environ.get(OTHER)
    if named:
        return open_lexicon(Path(named).expanduser(), named_by=OTHER)
    return Lexicon(Path(str(files("litotes.languages.en") / "data" / "wordnet.sqlite")))


def lexicon_version() -> str | None:
    """What tells another WordNet from others, for what is kept and built; None for our own, which has our version."""
    if not os.environ.get(OTHER):
        return None
    return hashlib.sha256(default_lexicon().path.read_bytes()).hexdigest()[:16]


def open_lexicon(path: Path, *, named_by: str = "") -> Lexicon:
    """Another WordNet: a compiled lexicon, or a WNDB folder, which is compiled once and kept in the cache folder."""
    name = f"{named_by}={path}" if named_by else str(path)
    if path.is_file():
        return Lexicon(path)
    if not path.is_dir():
        raise LitotesError("L201", f"{name}: no such folder or file", hint=_HINT)
    missing = [one for one in (*_FILES, "index.sense") if not (path / one).is_file()]
    if missing:
        raise LitotesError("L201", f"{name}: is no WordNet folder, {missing[0]} is not in it", hint=_HINT)
    digest = hashlib.sha256(FORMAT.encode())
    for one in (*_FILES, "index.sense"):
        stat = (path / one).stat()
        digest.update(f"{(path / one).resolve()}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode())
    target = cache_folder() / "lexicons" / f"{digest.hexdigest()[:24]}.sqlite"
    if not target.exists():
        # Named by what is in it, not by where it lies: the same WordNet is the same file on every machine.
        compile_wordnet(path, target, source=f"sha256 {_contents(path)}", licence="see the folder")
    return Lexicon(target)


_HINT = "name a folder with WordNet's files (data.noun, index.noun, …, index.sense), or a compiled lexicon"


def _contents(folder: Path) -> str:
    digest = hashlib.sha256()
    for one in (*_FILES, "index.sense"):
        digest.update(hashlib.sha256((folder / one).read_bytes()).digest())
    return digest.hexdigest()


@lru_cache(maxsize=16_384)
def is_known(word: str, pos: str) -> bool:
    """Return whether the default lexicon has a word as a part of speech (n, v, a or r).

    >>> is_known("turn off", "v"), is_known("turn off", "n")
    (True, False)
    """
    return default_lexicon().knows(word, pos)


@lru_cache(maxsize=16_384)
def frequency(word: str, pos: str) -> int:
    """How often a word stands in the tagged texts, in all senses of a part of speech (n, v, a or r).

    >>> frequency("house", "n") > frequency("cottage", "n") > frequency("grommet", "n") == 0
    True
    """
    return default_lexicon().uses(word, pos)
