"""Coordinated verbs: which of them take another form together, also where the tagger took one for a noun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.rewrites.en.polarity.polarity_items import scope
from litotes.rewrites.patches import Patch, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_BUT = frozenset({"but", "yet"})
_OWN_CLAUSE = frozenset({"nsubj", "nsubjpass", "expl", "neg"})
_OF_NOUNS = frozenset({"det", "poss", "amod", "nummod", "compound", "nmod", "case", "predet"})
_LISTED = frozenset({"advcl", "dep", "dobj", "appos", "parataxis", "acomp", "oprd", "ccomp"})
"""How the parser may hang the second of three verbs on the first: “He got up, washed and left.”"""
_OBJECTS = frozenset({"dobj", "pobj", "npadvmod", "attr"})
_FINITE = frozenset({"VBZ", "VBD"})
_TENSED = _FINITE | {"VBP", "VB"}
_RATHER_VERBS = frozenset(
    "barks bites cleans complains cooks cries dances draws eats flies goes jogs jumps laughs leaves listens lives"
    " paints plays prays reads relaxes rests runs shouts sings sleeps smiles smokes studies swims talks teaches"
    " travels walks washes waves works writes".split()
)
"""After an object (“She cleans the house and cooks.”) these are rather verbs than a second object."""


def coordinated_verbs(verb: Token, tag: str) -> list[Token] | None:
    """The verbs that share a verb's subject and its form, by the tag of that form; None where it cannot be told.

    Words count by what they can be, not by their tags alone: the tagger takes “dances” in “He sings and dances” for a
    noun, and “washed” in “He got up, washed and left” for a participle.
    """
    found: list[Token] = []
    end = tag_start(verb.doc)
    for child in verb.rights:
        if child.idx >= end:
            break
        if child.dep_ == "conj":
            more = _joined(child, tag)
        elif not child.rights:
            continue  # nothing is joined to it
        elif child.dep_ in _LISTED and _opens_list(child):
            more = _listed(child, tag)
        else:
            more = None if _hides_verb(child, tag) else []
        if more is None:
            return None
        found += more
    return found


def _joined(conjunct: Token, tag: str) -> list[Token] | None:
    if any(child.dep_ in _OWN_CLAUSE for child in conjunct.children):
        return []
    if any(child.dep_ == "csubj" for child in conjunct.children):
        return None  # “…, so leaving them there is cruel”: a clause that leans on this one
    auxiliaries = [child for child in conjunct.children if child.dep_ in {"aux", "auxpass"}]
    if auxiliaries:
        got = auxiliaries[0]
        return [got] if got.lemma_ == "get" and can_be_verb(got, tag) else []  # "and got hurt"
    if can_be_verb(conjunct, tag):
        more = coordinated_verbs(conjunct, tag)
        return None if more is None else [conjunct, *more]
    if tag in _FINITE and conjunct.tag_ in _TENSED:
        return None  # in a tense of its own: “did not move there and lives …” is no denial that anyone would write
    # No noun is joined to a verb: a verb was taken for something before it, as in “wash and dry clothes”.
    return None if conjunct.pos_ == "NOUN" else []


def _opens_list(child: Token) -> bool:
    """Whether a word follows a comma at once and is itself followed by “and”: “…, washed and left”."""
    return child.nbor(-1).text == "," and any(
        one.dep_ == "cc" and one.lower_ in {"and", "or"} and one.i > child.i for one in child.rights
    )


def _listed(first: Token, tag: str) -> list[Token] | None:
    """The verbs of a list; none if one of its words cannot be such a verb (“…, tired and hungry”)."""
    words = [first, *(one for one in first.conjuncts if one.i > first.i)]
    if any(one.dep_ in {*_OWN_CLAUSE, "aux", "auxpass", "mark"} for word in words for one in word.children):
        return []
    if not all(can_be_verb(word, tag) for word in words):
        return []
    # “washed and left” may be participles as “exhausted and defeated” are, unless one of them can be none.
    return words if tag != "VBD" or any(_is_past(word) for word in words) else None


def _is_past(word: Token) -> bool:
    return word.tag_ == "VBD" or not has_form(word.lower_, "VBN")


def hides_verb(verb: Token, tag: str) -> bool:
    """Whether what was taken for a second object is rather a second verb: “She cleans the house and cooks.”"""
    return any(_hides_verb(child, tag) for child in verb.rights)


def _hides_verb(thing: Token, tag: str) -> bool:
    if tag not in _FINITE or thing.dep_ not in _OBJECTS:
        return False
    return any(
        child.dep_ == "conj"
        and (child.lower_ in _RATHER_VERBS if tag == "VBZ" else child.tag_ == "VBD")
        and can_be_verb(child, tag)
        and not any(one.dep_ in _OWN_CLAUSE for one in child.children)
        for child in thing.rights
    )


def can_be_verb(word: Token, tag: str) -> bool:
    """Whether a word can be read as a verb in the form that a tag names, whatever the tagger took it for."""
    if word.tag_ == tag or (tag == "VBD" and word.tag_ == "VBN"):
        return True
    if word.tag_ in {"MD", "VBG", "NNP", "NNPS"} or (tag == "VB" and word.tag_ in _FINITE):
        return False
    return has_form(word.lower_, tag) and not any(child.dep_ in _OF_NOUNS for child in word.lefts)


def or_to_and(verbs: list[Token]) -> tuple[Patch, ...]:
    """“and” for the “or” between verbs: what is left of “cannot read or write” is “can read and write”."""
    return tuple(
        replace(child, "and") for verb in verbs for child in verb.rights if child.dep_ == "cc" and child.lower_ == "or"
    )


def conjunctions_of(verbs: list[Token]) -> list[str]:
    """The words that join verbs."""
    return [child.lower_ for verb in verbs for child in verb.rights if child.dep_ == "cc"]


def has_contrast(group: VerbGroup) -> bool:
    """Whether “but” sets one complement off against another: under “not” the second would hold instead of the first.

    “We were not tired but happy” says that we were happy; in “a small but cosy room” all is denied as one.
    """
    if group.verb.doc.lowers.isdisjoint(_BUT):
        return False
    return any(
        token.dep_ == "cc" and token.lower_ in _BUT and _sets_off(token, group.verb)
        for token in scope(group.verb, group.first)
    )


def _sets_off(but: Token, verb: Token) -> bool:
    """Whether a “but” behind a verb joins complements, and neither adjectives before a noun nor clauses."""
    if but.head.i != verb.i:
        return but.head.dep_ != "amod"
    joined = [child for child in verb.rights if child.dep_ == "conj" and child.i > but.i]
    return not any(child.pos_ in {"VERB", "AUX"} for child in joined)
