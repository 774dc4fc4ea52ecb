"""Inability: somebody or something cannot do it ("She couldn't swim", "Nobody can open it", "He isn't able to")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import Denial, Words, child_of, denials
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_CAN = ("can", "ca", "could")
_IDIOMS = frozenset({"wait", "believe", "bear", "complain", "imagine", "abide", "fault", "like", "risk"})
"""With "can't" they say how one feels: "I can't wait", "I can't stand it"."""
_EVENTS = frozenset(
    {
        *("happen", "occur", "exist", "last", "continue", "hurt", "matter", "mean", "apply", "exceed", "count"),
        *("constitute", "require", "include", "fail", "increase", "decrease", "rise", "change", "seem", "differ"),
    }
)
"""What cannot do these is not unable; it is not possible."""
_HELPED = frozenset({"but", "it", "myself", "yourself", "himself", "herself", "ourselves", "themselves"})
_LIMITS = frozenset({"more", "less", "better", "worse", "enough"})


def inability(doc: Doc) -> Iterator[Words]:
    """The words by which a text denies that somebody can do something."""
    for denial in denials(doc):
        if is_be(denial.verb):
            able = child_of(denial.verb, "acomp")
            if able is None or able.lower_ != "able" or denial.has_auxiliary("should", "must", "may", "might"):
                continue
            if denial.place == "verb" or denial.is_of_nobody:
                yield (*denial.words, able)
        elif _is_unable(denial):
            yield denial.words


def _is_unable(denial: Denial) -> bool:
    verb = denial.verb
    if verb.lower_ in _CAN:  # "but she can't": the verb is left out
        if denial.place != "verb" or denial.subject is None or denial.subject.i > verb.i:
            return False
        return all(one.is_punct or one.tag_ == "CC" for one in verb.doc.tokens[verb.i + 2 : verb.i + 3])
    if denial.has_auxiliary(*_CAN) is None or denial.has_auxiliary("have", "be") is not None:
        return False  # "couldn't have known" guesses, "can't be lying" too
    subject = denial.subject
    if subject is None or subject.dep_ in {"expl", "nsubjpass"} or subject.lower_ in {"nothing", "there"}:
        return False
    if denial.place == "subject" and not denial.is_of_nobody:
        return False
    if denial.place == "object" and denial.markers[-1].lower_ not in {"nothing", "nobody", "one", "none"}:
        return False
    return verb.lemma_ not in _EVENTS and not _is_idiom(verb)


def _is_any_more(adverb: Token) -> bool:
    return adverb.lower_ == "more" and any(one.lower_ == "any" for one in adverb.lefts)


def _is_idiom(verb: Token) -> bool:
    if verb.lemma_ in _IDIOMS:
        return True
    if any(one.lower_ in _LIMITS and not _is_any_more(one) for one in verb.rights):
        return True  # "couldn't agree more", "can't thank you enough"
    if verb.lemma_ == "stand":  # "can't stand him", but "can't stand on one leg"
        follows = verb.doc.tokens[verb.i + 1 : verb.i + 2]
        named = any(one.pos_ in {"NOUN", "PROPN", "PRON", "DET"} for one in follows)
        return named or child_of(verb, "dobj", "xcomp", "ccomp") is not None
    following = verb.doc.tokens[verb.i + 1 : verb.i + 2]
    if verb.lemma_ == "help":
        return any(one.tag_ == "VBG" or one.lower_ in _HELPED for one in following)
    return verb.lemma_ == "go" and any(one.lower_ == "wrong" for one in following)
