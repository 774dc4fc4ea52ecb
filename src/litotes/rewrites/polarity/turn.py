"""A turn: patches that turn a clause round, and the pieces that all kinds of clauses share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from litotes.language.casing import cased_like
from litotes.language.contractions import full_form, is_short, with_not
from litotes.language.verb_group import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.patches import Patch, end_of, insert_after, join_after, replace, replace_span
from litotes.rewrites.polarity.forms import Style
from litotes.rewrites.polarity.items import goes_along, scope, to_negative

if TYPE_CHECKING:
    from litotes.language.tree import Token

FOCUS = frozenset("only merely solely even almost nearly finally eventually suddenly once alone soon hence yet".split())
"""Adverbs that “not” would attach to, so that the clause itself is not denied: “not only”, “not even”."""


class Turn(NamedTuple):
    """Patches that turn a clause round, and how."""

    patches: tuple[Patch, ...]
    reason: str


Turned: TypeAlias = "Turn | Skip"


def not_after(group: VerbGroup, style: Style) -> Iterator[tuple[Patch, ...]]:
    """“not” right after the first auxiliary, in the style that is asked for."""
    first = group.first
    full = full_form(first, group.verb)
    short = with_not(full, first.doc)
    if not first.whitespace_ and first.i + 1 < len(first.doc) and first.nbor().lower_ in {"'ve", "’ve", "ve"}:
        spread = f"{short} have" if short is not None and style != "expand" else f"{full} not have"
        yield (replace_span(first, first.nbor(), cased_like(first.text, spread)),)  # should've
        return
    contracted = is_short(first)
    word = "NOT" if first.is_upper and len(first) > 1 else "not"
    plain = (join_after(first, word) if first.lower_ == "can" else insert_after(first, word),)
    if style == "contract":
        if short is not None:
            blank = " " if contracted else ""
            yield (replace(first, blank + cased_like(first.text if not contracted else "x", short)),)
        elif full == "am" and not contracted and group.subject is not None and group.subject.text == "I":
            yield (Patch(end_of(group.subject), end_of(first), "'m not"),) if group.subject.i == first.i - 1 else plain
        else:
            yield plain
    elif style == "expand" and contracted:
        yield (replace(first, f" {full} not" if full != "can" else " cannot"),)
    elif contracted and first.lower_.replace("’", "'") in {"'ll", "'d", "'ve"} and short is not None:
        # "I'll not" and "I'd not" are no longer said; what keeps the contraction is "won't" and "wouldn't".
        yield (replace(first, f" {short}"),)
        yield plain
    elif contracted and full == "has" and short is not None:
        yield (replace(first, f" {short}"),)
        yield plain
    else:
        yield plain


def negative_items(group: VerbGroup, after: Token) -> Iterator[Patch]:
    """The words after a token that go along when a negation is put there."""
    return to_negative(scope(group.verb, after)) if goes_along(after.doc) else iter(())


def adverbs_after(group: VerbGroup, start: int) -> list[Token]:
    """The adverbs that follow the first auxiliary without a gap."""
    found = []
    for token in group.verb.doc[start:]:
        if token.tag_ not in {"RB", "RBR"} or token.dep_ not in {"advmod", "neg"} or token.head.i != group.verb.i:
            break
        found.append(token)
    return found


def adverbs_before(group: VerbGroup) -> list[Token]:
    """The adverbs that stand right before the verb, in order."""
    found: list[Token] = []
    place = group.first.i - 1
    doc = group.verb.doc
    while place >= 0:
        token = doc[place]
        if token.tag_ not in {"RB", "RBR"} or token.dep_ not in {"advmod", "neg"} or token.head.i != group.verb.i:
            if token.tag_ == "RB" and token.dep_ == "advmod" and found and token.head.i == found[0].i:
                found.insert(0, token)  # "very often"
                place -= 1
                continue
            break
        found.insert(0, token)
        place -= 1
    return found
