"""WordNet as a compiled SQLite file: words, senses, antonyms and related words."""

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
_CACHE_SIZE = 16_384
"""Words and synsets in the memory caches."""
_MMAP_SIZE = 1 << 28

Link: TypeAlias = tuple[int, int, int]
"""(index of the own member, other synset, index of its member); -1 means the whole synset."""


class Synset:
    """A set of synonyms; its links are decoded on access."""

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
        """The syntactic marker of each member (see `Sense.marker`); empty if no member has one."""
        written = self._markers
        return tuple([marker.replace("-", "") for marker in written.split()]) if written else ()

    @property
    def antonyms(self) -> tuple[Link, ...]:
        """Links from its members to their antonyms."""
        return _links(self._antonyms) if self._antonyms else ()

    @property
    def has_antonyms(self) -> bool:
        """Whether any member has an antonym; faster than `antonyms`."""
        return self._antonyms is not None

    @property
    def similar(self) -> tuple[int, ...]:
        """The ids of similar synsets, for adjectives."""
        written = self._similar
        return tuple([int(other) for other in written.split()]) if written else ()

    @property
    def derived(self) -> tuple[Link, ...]:
        """Links to words with the same root."""
        return _links(self._derived) if self._derived else ()


class Sense:
    """A word in one of its meanings; the synset is read on access."""

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
        """How often the word has this sense in the sense-tagged texts."""

    def __repr__(self) -> str:
        return f"Sense({self.word!r}, synset={self.number}, rank={self.rank}, count={self.count})"

    @property
    def synset(self) -> Synset:
        """The synset of the sense."""
        return self._lexicon.synset(self.number)

    @property
    def member(self) -> int:
        """The index of the word in the synset."""
        if self._member is None:
            names = self.synset.members
            self._member = next(index for index, name in enumerate(names) if name.lower() == self._lower)
        return self._member

    @property
    def word(self) -> str:
        """The word as WordNet writes it, with spaces: `ice cream`, `French`."""
        return self.synset.members[self.member]

    @property
    def marker(self) -> str:
        """`a` for adjectives that only occur before a noun, `p` in the predicate, `ip` after a noun; otherwise ""."""
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
            raise LitotesError("L201", f"{path}: no such file")
        self.path = path
        self._local = threading.local()
        if self.about().get("format") != FORMAT:
            raise LitotesError("L203", f"{path}: is not a lexicon of this version")
        self.senses = lru_cache(maxsize=_CACHE_SIZE)(self._senses)
        self._entry = lru_cache(maxsize=_CACHE_SIZE)(self._read_entry)
        self._synsets: dict[int, Synset] = {}

    def about(self) -> dict[str, str]:
        """Return source, licence and format."""
        try:
            return dict(self._connection().execute("SELECT key, value FROM about"))
        except sqlite3.DatabaseError as error:
            raise LitotesError("L203", f"{self.path}: is not a lexicon ({error})") from error

    def __contains__(self, word: str) -> bool:
        """Whether the lexicon contains a word."""
        return bool(self._entry(word.lower()))

    def knows(self, word: str, pos: str) -> bool:
        """Return whether the lexicon contains a word as a part of speech; faster than `senses`."""
        return pos in self._entry(word.lower())

    def sense_count(self, word: str, pos: str) -> int:
        """Return the number of senses of a word; faster than `senses`."""
        listed = self._entry(word.lower()).get(pos)
        return 0 if listed is None else listed.count(" ") + 1

    def uses(self, word: str, pos: str) -> int:
        """Return the frequency of a word in sense-tagged texts, over all senses; faster than `senses`."""
        listed = self._entry(word.lower()).get(pos)
        return 0 if listed is None else sum([int(entry.partition(":")[2] or 0) for entry in listed.split()])

    def words(self, pos: str) -> Iterator[str]:
        """Yield the words of a part of speech in alphabetical order."""
        rows = self._connection().execute("SELECT word FROM words WHERE pos = ? ORDER BY word", (pos,))
        return (_plain(word) for (word,) in rows)

    def synsets(self) -> Iterator[int]:
        """Yield the ids of all synsets."""
        return (number for (number,) in self._connection().execute("SELECT id FROM synsets ORDER BY id"))

    def synset(self, number: int) -> Synset:
        """Return the synset with an id."""
        synset = self._synsets.get(number)
        return self.synsets_at((number,))[0] if synset is None else synset

    def synsets_at(self, numbers: Sequence[int]) -> list[Synset]:
        """Return the synsets with these ids by one query."""
        if len(self._synsets) > _CACHE_SIZE:
            self._synsets = {}
        known = self._synsets
        missing = [number for number in numbers if number not in known]
        if missing:
            for row in self._connection().execute(_query(len(missing)), missing):
                known[row[0]] = Synset(row)
        return [known[number] for number in numbers]

    def antonyms(self, sense: Sense) -> list[Sense]:
        """Return the direct antonyms of a word in a sense."""
        synset = sense.synset
        if not synset.has_antonyms:
            return []
        return [self._linked(target, member) for own, target, member in synset.antonyms if own in (sense.member, -1)]

    def derived(self, sense: Sense) -> list[Sense]:
        """Return words of other parts of speech with the same root."""
        return [
            self._linked(target, member) for own, target, member in sense.synset.derived if own in (sense.member, -1)
        ]

    def members(self, synset: Synset) -> list[Sense]:
        """Return the members of a synset as senses."""
        return [self._linked(synset.id, member) for member in range(len(synset.members))]

    def similar(self, synset: Synset) -> list[Synset]:
        """Return the synsets that are similar to an adjective synset."""
        return self.synsets_at(synset.similar)

    def name(self, number: int, member: int) -> str:
        """Return a member of a synset, or its first member for -1, as in links."""
        return self.synset(number).members[max(member, 0)]

    def names(self, links: Sequence[Link]) -> list[str]:
        """Return the words to which links lead."""
        synsets = self.synsets_at([number for _, number, _ in links])
        return [synset.members[max(link[2], 0)] for synset, link in zip(synsets, links, strict=True)]

    def _linked(self, number: int, member: int) -> Sense:
        synset = self.synset(number)
        member = max(member, 0)
        lower = synset.members[member].lower()
        listed = self._entry(lower)[synset.pos].split()
        written = str(number)
        rank = next(rank for rank, entry in enumerate(listed) if entry.partition(":")[0] == written)
        # A synset may contain two spellings of a word ("a.m.", "A.M."), which the index distinguishes.
        return Sense(self, lower, number, rank, int(listed[rank].partition(":")[2] or 0), member=member)

    def _senses(self, word: str, pos: str) -> tuple[Sense, ...]:
        lower = word.lower()
        listed = self._entry(lower).get(pos)
        if listed is None:
            return ()
        plain = _plain(lower)
        entries = (entry.partition(":") for entry in listed.split())
        return tuple(
            [Sense(self, plain, int(number), rank, int(count or 0)) for rank, (number, _, count) in enumerate(entries)]
        )

    def _read_entry(self, lower: str) -> dict[str, str]:
        return dict(
            self._connection().execute("SELECT pos, senses FROM words WHERE word = ?", (lower.replace(" ", "_"),))
        )

    def _connection(self) -> sqlite3.Connection:
        try:
            connection: sqlite3.Connection = self._local.connection
        except AttributeError:
            connection = self._local.connection = sqlite3.connect(f"file:{self.path}?mode=ro&immutable=1", uri=True)
            connection.execute(f"PRAGMA mmap_size={_MMAP_SIZE}")  # a quarter faster than reading page by page
        return connection


def _plain(word: str) -> str:
    return word.replace("_", " ")


@lru_cache(maxsize=64)
def _query(count: int) -> str:
    return f"SELECT * FROM synsets WHERE id IN ({','.join('?' * count)})"  # noqa: S608  (only question marks are inserted)


def _links(text: str) -> tuple[Link, ...]:
    links = []
    for entry in text.split():
        own, _, rest = entry.partition(">")
        target, _, member = rest.partition(".")
        links.append((int(own) - 1, int(target), int(member) - 1))
    return tuple(links)


WORDNET_VARIABLE = "LITOTES_WORDNET"
"""Environment variable with the path of another WordNet: a WNDB folder or a compiled lexicon."""
_FILES = tuple(f"{kind}.{ending}" for ending in FILES.values() for kind in ("data", "index"))


@lru_cache(maxsize=1)
def default_lexicon() -> Lexicon:
    """Return the built-in WordNet, or the one of the environment variable LITOTES_WORDNET."""
    named = os.environ.get(WORDNET_VARIABLE)
    if named:
        return open_lexicon(Path(named).expanduser(), named_by=WORDNET_VARIABLE)
    return Lexicon(Path(str(files("litotes.languages.en") / "data" / "wordnet.sqlite")))


def lexicon_version() -> str | None:
    """Return the hash of another WordNet for cache keys; None for the built-in one."""
    if not os.environ.get(WORDNET_VARIABLE):
        return None
    return hashlib.sha256(default_lexicon().path.read_bytes()).hexdigest()[:16]


def open_lexicon(path: Path, *, named_by: str = "") -> Lexicon:
    """Open a compiled lexicon, or a WNDB folder, which is compiled once into the cache folder."""
    name = f"{named_by}={path}" if named_by else str(path)
    if path.is_file():
        return Lexicon(path)
    if not path.is_dir():
        raise LitotesError("L201", f"{name}: no such folder or file", hint=_HINT)
    missing = [file for file in (*_FILES, "index.sense") if not (path / file).is_file()]
    if missing:
        raise LitotesError("L201", f"{name}: is not a WordNet folder, {missing[0]} is missing", hint=_HINT)
    digest = hashlib.sha256(FORMAT.encode())
    for file in (*_FILES, "index.sense"):
        stat = (path / file).stat()
        digest.update(f"{(path / file).resolve()}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode())
    target = cache_folder() / "lexicons" / f"{digest.hexdigest()[:24]}.sqlite"
    if not target.exists():
        # The source is named by its content, so that the file is the same on every machine.
        compile_wordnet(path, target, source=f"sha256 {_contents(path)}", licence="see the folder")
    return Lexicon(target)


_HINT = "give a folder with the files of WordNet (data.noun, index.noun, …, index.sense), or a compiled lexicon"


def _contents(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in (*_FILES, "index.sense"):
        digest.update(hashlib.sha256((folder / file).read_bytes()).digest())
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
    """Return the frequency of a word in sense-tagged texts, over all senses of a part of speech (n, v, a or r).

    >>> frequency("house", "n") > frequency("cottage", "n") > frequency("grommet", "n") == 0
    True
    """
    return default_lexicon().uses(word, pos)
