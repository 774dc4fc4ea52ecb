"""Negations that cannot be taken away word for word: something else in the sentence stands or falls with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.language.verb_group import SUBJECTS, VerbGroup

if TYPE_CHECKING:
    from litotes.language.tree import Token

_CORRECTING = frozenset({"only", "just", "merely", "rather"})
_LEANING = frozenset({"until", "nor", "till", "neither"})
_LEANING_OR_CORRECTING = _LEANING | _CORRECTING
_CANNOT = frozenset({"seem"})
"""“I can't seem to find it”: said only so."""
_LONG = frozenset(
    "second seconds minute minutes hour hours day days night nights week weeks month months year years decade decades"
    " century centuries age ages time while long".split()
)


def depends_on_not(negation: Token) -> bool:
    """Whether something later stands or falls with the negation: “until”, “nor”, “neither did …”, “…, only four”."""
    tokens = negation.doc.tokens
    return not _LEANING_OR_CORRECTING.isdisjoint(negation.doc.lowers) and any(
        token.lower_ in _LEANING or (token.lower_ in _CORRECTING and tokens[token.i - 1].lower_ in {",", "but"})
        for token in tokens[negation.i + 1 :]
    )


def is_set_phrase(group: VerbGroup) -> bool:
    """“I can't wait”, “I can't help it”, “it can't possibly be”: without “not” they say something else."""
    if group.first.lower_ not in {"ca", "can", "could"}:
        return False
    if group.verb.lemma_ in _CANNOT or any(child.lower_ == "possibly" for child in group.verb.lefts):
        return True
    if group.verb.lemma_ not in {"wait", "help"}:
        return False
    following = group.verb.nbor() if group.verb.i + 1 < len(group.verb.doc) else None
    if following is None or following.is_punct or following.lower_ in {"to", "for", "until", "till", "but", "it"}:
        return True
    return following.tag_ == "VBG"


def is_corrected(group: VerbGroup, reach: list[Token]) -> bool:
    """Whether “but” says what holds instead: “not good but bad”, “does not walk but runs”."""
    if "but" not in group.verb.doc.lowers:
        return False
    return _has_other_verb(group.verb) or any(
        token.lower_ == "but" and token.dep_ == "cc" and token.head.i != group.verb.i and token.head.dep_ != "ROOT"
        for token in reach
    )


def _has_other_verb(verb: Token) -> bool:
    """Whether “but” joins another predicate to a verb, with the same subject."""
    if not any(child.dep_ == "cc" and child.lower_ == "but" for child in verb.rights):
        return False
    return any(child.dep_ == "conj" and not any(one.dep_ in SUBJECTS for one in child.lefts) for child in verb.rights)


def is_of_absence(group: VerbGroup) -> bool:
    """“I haven't seen him for years”, “in ages”: the time is that of the absence, and goes with the negation."""
    if group.first.lower_ not in {"have", "has", "had", "'ve", "’ve", "'s", "’s", "'d", "’d"} or not group.auxiliaries:
        return False
    return any(
        child.lower_ in {"for", "in"} and any(one.lower_ in _LONG and _is_span(one, child) for one in child.rights)
        for child in group.verb.rights
    )


def _is_span(time: Token, preposition: Token) -> bool:
    """Whether a time is a length: “for two years”, “in a long time”, not “in time” or “for the first time”."""
    if any(child.lower_ in {"the", "this", "that", "his", "her", "my", "their"} for child in time.lefts):
        return False
    return preposition.lower_ == "for" or time.tag_ == "NNS" or any(child.lower_ == "a" for child in time.lefts)
