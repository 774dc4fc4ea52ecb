"""Possession: somebody does not have something ("She has no car", "They haven't got a key", "It isn't mine")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import Denial, Words, child_of, denials, is_amount
from litotes.languages.en.developmental.states_of_mind import STATES_OF_MIND
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_OWNING = frozenset({"have", "own", "possess"})
_MINE = frozenset({"mine", "yours", "hers", "ours", "theirs"})
_NOT_HAD = STATES_OF_MIND | {
    # activities and experiences
    *("lunch", "breakfast", "dinner", "supper", "look", "bath", "shower", "talk", "chat", "conversation", "fight"),
    *("party", "meeting", "sex", "fun", "baby", "conference", "election", "hearing", "debate", "discussion"),
    *("trouble", "difficulty", "problem", "objection", "qualm", "issue", "complaint"),
    # relations between things
    *("effect", "impact", "influence", "bearing", "relation", "relationship", "relevance", "connection", "consequence"),
    *("resemblance", "similarity", "implication", "meaning", "significance", "need", "intention", "plan"),
    *(
        "association",
        "tension",
        "match",
        "business",
        "reaction",
        "expectation",
        "repercussion",
        "use",
        "comparability",
        "variety",
        "life",
    ),
}


def possession(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that somebody has something."""
    for denial in denials(doc):
        verb = denial.verb
        if _is_having(denial) and _denies_possession(denial):
            yield denial.words
        elif is_be(verb) and denial.position == "verb":
            owner = child_of(verb, "attr", "acomp")
            if owner is not None and owner.lower_ in _MINE:
                yield (*denial.words, owner)


def _is_having(denial: Denial) -> bool:
    verb = denial.verb
    if denial.has_auxiliary("must", "should", "shall", "can", "could", "ca", "to") and verb.lemma_ == "have":
        return False  # "You shouldn't have a dog" says what is right, not what is
    if verb.lemma_ in _OWNING:
        return child_of(verb, "auxpass", "nsubjpass") is None
    return verb.lower_ in {"got", "gotten"} and denial.has_auxiliary("have", "ai") is not None


def _denies_possession(denial: Denial) -> bool:
    verb = denial.verb
    thing = child_of(verb, "dobj")
    if child_of(verb, "ccomp", "xcomp", "oprd") is not None:
        return False  # "didn't have to", "didn't have it mended"
    if any(token.lower_ == "on" for token in verb.doc.tokens[verb.i + 1 : verb.i + 2]):
        return False  # "doesn't have a coat on" is about clothes
    if denial.position == "subject" and not denial.is_of_nobody:
        return False
    if thing is None:
        # "the money that they don't have"; but no "No, I haven't"
        follows = verb.doc.tokens[verb.i + 1 :][:1]
        is_open = bool(follows) and follows[0].lower_ in {"to", "a", "any", "the", "been"}
        return denial.has_auxiliary("do", "does", "did") is not None and not is_open
    if denial.position == "verb" and is_amount(thing):
        return False
    return thing.lemma_ not in _NOT_HAD and not _is_in_an_idiom(thing)


def _is_in_an_idiom(thing: Token) -> bool:
    """Return whether it is "anything to do with", "nothing against", "what it takes"."""
    if thing.lower_ in {"nothing", "anything", "much", "something", "thing", "lot"}:
        following = [token.lower_ for token in thing.doc.tokens[thing.i + 1 : thing.i + 4]]
        return following[:2] == ["to", "do"] or following[:1] in (["against"], ["but"], ["on"], ["in"])
    return False
