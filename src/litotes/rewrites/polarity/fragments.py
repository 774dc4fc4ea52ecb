"""Fragments: sentences without a verb, such as “Yeah, good.”"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.language.articles import article
from litotes.language.casing import capitalised
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.patches import Patch, delete, insert_after, insert_before, replace
from litotes.rewrites.polarity.toggles import Toggle

if TYPE_CHECKING:
    from litotes.language.tree import Token

_NO_FRAGMENT = frozenset("no nothing never nobody none how what such so but".split())
"""Words that make a fragment something else than a description: an exclamation, an answer, a contrast."""
_GREETED = frozenset("night day morning evening afternoon luck bye year birthday christmas weekend grief god".split())
"""“Good luck”, “Happy birthday”: wishes are not denied."""


def fragment_toggles(sentence: Sentence) -> Iterator[Toggle | Skip]:
    """The ways to turn round a sentence that has no verb."""
    short = _short_copula(sentence)
    if short is not None:
        yield Toggle((insert_after(short, "not"),), "not after is")
        return
    negators = [token for token in sentence.doc if token.lower_ == "not"]
    first_is_not = sentence.doc[0].lower_ == "not"
    if any(token.head.pos_ in {"VERB", "AUX"} for token in negators) and not first_is_not:
        yield Skip("not-a-clause")
        return
    if (len(negators) == 1 or first_is_not) and negators[0].i + 1 < len(sentence.doc) and negators[0].nbor().is_alpha:
        yield Toggle((_without(negators[0]),), "without not")
        return
    if len(sentence.roots) != 1 or negators:
        yield Skip("not-a-clause")
        return
    root = sentence.roots[0]
    asked = sentence.is_question and root.pos_ != "ADJ"
    if asked or any(token.lower_ in _NO_FRAGMENT or token.dep_ in {"conj", "ccomp"} for token in root.subtree):
        yield Skip("not-a-clause")
    elif root.pos_ == "ADJ" and root.tag_ == "JJ":
        yield Toggle((_not(root.left_edge if _is_plain(root) else root),), "not before the word")
    elif root.tag_ == "NN" and _is_judgement(root):
        first = root.left_edge
        if first.lower_ in {"a", "an"}:
            yield Toggle((_not(first),), "not before the words")
        elif first.pos_ == "ADJ" and not first.is_sent_start:
            yield Toggle((insert_before(first, f"not {article(first.text)}"),), "not a")
        elif first.pos_ == "ADJ":
            yield Toggle((replace(first, f"Not {article(first.text)} {first.lower_}"),), "not a")
        else:
            yield Skip("not-a-clause")
    else:
        yield Skip("not-a-clause")


def _short_copula(sentence: Sentence) -> Token | None:
    """The “'s” that the parser took for a possessive: “Something's wrong.”"""
    for token in sentence.doc[1:-1]:
        if token.lower_ in {"'s", "’s"} and token.tag_ == "POS":
            following = token.nbor()
            if (
                following.pos_ in {"ADJ", "ADV"}
                and following.lower_ != "not"
                and following.head.pos_ not in {"NOUN", "PROPN"}
            ):
                return token
    return None


def _is_judgement(root: Token) -> bool:
    """Whether a noun is short praise or blame: “Good idea.”, not “UNLIMITED POWER” or “Best day ever”."""
    if root.lower_ in _GREETED or any(token.lower_ in {"ol", "ol'", "old"} for token in root.lefts):
        return False
    adjective = any(child.dep_ == "amod" and child.tag_ == "JJ" for child in root.children)
    return adjective and len(root.doc) <= 6 and not any(token.is_upper and len(token) > 1 for token in root.subtree)


def _is_plain(root: Token) -> bool:
    """Whether all that stands before the word belongs to its degree: “very good”."""
    return all(token.dep_ == "advmod" for token in root.doc[root.left_edge.i : root.i])


def _not(start: Token) -> Patch:
    if start.text[:1].isupper() and start.text != "I":
        return replace(start, f"Not {start.lower_}")
    return insert_before(start, "not")


def _without(negator: Token) -> Patch:
    patch = delete(negator)
    following = negator.nbor()
    if negator.text[:1].isupper():
        return Patch(patch.start, following.idx + len(following.text), capitalised(following.text))
    return patch
