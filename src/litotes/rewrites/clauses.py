"""Which clause a rule works on: the main one of a text, or the one in which a word stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.language.question_tags import QuestionTag, question_tag
from litotes.language.verb_group import SUBJECTS, VerbGroup, verb_group
from litotes.rewrites.base import Sentence, Skip

if TYPE_CHECKING:
    from spacy.tokens import Token

_REPORTING = frozenset("say ask reply answer add shout whisper explain think wonder tell cry exclaim call".split())


def is_verb(token: Token) -> bool:
    """Whether a token heads a clause as verbs do (auxiliaries do not, the copula does)."""
    return token.pos_ in {"VERB", "AUX"} and token.dep_ not in {"aux", "auxpass", "amod", "compound"}


def tag_of(sentence: Sentence) -> QuestionTag | None:
    """The question tag at the end of the text."""
    return question_tag(sentence.text) if sentence.text.rstrip(" \"'”’)").endswith("?") else None


def main_verbs(sentence: Sentence) -> list[Token]:
    """The head of the main clause of each sentence in the text that has a clause."""
    tag = tag_of(sentence)
    found = []
    for root in sentence.roots:
        head = _before_tag(root, tag) if tag is not None and root.idx >= tag.start else root
        head = _inside_quotation(head)
        if is_verb(head) and not _is_interjection(head):
            found.append(head)
    return found


def predicate_of(token: Token) -> Token | None:
    """The verb whose predicate a word belongs to; None if the word stands in a subject or in no clause."""
    at = token
    while True:
        if is_verb(at) and (at.i != token.i or token.tag_.startswith(("VB", "MD"))):
            return at
        if at.dep_ in SUBJECTS or at.dep_ == "ROOT" or at.head.i == at.i:
            return None
        at = at.head


def finite_group_above(verb: Token) -> VerbGroup | None:
    """The nearest finite group at or above a verb, by way of infinitives and participles."""
    at = verb
    while True:
        group = verb_group(at)
        if is_verb(at) and group.is_finite:
            return group
        if at.dep_ in {"ROOT", "relcl", "advcl", "ccomp", *SUBJECTS} or at.head.i == at.i:
            return None
        at = at.head


def _before_tag(root: Token, tag: QuestionTag | None) -> Token:
    """The verb of the clause that a question tag follows, where the parser took the tag for the main clause."""
    if tag is None:
        return root
    for child in root.children:
        if child.idx < tag.start and is_verb(child):
            return child
    return root


def _inside_quotation(root: Token) -> Token:
    """In “…,” he said: the clause that is quoted, since that is what the sentence is about."""
    if root.lemma_ not in _REPORTING:
        return root
    for child in root.children:
        if child.dep_ == "ccomp" and child.i < root.i and is_verb(child):
            between = child.doc[child.i : root.i]
            if any(token.text in {'"', "”", "’", "'", "''", ","} for token in between):
                return child
    return root


def _is_interjection(token: Token) -> bool:
    return token.lower_ in {"please", "thank", "thanks", "welcome", "congratulations", "lol", "damn"}


def several(sentence: Sentence) -> Skip:
    """Why a text of several clauses is left alone."""
    return Skip("several-sentences")
