"""Words that change with the polarity of a clause: some and any, too and either, already and yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

from litotes.languages.en.modifiers import MODERATE_DEGREE_ADVERBS
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.tags import FINITE_TAGS, LINKED_CLAUSE_DEPS, PLAIN_SUBJECT_DEPS
from litotes.languages.en.verbs import NEG_RAISING_VERBS
from litotes.languages.tree import Doc, Token, cached_on_doc
from litotes.rewrites.patches import Patch, delete, replace

_NEGATIVE_ITEMS = {f"some{ending}": f"any{ending}" for ending in ("", "thing", "one", "body", "where")}
_POSITIVE_ITEMS = {new: old for old, new in _NEGATIVE_ITEMS.items()}
_OUT_OF_SCOPE_DEPS = LINKED_CLAUSE_DEPS - {"conj"} | PLAIN_SUBJECT_DEPS | {"relcl", "csubj"}
_NOT_ANY = frozenset({"day", "time", "times", "point", "extent", "degree", "reason", "way", "years", "ways"})


@cached_on_doc
def scope(verb: Token, after: Token) -> list[Token]:
    """Return the words of a clause after a token: the scope of a “not” there."""
    tokens: list[Token] = []
    start, end = after.i, tag_start(verb.doc)
    stack = [child for child in verb.children if child.dep_ not in _OUT_OF_SCOPE_DEPS]
    if verb.lemma_ in NEG_RAISING_VERBS:  # "I do not think anyone came": the negation includes the complement
        complements = [child for child in verb.children if child.dep_ == "ccomp" and child.i > verb.i]
        stack += complements + [
            child for complement in complements for child in complement.children if child.dep_ in {"nsubj", "expl"}
        ]
    while stack:
        token = stack.pop()
        if token.dep_ == "conj" and _is_clause(token):
            continue
        if token.i > start and token.idx < end:
            tokens.append(token)
        for child in token.children:
            if child.dep_ not in _OUT_OF_SCOPE_DEPS:
                stack.append(child)
    return sorted(tokens, key=attrgetter("i"))


def _is_clause(conjunct: Token) -> bool:
    if conjunct.tag_ in FINITE_TAGS:
        return True
    return any(child.dep_ in PLAIN_SUBJECT_DEPS | {"aux"} for child in conjunct.children)


_REPLACED_UNDER_NEGATION = MODERATE_DEGREE_ADVERBS | {*_NEGATIVE_ITEMS, "too", "well", "already", "sometimes"}
_REPLACED_WITHOUT_NEGATION = frozenset({*_POSITIVE_ITEMS, "either", "yet", "much"})


def has_positive_item(doc: Doc) -> bool:
    """Whether a text contains any word that changes under negation; most texts do not."""
    return not _REPLACED_UNDER_NEGATION.isdisjoint(doc.lowers)


def to_negative(tokens: Iterable[Token]) -> Iterator[Patch]:
    """Yield patches for words that enter the scope of a negation."""
    for token in tokens:
        lower = token.lower_
        if lower not in _REPLACED_UNDER_NEGATION:
            continue
        if lower in _NEGATIVE_ITEMS and _can_be_any(token):
            yield replace(token, cased_like(token.text, _NEGATIVE_ITEMS[lower]))
        elif lower == "too" and ends_clause(token):
            yield replace(token, "either")
        elif lower == "well" and token.previous_word == "as" and _ends_plainly(token):
            yield Patch(token.nbor(-1).idx, token.idx + len(token), "either")
        elif lower == "already" and token.dep_ == "advmod" and ends_clause(token):
            yield replace(token, "yet")
        elif lower == "sometimes" and ends_clause(token):
            yield replace(token, "ever")
        elif lower == "pretty" and token.next_word == "much":
            continue
        elif lower in MODERATE_DEGREE_ADVERBS and token.dep_ == "advmod" and token.head.pos_ in {"ADJ", "ADV"}:
            if token.head.dep_ == "conj":
                continue
            yield replace(token, "very")


def to_positive(tokens: Iterable[Token]) -> Iterator[Patch]:
    """Yield patches for words that leave the scope of a negation."""
    for token in tokens:
        lower = token.lower_
        if lower not in _REPLACED_WITHOUT_NEGATION:
            continue
        if lower in _POSITIVE_ITEMS:
            if lower == "any" and token.next_word in {"more", "longer"}:
                continue
            if lower == "any" and token.next is not None and token.next.tag_ in {"JJR", "RBR"}:
                yield delete(token)  # "any better"
                continue
            yield replace(token, cased_like(token.text, _POSITIVE_ITEMS[lower]))
        elif lower == "either" and ends_clause(token):
            yield replace(token, "too")
        elif lower == "yet" and token.dep_ == "advmod" and ends_clause(token):
            yield replace(token, "already")
        elif (
            lower == "much"
            and token.dep_ in {"advmod", "dobj", "npadvmod"}
            and ends_clause(token)
            and not list(token.children)
        ):
            yield replace(token, "a lot")


def delete_anymore(tokens: Iterable[Token]) -> Patch | None:
    """Return the patch that deletes “anymore” or “any longer”, if there is one."""
    for token in tokens:
        if token.lower_ == "anymore":
            return delete(token)
        if token.lower_ in {"more", "longer"} and token.previous_word == "any" and ends_clause(token):
            return delete(token.nbor(-1), token)
    return None


def delete_at_all(negation: Token) -> Patch | None:
    """Return the patch that deletes the “at all” of a negation, if there is one."""
    if "all" not in negation.doc.lowers:
        return None
    for token in negation.doc[negation.i + 1 : negation.sent.end]:
        if token.dep_ in {"nsubj", "nsubjpass", "expl"} and token.i > negation.i + 3:
            return None  # another clause begins
        if token.lower_ == "all" and token.previous_word == "at":
            return delete(token.nbor(-1), token)
    return None


def ends_clause(token: Token) -> bool:
    """Whether only punctuation or another clause follows."""
    if token.next is None:
        return True
    following = token.nbor()
    return following.is_punct or following.dep_ in {"cc", "mark"} or following.tag_ in {"CC"}


def _ends_plainly(token: Token) -> bool:
    return ends_clause(token) and (token.next is None or token.nbor().lower_ != "as")


def _can_be_any(token: Token) -> bool:
    """Whether “some” can become “any”: not in “some day”, “some 50 people”, “some of us are”."""
    if token.lower_ != "some":
        return not token.has_child("relcl", "acl")
    if token.next is None:
        return False
    following = token.nbor()
    if token.previous_word == "just":
        return False
    return not (following.like_num or following.lower_ in _NOT_ANY) and token.dep_ in {"det", "dobj", "attr"}
