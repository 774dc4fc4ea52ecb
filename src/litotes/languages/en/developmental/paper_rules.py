"""The rules of the paper's §3, read off our parser.

Where the text says that one word modifies another, the tree is asked; the published code asked whether they stood side
by side. Labels differ from the paper's parser: a copula is the head of its clause here, the noun behind it its `attr`.
Of two clauses with only a comma between them the first is the paper's root; here it hangs on the second, and counts as
a root too. A text of several sentences has several roots, and a rule holds if it holds of one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import Words
from litotes.languages.en.negation import NOT, PAPER_MARKERS, is_paper_marker
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Span, Token

_HAVE = frozenset({"have", "has", "had"})
_EPISTEMIC = frozenset({"remember", "know", "think"})
_REJECTED = frozenset({"like", "want"})
_OF_OTHERS = _HAVE | _EPISTEMIC | _REJECTED
"""Roots that mark another category, and so no prohibition."""
_IS = frozenset({"is", "'s", "’s"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_MODIFIED = _NOUNS | {"DT", "RB", "RBR", "RBS", "PDT", "JJR", "CD"}
"""What the marker of an existence modifies: a noun phrase ("no more trees", "no one"), a determiner, an adverb."""
_CAUSING = frozenset({"let", "make", "have", "get"})
_LONGEST_NAME = 3
_CAN = frozenset({"can", "ca", "could"})


def _roots(sentence: Span) -> list[Token]:
    """The root, and the clauses that a comma joins to it."""
    found = [sentence.root]
    for root in found:
        found += [token for token in root.lefts if token.dep_ == "ccomp" and _is_main(token)]
    return found


def _is_main(clause: Token) -> bool:
    return not any(token.dep_ == "mark" or token.tag_ in {"WDT", "WP", "WRB"} for token in clause.lefts)


def _before(token: Token) -> Token | None:
    return token.doc.tokens[token.i - 1] if token.i else None


def _negation(head: Token, words: frozenset[str] = PAPER_MARKERS) -> Token | None:
    """The marker that hangs on a word before it."""
    return next((token for token in head.children if token.lower_ in words and token.i < head.i), None)


def _do(verb: Token) -> Token | None:
    return next((token for token in verb.lefts if token.lower_ == "do" and token.dep_ == "aux"), None)


def possession(sentence: Span) -> Words | None:
    """The root is "have", and the negation and "do" modify it."""
    for root in _roots(sentence):
        if root.lemma_ in _HAVE:
            do, negation = _do(root), _negation(root)
            if do is not None and negation is not None:
                return do, negation, root
    return None


def existence(sentence: Span) -> Words | None:
    """Behind "there", a marker that modifies a noun phrase, a determiner or an adverb."""
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
    # "There isn't a man": the parser hangs the marker on the verb, though it is the man that is denied.
    follows = marker.doc.tokens[marker.i + 1 :][:1]
    if follows and follows[0].tag_ in _MODIFIED and follows[0].sent.start == marker.sent.start:
        return follows[0]
    return None


def labeling(sentence: Span) -> Words | None:
    """It begins with "That" or "It", and a negated "is" makes a noun its predicate."""
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
        if child.dep_ in {"attr", "nsubj", "oprd"} and child.tag_ in _NOUNS:
            return child
        if child.dep_ == "prep":  # "It is not of interest": for the paper's parser the noun is the root here too
            return next((token for token in child.rights if token.dep_ == "pobj" and token.tag_ in _NOUNS), None)
    return None


def prohibition(sentence: Span) -> Words | None:
    """No subject, "do" right before the marker, and a root that marks no other category."""
    if sentence.root.lemma_ in _OF_OTHERS or any(_is_subject(token) for token in sentence):
        return None
    for marker in sentence:
        if is_paper_marker(marker):
            before = _before(marker)
            # Not "…, you don't": there the verb itself is left out.
            if before is not None and before.lower_ == "do" and marker.head is not before:
                return before, marker, marker.head
    return None


def _is_subject(token: Token) -> bool:
    if token.dep_ not in SUBJECT_DEPS:
        return False
    if token.head.dep_ == "ccomp" and token.head.tag_ == "VB" and token.head.head.lemma_ in _CAUSING:
        return False  # "Don't let it stop you": an object for the paper's parser
    # "Tom, do not run": a name with a comma behind it is spoken to, and no subject.
    words = [token for token in token.subtree if not token.is_punct]
    between = token.doc.tokens[token.i + 1 : token.head.i]
    return token.tag_ == "PRP" or len(words) > _LONGEST_NAME or not any(token.is_punct for token in between)


def inability(sentence: Span) -> Words | None:
    """The marker modifies the root and stands right behind "can" or "could"."""
    for root in _roots(sentence):
        for marker in root.lefts:
            before = _before(marker) if is_paper_marker(marker) else None
            if before is not None and before.lower_ in _CAN:
                return before, marker, root
    return None


def epistemic(sentence: Span) -> Words | None:
    """The root is "remember", "know" or "think", and "do" and the negation modify it."""
    for root in _roots(sentence):
        if root.lower_ in _EPISTEMIC:
            do, negation = _do(root), _negation(root)
            if do is not None and negation is not None:
                return do, negation, root
    return None


def rejection(sentence: Span) -> Words | None:
    """The root is "like" or "want", and the marker modifies it."""
    for root in _roots(sentence):
        negation = _negation(root) if root.lemma_ in _REJECTED else None
        if negation is not None:
            return negation, root
    return None


RULES: dict[str, Callable[[Span], Words | None]] = {
    "possession": possession,
    "existence": existence,
    "labeling": labeling,
    "prohibition": prohibition,
    "inability": inability,
    "epistemic": epistemic,
    "rejection": rejection,
}


def paper_findings(doc: Doc) -> Iterator[tuple[str, Words]]:
    """The categories of a text, and the words that made each rule hold."""
    for sentence in doc.sents:
        if any(is_paper_marker(token) for token in sentence):
            for category, rule in RULES.items():
                words = rule(sentence)
                if words is not None:
                    yield category, words
