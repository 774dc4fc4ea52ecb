"""Antonyms of a word: a curated table of usual ones, and all antonyms of the lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from litotes.languages.en.lexicon.wordnet import Lexicon, Sense, Synset, default_lexicon, frequency
from litotes.languages.en.word_lists import data_rows

Kind: TypeAlias = Literal["usual", "direct", "member", "indirect"]

_RARE_SHARE = 0.05
"""Share of the uses of a word below which a sense is rare."""
_SURE_VERBS = "ize"
"""Suffix of verbs whose antonyms in the lexicon are reliable."""
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis", "ab", "a", "de", "anti", "under", "over")
_CONTRADICTORY = frozenset(
    frozenset(pair.strip().split("/"))
    for pair in """
    alive/dead, dead/living, absent/present, asleep/awake, true/false, open/closed, open/shut, guilty/innocent,
    married/single, male/female, same/different, right/wrong, right/incorrect, wrong/correct, real/fake,
    even/odd, fail/pass, fail/succeed, remember/forget, win/lose, broken/intact, naked/dressed,
    mandatory/optional, temporary/permanent, accept/reject, accept/refuse, agree/refuse, allow/forbid,
    attend/miss, believe/doubt, catch/miss, contain/lack, continue/stop, continue/cease, have/lack, hit/miss,
    leave/stay, love/hate, manage/fail, notice/overlook, permit/forbid, sleep/stay awake, start/stop,
    survive/die
    """.split(",")
)
"""Pairs of which one always holds; affixal pairs are contradictory as well."""


class Opposite(NamedTuple):
    """An antonym of a word."""

    word: str
    pos: str
    kind: Kind
    sense: int
    """The rank of the sense of the first word, 0 for the most frequent; -1 for antonyms of the table."""
    affixal: bool
    """Whether the words differ by un-, in-, dis-, non-, -less or -ful."""
    sure: bool
    """Whether it is reliable in any context."""
    marker: str = ""
    """Its syntactic marker (see `Sense.marker`)."""
    via: str = ""
    """The synonym through which it was found."""

    @property
    def reason(self) -> str:
        """Why it is an antonym, in words."""
        where = "its most frequent sense" if self.sense == 0 else f"its sense {self.sense + 1}"
        reason = {
            "usual": "usual opposite here",
            "direct": f"direct antonym of {where}",
            "member": f"antonym of “{self.via}”, a synonym in {where}",
            "indirect": f"indirect antonym by “{self.via}”, similar to {where}",
        }[self.kind]
        return f"{reason}; affixal" if self.affixal else reason


class Usual(NamedTuple):
    """A row of the table: the antonyms of a word under some conditions."""

    conditions: tuple[str, ...]
    words: tuple[str, ...]
    """The best first; empty if no antonym is reliable."""


@lru_cache(maxsize=1)
def _table() -> dict[tuple[str, str], tuple[Usual, ...]]:
    rows: dict[tuple[str, str], list[Usual]] = {}
    for line in data_rows("antonyms.tsv"):
        pos, word, conditions, opposites = line.split("\t")
        row = Usual(
            tuple(conditions.split(",")) if conditions else (),
            () if opposites == "-" else tuple(opposites.split(", ")),
        )
        rows.setdefault((word, pos), []).append(row)
    return {key: tuple(usual) for key, usual in rows.items()}


def usual_opposites(word: str, pos: str) -> tuple[Usual, ...]:
    """Return the rows of the table for a word; the first one whose conditions are true applies.

    >>> [row.words[0] for row in usual_opposites("tall", "a")]
    ['short']
    """
    return _table().get((word, pos), ())


def usual_pairs(pos: str) -> Iterator[tuple[str, str]]:
    """Yield all pairs of the table without conditions on the context.

    >>> ("tall", "short") in usual_pairs("a"), ("free", "busy") in usual_pairs("a")
    (True, False)
    """
    for (word, own), rows in _table().items():
        plain = (row for row in rows if own == pos and row.conditions in {(), ("pred",)})
        yield from ((word, opposite) for row in plain for opposite in row.words)


@lru_cache(maxsize=16_384)
def lexicon_opposites(word: str, pos: str) -> tuple[Opposite, ...]:
    """Return all antonyms of the lexicon: direct ones, those of synonyms, and indirect ones.

    >>> [(antonym.word, antonym.kind) for antonym in lexicon_opposites("sure", "a")][:2]
    [('unsure', 'direct'), ('uncertain', 'member')]
    """
    lexicon = default_lexicon()
    senses = lexicon.senses(word, pos)
    synsets = lexicon.synsets_at([sense.number for sense in senses])
    opposites: dict[str, Opposite] = {}
    # Most senses have no antonyms.
    opposed = [(sense, synset) for sense, synset in zip(senses, synsets, strict=True) if synset.has_antonyms]
    if opposed:
        direct = [(sense, antonym) for sense, _ in opposed for antonym in lexicon.antonyms(sense)]
        for sense, antonym in direct:
            name = antonym.word
            if name != word and name not in opposites:
                affixal = is_affixal(word, name)
                sure = _is_sure(sense, antonym, affixal=affixal)
                opposites[name] = Opposite(name, pos, "direct", sense.rank, affixal, sure, antonym.marker)
        _add(opposites, word, "member", _member_links(lexicon, opposed, direct))
    # Indirect antonyms are only used for lack of direct ones.
    if pos == "a" and not opposites:
        _add(opposites, word, "indirect", _indirect_links(lexicon, senses))
    return tuple(opposites.values())


@lru_cache(maxsize=16_384)
def has_opposites(word: str, pos: str) -> bool:
    """Return whether the table or the lexicon has an antonym; for verbs faster than `lexicon_opposites`.

    >>> has_opposites("rise", "v"), has_opposites("paint", "v")
    (True, False)
    """
    if usual_opposites(word, pos):
        return True
    if pos == "v":
        lexicon = default_lexicon()
        synsets = lexicon.synsets_at([sense.number for sense in lexicon.senses(word, pos)])
        links = [link for synset in synsets if synset.has_antonyms for link in synset.antonyms]
        if not links or any(name != word for name in lexicon.names(links)):
            return bool(links)
    return bool(lexicon_opposites(word, pos))


@lru_cache(maxsize=16_384)
def sure_opposites(word: str, pos: str) -> tuple[Opposite, ...]:
    """Return the antonyms of the lexicon that are reliable in any context."""
    if pos == "n" or (pos == "v" and not word.endswith(_SURE_VERBS)):
        return ()
    return tuple([opposite for opposite in lexicon_opposites(word, pos) if opposite.sure])


def is_rare_sense(word: str, opposite: Opposite) -> bool:
    """Return whether an antonym belongs to a rare sense of the word: “uneasy” for “easy”.

    >>> [(antonym.word, is_rare_sense("easy", antonym)) for antonym in lexicon_opposites("easy", "a")]
    [('difficult', False), ('uneasy', True), ('hard', False)]
    """
    if opposite.sense <= 0:
        return False
    senses = default_lexicon().senses(word, opposite.pos)
    return senses[opposite.sense].count < _RARE_SHARE * max(1, sum([sense.count for sense in senses]))


@lru_cache(maxsize=16_384)
def antonym_distance(word: str, opposite: Opposite, *, is_same: bool) -> int:
    """Return how unlikely an antonym is, from 0 to 3.

    The value is 0 for opposites in the sense of the usual antonyms (`is_same`) and 1 in another frequent sense; it is
    higher for rare words, indirect antonyms and rare senses.
    """
    if not is_same and is_rare_sense(word, opposite):
        return 3
    return (not is_same) + (is_rare(opposite) or opposite.kind == "indirect")


def is_rare(opposite: Opposite) -> bool:
    """Return whether the word does not occur in the sense-tagged texts: “unreproducible”, “light-colored”."""
    return not frequency(opposite.word, opposite.pos)


@lru_cache(maxsize=16_384)
def is_main_pair(word: str, opposite: Opposite) -> bool:
    """Return whether two words are antonyms in their main senses: “rise” and “fall”, not “know” and “ignore”.

    >>> [(antonym.word, is_main_pair("stand", antonym)) for antonym in lexicon_opposites("stand", "v")[:3]]
    [('sit', True), ('lie', True), ('yield', False)]
    """
    if opposite.sense != 0 or opposite.kind != "direct":
        return False
    lexicon = default_lexicon()
    antonyms = lexicon.antonyms(lexicon.senses(word, opposite.pos)[0])
    return any(antonym.word == opposite.word and antonym.rank <= 1 for antonym in antonyms)


def _add(opposites: dict[str, Opposite], word: str, kind: Kind, links: Iterable[_Link]) -> None:
    for sense, via, synset, member in links:
        name = synset.members[member]
        if name != word and name not in opposites:
            marker = synset.markers[member] if synset.markers else ""
            affixal = is_affixal(word, name)
            opposites[name] = Opposite(name, synset.pos, kind, sense.rank, affixal, False, marker, via)


@lru_cache(maxsize=16_384)
def is_affixal(word: str, antonym: str) -> bool:
    """Return whether two words differ by a negative prefix or suffix.

    >>> is_affixal("happy", "unhappy"), is_affixal("useful", "useless"), is_affixal("careless", "careful")
    (True, True, True)
    >>> is_affixal("good", "bad")
    False
    """
    for short, long in ((word, antonym), (antonym, word)):
        if len(long) > len(short) > 2 and long.endswith(short) and long[: -len(short)] in _PREFIXES:
            return True
    for negative, positive in ((word, antonym), (antonym, word)):
        stem = negative.removesuffix("less")
        if stem != negative and positive in {stem, stem + "ful", stem + "y"}:
            return True
        if negative.endswith("lessly") and positive == negative[:-6] + "fully":
            return True
    return False


def is_contradictory(word: str, antonym: str) -> bool:
    """Return whether one of two words always holds: alive or dead, possible or impossible; not tall or short.

    >>> is_contradictory("alive", "dead"), is_contradictory("possible", "impossible"), is_contradictory("tall", "short")
    (True, True, False)
    """
    return is_affixal(word, antonym) or frozenset({word, antonym}) in _CONTRADICTORY


def _is_sure(sense: Sense, antonym: Sense, *, affixal: bool) -> bool:
    """Return whether an antonym is reliable in any context: affixal, or of the main senses."""
    pos = sense.synset.pos
    if not affixal:
        return pos == "a" and sense.rank == 0 and antonym.rank <= 1 and antonym.word.isalpha()
    if pos == "n" or antonym.word.startswith("non") or not antonym.word.isalpha():
        return False
    if pos == "a":
        # A participle with a prefix, such as “unestablished”, is often unusual.
        return not sense.word.endswith(("ed", "ing")) or antonym.count > 0 or len(antonym.word) < len(sense.word)
    return sense.rank == 0 and antonym.rank <= 1 and (pos == "r" or sense.word.endswith(_SURE_VERBS))


class _Link(NamedTuple):
    """An antonym of a sense that was found through another word."""

    sense: Sense
    via: str
    synset: Synset
    member: int


def _member_links(
    lexicon: Lexicon, opposed: list[tuple[Sense, Synset]], direct: list[tuple[Sense, Sense]]
) -> Iterator[_Link]:
    """Yield the antonyms of synonyms, and the synonyms of antonyms."""
    for sense, synset in opposed:
        yield from _synset_links(lexicon, sense, synset)
    for sense, antonym in direct:
        synset, via = antonym.synset, antonym.word
        yield from (_Link(sense, via, synset, member) for member in range(len(synset.members)))


def _indirect_links(lexicon: Lexicon, senses: tuple[Sense, ...]) -> Iterator[_Link]:
    """Yield antonyms of similar adjectives: “huge” is similar to “large”, whose antonym is “small”."""
    for sense in senses[:2]:
        if sense.synset.satellite:
            for head in lexicon.similar(sense.synset):
                yield from _synset_links(lexicon, sense, head)


def _synset_links(lexicon: Lexicon, sense: Sense, synset: Synset) -> Iterator[_Link]:
    if synset.has_antonyms:
        links = synset.antonyms
        for index, via in enumerate(synset.members):
            for own, target, member in links:
                if own in (index, -1):
                    yield _Link(sense, via, lexicon.synset(target), max(member, 0))
