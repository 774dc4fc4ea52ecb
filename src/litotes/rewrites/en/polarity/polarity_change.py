"""A turn: patches that turn a clause round, and the pieces that all kinds of clauses share."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import full_form, is_short, with_not
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.polarity.polarity_items import has_positive_item, scope, to_negative
from litotes.rewrites.patches import Patch, end_of, insert_after, join_after, replace, replace_span

if TYPE_CHECKING:
    from litotes.languages.tree import Token

FOCUS_ADVERBS = frozenset(
    "only merely solely even almost nearly finally eventually suddenly once alone soon hence yet".split()
)
"""Adverbs that “not” would attach to, so that the clause itself is not denied: “not only”, “not even”."""
_ADVERBS = frozenset({"RB", "RBR"})
_ADVERBIAL = frozenset({"advmod", "neg"})


class PolarityChange(NamedTuple):
    """Patches that turn a clause round, and how."""

    patches: tuple[Patch, ...]
    reason: str


ChangeOrSkip: TypeAlias = "PolarityChange | Skip"


def not_patches(group: VerbGroup, style: ContractionStyle) -> list[Patch]:
    """“not” right after the first auxiliary, in the style that is asked for, best first."""
    first = group.first
    if not first.whitespace_ and first.i + 1 < len(first.doc) and first.nbor().lower_ in {"'ve", "’ve", "ve"}:
        return [_not_have(group, style)]
    contracted = is_short(first)
    shouts = first.is_upper and len(first.text) > 1
    word = "NOT" if shouts else "not"
    plain = join_after(first, word) if first.lower_ == "can" else insert_after(first, word)
    if style == "contract":
        return [_contracted_not(group, plain, contracted=contracted)]
    if not contracted:
        return [plain]
    full = full_form(first, group.verb)
    if style == "expand":
        return [replace(first, f" {full} not" if full != "can" else " cannot")]
    short = with_not(full, first.doc)
    if short is not None and (full == "has" or first.lower_.replace("’", "'") in {"'ll", "'d", "'ve"}):
        # "I'll not" and "I'd not" are no longer said; what keeps the contraction is "won't" and "wouldn't".
        return [replace(first, f" {short}"), plain]
    return [plain]


def _not_have(group: VerbGroup, style: ContractionStyle) -> Patch:
    """“should've” → “shouldn't have”."""
    first = group.first
    full = full_form(first, group.verb)
    short = with_not(full, first.doc) if style != "expand" else None
    spread = f"{full} not have" if short is None else f"{short} have"
    return replace_span(first, first.nbor(), cased_like(first.text, spread))


def _contracted_not(group: VerbGroup, plain: Patch, *, contracted: bool) -> Patch:
    """The first auxiliary with “n't”, or what comes closest to it."""
    first, subject = group.first, group.subject
    full = full_form(first, group.verb)
    short = with_not(full, first.doc)
    if short is not None:
        return replace(first, f" {short}" if contracted else cased_like(first.text, short))
    is_i = subject is not None and subject.text == "I" and subject.i == first.i - 1
    if subject is not None and is_i and full == "am" and not contracted:
        return Patch(end_of(subject), end_of(first), "'m not")
    return plain


def negative_items(group: VerbGroup, after: Token) -> tuple[Patch, ...]:
    """The words after a token that go along when a negation is put there."""
    return tuple(to_negative(scope(group.verb, after))) if has_positive_item(after.doc) else ()


def adverbs_after(group: VerbGroup, start: int) -> list[Token]:
    """The adverbs that follow the first auxiliary without a gap."""
    found = []
    verb = group.verb
    for token in islice(verb.doc.tokens, start, None):
        if token.tag_ not in _ADVERBS or token.head is not verb or token.dep_ not in _ADVERBIAL:
            break
        found.append(token)
    return found


def adverbs_before(group: VerbGroup) -> list[Token]:
    """The adverbs that stand right before the verb, in order."""
    found: list[Token] = []
    place = group.first.i - 1
    verb, tokens = group.verb, group.verb.doc.tokens
    while place >= 0:
        token = tokens[place]
        if token.tag_ not in _ADVERBS or token.head is not verb or token.dep_ not in _ADVERBIAL:
            if found and token.tag_ == "RB" and token.dep_ == "advmod" and token.head is found[0]:
                found.insert(0, token)  # "very often"
                place -= 1
                continue
            break
        found.insert(0, token)
        place -= 1
    return found
