"""Which words of a sentence HEROS can turn round at: where “not” bears on the word that is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from litotes.language.verb_group import is_be, verb_group
from litotes.rewrites.grammar.clauses import is_verb

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litotes.language.tree import Token
    from litotes.rewrites.base import Sentence

_CLAUSES = frozenset({"ccomp", "relcl", "advcl", "conj", "parataxis"})
_INFINITIVES = frozenset({"xcomp", "advcl", "acl", "relcl", "ccomp"})
_COMPLEMENTS = frozenset({"acomp", "oprd"})
_NEGATIVE_SUBJECTS = frozenset({"nobody", "nothing", "none", "neither", "no"})
_MODAL = frozenset({"go", "have", "need", "want", "tend"})
_MAKING = frozenset("make find consider think call keep".split())
_LIKENESS = frozenset("sound look feel seem be".split())
_OBJECTS = frozenset({"attr", "dobj"})


class Place(NamedTuple):
    """Where a word stands."""

    predicate: Token
    """The verb that is negated when the word is."""
    rank: int
    """0 where a negation reads best: in the main clause; 1 in another one; 2 at an infinitive."""


def target_place(token: Token, pos: str) -> Place | None:
    """The place of a verb (v) or adjective (a); None where “not” would bear on something else.

    An adjective must be the predicate, or belong to what the verb is about: in a subject or behind a preposition
    there is no “not” that says the opposite and reads well.
    """
    verb = token if pos == "v" else _predicate(token)
    # “angry at him”, “thin as a rail”: the words belong together
    is_bound = pos == "a" and token.i + 1 < len(token.doc) and _is_bound(token, token.nbor())
    if verb is None or not is_verb(verb) or is_bound:
        return None
    group = verb_group(verb)
    attributive = token.dep_ == "amod"
    if group.is_finite or (verb.tag_ == "VB" and verb.dep_ == "ROOT"):
        if verb.dep_ == "ROOT":
            return Place(verb, attributive)
        return Place(verb, 1 + attributive) if verb.dep_ in _CLAUSES else None
    if verb.dep_ == "xcomp" and verb.head.lemma_ in _MODAL and verb.head.i < verb.i:
        above = target_place(verb.head, "v")  # “is not going to start”, “does not have to start”
        return above and above._replace(rank=above.rank + attributive)
    if verb_group(verb.head).negation is not None or verb.head.lower_ in _NEGATIVE_SUBJECTS | {"able", "about"}:
        return None  # “does not try not to …”, “able not to …”
    is_infinitive = verb.tag_ == "VB" and any(one.lower_ == "to" for one in group.auxiliaries)
    return Place(verb, 2 + attributive) if is_infinitive and verb.dep_ in _INFINITIVES else None


def negated_at(sentence: Sentence, verb: Token, negations: Iterable[str]) -> str | None:
    """The first of some negations that is made at a verb: beside its auxiliaries, adverbs or its object's article."""
    return next((text for text in negations if _is_at(sentence, verb, text)), None)


def _is_bound(adjective: Token, after: Token) -> bool:
    return after.lower_ == "at" or (after.lower_ == "as" and not any(one.lower_ == "as" for one in adjective.lefts))


def _predicate(adjective: Token) -> Token | None:
    """The verb whose predicate an adjective is, or is in."""
    if adjective.dep_ in _COMPLEMENTS:
        # “how absurd it is”: nothing can be negated behind it
        return adjective.head if adjective.i > adjective.head.i else None
    noun = adjective.head
    # “It makes me happy.”
    if adjective.dep_ == "ccomp" and noun.lemma_ in _MAKING and noun.i < adjective.i and not is_verb(adjective):
        return noun
    if adjective.dep_ == "amod" and adjective.i < noun.i and noun.dep_ in _OBJECTS and noun.head.i < adjective.i:
        return noun.head
    # “It sounds like a good plan.”
    if adjective.dep_ == "amod" and adjective.i < noun.i and noun.dep_ == "pobj" and noun.head.lower_ == "like":
        verb = noun.head.head
        return verb if verb.lemma_ in _LIKENESS and noun.head.i == verb.i + 1 else None
    return None


def _is_at(sentence: Sentence, verb: Token, edited: str) -> bool:
    text = sentence.text
    same = 0
    while same < min(len(text), len(edited)) and text[same] == edited[same]:
        same += 1
    changed = next((token for token in sentence.doc if token.idx + len(token.text) > same), None)
    if changed is None or _changes_another(sentence, verb, edited, same):
        return False
    first = verb_group(verb).first
    if changed.i < first.i:
        before = sentence.doc[changed.i : first.i]
        return changed.lower_ in _NEGATIVE_SUBJECTS or all(
            one.dep_ == "advmod" and one.head.i == verb.i for one in before
        )
    if changed.i <= verb.i + 1:
        # “They have not good friends” is how it was said once.
        is_old = changed.i > verb.i and not is_be(verb) and edited.startswith("not ", same)
        return not is_old
    if changed.head.i == verb.i:
        between = sentence.doc[verb.i + 1 : changed.i]
        return not is_verb(changed) and all(one.dep_ in {"advmod", "neg", "det"} for one in between)
    return changed.dep_ in {"det", "advmod"} and changed.head.head.i == verb.i and changed.head.dep_ in _OBJECTS


def _changes_another(sentence: Sentence, verb: Token, edited: str, same: int) -> bool:
    """Whether the change goes on to another verb: then that one was turned round as well."""
    text = sentence.text
    end = 0
    while end < min(len(text), len(edited)) - same and text[-1 - end] == edited[-1 - end]:
        end += 1
    touched = (
        one for one in sentence.doc if one.i > verb.i and same <= one.idx and one.idx + len(one.text) <= len(text) - end
    )
    return any(is_verb(one) for one in touched)
