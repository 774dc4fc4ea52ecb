"""Amounts: subjects and existentials whose denial is “no”, “not every”, “nobody”."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.polarity.polarity_change import ChangeOrSkip, PolarityChange, negative_items, not_patches
from litotes.rewrites.patches import Patch, insert_after, insert_before, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token


_ANYBODY = frozenset({"anyone", "anybody", "anything"})
_NOBODY = {"someone": "no one", "somebody": "nobody", "something": "nothing", "some": "none"}
_AMOUNTS = frozenset({"number", "couple", "range", "variety", "bunch"})
_SCARCE = frozenset({"few", "little", "neither", "either", "none", "half", "part"})
_FOCUS = frozenset({"only", "just", "even"})
_EXCEPT = frozenset({"but", "except"})
_EVERYONE = frozenset({"everyone", "everybody", "everything"})
_EVERY = frozenset({"every", "all", "many"})
_TELLING = _ANYBODY | {"any"} | _NOBODY.keys() | _SCARCE | _FOCUS | _EXCEPT | _EVERYONE | _EVERY
"""Of which one is in every text whose subject is of an amount: most have none, and are not looked at."""


def negate_existential(group: VerbGroup, style: ContractionStyle) -> Iterator[ChangeOrSkip]:
    """“There is no man” first, then “There is not a man”; of an amount (“much time”) only “not” can be said."""
    following = group.verb.nbor().lower_ if group.verb.i + 1 < len(group.verb.doc) else ""
    if _is_amount(group) or following in {"only", "just", "almost", "nearly"}:
        yield Skip("quantifier")
        return
    if group.first.lower_ == "must":
        yield Skip("not-sure", "“there must be” concludes or demands, and each has another denial")
        return
    thing = next((child for child in group.verb.rights if child.dep_ in {"attr", "dobj"}), None)
    question = group.is_inverted
    if thing is not None and not question:
        no = _no_instead(thing)
        if no is not None:
            yield PolarityChange((*no, *negative_items(group, thing)), "there is no")
    anchor = group.subject if question and group.subject is not None else group.first
    items = negative_items(group, anchor)
    if question:
        yield PolarityChange((insert_after(anchor, "not"), *items), "question")
        return
    for patch in not_patches(group, style):
        yield PolarityChange((patch, *items), "there is not")


def _is_amount(group: VerbGroup) -> bool:
    """“There are a number of …”: neither “no number” nor “not a number” denies it."""
    return any(
        child.lower_ in _AMOUNTS or child.left_edge.nbor().lower_ == "few"
        for child in group.verb.children
        if child.dep_ == "attr" and child.left_edge.i + 1 < len(child.doc)
    )


def _no_instead(thing: Token) -> tuple[Patch, ...] | None:
    if thing.lower_ in {"something", "somebody"}:
        return (replace(thing, thing.lower_.replace("some", "no")),)
    if thing.lower_ == "someone":
        return (replace(thing, "no one"),)
    determiner = next(
        (child for child in thing.children if child.dep_ in {"det", "nummod", "amod"} and child.i < thing.i), None
    )
    if determiner is None:
        plain = thing.tag_ in {"NNS", "NN"} and thing.left_edge.i == thing.i
        return (insert_before(thing, "no"),) if plain else None
    if thing.lower_ in {"lot", "bit", "little", "deal"} and determiner.i == thing.i - 1:
        return None
    if determiner.lower_ in {"a", "an", "some", "any"} and determiner.i == thing.left_edge.i:
        return (replace(determiner, "no"),)
    if determiner.dep_ == "amod" and determiner.lower_ not in {
        "many",
        "much",
        "enough",
        "more",
        "few",
        "little",
        "several",
    }:
        return (insert_before(thing.left_edge, "no"),) if thing.left_edge.pos_ == "ADJ" else None
    return None


def negate_quantified_subject(group: VerbGroup) -> ChangeOrSkip | None:
    """“Everyone likes it” is denied by “Not everyone likes it”, “Someone came” by “No one came”."""
    subject = group.subject
    if subject is None or group.is_inverted or _TELLING.isdisjoint(subject.doc.lowers):
        return None
    return _denied_amount(subject, group)


def _denied_amount(subject: Token, group: VerbGroup) -> ChangeOrSkip | None:
    lower = subject.lower_
    first = subject.left_edge
    if first.lower_ in _FOCUS:
        return Skip("focus")
    # “Anybody knows it” is denied by “Nobody” or “Not just anybody”, never by “not”.
    is_any = lower in _ANYBODY or (first.lower_ == "any" and first.head.i == subject.i)
    excepted = any(child.lower_ in _EXCEPT for child in subject.rights)  # “All but one came.”
    if is_any or excepted or (lower in _NOBODY and group.first.lower_ in {"must", "may", "might"}):
        return Skip("quantifier")
    if lower in _EVERYONE or (
        first.lower_ in _EVERY and first.head.i == subject.i and first.dep_ in {"det", "amod", "predet"}
    ):
        if first.i > 0 and first.nbor(-1).lower_ in {"almost", "nearly", "not", "so", "how", "as", "too"}:
            return Skip("quantifier")
        return _with(group, first, f"not {first.lower_}", "not every")
    if lower == "some" and subject.i + 1 < len(subject.doc) and subject.nbor().lower_ == "of":
        return _with(group, subject, "none", "some of → none of")
    if lower in {"someone", "somebody", "something"} and first.i == subject.i:
        new = "no one" if lower == "someone" else lower.replace("some", "no")
        return _with(group, subject, new, f"{lower} → {new}")
    if first.lower_ == "some" and first.dep_ == "det" and first.head.i == subject.i and subject.tag_ in {"NNS", "NN"}:
        return _with(group, first, "no", "some → no")
    return Skip("quantifier") if lower in _SCARCE or first.lower_ in _SCARCE else None


def _with(group: VerbGroup, token: Token, new: str, reason: str) -> PolarityChange:
    """The clause with another word for an amount, and the words that go along."""
    return PolarityChange((replace(token, cased_like(token.text, new)), *negative_items(group, group.first)), reason)
