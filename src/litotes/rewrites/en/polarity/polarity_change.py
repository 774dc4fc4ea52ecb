"""Changes of polarity: the patches that negate or affirm a clause, and the verb forms and adverbs that they share."""

from __future__ import annotations

from functools import partial
from itertools import islice, takewhile
from typing import Literal, NamedTuple, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en.modals import MODALS
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import full_form, is_contracted, with_not
from litotes.languages.en.morphology.inflection import forms, inflect, lemmas
from litotes.languages.en.syntax.verb_groups import VerbGroup, is_plural
from litotes.languages.tree import Token
from litotes.rewrites.base import Skip
from litotes.rewrites.en.polarity.polarity_items import has_positive_item, scope, to_negative
from litotes.rewrites.patches import Patch, insert_after, join_after, replace, replace_span

ContractionStyle: TypeAlias = Literal["keep", "contract", "expand"]


class WordSwap(NamedTuple):
    """A word and the lemma that replaces it."""

    token: Token
    lemma: str
    pos: str


class VerbForms(NamedTuple):
    """The forms of verbs; the forms of a replaced word are those of its replacement."""

    swap: WordSwap | None = None

    def verb(self, token: Token, tag: str) -> str | None:
        """Return a verb in the form of a tag, or None if its base form is unknown."""
        if self.swap is not None and self.swap.token.i == token.i:
            return inflect(self.swap.lemma, tag)
        base = base_form(token)
        return None if base is None else inflect(base, tag)

    def completed(self, patches: tuple[Patch, ...]) -> tuple[Patch, ...] | None:
        """Return the patches with the replaced word, or None if it has no suitable form."""
        if self.swap is None:
            return patches
        token = self.swap.token
        if any(patch.start <= token.idx < patch.end for patch in patches):
            # A particle would be left over: the "up" of "did not give up".
            return None if token.has_child("prt") else patches
        from litotes.rewrites.en.words.replacement import substitution

        replacement = substitution(token, self.swap.lemma, self.swap.pos)
        return None if replacement is None else (*patches, *replacement)


_BASE_FORMS_IN_ED = word_set("need feed speed bleed breed heed seed weed succeed proceed exceed embed shed wed bed")
"""Base forms in -ed; the parser takes other words in -ed for a present tense by mistake."""


def base_form(token: Token) -> str | None:
    """Return the infinitive of a verb, or None if the dictionary does not know the form."""
    lower = token.lower_
    if token.tag_ in {"VB", "VBP"} and lower not in {"am", "are", "'re", "'m", "’re", "’m"}:
        is_known = len(forms(lower, "v")) > 1 and lower not in MODALS
        return lower if is_known and not (lower.endswith("ed") and lower not in _BASE_FORMS_IN_ED) else None
    lemma = token.lemma_.lower()
    if _is_form_of(lemma, lower):
        return lemma
    return next((other_lemma for other_lemma in lemmas(lower, "v") if _is_form_of(other_lemma, lower)), None)


def _is_form_of(lemma: str, word: str) -> bool:
    known_forms = forms(lemma, "v")
    return word in known_forms and (lemma != word or word in INVARIANT_VERBS or len(known_forms) > 1)


def finite_tag(group: VerbGroup) -> str:
    """Return the tag (VBZ, VBP or VBD) of a finite verb; the subject decides for invariant verbs (“put”)."""
    tag = str(group.first.tag_)
    verb = group.first.lower_
    if tag == "VBP" and verb in INVARIANT_VERBS and group.subject is not None and is_third_singular(group.subject):
        return "VBD"  # "he put": a present would be "puts"
    return tag


_NOT_THIRD_SINGULAR = word_set("i you who that which what whoever all any some none")


def is_third_singular(subject: Token) -> bool:
    """Whether a subject takes “does”."""
    return subject.lower_ not in _NOT_THIRD_SINGULAR and not is_plural(subject)


INVARIANT_VERBS = word_set("hit hurt cut put set quit shut bet spread split burst cast read beat cost")
"""Verbs with the same form in present and past; only a subject such as “he” distinguishes them."""


def do_form(tag: str) -> str:
    """Return the form of “do” for the tag of the verb that it supports."""
    return {"VBZ": "does", "VBD": "did"}.get(tag, "do")


def inflect_all(tokens: list[Token], forms_: VerbForms, tag: str) -> list[Patch] | None:
    """Return the patches that put verbs into the form of a tag, or None if one has no such form."""
    patches = []
    for token in tokens:
        form = forms_.verb(token, tag)
        if form is None:
            return None
        patches.append(replace(token, cased_like(token.text, form)))
    return patches


FOCUS_ADVERBS = word_set("only merely solely even almost nearly finally eventually suddenly once alone soon hence yet")
"""Adverbs that “not” would negate instead of the clause: “not only”, “not even”."""


class PolarityChange(NamedTuple):
    """Patches that negate or affirm a clause, and a description."""

    patches: tuple[Patch, ...]
    reason: str


ChangeOrSkip: TypeAlias = "PolarityChange | Skip"


def not_patches(group: VerbGroup, style: ContractionStyle) -> list[Patch]:
    """Return the patches that put “not” after the first auxiliary in the given style, best first."""
    first = group.first
    if not first.whitespace_ and first.next_word in {"'ve", "’ve", "ve"}:
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
        return Patch(subject.end, first.end, "'m not")
    return plain


def negative_items(group: VerbGroup, after: Token) -> tuple[Patch, ...]:
    """Return the patches for words that change if a negation is inserted before them."""
    return tuple(to_negative(scope(group.verb, after))) if has_positive_item(after.doc) else ()


def adverbs_after(group: VerbGroup, start: int) -> list[Token]:
    """Return the adverbs right after the first auxiliary."""
    return list(takewhile(partial(_is_adverb_of, group.verb), islice(group.verb.doc.tokens, start, None)))


def adverbs_before(group: VerbGroup) -> list[Token]:
    """Return the adverbs right before the verb, in order."""
    adverbs: list[Token] = []
    token = group.first.previous
    while token is not None:
        # "very often"
        is_degree = bool(adverbs) and token.tag_ == "RB" and token.dep_ == "advmod" and token.head is adverbs[0]
        if not (is_degree or _is_adverb_of(group.verb, token)):
            break
        adverbs.insert(0, token)
        token = token.previous
    return adverbs


def _is_adverb_of(verb: Token, token: Token) -> bool:
    return token.tag_ in {"RB", "RBR"} and token.head is verb and token.dep_ in {"advmod", "neg"}
