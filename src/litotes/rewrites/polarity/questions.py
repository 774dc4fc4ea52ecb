"""Questions: “Is he not here?”, and those that have no denial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.language.casing import cased_like
from litotes.language.contractions import full_form, is_short, with_not
from litotes.language.verb_group import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.patches import insert_after, replace
from litotes.rewrites.polarity.forms import Style
from litotes.rewrites.polarity.turn import Turn, Turned, negative_items

if TYPE_CHECKING:
    from litotes.language.tree import Token

_NO_QUESTION = frozenset({"where", "when", "whom", "whose"})
_ASKING = frozenset({"WRB", "WP", "WDT"})
_SAID = frozenset({"acomp", "attr"})
_VAGUE = frozenset("think mean call say do happen like".split())


def is_question(group: VerbGroup) -> bool:
    """Whether the text ends as a question does."""
    return bool(group.verb.doc.text.rstrip(" \"'”’)").endswith("?"))


def starts_with_question_word(group: VerbGroup) -> bool:
    """“Where the heck is he”, “What a day it was”: a question or a cry, whatever its word order."""
    verb, subject = group.verb, group.subject
    is_root = verb.dep_ == "ROOT"
    if is_root and subject is not None and subject.lower_ == "what" and verb.lemma_ in {"happen", "be"}:
        return verb.lemma_ == "happen"
    start = start_of_sentence(verb)
    if (start.tag_ == "WP$" or start.lower_ == "how") and is_question(group):
        return True
    if not is_root:
        return False
    first = group.first.i
    for child in verb.lefts:
        if child.tag_ in _ASKING and child.i < first and child.dep_ not in {"nsubj", "nsubjpass", "mark"}:
            return True
    return False


def start_of_sentence(token: Token) -> Token:
    """The first word of the sentence that a word stands in."""
    doc = token.doc
    return doc.tokens[token.sent.start]


def inverted(group: VerbGroup, style: Style) -> Turned:
    """A question: “Is that not true?”, “Isn't that true?”; other inversions are left alone."""
    if not group.takes_not_directly or group.subject is None or group.first.lower_ in {"need", "dare"}:
        return Skip("inversion")
    doc = group.verb.doc
    if not is_question(group):
        return Skip("inversion")
    if any(child.dep_ == "cc" and child.lower_ == "or" for token in group.verb.subtree for child in token.children):
        return Skip("not-sure", "a question between two things has no denial")
    if group.subject.lower_ in {"anyone", "anybody", "anything"} or group.subject.left_edge.lower_ == "any":
        return Skip("quantifier")  # “Has anyone not called?” asks something else
    if _asks_in_vain(group, group.subject):
        return Skip("wh-question")
    first = group.first
    short = with_not(full_form(first, group.verb), doc)
    last = _end_of_subject(group.subject)
    items = negative_items(group, last)
    if style == "contract" and short is not None and not is_short(first):
        return Turn((replace(first, cased_like(first.text, short)), *items), "question")
    if group.is_copula and not any(child.i > last.i and not child.is_punct for child in group.verb.rights):
        last = group.subject  # the parser took the complement for a part of the subject: "Was the dog at home?"
    return Turn((insert_after(last, "not"), *items), "question")


def _asks_in_vain(group: VerbGroup, subject: Token) -> bool:
    """Whether it asks for a place, time or manner, so that its denial would ask for nothing."""
    start = group.verb.doc.tokens[max(0, group.first.i - 4) : group.first.i]
    asking = next((token for token in start if token.tag_ in {"WRB", "WP", "WDT", "WP$"}), None)
    if asking is None:
        return False
    if asking.i != group.first.i - 1:  # "how many …", "what time …", "who in the world …"
        return True
    if group.is_copula and asking.lower_ not in {"where", "when", "how"}:
        said = _SAID | {"advmod", "prep"} if asking.lower_ == "why" else _SAID
        return not any(child.dep_ in said and child.i > subject.i for child in group.verb.children)
    if asking.lower_ == "how":
        return group.first.lower_ not in {"can", "could"}
    return asking.lower_ in _NO_QUESTION or (asking.lower_ in {"what", "who"} and group.verb.lemma_ in _VAGUE)


def _end_of_subject(subject: Token) -> Token:
    """The last word of a subject; a participle behind it is rather the verb of the question: “Was it written …?”"""
    participle = next(
        (child for child in subject.children if child.dep_ in {"acl", "relcl"} and child.i > subject.i), None
    )
    return subject.right_edge if participle is None else participle.left_edge.nbor(-1)
