"""Questions: “Is he not here?”, and those that have no denial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import full_form, is_short, uses_contractions, with_not
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.rewrites.base import Skip
from litotes.rewrites.en.polarity.do_support import ContractionStyle, VerbForms
from litotes.rewrites.en.polarity.polarity_change import (
    FOCUS_ADVERBS,
    ChangeOrSkip,
    PolarityChange,
    adverbs_before,
    negative_items,
)
from litotes.rewrites.en.polarity.polarity_items import has_positive_item, scope, to_negative
from litotes.rewrites.patches import insert_after, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token


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


def negate_question(group: VerbGroup, style: ContractionStyle) -> ChangeOrSkip:
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
        return PolarityChange((replace(first, cased_like(first.text, short)), *items), "question")
    if group.is_copula and not any(child.i > last.i and not child.is_punct for child in group.verb.rights):
        last = group.subject  # the parser took the complement for a part of the subject: "Was the dog at home?"
    return PolarityChange((insert_after(last, "not"), *items), "question")


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


_NOT_ASKED = frozenset("hope guess thank wish bet bless damn fuck love hate sound feel seem lol congratulate".split())
"""Verbs that without a subject have lost an “I” or “it” rather than being imperatives."""
_CALLS = frozenset("wait see look listen imagine watch".split())
_OPENERS = frozenset(
    "come wait look listen see hold excuse forgive say trust believe imagine guess remember thank".split()
)
"""“Come on, …”, “Look, …”, “Trust me, …”: they call for attention to what follows."""
_BARE = frozenset({"VB", "VBP"})
_OTHER_CLAUSE = frozenset({"conj", "dep", "ccomp", "parataxis", "advcl"})
_BREAKS = frozenset({",", ";", ":", "-", "–", "—", "...", "…"})


def negate_imperative(group: VerbGroup, style: ContractionStyle, forms: VerbForms) -> ChangeOrSkip:
    """“Do not” before the verb of an imperative."""
    verb = group.verb
    base = forms.verb(verb, "VB")
    if base is None:
        return Skip("unknown-verb")
    if verb.i + 1 < len(verb.doc) and verb.nbor().like_num and verb.nbor().text[0].isdigit():
        return Skip("not-a-clause")  # a title: "Release 2.0"
    if any(child.tag_ == "WRB" for child in verb.lefts):
        return Skip("wh-question")  # "Why come here?"
    opening = [token for token in verb.sent if token.i < verb.i]
    if any(token.tag_ in {"VBZ", "VBP", "VBD", "MD", "PRP"} for token in opening) and not any(
        token.is_punct for token in opening
    ):
        return Skip("not-a-clause")  # rather a verb that the parser took out of its clause
    if verb.lemma_ in _NOT_ASKED or (verb.lemma_ in _CALLS and any(c.dep_ == "ccomp" for c in verb.children)):
        return Skip("not-a-clause")
    short = style == "contract" or (style == "keep" and uses_contractions(verb.doc))
    do_not = (with_not("do", verb.doc) or "do not") if short else "do not"
    start = verb
    for adverb in reversed(adverbs_before(group)):
        if adverb.lower_ in {"just", "please", "now", "then"}:
            break
        if adverb.lower_ in FOCUS_ADVERBS | {"never"}:
            return Skip("focus")
        start = adverb
    opened = start.text[:1].isupper()
    word = base if start is verb else start.lower_ if opened else start.text
    return PolarityChange(
        (replace(start, f"{cased_like('X' if opened else 'x', do_not)} {word}"), *negative_items(group, verb)),
        "imperative",
    )


def is_lets(verb: Token) -> bool:
    """Whether a verb is the “let” of “let's”."""
    if verb.tag_ != "VB" or verb.lower_ not in {"let", "lets"}:
        return False
    return verb.lower_ == "lets" or (verb.i + 1 < len(verb.doc) and verb.nbor().lower_ in {"'s", "’s", "us"})


def negate_lets(verb: Token) -> ChangeOrSkip:
    """“Let's not go”, with the words that go along in what is proposed."""
    us = verb if verb.lower_ == "lets" else verb.nbor()
    items = to_negative(_proposed(verb, us)) if has_positive_item(verb.doc) else ()
    return PolarityChange((insert_after(us, "not"), *items), "let's not")


def _proposed(let: Token, us: Token) -> list[Token]:
    """The words of what is proposed after “let's”, which the parser hangs on another verb than “let”."""
    verbs = [child for child in let.rights if child.dep_ in {"ccomp", "xcomp"}]
    return [*scope(let, us), *(token for verb in verbs for token in scope(verb, us))]


def is_linked_command(group: VerbGroup) -> bool:
    """Whether an imperative stands beside another clause that leans on it, or is its other half.

    “Don't worry, be happy.”, “Be careful, or you'll fall.”: with the first half turned round they make no sense.
    """
    verb = group.verb
    if not is_imperative(group):
        for child in verb.children:
            if child.tag_ in _BARE and child.dep_ in _OTHER_CLAUSE and _leads_to(verb, child):
                return True
        return False
    others = [*verb.children, verb.head] if verb.dep_ in _OTHER_CLAUSE else verb.children
    return any(_leans_on(other, verb) for other in others)


def is_imperative(group: VerbGroup) -> bool:
    """Whether a group is that of a command, with or without “do not”."""
    verb = group.verb
    if group.subject is not None or verb.dep_ == "conj" or verb.tag_ not in _BARE:
        return False
    if verb.tag_ == "VBP" and not group.first.is_sent_start:
        return False
    return not group.auxiliaries or group.first.lower_ == "do"


def _leads_to(verb: Token, command: Token) -> bool:
    """Whether a command before a clause is more than a call for attention: “Don't worry, I'll help you.”"""
    if command.i > verb.i or command.lemma_ in _OPENERS or command.lemma_ in _NOT_ASKED:
        return False
    group = verb_group(command)
    return group.first.is_sent_start and is_imperative(group) and _leans_on(verb, command)


def _leans_on(other: Token, verb: Token) -> bool:
    """Whether another verb heads a clause of its own beside an imperative."""
    lower, upper = (other, verb) if other.head.i == verb.i else (verb, other)
    if lower.dep_ not in _OTHER_CLAUSE or other.pos_ not in {"VERB", "AUX"}:
        return False
    if any(child.dep_ == "mark" or child.tag_ in {"WRB", "WP", "TO"} for child in lower.lefts):
        return False  # “If you can, come.”, “Go when you are ready.”
    first, last = sorted((other.i, verb.i))
    finite = any(child.dep_ in SUBJECT_DEPS for child in other.lefts) and verb_group(other).is_finite
    if any(child.dep_ == "cc" for child in upper.rights):
        return finite
    if not any(token.text in _BREAKS for token in verb.doc.tokens[first:last]):
        return False
    if other.i < verb.i and other.lemma_ in _OPENERS:
        return False
    return finite or other.tag_ in _BARE
