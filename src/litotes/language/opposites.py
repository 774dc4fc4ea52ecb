"""Opposites of a word, ranked: those that people use, by hand, then all that the lexicon knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple, TypeAlias

from litotes.language.lexicon import Lexicon, Sense, Synset, default_lexicon
from litotes.language.word_frequency import frequency

Kind: TypeAlias = Literal["usual", "direct", "member", "indirect"]

_SELDOM = 0.05
"""The share of a word's uses below which a sense of it is seldom meant."""
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis", "ab", "a", "de", "anti", "under", "over")
# Pairs of which one holds if the other does not; affixal pairs count among them.
_CONTRADICTORY = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        "alive/dead",
        "dead/living",
        "absent/present",
        "asleep/awake",
        "true/false",
        "open/closed",
        "open/shut",
        "guilty/innocent",
        "married/single",
        "male/female",
        "same/different",
        "right/wrong",
        "right/incorrect",
        "wrong/correct",
        "real/fake",
        "even/odd",
        "fail/pass",
        "fail/succeed",
        "remember/forget",
        "win/lose",
        "broken/intact",
        "naked/dressed",
        "mandatory/optional",
        "temporary/permanent",
        "accept/reject",
        "accept/refuse",
        "agree/refuse",
        "allow/forbid",
        "attend/miss",
        "believe/doubt",
        "catch/miss",
        "contain/lack",
        "continue/stop",
        "continue/cease",
        "have/lack",
        "hit/miss",
        "leave/stay",
        "love/hate",
        "manage/fail",
        "notice/overlook",
        "permit/forbid",
        "sleep/stay awake",
        "start/stop",
        "survive/die",
    )
)


class Opposite(NamedTuple):
    """A word that is opposed to another."""

    word: str
    pos: str
    kind: Kind
    sense: int
    """Which sense of the first word it is opposed to, from 0, the most frequent; -1 where the table says so."""
    affixal: bool
    """Whether the two differ by un-, in-, dis-, non-, -less or -ful."""
    sure: bool
    """Whether it can be relied upon without knowing the context."""
    marker: str = ""
    """Where it may stand, as the lexicon marks it."""
    via: str = ""
    """The synonym whose antonym it is."""

    @property
    def reason(self) -> str:
        """Why it is an opposite, in words."""
        where = "its most frequent sense" if self.sense == 0 else f"its sense {self.sense + 1}"
        told = {
            "usual": "usual opposite here",
            "direct": f"direct antonym of {where}",
            "member": f"antonym of “{self.via}”, a synonym in {where}",
            "indirect": f"indirect antonym by “{self.via}”, similar to {where}",
        }[self.kind]
        return f"{told}; affixal" if self.affixal else told


class Usual(NamedTuple):
    """A row of the table: the opposites of a word under a condition."""

    conditions: tuple[str, ...]
    words: tuple[str, ...]
    """Best first; none where no opposite could be relied upon."""


@lru_cache(maxsize=1)
def _table() -> dict[tuple[str, str], tuple[Usual, ...]]:
    found: dict[tuple[str, str], list[Usual]] = {}
    text = (files("litotes.language") / "data" / "opposites.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        pos, word, conditions, opposites = line.split("\t")
        row = Usual(
            tuple(conditions.split(",")) if conditions else (),
            () if opposites == "-" else tuple(opposites.split(", ")),
        )
        found.setdefault((word, pos), []).append(row)
    return {key: tuple(rows) for key, rows in found.items()}


def usual_opposites(word: str, pos: str) -> tuple[Usual, ...]:
    """What the table says of a word, in the order in which its rows are to be tried.

    >>> [row.words[0] for row in usual_opposites("tall", "a")]
    ['short']
    """
    return _table().get((word, pos), ())


@lru_cache(maxsize=16_384)
def lexicon_opposites(word: str, pos: str) -> tuple[Opposite, ...]:
    """All opposites that the lexicon knows: direct antonyms, those of synonyms, then indirect ones.

    >>> [(one.word, one.kind) for one in lexicon_opposites("sure", "a")][:2]
    [('unsure', 'direct'), ('uncertain', 'member')]
    """
    lexicon = default_lexicon()
    senses = lexicon.senses(word, pos)
    found: dict[str, Opposite] = {}
    for sense in senses:
        for other in lexicon.antonyms(sense):
            if other.word != word and other.word not in found:
                affixal = is_affixal(word, other.word)
                sure = _is_sure(sense, other, affixal=affixal)
                found[other.word] = Opposite(other.word, pos, "direct", sense.rank, affixal, sure, other.marker)
    _add(found, word, "member", _of_members(lexicon, senses))
    # Indirect ones are far-fetched, and only needed where there are no others.
    if pos == "a" and not found:
        _add(found, word, "indirect", _indirect(lexicon, senses))
    return tuple(found.values())


@lru_cache(maxsize=16_384)
def is_seldom_meant(word: str, opposite: Opposite) -> bool:
    """Whether an opposite of the lexicon is one of a sense that the word seldom has: “uneasy” of “easy”.

    >>> [(one.word, is_seldom_meant("easy", one)) for one in lexicon_opposites("easy", "a")]
    [('difficult', False), ('uneasy', True), ('hard', False)]
    """
    senses = default_lexicon().senses(word, opposite.pos)
    uses = sum(sense.count for sense in senses)
    return opposite.sense > 0 and senses[opposite.sense].count < _SELDOM * max(1, uses)


def is_rare(opposite: Opposite) -> bool:
    """Whether the tagged texts never have the word: “unreproducible”, “light-colored”."""
    return not frequency(opposite.word, opposite.pos)


@lru_cache(maxsize=16_384)
def is_main_pair(word: str, opposite: Opposite) -> bool:
    """Whether two words are opposed in what each of them mostly means: “rise” and “fall”, not “know” and “ignore”.

    >>> [(one.word, is_main_pair("stand", one)) for one in lexicon_opposites("stand", "v")[:3]]
    [('sit', True), ('lie', True), ('yield', False)]
    """
    if opposite.sense != 0 or opposite.kind != "direct":
        return False
    lexicon = default_lexicon()
    others = lexicon.antonyms(lexicon.senses(word, opposite.pos)[0])
    return any(other.word == opposite.word and other.rank <= 1 for other in others)


def _add(found: dict[str, Opposite], word: str, kind: Kind, links: Iterable[_Link]) -> None:
    for sense, via, synset, place in links:
        other = synset.members[place]
        if other != word and other not in found:
            marker = synset.markers[place] if synset.markers else ""
            pos, affixal = synset.pos, is_affixal(word, other)
            found[other] = Opposite(other, pos, kind, sense.rank, affixal, False, marker, via)


@lru_cache(maxsize=16_384)
def is_affixal(word: str, other: str) -> bool:
    """Whether two words differ by a prefix or suffix that denies.

    >>> is_affixal("happy", "unhappy"), is_affixal("useful", "useless"), is_affixal("careless", "careful")
    (True, True, True)
    >>> is_affixal("good", "bad")
    False
    """
    for short, long in ((word, other), (other, word)):
        if len(long) > len(short) > 2 and long.endswith(short) and long[: -len(short)] in _PREFIXES:
            return True
    for one, two in ((word, other), (other, word)):
        if one.endswith("less") and (two == one[:-4] or two in {one[:-4] + "ful", one[:-4] + "y"}):
            return True
    return (word.endswith("lessly") and other == word[:-6] + "fully") or (
        other.endswith("lessly") and word == other[:-6] + "fully"
    )


def is_contradictory(word: str, other: str) -> bool:
    """Whether one of the two must hold: alive or dead, possible or impossible; not tall or short.

    >>> is_contradictory("alive", "dead"), is_contradictory("possible", "impossible"), is_contradictory("tall", "short")
    (True, True, False)
    """
    return is_affixal(word, other) or frozenset({word, other}) in _CONTRADICTORY


def _is_sure(sense: Sense, other: Sense, *, affixal: bool) -> bool:
    """Whether an antonym can be relied upon in any context: made by an affix, or of the main senses."""
    pos = sense.synset.pos
    if not affixal:
        return pos == "a" and sense.rank == 0 and other.rank <= 1 and other.word.isalpha()
    if pos == "n" or other.word.startswith("non") or not other.word.isalpha():
        return False
    if pos == "a":
        # “established”: a participle with a prefix is often a word that nobody uses.
        return not sense.word.endswith(("ed", "ing")) or other.count > 0 or len(other.word) < len(sense.word)
    return sense.rank == 0 and other.rank <= 1 and (pos == "r" or sense.word.endswith("ize"))


class _Link(NamedTuple):
    """From a sense to a word that is opposed to it by way of another word."""

    sense: Sense
    via: str
    synset: Synset
    place: int


def _of_members(lexicon: Lexicon, senses: tuple[Sense, ...]) -> Iterator[_Link]:
    """The antonyms of the words that share a synset, and the words that share a synset with an antonym."""
    for sense in senses:
        yield from _of_synset(lexicon, sense, sense.synset)
    for sense in senses:
        for antonym in lexicon.antonyms(sense):
            synset = antonym.synset
            yield from (_Link(sense, antonym.word, synset, place) for place in range(len(synset.members)))


def _indirect(lexicon: Lexicon, senses: tuple[Sense, ...]) -> Iterator[_Link]:
    """The antonyms of the adjective that a sense is a kind of: “huge” is like “large”, so “small”."""
    for sense in senses[:2]:
        if sense.synset.satellite:
            for head in lexicon.similar(sense.synset):
                yield from _of_synset(lexicon, sense, head)


def _of_synset(lexicon: Lexicon, sense: Sense, near: Synset) -> Iterator[_Link]:
    """The antonyms of each word of a synset; most have none."""
    if near.antonyms:
        for place, via in enumerate(near.members):
            for own, target, member in near.antonyms:
                if own in (place, -1):
                    yield _Link(sense, via, lexicon.synset(target), max(member, 0))
