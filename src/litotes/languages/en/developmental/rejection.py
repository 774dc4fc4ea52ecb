"""Rejection: somebody does not want or like something ("He never liked it", "They want no help")."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import Denial, Words, child_of, denials
from litotes.languages.en.developmental.states_of_mind import NOT_WANTED
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_WANTING = frozenset({"like", "want", "enjoy", "wish"})


def rejection(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that somebody wants or likes something."""
    for denial in denials(doc):
        verb = denial.verb
        if verb.lemma_ in _WANTING and _is_unwanted(denial):
            yield denial.words
        elif denial.position == "verb" and (rather := _rather(denial)) is not None:
            yield tuple(sorted((rather, *denial.words), key=lambda token: token.i))
        elif is_be(verb) and denial.position != "object":
            interested = child_of(verb, "acomp")
            if interested is not None and interested.lower_ == "interested":
                yield (*denial.words, interested)
        elif denial.position != "object" and (verb.lower_ == "interested" or _is_caring_for(verb)):
            yield denial.words
        elif verb.lemma_ == "have" and denial.position != "subject":
            desire = child_of(verb, "dobj")
            if desire is not None and desire.lemma_ in NOT_WANTED and _is_aimed(desire):
                yield (*denial.words, *(() if desire in denial.markers else (desire,)))


def _is_unwanted(denial: Denial) -> bool:
    verb = denial.verb
    if verb.tag_ == "MD" or verb.pos_ in {"ADP", "SCONJ"} or verb.dep_ == "prep":
        return False
    if child_of(verb, "auxpass", "nsubjpass") is not None or denial.has_auxiliary("can", "could", "ca", "be"):
        return False
    if verb.lemma_ == "enjoy" and denial.has_auxiliary("have"):
        return False  # "has never enjoyed such trust" had less of it
    if verb.lemma_ == "wish" and child_of(verb, "xcomp") is None:
        return False
    following = [token.lower_ for token in verb.doc.tokens[verb.i + 1 : verb.i + 3]]
    if denial.position == "object" and (verb.lemma_ == "enjoy" or following[1:] in (["more"], ["better"])):
        return False
    return not (_is_advice(denial, following) or _is_unreal(denial))


def _is_advice(denial: Denial, following: list[str]) -> bool:
    """Return whether it is advice: "You don't want to miss it"."""
    subject, verb = denial.subject, denial.verb
    if verb.lemma_ != "want" or subject is None or subject.lower_ != "you" or following[:1] != ["to"]:
        return False
    return child_of(verb, "mark") is None and verb.dep_ not in {"relcl", "advcl", "ccomp"}


def _is_unreal(denial: Denial) -> bool:
    """Return whether the clause is counterfactual: "If she didn't like it so much"."""
    behind = [token.lower_ for token in denial.verb.subtree if token.i > denial.verb.i]
    return child_of(denial.verb, "mark") is not None and any(
        pair == ("so", "much") for pair in itertools.pairwise(behind)
    )


def _is_caring_for(verb: Token) -> bool:
    return verb.lemma_ == "care" and any(token.lower_ == "for" for token in verb.rights)


def _rather(denial: Denial) -> Token | None:
    """Return the "rather" of "would rather not" or the "prefer" of "prefers not to"."""
    verb, marker = denial.verb, denial.markers[0]
    if verb.dep_ == "xcomp" and verb.head.lemma_ == "prefer" and verb.head.i < marker.i:
        return verb.head
    before = marker.doc.tokens[marker.i - 1] if marker.i else None
    return before if before is not None and before.lower_ == "rather" and before.i > 0 else None


def _is_aimed(desire: Token) -> bool:
    return any(token.lower_ in {"in", "for", "to", "of"} for token in desire.doc.tokens[desire.i + 1 : desire.i + 2])
