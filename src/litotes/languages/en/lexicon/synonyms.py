"""Synonyms: a curated table with conditions, and related words of the lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from litotes.languages.en.lexicon.wordnet import Link, Sense, Synset, default_lexicon, frequency
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.word_lists import data_rows

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
    by_word: dict[tuple[str, str], list[Entry]] = {}
    for pos, name in FILES.items():
        for entry in _read(name, pos):
            by_word.setdefault((entry.word, pos), []).append(entry)
    return {key: tuple(sorted(entries, key=lambda entry: entry.grade)) for key, entries in by_word.items()}


@lru_cache(maxsize=1)
def phrases() -> tuple[Entry, ...]:
    """Return the entries for expressions of several words, the longest first.

    >>> [entry.new for entry in phrases() if entry.word == "for instance"]
    ['for example']
    """
    entries = [entry for pos, name in FILES.items() for entry in _read(f"{name}_phrases", pos)]
    return tuple(sorted(entries, key=lambda entry: (-len(entry.word.split()), entry.grade)))


@lru_cache(maxsize=1)
def exceptions() -> frozenset[tuple[str, str]]:
    """Return the (word, part of speech) pairs for which the synonyms of the lexicon are mostly wrong."""
    return frozenset(tuple(row) for row in _rows("exceptions"))  # type: ignore[misc]


def _read(name: str, pos: str) -> Iterator[Entry]:
    for row in _rows(name):
        word, synonyms, grade, *rest = row
        context = rest[0].split() if rest else []
        conditions = tuple(_condition(text) for text in context if text not in _FLAGS)
        for synonym in synonyms.split(","):
            plain, _, preposition = synonym.strip().partition(" +")
            yield Entry(
                word=word,
                pos=pos,
                new=plain.removeprefix("="),
                literal=plain.startswith("="),
                preposition=preposition,
                grade=int(grade),
                conditions=conditions,
                loose="loose" in context,
                fixed="fixed" in context,
            )


def _rows(name: str) -> Iterator[list[str]]:
    return (row.split("\t") for row in data_rows(f"synonyms_{name}.tsv"))


def _condition(text: str) -> Condition:
    """Return a condition from its notation in the table.

    >>> _condition("!prep=of|from")  # doctest: +ELLIPSIS
    Condition(feature='prep', values=frozenset({...}), by_kind=False, negated=True)
    """
    negated = text.startswith("!")
    text = text.removeprefix("!")
    for sign in _SEPARATORS:
        feature, separator, values = text.partition(sign)
        if separator:
            return Condition(feature, frozenset(values.replace("_", " ").split("|")), sign == ":", negated)
    return Condition(text, frozenset(), False, negated)


_ALL = "nvar"
_SURE_GRADE = 3
_FEW_SENSES = 2
_SURE_SHARE = 0.85
"""Share of the uses of a word from which its first sense is nearly always meant."""
_MIN_SHARE = 0.6
_UNSUITABLE = re.compile(r"[A-Z']|^\W|\d|^[^aeiouy]+$|[^sui]s$")
"""Names, numbers, abbreviations without a vowel, phrases with “one's” and plurals."""


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
    return any(
        not others.isdisjoint(relatives(form, pos))
        for forms, others in ((ours, theirs), (theirs, ours))
        for form in forms
    )


@lru_cache(maxsize=1024)
def related_words(word: str, pos: str) -> frozenset[str]:
    """Return all words for which `are_related` is true; for repeated use with few words.

    >>> {"cold", "fiery"} <= related_words("hot", "a")
    True
    """
    forms = base_forms(word, pos)
    return forms.union(*(relatives(form, pos) | _related_to(form, pos) for form in forms))


def _related_to(word: str, pos: str) -> set[str]:
    lexicon = default_lexicon()
    synsets: list[Synset] = []
    for sense in lexicon.senses(word, pos):
        # The antonyms of a word are related to all its synonyms. Some links have no counterpart.
        for antonym in lexicon.antonyms(sense):
            opposite = antonym.synset
            if word in [lexicon.name(target, member).lower() for _, target, member in opposite.antonyms]:
                synsets += [opposite, *lexicon.similar(opposite)]
        # A satellite is related to everything that is similar to its head.
        for head in lexicon.similar(sense.synset):
            synsets += [synset for synset in lexicon.similar(head) if synset.satellite]
    return {member.lower() for synset in synsets for member in synset.members}


@lru_cache(maxsize=16_384)
def base_forms(word: str, pos: str) -> frozenset[str]:
    """Return a word with its possible lemmas as any part of speech: "sleeping" and "sleep"."""
    return frozenset({word.lower(), *(lemma for kind in {pos, "n", "v", "a"} for lemma in lemmas(word, kind))})


@lru_cache(maxsize=16_384)
def relatives(word: str, pos: str) -> frozenset[str]:
    """Return the words that the lexicon relates to a word, in all its senses."""
    lexicon = default_lexicon()
    senses = [sense for kind in _ALL for sense in lexicon.senses(word, kind)]
    names: list[str] = []
    links: list[Link] = []
    for sense, synset in zip(senses, lexicon.synsets_at([sense.number for sense in senses]), strict=True):
        # Derivations of all parts of speech count: "sleeper" for the verb "sleep".
        derived = synset.derived
        if derived:
            member = sense.member
            links += [link for link in derived if link[0] in {member, -1}]
        if synset.pos == pos:
            near = [synset, *lexicon.similar(synset)]
            for related in near:
                names += related.members
                links += related.antonyms
            # Satellites of the same head are as similar to each other as each is to the head.
            if synset.satellite:
                for head in near[1:]:
                    for satellite in lexicon.similar(head):
                        names += satellite.members
    names += lexicon.names(links)
    return frozenset([name.lower() for name in names]) - {word}


class LexiconSynonym(NamedTuple):
    """A synonym from the lexicon."""

    new: str
    grade: int
    """As in the table: 3 if both words nearly always have the common sense, 4 if they mostly do."""
    reason: str


@lru_cache(maxsize=16_384)
def lexicon_synonyms(word: str, pos: str) -> tuple[LexiconSynonym, ...]:
    """Return the words whose most frequent sense is the most frequent sense of a word, the best first.

    Other senses are ignored, because the lexicon cannot decide which of them a text means.

    >>> [(near.new, near.grade) for near in lexicon_synonyms("viewpoint", "n")]
    [('standpoint', 3), ('point of view', 4)]
    """
    return _sharing(word, pos, only_sure=False)


@lru_cache(maxsize=16_384)
def sure_synonyms(word: str, pos: str) -> tuple[LexiconSynonym, ...]:
    """Return the synonyms of `lexicon_synonyms` that are nearly always right."""
    lexicon = default_lexicon()
    # Fast check: a word with many senses has no sure synonym.
    if not 0 < lexicon.sense_count(word, pos) <= _FEW_SENSES or _first_share(lexicon.senses(word, pos)) < _SURE_SHARE:
        return ()
    return tuple([near for near in _sharing(word, pos, only_sure=True) if near.grade <= _SURE_GRADE])


def _sharing(word: str, pos: str, *, only_sure: bool) -> tuple[LexiconSynonym, ...]:
    """Return the words that share the most frequent sense; with `only_sure`, most of the others are skipped early."""
    lexicon = default_lexicon()
    senses = lexicon.senses(word, pos)
    # Numbers and single letters have no synonyms, and phrases are rarely tagged correctly.
    if not senses or len(word) < 3 or not word.isalpha() or (word, pos) in exceptions():
        return ()
    ranked = []
    for name in senses[0].synset.members:
        if name == word or _UNSUITABLE.search(name):
            continue
        if only_sure and (" " in name or lexicon.sense_count(name, pos) > _FEW_SENSES):
            continue
        theirs = lexicon.senses(name, pos)
        if theirs[0].number != senses[0].number:
            continue
        common = frequency(name, pos)
        sure = min(_first_share(senses), _first_share(theirs))
        if sure < _MIN_SHARE or common < 2:
            continue
        plain = len(senses) <= _FEW_SENSES and len(theirs) <= _FEW_SENSES and " " not in name
        grade = _SURE_GRADE if plain and sure >= _SURE_SHARE and common >= 5 else _SURE_GRADE + 1
        reason = f"“{name}” shares the usual sense of “{word}” in the lexicon ({sure:.0%} of their uses)"
        ranked.append(((grade, -common), LexiconSynonym(name, grade, reason)))
    return tuple(synonym for _, synonym in sorted(ranked))


def _first_share(senses: tuple[Sense, ...]) -> float:
    """Return the share of a word's uses in its first sense, smoothed by adding 0.5 to each count."""
    return (senses[0].count + 0.5) / sum([sense.count + 0.5 for sense in senses])
