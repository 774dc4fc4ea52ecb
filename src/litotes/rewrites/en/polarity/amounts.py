"""Negate amounts: subjects and existentials whose negation is “no”, “not every” or “nobody”."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.quantifiers import AMOUNTS, ANY_PRONOUNS, SOME_PRONOUNS, UNIVERSAL_PRONOUNS
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.polarity.polarity_change import ChangeOrSkip, PolarityChange, negative_items, not_patches
from litotes.rewrites.patches import Patch, insert_after, insert_before, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token


_NEGATIVE_COUNTERPARTS = {"someone": "no one", "somebody": "nobody", "something": "nothing", "some": "none"}
_AMOUNT_NOUNS = frozenset({"number", "couple", "range", "variety", "bunch"})
_SCARCE = frozenset({"few", "little", "neither", "either", "none", "half", "part"})
_QUANTITIES = AMOUNTS | {"enough", "more", "several"}
_LIMITERS = frozenset({"only", "just", "even"})
_EXCEPTIONS = frozenset({"but", "except"})
_EVERY = frozenset({"every", "all", "many"})
_QUANTIFYING_WORDS = (
    ANY_PRONOUNS
    | {"any"}
    | _NEGATIVE_COUNTERPARTS.keys()
    | _SCARCE
    | _LIMITERS
    | _EXCEPTIONS
    | UNIVERSAL_PRONOUNS
    | _EVERY
)
"""Every text with a quantified subject contains one of them; most texts contain none."""


def negate_existential(group: VerbGroup, style: ContractionStyle) -> Iterator[ChangeOrSkip]:
    """Yield “There is no man”, then “There is not a man”; amounts (“much time”) allow only “not”."""
    following = group.verb.nbor().lower_ if group.verb.i + 1 < len(group.verb.doc) else ""
    if _is_amount(group) or following in {"only", "just", "almost", "nearly"}:
        yield Skip("quantifier")
        return
    if group.first.lower_ == "must":
        yield Skip("not-sure", "“there must be” is a conclusion or a demand, which differ in their negation")
        return
    noun = next((child for child in group.verb.rights if child.dep_ in {"attr", "dobj"}), None)
    is_question = group.is_inverted
    if noun is not None and not is_question:
        no = _no_patches(noun)
        if no is not None:
            yield PolarityChange((*no, *negative_items(group, noun)), "there is no")
    anchor = group.subject if is_question and group.subject is not None else group.first
    items = negative_items(group, anchor)
    if is_question:
        yield PolarityChange((insert_after(anchor, "not"), *items), "question")
        return
    for patch in not_patches(group, style):
        yield PolarityChange((patch, *items), "there is not")


def _is_amount(group: VerbGroup) -> bool:
    """Whether the clause is like “There are a number of …”: neither “no number” nor “not a number” negates it."""
    return any(
        child.lower_ in _AMOUNT_NOUNS or child.left_edge.nbor().lower_ == "few"
        for child in group.verb.children
        if child.dep_ == "attr" and child.left_edge.i + 1 < len(child.doc)
    )


def _no_patches(noun: Token) -> tuple[Patch, ...] | None:
    """Return the patches that put “no” before a noun, or None if it cannot take “no”."""
    if noun.lower_ in SOME_PRONOUNS - {"someone"}:
        return (replace(noun, noun.lower_.replace("some", "no")),)
    if noun.lower_ == "someone":
        return (replace(noun, "no one"),)
    determiner = next(
        (child for child in noun.children if child.dep_ in {"det", "nummod", "amod"} and child.i < noun.i), None
    )
    if determiner is None:
        is_bare = noun.tag_ in {"NNS", "NN"} and noun.left_edge.i == noun.i
        return (insert_before(noun, "no"),) if is_bare else None
    if noun.lower_ in {"lot", "bit", "little", "deal"} and determiner.i == noun.i - 1:
        return None
    if determiner.lower_ in {"a", "an", "some", "any"} and determiner.i == noun.left_edge.i:
        return (replace(determiner, "no"),)
    if determiner.dep_ == "amod" and determiner.lower_ not in _QUANTITIES:
        return (insert_before(noun.left_edge, "no"),) if noun.left_edge.pos_ == "ADJ" else None
    return None


def negate_quantified_subject(group: VerbGroup) -> ChangeOrSkip | None:
    """Negate “Everyone likes it” as “Not everyone likes it”, “Someone came” as “No one came”."""
    subject = group.subject
    if subject is None or group.is_inverted or _QUANTIFYING_WORDS.isdisjoint(subject.doc.lowers):
        return None
    return _negate_amount(subject, group)


def _negate_amount(subject: Token, group: VerbGroup) -> ChangeOrSkip | None:
    lower = subject.lower_
    first = subject.left_edge
    if first.lower_ in _LIMITERS:
        return Skip("focus")
    # The negation of “Anybody knows it” is “Nobody” or “Not just anybody”, never “not”.
    is_any = lower in ANY_PRONOUNS or (first.lower_ == "any" and first.head.i == subject.i)
    excepted = any(child.lower_ in _EXCEPTIONS for child in subject.rights)  # “All but one came.”
    if is_any or excepted or (lower in _NEGATIVE_COUNTERPARTS and group.first.lower_ in {"must", "may", "might"}):
        return Skip("quantifier")
    if lower in UNIVERSAL_PRONOUNS or (
        first.lower_ in _EVERY and first.head.i == subject.i and first.dep_ in {"det", "amod", "predet"}
    ):
        if first.i > 0 and first.nbor(-1).lower_ in {"almost", "nearly", "not", "so", "how", "as", "too"}:
            return Skip("quantifier")
        return _replaced(group, first, f"not {first.lower_}", "not every")
    if lower == "some" and subject.i + 1 < len(subject.doc) and subject.nbor().lower_ == "of":
        return _replaced(group, subject, "none", "some of → none of")
    if lower in SOME_PRONOUNS and first.i == subject.i:
        new = "no one" if lower == "someone" else lower.replace("some", "no")
        return _replaced(group, subject, new, f"{lower} → {new}")
    if first.lower_ == "some" and first.dep_ == "det" and first.head.i == subject.i and subject.tag_ in {"NNS", "NN"}:
        return _replaced(group, first, "no", "some → no")
    return Skip("quantifier") if lower in _SCARCE or first.lower_ in _SCARCE else None


def _replaced(group: VerbGroup, token: Token, new: str, reason: str) -> PolarityChange:
    """Return the change that replaces a word for an amount, with the other words that change."""
    return PolarityChange((replace(token, cased_like(token.text, new)), *negative_items(group, group.first)), reason)
