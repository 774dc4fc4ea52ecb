"""Verb forms for a change of voice: lemma, participle, agreeing finite forms, contractions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.wordnet import frequency
from litotes.languages.en.morphology.inflection import be, has_form, inflect, lemmas
from litotes.languages.en.verbs import PAST_AUXILIARIES
from litotes.rewrites.en.grammar.agreement import VerbAgreement

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_PARTICIPLES = {
    "bear": "borne", "light": "lit", "smell": "smelled", "spell": "spelled", "spoil": "spoiled", "lean": "leaned",
    "wake": "woken", "mimic": "mimicked", "prove": "proven", "mow": "mowed", "saw": "sawed", "cast": "cast",
    "broadcast": "broadcast", "forecast": "forecast", "bid": "bid", "bet": "bet", "wed": "wed", "knit": "knitted",
    "shave": "shaved", "leap": "leaped", "lie": "lied", "input": "input", "text": "texted", "slay": "slain",
}  # fmt: skip
_PASTS = {
    "light": "lit", "weave": "wove", "cast": "cast", "broadcast": "broadcast", "bid": "bid", "knit": "knitted",
    "mimic": "mimicked", "text": "texted", "slay": "slew", "lie": "lied", "input": "input",
}  # fmt: skip
_T_PARTICIPLES = frozenset(
    {"burnt", "learnt", "dreamt", "spelt", "spilt", "spoilt", "smelt", "leant", "leapt", "knelt"}
)

CONTRACTED = {
    "'s": "is", "’s": "is", "'re": "are", "’re": "are", "'m": "am", "’m": "am", "'ve": "have", "’ve": "have",
    "'ll": "will", "’ll": "will", "'d": "would", "’d": "would",
}  # fmt: skip
"""Contracted auxiliaries; "'s" may also be "has", and "'d" "had"."""


def verb_lemma(token: Token) -> str:
    """Return the lemma of a verb by the dictionary; if there are two, the more frequent one."""
    return _lemma(token.lower_, token.tag_)


@lru_cache(maxsize=16_384)
def _lemma(word: str, tag: str) -> str:
    known = lemmas(word, "v")
    if tag in {"VB", "VBP"}:
        return word if word in known or not known else known[0]
    fitting = [lemma for lemma in known if tag not in {"VBD", "VBN"} or _is_form_of(lemma, word, tag)] or list(known)
    return max(fitting, key=lambda lemma: frequency(lemma, "v")) if len(fitting) > 1 else fitting[0]


def _is_form_of(lemma: str, word: str, tag: str) -> bool:
    """Whether a word is the past form or the participle of a verb."""
    return word == (participle(lemma) if tag == "VBN" else past_form(lemma)) or (word != lemma and has_form(word, tag))


@lru_cache(maxsize=16_384)
def participle(lemma: str, surface: str = "") -> str | None:
    """Return the past participle; `surface`, the form in the sentence, decides between spellings ("burnt")."""
    if surface in _T_PARTICIPLES:
        return surface
    return _PARTICIPLES.get(lemma) or inflect(lemma, "VBN")


@lru_cache(maxsize=16_384)
def past_form(lemma: str) -> str | None:
    """Return the past form."""
    return _PASTS.get(lemma) or inflect(lemma, "VBD")


def finite_form(lemma: str, *, is_past: bool, subject: VerbAgreement) -> str | None:
    """Return the finite form that agrees with a subject.

    >>> finite_form("see", is_past=False, subject=VerbAgreement(3, plural=False))
    'sees'
    >>> finite_form("be", is_past=True, subject=VerbAgreement(1, plural=True))
    'were'
    """
    if lemma == "be":
        return be(past=is_past, person=subject.person, plural=subject.plural)
    if is_past:
        return past_form(lemma)
    if subject.person == 3 and not subject.plural:
        return inflect(lemma, "VBZ")
    return lemma


def full_auxiliary(token: Token, following: str) -> str:
    """Return an auxiliary in full; `following` is the tag of the next verb, by which "'s" is "is" or "has"."""
    word = token.lower_
    if word in {"'s", "’s"}:
        return "has" if following == "VBN" else "is"
    if word in {"'d", "’d"}:
        return "had" if following in {"VBN", "VBD"} else "would"
    return CONTRACTED.get(word, word)


def contracted_auxiliary(auxiliary: str, apostrophe: str) -> str:
    """Return the form that is attached to a pronoun: "'s" for "is"."""
    short = {"is": "s", "has": "s", "are": "re", "am": "m", "have": "ve", "will": "ll", "would": "d", "had": "d"}
    return f"{apostrophe}{short[auxiliary]}" if auxiliary in short else f" {auxiliary}"


_AUXILIARY_LEMMAS = {
    "is": "be", "are": "be", "am": "be", "was": "be", "were": "be", "has": "have", "have": "have", "had": "have",
    "do": "do", "does": "do", "did": "do",
}  # fmt: skip


def agreeing_auxiliary(auxiliary: str, subject: VerbAgreement) -> str:
    """Return the form of a full auxiliary that agrees with a subject; modals do not change.

    >>> agreeing_auxiliary("have", VerbAgreement(3, False)), agreeing_auxiliary("was", VerbAgreement(2, False))
    ('has', 'were')
    """
    lemma = _AUXILIARY_LEMMAS.get(auxiliary)
    if lemma is None:
        return auxiliary
    return finite_form(lemma, is_past=auxiliary in PAST_AUXILIARIES, subject=subject) or auxiliary
