"""Changes of polarity: the patches that negate or affirm a clause, and what all kinds of clauses share."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import full_form, is_contracted, with_not
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
"""Adverbs that “not” would negate instead of the clause: “not only”, “not even”."""
_ADVERBS = frozenset({"RB", "RBR"})
_ADVERBIAL = frozenset({"advmod", "neg"})


class PolarityChange(NamedTuple):
    """Patches that negate or affirm a clause, and a description."""

    patches: tuple[Patch, ...]
    reason: str


ChangeOrSkip: TypeAlias = "PolarityChange | Skip"


def not_patches(group: VerbGroup, style: ContractionStyle) -> list[Patch]:
    """Return the patches that put “not” after the first auxiliary in the given style, best first."""
    first = group.first
    if not first.whitespace_ and first.i + 1 < len(first.doc) and first.nbor().lower_ in {"'ve", "’ve", "ve"}:
        return [_not_have(group, style)]
    contracted = is_contracted(first)
    is_upper = first.is_upper and len(first.text) > 1
    word = "NOT" if is_upper else "not"
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
        # "I'll not" and "I'd not" are archaic; the contracted forms are "won't" and "wouldn't".
        return [replace(first, f" {short}"), plain]
    return [plain]


def _not_have(group: VerbGroup, style: ContractionStyle) -> Patch:
    """“should've” → “shouldn't have”."""
    first = group.first
    full = full_form(first, group.verb)
    short = with_not(full, first.doc) if style != "expand" else None
    full_words = f"{full} not have" if short is None else f"{short} have"
    return replace_span(first, first.nbor(), cased_like(first.text, full_words))


def _contracted_not(group: VerbGroup, plain: Patch, *, contracted: bool) -> Patch:
    """Return the patch for the first auxiliary with “n't”, or for the closest form to it."""
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
    """Return the patches for words that change if a negation is inserted before them."""
    return tuple(to_negative(scope(group.verb, after))) if has_positive_item(after.doc) else ()


def adverbs_after(group: VerbGroup, start: int) -> list[Token]:
    """Return the adverbs right after the first auxiliary."""
    adverbs = []
    verb = group.verb
    for token in islice(verb.doc.tokens, start, None):
        if token.tag_ not in _ADVERBS or token.head is not verb or token.dep_ not in _ADVERBIAL:
            break
        adverbs.append(token)
    return adverbs


def adverbs_before(group: VerbGroup) -> list[Token]:
    """Return the adverbs right before the verb, in order."""
    adverbs: list[Token] = []
    index = group.first.i - 1
    verb, tokens = group.verb, group.verb.doc.tokens
    while index >= 0:
        token = tokens[index]
        if token.tag_ not in _ADVERBS or token.head is not verb or token.dep_ not in _ADVERBIAL:
            if adverbs and token.tag_ == "RB" and token.dep_ == "advmod" and token.head is adverbs[0]:
                adverbs.insert(0, token)  # "very often"
                index -= 1
                continue
            break
        adverbs.insert(0, token)
        index -= 1
    return adverbs
