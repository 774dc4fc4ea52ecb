"""Existence: something is not there or does not exist ("There was nobody", "No such bird exists")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import (
    Words,
    child_of,
    denials,
    denying,
    is_amount,
    is_weakened,
    verb_markers,
)
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_MISSING = frozenset({"shortage", "lack", "dearth", "scarcity", "absence", "amount"})
"""What is missing when there is none of them: nothing."""


def existence(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that something exists."""
    for there in doc:
        if there.lower_ == "there" and there.dep_ == "expl":
            found = _denied(there)
            if found:
                yield found
    for denial in denials(doc):
        if denial.verb.lemma_ != "exist" or denial.position == "object":
            continue
        if not denial.has_auxiliary("can", "ca", "could", "would", "may", "might", "should"):
            yield denial.words


def _denied(there: Token) -> Words:
    verb = there.head
    being = _being(verb)
    thing = _thing(being, there) if being is not None else None
    if being is None or thing is None or thing.lemma_ in _MISSING or thing.tag_ == "VBG":
        return ()
    markers = verb_markers(verb) or (verb_markers(being) if being is not verb else ())
    by_thing = denying(thing) or _denied_part(thing)
    if _asks(there, markers):
        return ()
    if markers and not by_thing:
        guessing = any(token.lower_ in {"may", "might"} for token in verb.lefts)
        if guessing or is_weakened(markers[-1]) or is_amount(thing):
            return ()
        return (there, *_in_order(*markers, being, thing))
    if by_thing and (not markers or markers[0].lower_ != "never") and not _is_bound(thing):
        return (there, *_in_order(being, *by_thing))
    return ()


def _being(verb: Token) -> Token | None:
    """The "be" or the like of "there": "there is", "there seem to be", "there remains"."""
    if is_be(verb) or verb.lemma_ in {"exist", "remain", "come"}:
        return verb
    return next((token for token in verb.rights if token.dep_ == "xcomp" and is_be(token)), None)


def _thing(being: Token, there: Token) -> Token | None:
    return next(
        (token for token in being.children if token.dep_ in {"attr", "dobj", "nsubj"} and token.i > there.i), None
    )


def _denied_part(thing: Token) -> Words:
    """ "no" at the head of a longer phrase: "no more than", "no such thing", "none of it"."""
    for child in thing.lefts:
        low = next((token for token in child.lefts if token.lower_ == "no"), None)
        if low is not None and child.dep_ in {"amod", "det", "advmod"}:
            return (low, thing)
    return ()


def _asks(there: Token, markers: Words) -> bool:
    """Return whether "be" stands before "there" ("Isn't there a way?") and no fronted "never" is the reason."""
    if there.head.i > there.i or any(token.lower_ in {"never", "nor", "longer"} for token in markers):
        return False
    return not any(
        token.lower_ == "why" for token in there.head.lefts
    )  # "Why is there no door?" knows that there is none


def _is_bound(thing: Token) -> bool:
    """Return whether "no" belongs to a number or a comparison: "no fewer than ten", "nothing like it"."""
    if any(token.lower_ == "like" for token in thing.doc.tokens[thing.i + 1 : thing.i + 2]):
        return True
    before = [token.lower_ for token in thing.subtree if token.i <= thing.i]
    return "than" in before or (child_of(thing, "nummod") is not None and thing.lower_ != "one")


def _in_order(*words: Token) -> Words:
    return tuple(sorted({token.i: token for token in words}.values(), key=lambda token: token.i))
