"""Words that go along when a clause is turned round: some/any, too/either, already/yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.patches import Patch, delete, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_UNDER_NEGATION = {
    "some": "any",
    "something": "anything",
    "someone": "anyone",
    "somebody": "anybody",
    "somewhere": "anywhere",
}
_WITHOUT_NEGATION = {new: old for old, new in _UNDER_NEGATION.items()}
_RAISING = frozenset("think believe suppose expect imagine".split())
_WEAK_DEGREE = frozenset({"pretty", "rather", "fairly", "somewhat"})
"""“Not pretty good” is no English: what denies “pretty good” is “not very good”."""
_OUT_OF_SCOPE = frozenset({"ccomp", "advcl", "relcl", "csubj", "parataxis", "nsubj", "nsubjpass", "expl"})
_TIMES = frozenset({"day", "time", "times", "point", "extent", "degree", "reason", "way", "years", "ways"})


@cached_on_doc
def scope(verb: Token, after: Token) -> list[Token]:
    """The words of the verb's own clause that stand after a token: what “not” put there reaches."""
    found: list[Token] = []
    start, end = after.i, tag_start(verb.doc)
    waiting = [child for child in verb.children if child.dep_ not in _OUT_OF_SCOPE]
    if verb.lemma_ in _RAISING:  # "I do not think anyone came": the negation is of what is thought
        thoughts = [child for child in verb.children if child.dep_ == "ccomp" and child.i > verb.i]
        waiting += thoughts + [one for thought in thoughts for one in thought.children if one.dep_ in {"nsubj", "expl"}]
    while waiting:
        token = waiting.pop()
        if token.dep_ == "conj" and _is_clause(token):
            continue
        if token.i > start and token.idx < end:
            found.append(token)
        for child in token.children:
            if child.dep_ not in _OUT_OF_SCOPE:
                waiting.append(child)
    return sorted(found, key=attrgetter("i"))


def _is_clause(conjunct: Token) -> bool:
    """Whether what is joined has a subject or a tense of its own."""
    if conjunct.tag_ in {"VBD", "VBZ", "VBP", "MD"}:
        return True
    return any(child.dep_ in {"nsubj", "nsubjpass", "expl", "aux"} for child in conjunct.children)


_UNDER_NOT = frozenset({*_UNDER_NEGATION, *_WEAK_DEGREE, "too", "well", "already", "sometimes"})
_BESIDE_NOT = frozenset({*_WITHOUT_NEGATION, "either", "yet", "much"})


def has_positive_item(doc: Doc) -> bool:
    """Whether a text has any word that another takes the place of when a negation is added; most have none."""
    return not _UNDER_NOT.isdisjoint(doc.lowers)


def to_negative(tokens: Iterable[Token]) -> Iterator[Patch]:
    """Patches for words in the scope of a negation that is added."""
    for token in tokens:
        lower = token.lower_
        if lower not in _UNDER_NOT:
            continue
        if lower in _UNDER_NEGATION and _can_be_any(token):
            yield replace(token, cased_like(token.text, _UNDER_NEGATION[lower]))
        elif lower == "too" and ends_clause(token):
            yield replace(token, "either")
        elif lower == "well" and token.i > 0 and token.nbor(-1).lower_ == "as" and _ends_plainly(token):
            yield Patch(token.nbor(-1).idx, token.idx + len(token), "either")
        elif lower == "already" and token.dep_ == "advmod" and ends_clause(token):
            yield replace(token, "yet")
        elif lower == "sometimes" and ends_clause(token):
            yield replace(token, "ever")
        elif lower == "pretty" and token.i + 1 < len(token.doc) and token.nbor().lower_ == "much":
            continue
        elif lower in _WEAK_DEGREE and token.dep_ == "advmod" and token.head.pos_ in {"ADJ", "ADV"}:
            if token.head.dep_ == "conj":
                continue
            yield replace(token, "very")


def to_positive(tokens: Iterable[Token]) -> Iterator[Patch]:
    """Patches for words in the scope of a negation that is removed."""
    for token in tokens:
        lower = token.lower_
        if lower not in _BESIDE_NOT:
            continue
        if lower in _WITHOUT_NEGATION:
            following = token.nbor() if token.i + 1 < len(token.doc) else token
            if lower == "any" and following.lower_ in {"more", "longer"}:
                continue
            if lower == "any" and following.tag_ in {"JJR", "RBR"}:
                yield delete(token)  # "any better"
                continue
            yield replace(token, cased_like(token.text, _WITHOUT_NEGATION[lower]))
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
    """The patch that takes “anymore” or “any longer” away; “still” goes to the verb instead."""
    for token in tokens:
        if token.lower_ == "anymore":
            return delete(token)
        if token.lower_ in {"more", "longer"} and token.i > 0 and token.nbor(-1).lower_ == "any" and ends_clause(token):
            return delete(token.nbor(-1), token)
    return None


def delete_at_all(negation: Token) -> Patch | None:
    """The patch that takes the “at all” of a negation away."""
    if "all" not in negation.doc.lowers:
        return None
    for token in negation.doc[negation.i + 1 : negation.sent.end]:
        if token.dep_ in {"nsubj", "nsubjpass", "expl"} and token.i > negation.i + 3:
            return None  # another clause begins
        if token.lower_ == "all" and token.i > 0 and token.nbor(-1).lower_ == "at":
            return delete(token.nbor(-1), token)
    return None


def ends_clause(token: Token) -> bool:
    """Whether nothing but punctuation or another clause follows."""
    if token.i + 1 == len(token.doc):
        return True
    following = token.nbor()
    return following.is_punct or following.dep_ in {"cc", "mark"} or following.tag_ in {"CC"}


def _ends_plainly(token: Token) -> bool:
    return ends_clause(token) and (token.i + 1 == len(token.doc) or token.nbor().lower_ != "as")


def _can_be_any(token: Token) -> bool:
    """Not “some day”, “some 50 people”, “some of us are”, nor a word that has what follows as its own name."""
    if token.lower_ != "some":
        return not any(child.dep_ in {"relcl", "acl"} for child in token.children)
    if token.i + 1 == len(token.doc):
        return False
    following = token.nbor()
    if token.i and token.nbor(-1).lower_ == "just":
        return False
    return not (following.like_num or following.lower_ in _TIMES) and token.dep_ in {"det", "dobj", "attr"}
