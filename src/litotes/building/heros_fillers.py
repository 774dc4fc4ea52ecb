"""Random words for HEROS where the rewrite `infill` has none: before a clause, after an adverb, by another word."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.function_words import CAUSAL_CONJUNCTIONS, CONCESSIVE_CONJUNCTIONS, WHILE_CONJUNCTIONS
from litotes.languages.en.lexicon.synonyms import are_related
from litotes.languages.en.modifiers import DEGREE_ADVERBS
from litotes.languages.en.morphology.inflection import inflect_like
from litotes.languages.en.syntax.tags import FINITE_TAGS, SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import is_be
from litotes.languages.en.verbs import APPEARANCE_VERBS
from litotes.rewrites.en.words.infill_words import frame_words, semantic_class, similar_words
from litotes.rewrites.patches import patched, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence

_ADJECTIVES_BY_FRAME = {
    "person, clause": "glad afraid sad proud sorry angry certain aware lucky surprised",
    "person, to": "happy ready afraid eager proud willing free sad",
    "person, too to": "proud afraid busy nervous young sad tired shy",
    "it, clause": "strange important obvious possible true sad likely funny interesting certain",
    "it, to": "important easy dangerous difficult strange necessary possible useful safe expensive illegal",
    "it, to someone": "important familiar new clear useful strange obvious",
    "attribute": "strange new common small important rare secret famous ordinary expensive",
}
_VERBS_BY_FRAME = {
    "clause": "say think know hope claim admit imagine realize swear suspect",
    "object": "describe mention ignore discuss need notice want study",
    "gerund": "enjoy avoid imagine miss dislike consider",
}
_STATIVE_VERBS = frozenset({"need", "want", "notice", "miss", "dislike"})
"""Verbs without a progressive."""
_NOT_GRADABLE = frozenset("possible true certain free illegal secret necessary likely aware dead ordinary".split())
_DEGREE_WORDS = DEGREE_ADVERBS | word_set("as more most how really pretty quite extremely incredibly a bit little")
_AMOUNT_NOUNS = frozenset("amount number lot deal bit kind sort type way part piece level".split())
_OPPOSED = (frozenset({"help", "hurt"}), frozenset({"help", "annoy"}), frozenset({"enjoy", "hate"}))
"""Opposites that the lexicon does not have."""
_LINKING_VERBS = (APPEARANCE_VERBS - {"appear"}) | {"become", "get"}
_COMPLEMENT_DEPS = frozenset({"ccomp", "xcomp", "advcl", "csubj", "prep"})
_ADJUNCT_WORDS = frozenset(
    {"in", "at", "on", "by", "during", "after", "before", "than", "as", "because", "since", "with"}
)
_ADVERBIAL_CONJUNCTIONS = WHILE_CONJUNCTIONS | CAUSAL_CONJUNCTIONS | CONCESSIVE_CONJUNCTIONS | {"if", "as"}


def fillers(sentence: Sentence, token: Token, seed: int) -> Iterator[tuple[str, str]]:
    """Yield replacements for a token with the resulting sentences, in an order that depends on the seed."""
    pos, fitting = _fitting_words(token)
    shuffled = sorted(fitting)
    Random(f"{seed}\0{sentence.text}\0filler").shuffle(shuffled)  # noqa: S311
    used = {word.lower_ for word in sentence.doc} | {word.lemma_.lower() for word in sentence.doc}
    has_degree = any(child.lower_ in _DEGREE_WORDS for child in token.lefts)
    for word in shuffled:
        if has_degree and word in _NOT_GRADABLE:
            continue
        if word not in used and not is_related(word, [token.lower_, token.lemma_.lower()], pos):
            form = inflect_like(token, word, pos)
            if form is not None and " " not in form:
                yield word, patched(sentence.text, [replace(token, form)])


def is_related(word: str, known: Iterable[str], pos: str) -> bool:
    """Return whether a word is a near synonym or an opposite of any of the known words.

    >>> is_related("strange", ["weird"], "a"), is_related("strange", ["green"], "a")
    (True, False)
    """
    return any(
        word == other or {word, other} in _OPPOSED or other in similar_words(word) or are_related(word, other, pos)
        for other in known
    )


def _fitting_words(token: Token) -> tuple[str, frozenset[str]]:
    if token.tag_ == "JJ":
        frame = _adjective_frame(token)
        if frame is None:
            return "a", frozenset()
        return "a", frozenset(_ADJECTIVES_BY_FRAME[frame].split()) if frame in _ADJECTIVES_BY_FRAME else frame_words(
            "a", frame
        )
    frame = _verb_frame(token) if token.tag_.startswith("VB") else None
    verbs = _VERBS_BY_FRAME[frame].split() if frame is not None else []
    return "v", frozenset(verbs) - (_STATIVE_VERBS if token.tag_ in {"VBG", "VBN"} else frozenset())


def _adjective_frame(adjective: Token) -> str | None:
    if adjective.dep_ == "amod":
        return _attribute_frame(adjective)
    verb = adjective.head
    if adjective.dep_ not in {"acomp", "oprd"} or not (
        is_be(verb) or verb.lemma_ in _LINKING_VERBS or verb.text == "’"
    ):
        return None
    subject = next((child for child in verb.children if child.dep_ in SUBJECT_DEPS), None)
    if subject is None and verb.dep_ == "xcomp":
        subject = next((child for child in verb.head.lefts if child.dep_ in SUBJECT_DEPS), None)
    if subject is None or any(child.lower_ == "enough" for child in adjective.children):
        return None
    if subject.tag_ in {"WDT", "WP"} and verb.dep_ == "relcl":
        subject = verb.head
    following = [*adjective.rights, *(child for child in verb.rights if child.i > adjective.i)]
    complements = [
        child for child in following if child.dep_ in _COMPLEMENT_DEPS and child.lower_ not in _ADJUNCT_WORDS
    ]
    complements = [child for child in complements if not (_is_adverbial(child) or _is_time(child))]
    is_person = semantic_class(subject) == "person"
    if not complements:
        return "person" if is_person else "it"
    return _complement_frame(adjective, complements, subject, is_person) if len(complements) == 1 else None


def _complement_frame(adjective: Token, complements: list[Token], subject: Token, is_person: bool) -> str | None:
    complement = complements[0]
    if complement.dep_ == "prep":
        someone = next((child for child in complement.rights if child.dep_ == "pobj"), None)
        is_to_person = complement.lower_ == "to" and someone is not None and semantic_class(someone) == "person"
        if is_to_person and not is_person:
            return "it, to someone"
        if is_person:
            return complement.lower_ if complement.lower_ in {"of", "about", "with"} else None
        return "it for" if complement.lower_ == "for" and someone is not None else None
    marks = {child.lower_ for child in complement.lefts if child.dep_ in {"aux", "mark"}}
    if any(token.tag_.startswith("W") for token in complement.subtree if token.i < complement.i) or "if" in marks:
        return None
    if "to" in marks or (complement.tag_ == "VBG" and not is_person):
        if subject.lower_ == "it":
            return "it, to"
        has_too = any(child.lower_ == "too" for child in adjective.lefts)
        return ("person, too to" if has_too else "person, to") if is_person else None
    if not any(child.dep_ in SUBJECT_DEPS for child in complement.lefts) or complement.dep_ == "advcl":
        return None
    return "it, clause" if subject.lower_ == "it" and "that" in marks else "person, clause" if is_person else None


def _is_adverbial(clause: Token) -> bool:
    """Return whether a clause says when or why, and fits any adjective."""
    first = next((child.lower_ for child in clause.lefts if child.dep_ in {"mark", "advmod"}), "")
    return clause.dep_ == "advcl" and first in _ADVERBIAL_CONJUNCTIONS


def _is_time(preposition: Token) -> bool:
    """Return whether a preposition introduces a time: “for a month”."""
    return preposition.dep_ == "prep" and any(
        child.dep_ == "pobj" and semantic_class(child) == "time" for child in preposition.rights
    )


def _attribute_frame(adjective: Token) -> str | None:
    noun = adjective.head
    is_last = noun.i == adjective.i + 1 and noun.tag_ in {"NN", "NNS"}
    ends_phrase = noun.i + 1 >= len(noun.doc) or noun.nbor().tag_[:2] != "NN"
    if (
        not (is_last and ends_phrase)
        or noun.lemma_.lower() in _AMOUNT_NOUNS
        or (adjective.i and adjective.nbor(-1).tag_[:2] in {"NN", "JJ"})
    ):
        return None
    noun_class = semantic_class(noun)
    return noun_class if noun_class in {"person", "place", "food", "animal"} else "attribute"


def _verb_frame(verb: Token) -> str | None:
    """Return what follows a verb whose subject is a person: “I believe (that) it works”, “I love my bike”."""
    subject = next((child for child in verb.lefts if child.dep_ in SUBJECT_DEPS), None)
    if subject is None or subject.dep_ == "nsubjpass" or semantic_class(subject) != "person":
        return None
    complements = {
        child.dep_: child for child in verb.rights if child.dep_ not in {"punct", "advmod", "cc", "conj", "npadvmod"}
    }
    if {"ccomp"} == set(complements) and _is_reported(complements["ccomp"]):
        return "clause"
    if {"xcomp"} == set(complements) and complements["xcomp"].tag_ == "VBG" and complements["xcomp"].i == verb.i + 1:
        return "gerund"
    direct_object = complements.get("dobj")
    if (
        direct_object is None
        or not set(complements) <= {"dobj", "prep", "advcl"}
        or direct_object.lower_.endswith(("self", "selves"))
    ):
        return None
    is_adjacent = direct_object.left_edge.i == verb.i + 1
    is_noun = direct_object.pos_ in {"NOUN", "PROPN", "PRON"} and direct_object.lower_ != "it"
    return "object" if is_adjacent and is_noun else None


def _is_reported(clause: Token) -> bool:
    """Return whether a clause reports what somebody says or thinks."""
    first = next((child for child in clause.lefts if child.dep_ != "punct"), None)
    has_plain_start = first is not None and (first.dep_ in SUBJECT_DEPS or first.lower_ == "that")
    has_verb = any(token.tag_ in FINITE_TAGS for token in (clause, *clause.lefts))
    return has_plain_start and has_verb and any(child.dep_ in SUBJECT_DEPS for child in clause.lefts)
