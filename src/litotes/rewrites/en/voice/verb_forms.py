"""The forms of verbs that change their voice: lemma, participle, finite forms that agree, contractions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import be, has_form, inflect, lemmas
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
"""Auxiliaries that lean on their subject; "'s" may be "has" and "'d" "had"."""

FORMS_OF_BE = frozenset({"be", "is", "are", "am", "was", "were", "been", "being", "'s", "’s", "'re", "’re", "'m", "’m"})
MODALS = frozenset(
    {"can", "could", "may", "might", "must", "shall", "should", "will", "would", "ca", "wo", "sha", "ought"}
)


def verb_lemma(token: Token) -> str:
    """The verb of which a token is a form, by the dictionary, and of two such verbs the more common one."""
    return _lemma(token.lower_, token.tag_)


@lru_cache(maxsize=16_384)
def _lemma(word: str, tag: str) -> str:
    found = lemmas(word, "v")
    if tag in {"VB", "VBP"}:
        return word if word in found or not found else found[0]
    fitting = [lemma for lemma in found if tag not in {"VBD", "VBN"} or has_form_of(lemma, word, tag)] or list(found)
    return max(fitting, key=_frequency) if len(fitting) > 1 else fitting[0]


def has_form_of(lemma: str, word: str, tag: str) -> bool:
    """Whether a word is the past or the participle of a verb."""
    return word == (participle(lemma) if tag == "VBN" else past(lemma)) or (word != lemma and has_form(word, tag))


@lru_cache(maxsize=4_096)
def _frequency(lemma: str) -> int:
    return sum(sense.count for sense in default_lexicon().senses(lemma, "v"))


@lru_cache(maxsize=16_384)
def participle(lemma: str, surface: str = "") -> str | None:
    """The past participle; in the sentence's own spelling where that shows ("burnt")."""
    if surface in _T_PARTICIPLES:
        return surface
    return _PARTICIPLES.get(lemma) or inflect(lemma, "VBN")


@lru_cache(maxsize=16_384)
def past(lemma: str) -> str | None:
    """The past form."""
    return _PASTS.get(lemma) or inflect(lemma, "VBD")


def finite(lemma: str, *, is_past: bool, subject: VerbAgreement) -> str | None:
    """The finite form that agrees with a subject.

    >>> finite("see", is_past=False, subject=VerbAgreement(3, plural=False))
    'sees'
    >>> finite("be", is_past=True, subject=VerbAgreement(1, plural=True))
    'were'
    """
    if lemma == "be":
        return be(past=is_past, person=subject.person, plural=subject.plural)
    if is_past:
        return past(lemma)
    if subject.person == 3 and not subject.plural:
        return inflect(lemma, "VBZ")
    return lemma


def full_auxiliary(token: Token, following: str) -> str:
    """An auxiliary written out; `following` is the tag of the next verb, which tells "'s" = "is" from "'s" = "has"."""
    word = token.lower_
    if word in {"'s", "’s"}:
        return "has" if following == "VBN" else "is"
    if word in {"'d", "’d"}:
        return "had" if following in {"VBN", "VBD"} else "would"
    return CONTRACTED.get(word, word)


def contracted(auxiliary: str, apostrophe: str) -> str:
    """An auxiliary as it leans on a pronoun: "is" → "'s"."""
    short = {"is": "s", "has": "s", "are": "re", "am": "m", "have": "ve", "will": "ll", "would": "d", "had": "d"}
    return f"{apostrophe}{short[auxiliary]}" if auxiliary in short else f" {auxiliary}"


AUXILIARY_LEMMA = {
    "is": "be", "are": "be", "am": "be", "was": "be", "were": "be", "has": "have", "have": "have", "had": "have",
    "do": "do", "does": "do", "did": "do",
}  # fmt: skip
PAST_AUXILIARIES = frozenset({"was", "were", "had", "did"})


def agreeing(auxiliary: str, subject: VerbAgreement) -> str:
    """An auxiliary, written out, in the form that agrees with a subject; modals and most pasts as they are.

    >>> agreeing("have", VerbAgreement(3, False)), agreeing("was", VerbAgreement(2, False))
    ('has', 'were')
    """
    lemma = AUXILIARY_LEMMA.get(auxiliary)
    if lemma is None:
        return auxiliary
    return finite(lemma, is_past=auxiliary in PAST_AUXILIARIES, subject=subject) or auxiliary
