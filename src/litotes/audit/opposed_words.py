"""Whether two words in the same form are opposed: as people use them, by the tables and the lexicon."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from litotes.language.form_tables import known_forms
from litotes.language.inflection import lemmas
from litotes.language.opposites import is_contradictory, lexicon_opposites, usual_opposites

_GRAMMATICAL = (
    "always/never often/never sometimes/never usually/never frequently/never occasionally/never",
    "always/rarely always/seldom often/rarely often/seldom usually/rarely usually/seldom",
    "everybody/nobody everything/nothing everywhere/nowhere all/none both/neither all/no every/no",
    "with/without inside/outside above/below for/against yes/no",
    "more/less more/fewer most/least many/few much/little",
    "up/down in/out on/off upstairs/downstairs",
)
"""Words of grammar: the lexicon has only what can be looked up."""
_PAIRS = frozenset(frozenset(pair.split("/")) for line in _GRAMMATICAL for pair in line.split())
_NOT_OPPOSED = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        # Where one stands depends on who speaks, and both may be true.
        "come/go bring/take here/there now/then left/right north/south east/west this/that these/those"
        # Parts of one whole, or one after the other.
        " ask/answer teach/learn live/die work/play eat/drink walk/run sit/stand read/write buy/steal say/ask"
        " get/leave have/lack black/white red/green first/second next/last next/previous back/front top/bottom"
        " morning/evening day/night summer/winter yesterday/tomorrow today/tomorrow hungry/thirsty work/rest lie/sit"
        " save/lose saved/lost fear/hope question/answer dream/nightmare before/after"
        # Relatives: another person, not the opposite of one.
        " father/mother dad/mum dad/mom brother/sister son/daughter husband/wife uncle/aunt nephew/niece"
        " grandfather/grandmother grandson/granddaughter boyfriend/girlfriend parent/child king/queen"
    ).split()
)
_FORMS = {
    "v": ("VB", "VBZ", "VBD", "VBN", "VBG"),
    "n": ("NN", "NNS"),
    "a": ("JJ", "JJR", "JJS"),
    "r": ("RB", "RBR", "RBS"),
}


class Opposed(NamedTuple):
    """How two words are opposed."""

    pos: str
    """a, r, v or n; g for a word of grammar."""
    contradictory: bool
    """Whether one holds if the other does not."""


@lru_cache(maxsize=65_536)
def opposed(one: str, other: str) -> tuple[Opposed, ...]:
    """How two words in small letters are opposed, by part of speech; nothing if they are not, or in other forms.

    >>> opposed("taller", "shorter"), opposed("tall", "shorter"), opposed("always", "never")
    ((Opposed(pos='a', contradictory=False),), (), (Opposed(pos='g', contradictory=False),))
    """
    if frozenset({one, other}) in _PAIRS:
        return (Opposed("g", False),)
    found: dict[Opposed, None] = {}
    for pos in _FORMS:
        for left, right in product(lemmas(one, pos), lemmas(other, pos)):
            if _is_opposed(left, right, pos) and _same_form(one, left, other, right, pos):
                found[Opposed(pos, is_contradictory(left, right))] = None
    return tuple(found)


def _is_opposed(one: str, other: str, pos: str) -> bool:
    pair = frozenset({one, other})
    return len(pair) == 2 and pair not in _NOT_OPPOSED and (_is_known(one, other, pos) or _is_known(other, one, pos))


def _is_known(word: str, other: str, pos: str) -> bool:
    rows = usual_opposites(word, pos)
    if any(other in row.words for row in rows):
        return True
    return any(
        one.word == other and one.kind == "direct" and (one.sure or one.sense <= 1) and not one.marker
        for one in lexicon_opposites(word, pos)
    )


def _same_form(one: str, left: str, other: str, right: str, pos: str) -> bool:
    """Whether the two can be the same form of their words: both past, both plural."""
    return any(_is(one, left, tag) and _is(other, right, tag) for tag in _FORMS[pos])


def _is(form: str, lemma: str, tag: str) -> bool:
    return form == lemma if tag in {"VB", "NN", "JJ", "RB"} else form in known_forms(lemma, tag)
