"""The table of synonyms that were written by hand: which word may stand for which, and where.

A line has a word, what may stand for it (several after commas, best first), a grade and, where it matters, conditions
on the word's place: `obj` (it has an object), `obj=ball|stone` (one of these words), `obj:food` (a noun of that file of
WordNet), each turned round by a "!" before it. All must hold; what can be asked is in `rewrites.synonym_places`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

FILES = {"v": "verbs", "a": "adjectives", "r": "adverbs", "n": "nouns"}
_SEPARATORS = (":", "=")
_FLAGS = frozenset({"loose", "fixed"})


@dataclass(frozen=True)
class Condition:
    """What must hold of a word's place: `obj:food`, `!prep=of`, `attr`."""

    feature: str
    values: frozenset[str]
    """Words (`=`) or kinds of things (`:`) of which the feature must be one; none if it need only be there."""
    by_kind: bool
    negated: bool


@dataclass(frozen=True)
class Entry:
    """A word, one that may stand for it, and where."""

    word: str
    pos: str
    """n, v, a or r."""
    new: str
    """A word to be inflected."""
    literal: bool
    """Whether `new` is put in as it is: "seated" for "sitting"."""
    preposition: str
    """What follows `new` and stays there, even before a pronoun: "for" in "look for it"."""
    grade: int
    """1 is always right, 2 mostly, 3 often; 4 is never the first choice."""
    conditions: tuple[Condition, ...]
    loose: bool
    """Whether it holds in compounds too, and of verbs with a direction."""
    fixed: bool
    """Whether it holds even where the word is in a list of fixed expressions: "live in"."""


@lru_cache(maxsize=1)
def table() -> dict[tuple[str, str], tuple[Entry, ...]]:
    """(word, part of speech) → its entries, best first.

    >>> [entry.new for entry in table()["repair", "v"]]
    ['fix', 'mend']
    """
    found: dict[tuple[str, str], list[Entry]] = {}
    for pos, name in FILES.items():
        for entry in _read(name, pos):
            found.setdefault((entry.word, pos), []).append(entry)
    return {key: tuple(sorted(entries, key=lambda entry: entry.grade)) for key, entries in found.items()}


@lru_cache(maxsize=1)
def phrases() -> tuple[Entry, ...]:
    """The expressions of several words, longest first, with what may stand for them.

    >>> [entry.new for entry in phrases() if entry.word == "for instance"]
    ['for example']
    """
    found = [entry for pos, name in FILES.items() for entry in _read(f"{name}_phrases", pos)]
    return tuple(sorted(found, key=lambda entry: (-len(entry.word.split()), entry.grade)))


@lru_cache(maxsize=1)
def untouched() -> frozenset[tuple[str, str]]:
    """(word, part of speech) for which the lexicon is not asked: what it offers is wrong in most places."""
    return frozenset(tuple(row) for row in _rows("untouched"))  # type: ignore[misc]


def _read(name: str, pos: str) -> Iterator[Entry]:
    for row in _rows(name):
        word, news, grade, *rest = row
        asked = rest[0].split() if rest else []
        conditions = tuple(_condition(one) for one in asked if one not in _FLAGS)
        for new in news.split(","):
            plain, _, preposition = new.strip().partition(" +")
            yield Entry(
                word=word,
                pos=pos,
                new=plain.removeprefix("="),
                literal=plain.startswith("="),
                preposition=preposition,
                grade=int(grade),
                conditions=conditions,
                loose="loose" in asked,
                fixed="fixed" in asked,
            )


def _rows(name: str) -> Iterator[list[str]]:
    text = (files("litotes.language") / "data" / f"synonyms_{name}.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def _condition(text: str) -> Condition:
    """A condition as the table writes it.

    >>> _condition("!prep=of|from")  # doctest: +ELLIPSIS
    Condition(feature='prep', values=frozenset({...}), by_kind=False, negated=True)
    """
    negated = text.startswith("!")
    text = text.removeprefix("!")
    for sign in _SEPARATORS:
        feature, found, values = text.partition(sign)
        if found:
            return Condition(feature, frozenset(values.replace("_", " ").split("|")), sign == ":", negated)
    return Condition(text, frozenset(), False, negated)
