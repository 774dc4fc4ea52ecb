"""Phrases after an object: which of them belong to it, and which to the verb, whatever the parser says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.rewrites.voice.chain import Refusal
from litotes.rewrites.voice.nouns import ANIMAL, ARTIFACT, BODY, LOCATION, OBJECT, PERSON, noun_file
from litotes.rewrites.voice.verbs import (
    DONE_WITH,
    GIVEN_TO,
    PLACING,
    PUTTING,
    SCENES,
    STATES,
    TAKING,
    TAKING_AS,
    TAKING_TO,
    TELLING,
    TELLING_OF,
)

if TYPE_CHECKING:
    from litotes.language.tree import Token

_INDEFINITE = frozenset({"a", "an", "some"})
_LEFT_BEHIND = frozenset({"into", "onto", "toward", "towards", "off", "out", "through", "across", "down", "against"})
_PLACES = frozenset({"in", "on", "inside", "under", "over", "upon", "against", "around"})


def left_behind(lemma: str, thing: Token) -> Iterator[Token]:
    """What the parser hangs on the object and yet stays where it is: "put the book [on the table]"."""
    for child in thing.rights:
        if _is_told(lemma, child):
            yield child
            return
        if child.dep_ == "prep" and _stays(lemma, thing, child):
            yield child
            return


def _is_told(lemma: str, child: Token) -> bool:
    """Whether a clause on the object is what is told, or what it is for: "told him [that …]", "used it [to …]"."""
    if child.dep_ not in {"relcl", "acl"}:
        return False
    first = child.left_edge
    if lemma in TELLING and (first.lower_ == "that" or first.tag_ == "WRB"):
        return True
    return lemma == "use" and child.tag_ == "VB" and first.lower_ == "to"


def _stays(lemma: str, thing: Token, preposition: Token) -> bool:
    word = preposition.lower_
    if _goes_with_verb(lemma, word) or is_scene(lemma, thing, preposition):
        return True
    if word in _PLACES and lemma in PUTTING:
        if _is_definite(thing):
            raise Refusal("attachment")
        return True
    if word == "with" and thing.tag_ != "PRP":
        if lemma in DONE_WITH:
            return True
        _must_be_had(thing, preposition)
    return False


def _is_definite(thing: Token) -> bool:
    return any(child.dep_ in {"det", "poss"} and child.lower_ not in _INDEFINITE for child in thing.lefts)


def _noun_after(preposition: Token) -> Token | None:
    return next((child for child in preposition.children if child.dep_ == "pobj"), None)


def _goes_with_verb(lemma: str, preposition: str) -> bool:
    """Whether the verb itself asks for the preposition, whatever stands before it."""
    if preposition == "to":
        return lemma in PUTTING or lemma in GIVEN_TO or lemma in TAKING_TO
    if preposition == "as":
        return lemma in TAKING_AS
    return (
        preposition in _LEFT_BEHIND
        or (preposition == "from" and lemma in TAKING)
        or (preposition in _PLACES and lemma in PLACING)
        or (preposition == "about" and lemma in TELLING)
        or (preposition == "of" and lemma in TELLING_OF)
    )


def is_scene(lemma: str, thing: Token, preposition: Token) -> bool:
    """Whether a phrase says where all happens, "chasing a ball on the grass", or where it hits, "on the head"."""
    noun = _noun_after(preposition)
    if noun is None or preposition.lower_ not in {"in", "on", "at", "near", "along", "outside", "by"}:
        return False
    if preposition.lower_ in {"in", "on"} and noun_file(noun) == BODY and noun.left_edge.lower_ == "the":
        return True
    if lemma in STATES or _is_definite(thing):
        return False
    return noun.lower_ == "front" or noun.lower_ in SCENES or noun_file(noun) in {LOCATION, OBJECT}


def _must_be_had(thing: Token, preposition: Token) -> None:
    """That "with" names a part or a companion of the object, not a tool of the verb."""
    noun = _noun_after(preposition)
    if noun is None:
        raise Refusal("unclear")
    if noun_file(noun) == ARTIFACT and noun_file(thing) not in {PERSON, ANIMAL}:
        raise Refusal("attachment")
