"""The rules of the paper's §3 on the trees of our parser.

Where the paper says that a word modifies another, these rules follow the dependency tree; the published code only
compared neighbouring words. Our trees differ from the paper's: a copula is the head of its clause, and the noun after
it is its `attr`. If only a comma separates two clauses, the paper's root is the first one, which our parser attaches to
the second; here both count as roots. A text with several sentences has several roots, and a rule needs to match one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from litotes.languages.en.developmental.denials import Words
from litotes.languages.en.negation import NOT, is_paper_marker
from litotes.languages.en.syntax.tags import NOUN_TAGS, QUESTION_TAGS, SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import is_be
from litotes.languages.en.verbs import FINITE_HAVE
from litotes.languages.tree import Doc, Span, Token

_EPISTEMIC = frozenset({"remember", "know", "think"})
_REJECTED = frozenset({"like", "want"})
_OTHER_CATEGORIES = FINITE_HAVE | _EPISTEMIC | _REJECTED
"""Roots of other categories, which are not prohibitions."""
_IS = frozenset({"is", "'s", "’s"})
_MODIFIED = NOUN_TAGS | {"DT", "RB", "RBR", "RBS", "PDT", "JJR", "CD"}
"""Tags that the marker of an existence may modify: nouns ("no more trees", "no one"), determiners and adverbs."""
_CAUSATIVE = frozenset({"let", "make", "have", "get"})
_MAX_NAME_WORDS = 3
_CAN = frozenset({"can", "ca", "could"})


def _roots(sentence: Span) -> list[Token]:
    roots = [sentence.root]
    for root in roots:  # grows during the iteration
        roots += [token for token in root.lefts if token.dep_ == "ccomp" and _is_main(token)]
    return roots


def _is_main(clause: Token) -> bool:
    return not any(token.dep_ == "mark" or token.tag_ in QUESTION_TAGS for token in clause.lefts)


def _negation(head: Token) -> Token | None:
    return next((token for token in head.children if is_paper_marker(token) and token.i < head.i), None)


def _negated_with_do(root: Token) -> Words | None:
    """Return "do", the negation and the root if both modify the root."""
    do = next((token for token in root.lefts if token.lower_ == "do" and token.dep_ == "aux"), None)
    negation = _negation(root)
    return (do, negation, root) if do is not None and negation is not None else None


def possession(sentence: Span) -> Words | None:
    """Match a root "have" that is modified by "do" and a negation."""
    roots = (root for root in _roots(sentence) if root.lemma_ in FINITE_HAVE)
    return next(filter(None, map(_negated_with_do, roots)), None)


def existence(sentence: Span) -> Words | None:
    """Match a marker after "there" that modifies a noun phrase, a determiner or an adverb."""
    there = next((token for token in sentence if token.lower_ == "there"), None)
    if there is None:
        return None
    for marker in sentence:
        if marker.i > there.i and is_paper_marker(marker):
            modified = _modified(marker)
            if modified is not None:
                return there, marker, modified
    return None


def _modified(marker: Token) -> Token | None:
    head = marker.head
    if head is not marker and head.i > marker.i and head.tag_ in _MODIFIED:
        return head
    # "There isn't a man": the parser attaches the marker to the verb, but it denies the man.
    follows = marker.next
    if follows is not None and follows.tag_ in _MODIFIED and follows.sent.start == marker.sent.start:
        return follows
    return None


def labeling(sentence: Span) -> Words | None:
    """Match a sentence that begins with "That" or "It" and has a negated "is" with a noun as predicate."""
    first = next((token for token in sentence if not (token.is_punct or token.is_space)), None)
    if first is None or first.lower_ not in {"that", "it"}:
        return None
    for root in _roots(sentence):
        noun = _predicate_noun(root) if root.lower_ in _IS and is_be(root) else None
        if noun is not None:
            marker = next((token for token in root.children if token.lower_ in NOT), None) or _negation(noun)
            if marker is not None:
                return first, root, marker, noun
    return None


def _predicate_noun(copula: Token) -> Token | None:
    for child in copula.rights:
        if child.dep_ in {"attr", "nsubj", "oprd"} and child.tag_ in NOUN_TAGS:
            return child
        if child.dep_ == "prep":  # "It is not of interest": the paper's root is the noun here too
            return next((token for token in child.rights if token.dep_ == "pobj" and token.tag_ in NOUN_TAGS), None)
    return None


def prohibition(sentence: Span) -> Words | None:
    """Match "do" directly before a marker in a sentence without a subject, unless the root is of another category."""
    if sentence.root.lemma_ in _OTHER_CATEGORIES or any(_is_subject(token) for token in sentence):
        return None
    for marker in sentence:
        if is_paper_marker(marker):
            before = marker.previous
            # "…, you don't" has no verb.
            if before is not None and before.lower_ == "do" and marker.head is not before:
                return before, marker, marker.head
    return None


def _is_subject(token: Token) -> bool:
    if token.dep_ not in SUBJECT_DEPS:
        return False
    if token.head.dep_ == "ccomp" and token.head.tag_ == "VB" and token.head.head.lemma_ in _CAUSATIVE:
        return False  # "Don't let it stop you": an object by the paper's parser
    # "Tom, do not run": a name before a comma is the addressee, not the subject.
    words = [token for token in token.subtree if not token.is_punct]
    between = token.doc.tokens[token.i + 1 : token.head.i]
    return token.tag_ == "PRP" or len(words) > _MAX_NAME_WORDS or not any(token.is_punct for token in between)


def inability(sentence: Span) -> Words | None:
    """Match a marker that modifies the root and directly follows "can" or "could"."""
    for root in _roots(sentence):
        for marker in root.lefts:
            before = marker.previous if is_paper_marker(marker) else None
            if before is not None and before.lower_ in _CAN:
                return before, marker, root
    return None


def epistemic(sentence: Span) -> Words | None:
    """Match a root "remember", "know" or "think" that is modified by "do" and a negation."""
    roots = (root for root in _roots(sentence) if root.lower_ in _EPISTEMIC)
    return next(filter(None, map(_negated_with_do, roots)), None)


def rejection(sentence: Span) -> Words | None:
    """Match a root "like" or "want" that is modified by a marker."""
    for root in _roots(sentence):
        negation = _negation(root) if root.lemma_ in _REJECTED else None
        if negation is not None:
            return negation, root
    return None


RULES: dict[str, Callable[[Span], Words | None]] = {
    rule.__name__: rule for rule in (possession, existence, labeling, prohibition, inability, epistemic, rejection)
}


def paper_findings(doc: Doc) -> Iterator[tuple[str, Words]]:
    """Yield the categories of a text with the words that matched each rule."""
    for sentence in doc.sents:
        if any(is_paper_marker(token) for token in sentence):
            for category, rule in RULES.items():
                words = rule(sentence)
                if words is not None:
                    yield category, words
