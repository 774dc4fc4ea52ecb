"""Synonyms: a curated table with conditions, and related words of the lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from litotes.languages.en.lexicon.wordnet import Link, Sense, Synset, default_lexicon, frequency
from litotes.languages.en.morphology.inflection import lemmas

FILES = {"v": "verbs", "a": "adjectives", "r": "adverbs", "n": "nouns"}
_SEPARATORS = (":", "=")
_FLAGS = frozenset({"loose", "fixed"})


@dataclass(frozen=True)
class Condition:
    """A condition on the context of a word: `obj:food`, `!prep=of`, `attr`."""

    feature: str
    values: frozenset[str]
    """Words (`=`) or noun classes (`:`) that the feature may have; empty if it must only be present."""
    by_kind: bool
    negated: bool


@dataclass(frozen=True)
class Entry:
    """A word, a synonym, and the contexts in which it fits."""

    word: str
    pos: str
    """n, v, a or r."""
    new: str
    """The synonym, as a lemma."""
    literal: bool
    """Whether `new` is not inflected: "seated" for "sitting"."""
    preposition: str
    """The preposition after `new`: "for" in "look for it"."""
    grade: int
    """1: always right, 2: mostly, 3: often, 4: never the first choice."""
    conditions: tuple[Condition, ...]
    loose: bool
    """Whether it also fits in compounds, and for verbs with a direction."""
    fixed: bool
    """Whether it also fits in fixed expressions: "live in"."""


@lru_cache(maxsize=1)
def table() -> dict[tuple[str, str], tuple[Entry, ...]]:
    """Return the entries by (word, part of speech), the best first.

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
    """Return the entries for expressions of several words, the longest first.

    >>> [entry.new for entry in phrases() if entry.word == "for instance"]
    ['for example']
    """
    found = [entry for pos, name in FILES.items() for entry in _read(f"{name}_phrases", pos)]
    return tuple(sorted(found, key=lambda entry: (-len(entry.word.split()), entry.grade)))


@lru_cache(maxsize=1)
def untouched() -> frozenset[tuple[str, str]]:
    """Return the (word, part of speech) pairs for which the synonyms of the lexicon are mostly wrong."""
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
    text = (files("litotes.languages.en") / "data" / f"synonyms_{name}.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def _condition(text: str) -> Condition:
    """Return a condition from its notation in the table.

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


_ALL = "nvar"
_SURE = 3
_FEW_SENSES = 2
_SURE_SHARE = 0.85
# Names, numbers, abbreviations without a vowel, phrases with "one's", plurals.
_NO_WORD = re.compile(r"[A-Z']|^\W|\d|^[^aeiouy]+$|[^sui]s$")


def are_related(word: str, other: str, pos: str) -> bool:
    """Return whether two words of a part of speech (n, v, a or r) are related in the lexicon, in any sense.

    Related are words of one synset, antonyms, words of similar synsets, derivations, and forms of one word.

    >>> are_related("begin", "start", "v"), are_related("hot", "cold", "a"), are_related("happy", "happiness", "a")
    (True, True, True)
    >>> are_related("sleeps", "slept", "v"), are_related("cat", "begin", "n")
    (True, False)
    """
    ours, theirs = base_forms(word, pos), base_forms(other, pos)
    if not ours.isdisjoint(theirs):
        return True
    for words, others in ((ours, theirs), (theirs, ours)):
        for one in words:
            if not others.isdisjoint(relatives(one, pos)):
                return True
    return False


@lru_cache(maxsize=1024)
def akin(word: str, pos: str) -> frozenset[str]:
    """Return all words for which `are_related` is true; for repeated use with few words.

    >>> {"cold", "fiery"} <= akin("hot", "a")
    True
    """
    forms = base_forms(word, pos)
    return forms.union(*(relatives(form, pos) | _related_to(form, pos) for form in forms))


def _related_to(word: str, pos: str) -> set[str]:
    """Return words whose relatives include a word, although its own relatives do not include them."""
    lexicon = default_lexicon()
    synsets: list[Synset] = []
    for sense in lexicon.senses(word, pos):
        # All words of a synset share the antonyms of each. Not every link leads back.
        for other in lexicon.antonyms(sense):
            opposed = other.synset
            if word in [lexicon.name(target, place).lower() for _, target, place in opposed.antonyms]:
                synsets += [opposed, *lexicon.similar(opposed)]
        # A satellite is related to everything that is similar to its head.
        for head in lexicon.similar(sense.synset):
            synsets += [synset for synset in lexicon.similar(head) if synset.satellite]
    return {member.lower() for synset in synsets for member in synset.members}


@lru_cache(maxsize=16_384)
def base_forms(word: str, pos: str) -> frozenset[str]:
    """The word and those that it may be a form of, as any part of speech: "sleeping" is of "sleep"."""
    return frozenset({word.lower(), *(lemma for one in {pos, "n", "v", "a"} for lemma in lemmas(word, one))})


@lru_cache(maxsize=16_384)
def relatives(word: str, pos: str) -> frozenset[str]:
    """The words that the lexicon relates to a word, in all of its senses."""
    lexicon = default_lexicon()
    senses = [sense for kind in _ALL for sense in lexicon.senses(word, kind)]
    found: list[str] = []
    links: list[Link] = []
    for sense, synset in zip(senses, lexicon.synsets_at([sense.number for sense in senses]), strict=True):
        # A derivation may be one of any of the word's parts of speech: "sleep" (verb) and "sleeper".
        derived = synset.derived
        if derived:
            member = sense.member
            links += [link for link in derived if link[0] in {member, -1}]
        if synset.pos == pos:
            near = [synset, *lexicon.similar(synset)]
            for one in near:
                found += one.members
                links += one.antonyms
            # Two satellites of one head are as near to each other as each is to the head.
            if synset.satellite:
                for head in near[1:]:
                    for one in lexicon.similar(head):
                        found += one.members
    found += lexicon.names(links)
    return frozenset([one.lower() for one in found]) - {word}


class Near(NamedTuple):
    """A synonym by the lexicon."""

    new: str
    grade: int
    """As in the table: 3 where both words nearly always have this sense, 4 where they mostly have."""
    reason: str


@lru_cache(maxsize=16_384)
def lexicon_synonyms(word: str, pos: str) -> tuple[Near, ...]:
    """The words that share a word's usual sense and have it as their own usual one, best first.

    Other senses are not asked: which of them is meant the lexicon cannot tell, and the wrong one is wrong English.

    >>> [(near.new, near.grade) for near in lexicon_synonyms("viewpoint", "n")]
    [('standpoint', 3), ('point of view', 4)]
    """
    return _sharing(word, pos, only_sure=False)


@lru_cache(maxsize=16_384)
def sure_synonyms(word: str, pos: str) -> tuple[Near, ...]:
    """Those of them that may be taken for the word without a second look."""
    lexicon = default_lexicon()
    # What a word of many senses shares with others is never sure: that needs no look at them.
    if not 0 < lexicon.sense_count(word, pos) <= _FEW_SENSES or _first_share(lexicon.senses(word, pos)) < _SURE_SHARE:
        return ()
    return tuple([near for near in _sharing(word, pos, only_sure=True) if near.grade <= _SURE])


def _sharing(word: str, pos: str, *, only_sure: bool) -> tuple[Near, ...]:
    """The words that share the usual sense; `only_sure`: without most of those of which one is never sure."""
    lexicon = default_lexicon()
    senses = lexicon.senses(word, pos)
    # Numbers and single letters have many writings and no synonyms; of several words the parser is seldom sure.
    if not senses or len(word) < 3 or not word.isalpha() or (word, pos) in untouched():
        return ()
    found = []
    for name in senses[0].synset.members:
        if name == word or _NO_WORD.search(name):
            continue
        if only_sure and (" " in name or lexicon.sense_count(name, pos) > _FEW_SENSES):
            continue
        theirs = lexicon.senses(name, pos)
        if theirs[0].number != senses[0].number:
            continue
        common = frequency(name, pos)
        sure = min(_first_share(senses), _first_share(theirs))
        if sure < 0.6 or common < 2:
            continue
        plain = len(senses) <= _FEW_SENSES and len(theirs) <= _FEW_SENSES and " " not in name
        grade = _SURE if plain and sure >= _SURE_SHARE and common >= 5 else _SURE + 1
        reason = f"“{name}” shares the usual sense of “{word}” in the lexicon ({sure:.0%} of their uses)"
        found.append(((grade, -common), Near(name, grade, reason)))
    return tuple(near for _, near in sorted(found))


def _first_share(senses: tuple[Sense, ...]) -> float:
    """How much of a word's uses are in its first sense; half a use is added to each, as counts are small."""
    return (senses[0].count + 0.5) / sum([sense.count + 0.5 for sense in senses])
