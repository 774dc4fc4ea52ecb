"""Coordinated verbs that share a form with the first verb, even if the tagger takes them for nouns."""

from __future__ import annotations

from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.tags import NOUN_MODIFIER_DEPS, PLAIN_SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token
from litotes.rewrites.en.polarity.polarity_items import scope
from litotes.rewrites.patches import Patch, replace

_CONTRASTIVE = frozenset({"but", "yet"})
_OWN_CLAUSE_DEPS = PLAIN_SUBJECT_DEPS | {"neg"}
_NOUN_DEPS = NOUN_MODIFIER_DEPS | {"nmod", "case", "predet"}
_LIST_DEPS = frozenset({"advcl", "dep", "dobj", "appos", "parataxis", "acomp", "oprd", "ccomp"})
"""How the parser may attach the second of three verbs to the first: “He got up, washed and left.”"""
_OBJECT_DEPS = frozenset({"dobj", "pobj", "npadvmod", "attr"})
_SURE_TENSES = frozenset({"VBZ", "VBD"})
_POSSIBLE_TENSES = _SURE_TENSES | {"VBP", "VB"}
_VERBS_AFTER_AND = word_list("verbs after and")
"""After an object (“She cleans the house and cooks.”) these are more likely verbs than a second object."""


def coordinated_verbs(verb: Token, tag: str) -> list[Token] | None:
    """Return the verbs that share a verb's subject and the form of a tag, or None if that is not clear.

    A word counts by the forms that it can be, not only by its tag: the tagger takes “dances” in “He sings and dances”
    for a noun, and “washed” in “He got up, washed and left” for a participle.
    """
    verbs: list[Token] = []
    end = tag_start(verb.doc)
    for child in verb.rights:
        if child.idx >= end:
            break
        if child.dep_ == "conj":
            further_verbs = _coordinated_with(child, tag)
        elif not child.rights:
            continue  # nothing is coordinated with it
        elif child.dep_ in _LIST_DEPS and _begins_list(child):
            further_verbs = _listed_verbs(child, tag)
        else:
            further_verbs = None if _hides_verb(child, tag) else []
        if further_verbs is None:
            return None
        verbs += further_verbs
    return verbs


def _coordinated_with(conjunct: Token, tag: str) -> list[Token] | None:
    if conjunct.has_child(*_OWN_CLAUSE_DEPS):
        return []
    if conjunct.has_child("csubj"):
        return None  # “…, so leaving them there is cruel”: a clause that depends on this one
    auxiliaries = [child for child in conjunct.children if child.dep_ in {"aux", "auxpass"}]
    if auxiliaries:
        got = auxiliaries[0]
        return [got] if got.lemma_ == "get" and can_be_verb(got, tag) else []  # "and got hurt"
    if can_be_verb(conjunct, tag):
        further_verbs = coordinated_verbs(conjunct, tag)
        return None if further_verbs is None else [conjunct, *further_verbs]
    if tag in _SURE_TENSES and conjunct.tag_ in _POSSIBLE_TENSES:
        return None  # in a tense of its own: nobody would write “did not move there and lives …”
    # A noun cannot be coordinated with a verb: the parser has misread “wash and dry clothes”.
    return None if conjunct.pos_ == "NOUN" else []


def _begins_list(child: Token) -> bool:
    """Whether a word follows a comma and is followed by “and”: “…, washed and left”."""
    return child.nbor(-1).text == "," and any(
        right.dep_ == "cc" and right.lower_ in {"and", "or"} and right.i > child.i for right in child.rights
    )


def _listed_verbs(first: Token, tag: str) -> list[Token] | None:
    """Return the verbs of a list, or none if one of its words cannot be such a verb (“…, tired and hungry”)."""
    words = [first, *(word for word in first.conjuncts if word.i > first.i)]
    if any(word.dep_ in {*_OWN_CLAUSE_DEPS, "aux", "auxpass", "mark"} for word in words for word in word.children):
        return []
    if not all(can_be_verb(word, tag) for word in words):
        return []
    # “washed and left” may be participles, like “exhausted and defeated”, unless one of them cannot.
    return words if tag != "VBD" or any(_is_past(word) for word in words) else None


def _is_past(word: Token) -> bool:
    return word.tag_ == "VBD" or not has_form(word.lower_, "VBN")


def hides_verb(verb: Token, tag: str) -> bool:
    """Whether an apparent second object is more likely a second verb: “She cleans the house and cooks.”"""
    return any(_hides_verb(child, tag) for child in verb.rights)


def _hides_verb(noun: Token, tag: str) -> bool:
    if tag not in _SURE_TENSES or noun.dep_ not in _OBJECT_DEPS:
        return False
    return any(
        child.dep_ == "conj"
        and (child.lower_ in _VERBS_AFTER_AND if tag == "VBZ" else child.tag_ == "VBD")
        and can_be_verb(child, tag)
        and not child.has_child(*_OWN_CLAUSE_DEPS)
        for child in noun.rights
    )


def can_be_verb(word: Token, tag: str) -> bool:
    """Whether a word can be a verb in the form of a tag, regardless of its own tag."""
    if word.tag_ == tag or (tag == "VBD" and word.tag_ == "VBN"):
        return True
    if word.tag_ in {"MD", "VBG", "NNP", "NNPS"} or (tag == "VB" and word.tag_ in _SURE_TENSES):
        return False
    return has_form(word.lower_, tag) and not any(child.dep_ in _NOUN_DEPS for child in word.lefts)


def or_to_and(verbs: list[Token]) -> tuple[Patch, ...]:
    """Return patches that replace the “or” between verbs: “cannot read or write” becomes “can read and write”."""
    return tuple(
        replace(child, "and") for verb in verbs for child in verb.rights if child.dep_ == "cc" and child.lower_ == "or"
    )


def conjunctions_of(verbs: list[Token]) -> list[str]:
    """Return the words that coordinate verbs."""
    return [child.lower_ for verb in verbs for child in verb.rights if child.dep_ == "cc"]


def has_contrast(group: VerbGroup) -> bool:
    """Whether “but” contrasts complements: under “not” the second one would hold instead of the first.

    “We were not tired but happy” says that we were happy; “a small but cosy room” is negated as a whole.
    """
    if group.verb.doc.lowers.isdisjoint(_CONTRASTIVE):
        return False
    return any(
        token.dep_ == "cc" and token.lower_ in _CONTRASTIVE and _contrasts_complements(token, group.verb)
        for token in scope(group.verb, group.first)
    )


def _contrasts_complements(but: Token, verb: Token) -> bool:
    """Whether a “but” after a verb joins complements, not adjectives before a noun and not clauses."""
    if but.head.i != verb.i:
        return but.head.dep_ != "amod"
    conjuncts = [child for child in verb.rights if child.dep_ == "conj" and child.i > but.i]
    return not any(child.is_verbal for child in conjuncts)
