"""Epistemic: somebody does not know, remember or think it ("I never knew", "Nobody remembers", "She has no idea")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import Denial, Words, child_of, denials
from litotes.languages.en.developmental.states_of_mind import NOT_KNOWN
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_KNOWING = frozenset({"know", "remember", "recall", "realize", "realise", "understand"})
_THINKING = frozenset({"think", "believe"})
_SURE = frozenset({"sure", "certain", "aware"})


def epistemic(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that somebody knows or thinks something."""
    for denial in denials(doc):
        verb = denial.verb
        if _is_not_known(denial) or _is_not_thought(denial):
            yield denial.words
        elif is_be(verb) and denial.position != "object":
            sure = child_of(verb, "acomp")
            if sure is not None and sure.lower_ in _SURE:
                yield (*denial.words, sure)
        elif verb.lemma_ in {"have", "get"} and denial.position != "subject":
            idea = child_of(verb, "dobj")
            if idea is not None and idea.lemma_ in NOT_KNOWN:
                yield (*denial.words, *(() if idea in denial.markers else (idea,)))


def _is_not_known(denial: Denial) -> bool:
    verb = denial.verb
    if verb.lemma_ not in _KNOWING or (denial.position == "object" and verb.lemma_ != "know"):
        return False
    if denial.has_auxiliary("should", "shall"):
        return False
    if child_of(verb, "auxpass", "nsubjpass") is None:
        return not (denial.subject is not None and denial.subject.lower_ in {"nothing", "it"})
    # "It is not known whether …" says it of nobody in particular; "is not known for", "to", "as" says something else
    return verb.lemma_ == "know" and not any(token.lower_ in {"for", "to", "as"} for token in _following(denial))


def _is_not_thought(denial: Denial) -> bool:
    verb = denial.verb
    if (
        verb.lemma_ not in _THINKING
        or denial.subject is None
        or denial.has_auxiliary("can", "ca", "could", "should", "must", "to")
    ):
        return False  # "Don't think that …", "couldn't think"
    if denial.position == "object" or child_of(verb, "auxpass", "nsubjpass") is not None:
        return False
    if child_of(verb, "ccomp") is not None:
        return True
    return any(token.lower_ == "so" for token in _following(denial))


def _following(denial: Denial) -> list[Token]:
    verb = denial.verb
    return verb.doc.tokens[verb.i + 1 : verb.i + 2]
