"""The forms of words: what a new word looks like in the place of an old one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection_dictionary import all_forms, known_forms, known_lemmas

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_OWN_FORMS = {
    ("person", "NNS"): "people",
    ("fish", "NNS"): "fish",
    ("ox", "NNS"): "oxen",
    ("hang", "VBD"): "hung",
    ("hang", "VBN"): "hung",
    ("program", "VBD"): "programmed",
    ("program", "VBN"): "programmed",
    ("program", "VBG"): "programming",
    ("many", "JJR"): "more",
    ("many", "JJS"): "most",
}
"""Where the dictionary's first form is not the usual one."""
_WITH_MORE = frozenset({"dead", "fun", "ill", "just", "real", "right", "wrong"})
"""Short adjectives that take no endings all the same: the dictionary has “righter”, and “worse” for “wrong”."""
_PLURAL_INSIDE = re.compile(r"(\w+)(-in-law|(?<=er)-(?:by|up|on))")
_BE = {"VB": "be", "VBP": "are", "VBZ": "is", "VBD": "was", "VBN": "been", "VBG": "being"}


@lru_cache(maxsize=16_384)
def inflect(lemma: str, tag: str) -> str | None:
    """The form of a word that a Penn tag names; None where the word has no such form.

    A word of several parts changes in its first (verbs) or its last.

    >>> inflect("sleep", "VBD"), inflect("give up", "VBG"), inflect("unfriend", "VBD"), inflect("beautiful", "JJR")
    ('slept', 'giving up', 'unfriended', None)
    """
    if lemma == "be":
        return _BE.get(tag)
    if tag in {"VB", "VBP", "NN", "NNP", "JJ", "RB"}:
        return lemma
    if " " in lemma:
        return _inflect_phrase(lemma, tag)
    if (lemma, tag) in _OWN_FORMS:
        return _OWN_FORMS[lemma, tag]
    known = known_forms(lemma, tag)
    if known:
        # The dictionary has "freeer" and "trueer".
        doubled = lemma.endswith("e") and known[0] in {f"{lemma}er", f"{lemma}est"}
        return lemma[:-1] + known[0][len(lemma) :] if doubled else known[0]
    return None if tag in {"JJR", "JJS", "RBR", "RBS"} else _regular(lemma, tag)


@lru_cache(maxsize=16_384)
def compared(lemma: str, degree: str) -> str:
    """The comparative (`R`) or superlative (`S`) of an adjective or adverb.

    >>> compared("happy", "R"), compared("awake", "R"), compared("bad", "S"), compared("ill-bred", "S")
    ('happier', 'more awake', 'worst', 'most ill-bred')
    """
    short = inflect(lemma, f"JJ{degree}") if _takes_endings(lemma) else None
    return short or f"{'more' if degree == 'R' else 'most'} {lemma}"


def in_place_of(token: Token, lemma: str, pos: str) -> str | None:
    """A word in the form and with the capitals of the token whose place it takes; None where it has no such form.

    `pos` is n, v, a or r. A comparative may come in two words: “more awake” for “sleepier”.
    """
    tag = _tag(token)
    if tag in {"JJR", "JJS", "RBR", "RBS"}:
        new: str | None = compared(lemma, tag[-1])
    elif pos == "v" and lemma == "be":
        return None  # its forms depend on the person: no synonym takes its place
    elif pos == "n" and tag in {"NNS", "NNPS"}:
        new = inflect(lemma, "NNS")
    elif pos == "v" and tag == "MD":
        return None
    else:
        new = inflect(lemma, tag) if tag.startswith("VB") and pos == "v" else lemma
    return None if new is None else cased_like(token.text, new)


def _tag(token: Token) -> str:
    """The token's tag, mended where the small tagger takes a past tense for a participle or the other way round."""
    tag = token.tag_
    if tag not in {"VBD", "VBN"}:
        return tag
    helped = subject = False
    for child in token.lefts:
        if child.dep_ in {"aux", "auxpass"}:
            if tag == "VBD" and child.tag_ != "MD" and child.lemma_ in {"have", "be"}:
                return "VBN"  # "has walked" is no past tense
            helped = True
        subject |= child.dep_ == "nsubj"
    return "VBD" if tag == "VBN" and subject and not helped and token.dep_ == "ROOT" else tag


@lru_cache(maxsize=16_384)
def lemmas(word: str, pos: str) -> tuple[str, ...]:
    """The words of which this may be a form, likeliest first; itself where the dictionary knows none.

    >>> lemmas("slept", "v"), lemmas("better", "a"), lemmas("Grommets", "n")
    (('sleep',), ('good', 'well'), ('grommet',))
    """
    lower = word.lower()
    return known_lemmas(lower, pos) or (lower,)


@lru_cache(maxsize=16_384)
def has_form(word: str, tag: str) -> bool:
    """Whether a word can be the form that a tag names: "cut" is VBD and VBN, "sang" is not VBN."""
    return any(word.lower() in known_forms(lemma, tag) for lemma in lemmas(word, "v"))


@lru_cache(maxsize=16_384)
def forms(lemma: str, pos: str) -> frozenset[str]:
    """All forms of a word, itself among them."""
    return all_forms(lemma, pos) | {lemma}


def be(*, past: bool, person: int = 3, plural: bool = False) -> str:
    """The finite form of “be”.

    >>> be(past=False, person=1), be(past=True, plural=True), be(past=False)
    ('am', 'were', 'is')
    """
    if past:
        return "were" if plural or person == 2 else "was"
    if plural or person == 2:
        return "are"
    return "am" if person == 1 else "is"


def syllables(word: str) -> int:
    """About how many syllables a word has."""
    groups = len(re.findall(r"[aeiouy]+", word.lower()))
    silent = re.search(r"[^aeiouyl]e$", word.lower()) is not None and groups > 1
    return max(1, groups - silent)


def _takes_endings(lemma: str) -> bool:
    """Whether an adjective is compared by -er and -est."""
    if not lemma.isalpha() or lemma in _WITH_MORE:
        return False
    if lemma.endswith(("less", "ful", "ous", "ive", "ed", "ing", "ct", "st")) and syllables(lemma) > 1:
        return lemma == "modest"
    if re.match(r"(?:un|in|im|dis)[a-z]{3,}", lemma) and syllables(lemma) > 2:
        return lemma.endswith("y")
    return syllables(lemma) == 1 or (syllables(lemma) == 2 and lemma.endswith(("y", "le", "ow", "er", "et", "mple")))


def _inflect_phrase(lemma: str, tag: str) -> str | None:
    first, _, rest = lemma.partition(" ")
    if tag.startswith("VB"):
        form = inflect(first, tag)
        return None if form is None else f"{form} {rest}"
    start, _, last = lemma.rpartition(" ")
    form = inflect(last, tag)
    return None if form is None else f"{start} {form}"


def _regular(lemma: str, tag: str) -> str | None:
    """The regular form of a word that the dictionary does not know.

    >>> [_regular("vlog", tag) for tag in ("VBZ", "VBD", "VBG")], _regular("sister-in-law", "NNS")
    (['vlogs', 'vlogged', 'vlogging'], 'sisters-in-law')
    """
    if not lemma.replace("-", "").isalpha():
        return None
    if tag in {"NNS", "NNPS", "VBZ"}:
        return _with_s(lemma, tag)
    if tag not in {"VBD", "VBN", "VBG"}:
        return None
    stem = lemma[:-1] if lemma.endswith("e") else lemma
    # A single consonant after the single vowel of a word is doubled: "vlogged".
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", lemma):
        stem += lemma[-1]
    if tag != "VBG":
        return lemma[:-1] + "ied" if re.search(r"[^aeiou]y$", lemma) else stem + "ed"
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    return (lemma if lemma.endswith(("ee", "ye", "oe")) else stem) + "ing"


def _with_s(lemma: str, tag: str) -> str:
    inside = _PLURAL_INSIDE.fullmatch(lemma) if tag != "VBZ" else None
    if inside:
        return f"{inflect(inside[1], 'NNS')}{inside[2]}"
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ies"
    return lemma + ("es" if re.search(r"(?:s|x|z|ch|sh)$", lemma) else "s")
