"""Verb forms on the way: what a verb looks like with and without “do”, with another word in its place if asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import forms, inflect, lemmas
from litotes.languages.en.syntax.verb_groups import VerbGroup, is_plural
from litotes.rewrites.patches import Patch, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token

ContractionStyle: TypeAlias = Literal["keep", "contract", "expand"]


class WordSwap(NamedTuple):
    """A word that is to be replaced by a form of another on the way."""

    token: Token
    lemma: str
    pos: str


class VerbForms(NamedTuple):
    """The forms of verbs, one of them perhaps those of another word."""

    swap: WordSwap | None = None

    def verb(self, token: Token, tag: str) -> str | None:
        """A verb in the form that a tag names; None where its base form is not known."""
        if self.swap is not None and self.swap.token.i == token.i:
            return inflect(self.swap.lemma, tag)
        base = base_form(token)
        return None if base is None else inflect(base, tag)

    def completed(self, patches: tuple[Patch, ...]) -> tuple[Patch, ...] | None:
        """The patches with the swapped word, if they do not have it yet; None where it has no such form."""
        if self.swap is None:
            return patches
        token = self.swap.token
        if any(patch.start <= token.idx < patch.end for patch in patches):
            # A particle would stay behind: "did not give up" has no place for another word's "up".
            return None if any(child.dep_ == "prt" for child in token.children) else patches
        from litotes.rewrites.en.words.replacement import substitution

        rest = substitution(token, self.swap.lemma, self.swap.pos)
        return None if rest is None else (*patches, *rest)


_IN_ED = frozenset("need feed speed bleed breed heed seed weed succeed proceed exceed embed shed wed bed".split())
"""Verbs whose base ends as pasts do; another present in -ed is a past that the parser took for it."""
_MODALS = frozenset("can will shall may must might could would should".split())


def base_form(token: Token) -> str | None:
    """The infinitive of a verb; None where the dictionary knows no verb with such a form."""
    lower = token.lower_
    if token.tag_ in {"VB", "VBP"} and lower not in {"am", "are", "'re", "'m", "’re", "’m"}:
        known = len(forms(lower, "v")) > 1 and lower not in _MODALS
        return lower if known and not (lower.endswith("ed") and lower not in _IN_ED) else None
    likeliest = token.lemma_.lower()
    if _is_form_of(likeliest, lower):
        return likeliest
    return next((lemma for lemma in lemmas(lower, "v") if _is_form_of(lemma, lower)), None)


def _is_form_of(lemma: str, word: str) -> bool:
    known = forms(lemma, "v")
    return word in known and (lemma != word or word in ONE_FORM or len(known) > 1)


def finite_tag(group: VerbGroup) -> str:
    """VBZ, VBP or VBD for a finite lexical verb; verbs with one form for all ("put") by their subject."""
    tag = str(group.first.tag_)
    verb = group.first.lower_
    if tag == "VBP" and verb in ONE_FORM and group.subject is not None and is_third_singular(group.subject):
        return "VBD"  # "he put": a present would be "puts"
    return tag


def is_third_singular(subject: Token) -> bool:
    """Whether a subject takes “does”."""
    return subject.lower_ not in {
        "i",
        "you",
        "who",
        "that",
        "which",
        "what",
        "whoever",
        "all",
        "any",
        "some",
        "none",
    } and not is_plural(subject)


ONE_FORM = frozenset("hit hurt cut put set quit shut bet spread split burst cast read beat cost".split())
"""Verbs whose past looks like their present: only a subject such as “he” tells which is meant."""


def do_form(tag: str) -> str:
    """The form of “do” for the tag of the verb that it takes over from."""
    return {"VBZ": "does", "VBD": "did"}.get(tag, "do")


def inflect_all(tokens: list[Token], forms_: VerbForms, tag: str) -> list[Patch] | None:
    """Patches that put verbs into the form of a tag; None where one has no such form."""
    patches = []
    for token in tokens:
        form = forms_.verb(token, tag)
        if form is None:
            return None
        patches.append(replace(token, cased_like(token.text, form)))
    return patches
