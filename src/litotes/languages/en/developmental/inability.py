"""Inability: somebody or something cannot do something ("She couldn't swim", "Nobody can open it")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import Denial, Words, child_of, denials
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_CAN = ("can", "ca", "could")
_IDIOMS = frozenset({"wait", "believe", "bear", "complain", "imagine", "abide", "fault", "like", "risk"})
"""With "can't" they express feelings: "I can't wait"."""
_EVENTS = frozenset(
    {
        *("happen", "occur", "exist", "last", "continue", "hurt", "matter", "mean", "apply", "exceed", "count"),
        *("constitute", "require", "include", "fail", "increase", "decrease", "rise", "change", "seem", "differ"),
    }
)
"""Events that are impossible rather than somebody being unable."""
_HELPED = frozenset({"but", "it", "myself", "yourself", "himself", "herself", "ourselves", "themselves"})
_LIMITS = frozenset({"more", "less", "better", "worse", "enough"})


def inability(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that somebody can do something."""
    for denial in denials(doc):
        if is_be(denial.verb):
            able = child_of(denial.verb, "acomp")
            if able is None or able.lower_ != "able" or denial.has_auxiliary("should", "must", "may", "might"):
                continue
            if denial.position == "verb" or denial.is_of_nobody:
                yield (*denial.words, able)
        elif _is_unable(denial):
            yield denial.words


def _is_unable(denial: Denial) -> bool:
    verb = denial.verb
    if verb.lower_ in _CAN:  # "but she can't": the verb is left out
        if denial.position != "verb" or denial.subject is None or denial.subject.i > verb.i:
            return False
        return all(token.is_punct or token.tag_ == "CC" for token in verb.doc.tokens[verb.i + 2 : verb.i + 3])
    if denial.has_auxiliary(*_CAN) is None or denial.has_auxiliary("have", "be") is not None:
        return False  # guesses: "couldn't have known", "can't be lying"
    subject = denial.subject
    if subject is None or subject.dep_ in {"expl", "nsubjpass"} or subject.lower_ in {"nothing", "there"}:
        return False
    if denial.position == "subject" and not denial.is_of_nobody:
        return False
    if denial.position == "object" and denial.markers[-1].lower_ not in {"nothing", "nobody", "one", "none"}:
        return False
    return verb.lemma_ not in _EVENTS and not _is_idiom(verb)


def _is_any_more(adverb: Token) -> bool:
    return adverb.lower_ == "more" and any(token.lower_ == "any" for token in adverb.lefts)


def _is_idiom(verb: Token) -> bool:
    if verb.lemma_ in _IDIOMS:
        return True
    if any(token.lower_ in _LIMITS and not _is_any_more(token) for token in verb.rights):
        return True  # "couldn't agree more", "can't thank you enough"
    if verb.lemma_ == "stand":  # "can't stand him", but "can't stand on one leg"
        follows = verb.doc.tokens[verb.i + 1 : verb.i + 2]
        named = any(token.pos_ in {"NOUN", "PROPN", "PRON", "DET"} for token in follows)
        return named or child_of(verb, "dobj", "xcomp", "ccomp") is not None
    following = verb.doc.tokens[verb.i + 1 : verb.i + 2]
    if verb.lemma_ == "help":
        return any(token.tag_ == "VBG" or token.lower_ in _HELPED for token in following)
    return verb.lemma_ == "go" and any(token.lower_ == "wrong" for token in following)
