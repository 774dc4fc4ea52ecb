"""Other words for places that `infill` has no words for: before a clause, behind an adverb, beside another word."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.synonyms import are_related
from litotes.languages.en.morphology.inflection import in_place_of
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import is_be
from litotes.rewrites.en.words.infill_words import kind, near, words
from litotes.rewrites.patches import patched, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence

_ADJECTIVES = {
    "person, clause": "glad afraid sad proud sorry angry certain aware lucky surprised",
    "person, to": "happy ready afraid eager proud willing free sad",
    "person, too to": "proud afraid busy nervous young sad tired shy",
    "it, clause": "strange important obvious possible true sad likely funny interesting certain",
    "it, to": "important easy dangerous difficult strange necessary possible useful safe expensive illegal",
    "it, to someone": "important familiar new clear useful strange obvious",
    "attribute": "strange new common small important rare secret famous ordinary expensive",
}
_VERBS = {
    "clause": "say think know hope claim admit imagine realize swear suspect",
    "object": "describe mention ignore discuss need notice want study",
    "gerund": "enjoy avoid imagine miss dislike consider",
}
_STATES = frozenset({"need", "want", "notice", "miss", "dislike"})
"""Verbs that are not said of what is going on."""
_NOT_BY_DEGREES = frozenset("possible true certain free illegal secret necessary likely aware dead ordinary".split())
_DEGREES = frozenset("so very too as more most how really pretty quite extremely incredibly a bit little".split())
_AMOUNTS = frozenset("amount number lot deal bit kind sort type way part piece level".split())
_OPPOSED = (frozenset({"help", "hurt"}), frozenset({"help", "annoy"}), frozenset({"enjoy", "hate"}))
"""What the lexicon does not know to be opposites."""
_LINKING = frozenset({"look", "seem", "feel", "become", "get", "sound"})
_COMPLEMENTS = frozenset({"ccomp", "xcomp", "advcl", "csubj", "prep"})
_BESIDE = frozenset({"in", "at", "on", "by", "during", "after", "before", "than", "as", "because", "since", "with"})


def fillers(sentence: Sentence, token: Token, seed: int) -> Iterator[tuple[str, str]]:
    """Other words for a token's place, each with the sentence that it makes, in an order that the seed decides."""
    pos, found = _words_for(token)
    listed = sorted(found)
    Random(f"{seed}\0{sentence.text}\0filler").shuffle(listed)  # noqa: S311
    said = {one.lower_ for one in sentence.doc} | {one.lemma_.lower() for one in sentence.doc}
    by_degrees = any(child.lower_ in _DEGREES for child in token.lefts)
    for word in listed:
        if by_degrees and word in _NOT_BY_DEGREES:
            continue
        if word not in said and not is_akin(word, [token.lower_, token.lemma_.lower()], pos):
            form = in_place_of(token, word, pos)
            if form is not None and " " not in form:
                yield word, patched(sentence.text, [replace(token, form)])


def is_akin(word: str, others: Iterable[str], pos: str) -> bool:
    """Whether a word means about the same as one of others, or its opposite.

    >>> is_akin("strange", ["weird"], "a"), is_akin("strange", ["green"], "a")
    (True, False)
    """
    others = list(others)
    if any({word, other} in _OPPOSED for other in others):
        return True
    return any(word == other or other in near(word) or are_related(word, other, pos) for other in others)


def _words_for(token: Token) -> tuple[str, frozenset[str]]:
    if token.tag_ == "JJ":
        name = _adjective_place(token)
        if name is None:
            return "a", frozenset()
        return "a", frozenset(_ADJECTIVES[name].split()) if name in _ADJECTIVES else words("a", name)
    name = _verb_place(token) if token.tag_.startswith("VB") else None
    found = _VERBS[name].split() if name is not None else []
    return "v", frozenset(found) - (_STATES if token.tag_ in {"VBG", "VBN"} else frozenset())


def _adjective_place(adjective: Token) -> str | None:
    if adjective.dep_ == "amod":
        return _attribute_place(adjective)
    verb = adjective.head
    if adjective.dep_ not in {"acomp", "oprd"} or not (is_be(verb) or verb.lemma_ in _LINKING or verb.text == "’"):
        return None
    subject = next((child for child in verb.children if child.dep_ in SUBJECT_DEPS), None)
    if subject is None and verb.dep_ == "xcomp":
        subject = next((child for child in verb.head.lefts if child.dep_ in SUBJECT_DEPS), None)
    if subject is None or any(child.lower_ == "enough" for child in adjective.children):
        return None
    if subject.tag_ in {"WDT", "WP"} and verb.dep_ == "relcl":
        subject = verb.head
    beside = [*adjective.rights, *(child for child in verb.rights if child.i > adjective.i)]
    complements = [child for child in beside if child.dep_ in _COMPLEMENTS and child.lower_ not in _BESIDE]
    complements = [child for child in complements if not (_is_adverbial(child) or _is_time(child))]
    is_person = kind(subject) == "person"
    if not complements:
        return "person" if is_person else "it"
    return _complement_place(adjective, complements, subject, is_person) if len(complements) == 1 else None


def _complement_place(adjective: Token, complements: list[Token], subject: Token, is_person: bool) -> str | None:
    complement = complements[0]
    if complement.dep_ == "prep":
        someone = next((child for child in complement.rights if child.dep_ == "pobj"), None)
        to_me = complement.lower_ == "to" and someone is not None and kind(someone) == "person"
        if to_me and not is_person:
            return "it, to someone"
        if is_person:
            return complement.lower_ if complement.lower_ in {"of", "about", "with"} else None
        return "it for" if complement.lower_ == "for" and someone is not None else None
    marks = {child.lower_ for child in complement.lefts if child.dep_ in {"aux", "mark"}}
    if any(one.tag_.startswith("W") for one in complement.subtree if one.i < complement.i) or "if" in marks:
        return None
    if "to" in marks or (complement.tag_ == "VBG" and not is_person):
        too = any(child.lower_ == "too" for child in adjective.lefts)
        return (
            "it, to"
            if subject.lower_ == "it"
            else "person, too to"
            if is_person and too
            else "person, to"
            if is_person
            else None
        )
    if not any(child.dep_ in SUBJECT_DEPS for child in complement.lefts) or complement.dep_ == "advcl":
        return None
    return "it, clause" if subject.lower_ == "it" and "that" in marks else "person, clause" if is_person else None


def _is_adverbial(clause: Token) -> bool:
    """Whether a clause says when or why, and would go with any adjective."""
    first = next((child.lower_ for child in clause.lefts if child.dep_ in {"mark", "advmod"}), "")
    return clause.dep_ == "advcl" and first in {"when", "because", "since", "while", "if", "as", "although", "though"}


def _is_time(preposition: Token) -> bool:
    """Whether it says for how long: “for a month”."""
    return preposition.dep_ == "prep" and any(
        child.dep_ == "pobj" and kind(child) == "time" for child in preposition.rights
    )


def _attribute_place(adjective: Token) -> str | None:
    noun = adjective.head
    is_last = noun.i == adjective.i + 1 and noun.tag_ in {"NN", "NNS"}
    ends = noun.i + 1 >= len(noun.doc) or noun.nbor().tag_[:2] != "NN"
    if (
        not (is_last and ends)
        or noun.lemma_.lower() in _AMOUNTS
        or (adjective.i and adjective.nbor(-1).tag_[:2] in {"NN", "JJ"})
    ):
        return None
    found = kind(noun)
    return found if found in {"person", "place", "food", "animal"} else "attribute"


def _verb_place(verb: Token) -> str | None:
    """What follows a verb that a person is the subject of: “I believe (that) it works”, “I love my bike”."""
    subject = next((child for child in verb.lefts if child.dep_ in SUBJECT_DEPS), None)
    if subject is None or subject.dep_ == "nsubjpass" or kind(subject) != "person":
        return None
    behind = {
        child.dep_: child for child in verb.rights if child.dep_ not in {"punct", "advmod", "cc", "conj", "npadvmod"}
    }
    if {"ccomp"} == set(behind) and _is_said(behind["ccomp"]):
        return "clause"
    if {"xcomp"} == set(behind) and behind["xcomp"].tag_ == "VBG" and behind["xcomp"].i == verb.i + 1:
        return "gerund"
    thing = behind.get("dobj")
    if thing is None or not set(behind) <= {"dobj", "prep", "advcl"} or thing.lower_.endswith(("self", "selves")):
        return None
    is_next = thing.left_edge.i == verb.i + 1 and thing.pos_ in {"NOUN", "PROPN", "PRON"} and thing.lower_ != "it"
    return "object" if is_next else None


def _is_said(clause: Token) -> bool:
    """Whether a clause is what somebody says or thinks."""
    first = next((child for child in clause.lefts if child.dep_ != "punct"), None)
    is_plain = first is not None and (first.dep_ in SUBJECT_DEPS or first.lower_ == "that")
    has_verb = any(one.tag_ in {"VBZ", "VBP", "VBD", "MD"} for one in (clause, *clause.lefts))
    return is_plain and has_verb and any(child.dep_ in SUBJECT_DEPS for child in clause.lefts)
