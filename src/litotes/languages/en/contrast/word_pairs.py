"""Pairs of opposite words, compared in the same form."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from litotes.languages.en.lexicon.antonyms import is_contradictory, lexicon_opposites, usual_opposites
from litotes.languages.en.morphology.inflection import known_forms, lemmas


def _pairs(text: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("/")) for pair in text.split())


_GRAMMATICAL_PAIRS = _pairs(
    """
    always/never often/never sometimes/never usually/never frequently/never occasionally/never
    always/rarely always/seldom often/rarely often/seldom usually/rarely usually/seldom
    everybody/nobody everything/nothing everywhere/nowhere all/none both/neither all/no every/no
    with/without inside/outside above/below for/against yes/no
    more/less more/fewer most/least many/few much/little
    up/down in/out on/off upstairs/downstairs
    """
)
"""Opposite function words, which the lexicon does not contain."""

_DEICTIC_PAIRS = _pairs("come/go bring/take here/there now/then left/right north/south east/west this/that these/those")
"""Words that depend on the speaker, so that both sentences may be true."""
_COMPATIBLE_PAIRS = _pairs(
    """
    ask/answer teach/learn live/die work/play eat/drink walk/run sit/stand read/write buy/steal say/ask
    get/leave have/lack black/white red/green first/second next/last next/previous back/front top/bottom
    morning/evening day/night summer/winter yesterday/tomorrow today/tomorrow hungry/thirsty work/rest lie/sit
    save/lose saved/lost fear/hope question/answer dream/nightmare before/after
    """
)
"""Parts of a whole and steps of a sequence, which may both be true."""
_RELATIVES = _pairs(
    """
    father/mother dad/mum dad/mom brother/sister son/daughter husband/wife uncle/aunt nephew/niece
    grandfather/grandmother grandson/granddaughter boyfriend/girlfriend parent/child king/queen
    """
)
_NOT_OPPOSITE = _DEICTIC_PAIRS | _COMPATIBLE_PAIRS | _RELATIVES
"""Antonyms of the lexicon that do not make two sentences contradict each other."""

_TAGS = {
    "v": ("VB", "VBZ", "VBD", "VBN", "VBG"),
    "n": ("NN", "NNS"),
    "a": ("JJ", "JJR", "JJS"),
    "r": ("RB", "RBR", "RBS"),
}
_BASE_TAGS = frozenset(tags[0] for tags in _TAGS.values())


class Opposition(NamedTuple):
    """How two words are opposed."""

    pos: str
    """a, r, v or n; g for function words."""
    contradictory: bool
    """Whether one of the two always holds."""


@lru_cache(maxsize=65_536)
def oppositions(word: str, antonym: str) -> tuple[Opposition, ...]:
    """Return how two lower-case words in the same form are opposed, by part of speech; empty if they are not.

    >>> oppositions("taller", "shorter"), oppositions("tall", "shorter"), oppositions("always", "never")
    ((Opposition(pos='a', contradictory=False),), (), (Opposition(pos='g', contradictory=False),))
    """
    if frozenset({word, antonym}) in _GRAMMATICAL_PAIRS:
        return (Opposition("g", False),)
    opposed: dict[Opposition, None] = {}
    for pos in _TAGS:
        for lemma, antonym_lemma in product(lemmas(word, pos), lemmas(antonym, pos)):
            if _are_antonyms(lemma, antonym_lemma, pos) and _share_form(word, lemma, antonym, antonym_lemma, pos):
                opposed[Opposition(pos, is_contradictory(lemma, antonym_lemma))] = None
    return tuple(opposed)


def _are_antonyms(lemma: str, antonym: str, pos: str) -> bool:
    pair = frozenset({lemma, antonym})
    if len(pair) < 2 or pair in _NOT_OPPOSITE:
        return False
    return _has_antonym(lemma, antonym, pos) or _has_antonym(antonym, lemma, pos)


def _has_antonym(lemma: str, antonym: str, pos: str) -> bool:
    if any(antonym in row.words for row in usual_opposites(lemma, pos)):
        return True
    return any(
        opposite.word == antonym
        and opposite.kind == "direct"
        and (opposite.sure or opposite.sense <= 1)
        and not opposite.marker
        for opposite in lexicon_opposites(lemma, pos)
    )


def _share_form(word: str, lemma: str, antonym: str, antonym_lemma: str, pos: str) -> bool:
    """Return whether two words can be the same form of their lemmas, such as the past tense or the plural."""
    return any(_is_form(word, lemma, tag) and _is_form(antonym, antonym_lemma, tag) for tag in _TAGS[pos])


def _is_form(word: str, lemma: str, tag: str) -> bool:
    return word == lemma if tag in _BASE_TAGS else word in known_forms(lemma, tag)
