"""Denials of attitudes: somebody does not know or think something (epistemic), or does not want it (rejection).

Epistemic: "I never knew", "Nobody remembers", "She has no idea". Rejection: "He never liked it", "They want no help".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from litotes.languages.en.developmental.denials import (
    Denial,
    Words,
    denials,
    following,
    in_text_order,
)
from litotes.languages.en.syntax.verb_groups import is_be
from litotes.languages.tree import Doc, Token, has_word

_KNOWLEDGE = frozenset({"idea", "clue", "inkling", "notion", "memory", "recollection", "knowledge", "conception"})
"""Objects of "have" whose denial is epistemic: "no idea"."""
_DESIRES = frozenset({"desire", "wish", "interest", "inclination", "appetite"})
"""Objects of "have" whose denial is a rejection: "no desire"."""
STATES_OF_MIND = _KNOWLEDGE | _DESIRES | {"doubt", "regret", "illusion", "fear", "respect", "regard", "patience"}

# Epistemic

_KNOWING = frozenset({"know", "remember", "recall", "realize", "realise", "understand"})
_THINKING = frozenset({"think", "believe"})
_SURE = frozenset({"sure", "certain", "aware"})


def epistemic(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that somebody knows or thinks something."""
    for denial in denials(doc):
        verb = denial.verb
        if _denies_knowing(denial) or _denies_thinking(denial):
            yield denial.words
        elif is_be(verb) and denial.position != "object":
            adjective = verb.child("acomp")
            if adjective is not None and adjective.lower_ in _SURE:
                yield (*denial.words, adjective)
        elif verb.lemma_ in {"have", "get"} and denial.position != "subject":
            noun = verb.child("dobj")
            if noun is not None and noun.lemma_ in _KNOWLEDGE:
                yield (*denial.words, *(() if noun in denial.markers else (noun,)))


def _denies_knowing(denial: Denial) -> bool:
    verb = denial.verb
    if verb.lemma_ not in _KNOWING or (denial.position == "object" and verb.lemma_ != "know"):
        return False
    if denial.has_auxiliary("should", "shall"):
        return False
    if not verb.has_child("auxpass", "nsubjpass"):
        return not (denial.subject is not None and denial.subject.lower_ in {"nothing", "it"})
    # "It is not known whether …", but not "is not known for", "to" or "as".
    return verb.lemma_ == "know" and {"for", "to", "as"}.isdisjoint(following(verb))


def _denies_thinking(denial: Denial) -> bool:
    verb = denial.verb
    if (
        verb.lemma_ not in _THINKING
        or denial.subject is None
        or denial.has_auxiliary("can", "ca", "could", "should", "must", "to")
    ):
        return False  # "Don't think that …", "couldn't think"
    if denial.position == "object" or verb.has_child("auxpass", "nsubjpass"):
        return False
    return verb.has_child("ccomp") or "so" in following(verb)


# Rejection

_WANTING = frozenset({"like", "want", "enjoy", "wish"})


def rejection(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that somebody wants or likes something."""
    for denial in denials(doc):
        verb = denial.verb
        if verb.lemma_ in _WANTING and _denies_wanting(denial):
            yield denial.words
        elif denial.position == "verb" and (preference := _preference(denial)) is not None:
            yield in_text_order(preference, *denial.words)
        elif is_be(verb) and denial.position != "object":
            adjective = verb.child("acomp")
            if adjective is not None and adjective.lower_ == "interested":
                yield (*denial.words, adjective)
        elif denial.position != "object" and (verb.lower_ == "interested" or _is_caring_for(verb)):
            yield denial.words
        elif verb.lemma_ == "have" and denial.position != "subject":
            desire = verb.child("dobj")
            if desire is not None and desire.lemma_ in _DESIRES and _has_object(desire):
                yield (*denial.words, *(() if desire in denial.markers else (desire,)))


def _denies_wanting(denial: Denial) -> bool:
    verb = denial.verb
    if verb.tag_ == "MD" or verb.pos_ in {"ADP", "SCONJ"} or verb.dep_ == "prep":
        return False
    if verb.has_child("auxpass", "nsubjpass") or denial.has_auxiliary("can", "could", "ca", "be"):
        return False
    if verb.lemma_ == "enjoy" and denial.has_auxiliary("have"):
        return False  # "has never enjoyed such trust"
    if verb.lemma_ == "wish" and not verb.has_child("xcomp"):
        return False
    words = following(verb, 2)
    if denial.position == "object" and (verb.lemma_ == "enjoy" or words[1:] in (["more"], ["better"])):
        return False
    return not (_is_advice(denial) or _is_counterfactual(denial))


def _is_advice(denial: Denial) -> bool:
    """Return whether a clause with "want" is advice: "You don't want to miss it"."""
    subject, verb = denial.subject, denial.verb
    if verb.lemma_ != "want" or subject is None or subject.lower_ != "you" or following(verb) != ["to"]:
        return False
    return not verb.has_child("mark") and verb.dep_ not in {"relcl", "advcl", "ccomp"}


def _is_counterfactual(denial: Denial) -> bool:
    """Return whether the clause is contrary to fact: "If she didn't like it so much"."""
    words = [token.lower_ for token in denial.verb.subtree if token.i > denial.verb.i]
    return denial.verb.has_child("mark") and ("so", "much") in itertools.pairwise(words)


def _is_caring_for(verb: Token) -> bool:
    return verb.lemma_ == "care" and has_word(verb.rights, {"for"})


def _preference(denial: Denial) -> Token | None:
    """Return the "rather" of "would rather not" or the "prefer" of "prefers not to"."""
    verb, marker = denial.verb, denial.markers[0]
    if verb.dep_ == "xcomp" and verb.head.lemma_ == "prefer" and verb.head.i < marker.i:
        return verb.head
    before = marker.previous
    return before if before is not None and before.lower_ == "rather" and before.i > 0 else None


def _has_object(desire: Token) -> bool:
    """Return whether a preposition links a desire to its object: "no interest in it"."""
    return not {"in", "for", "to", "of"}.isdisjoint(following(desire))
