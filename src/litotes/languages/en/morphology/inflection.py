"""Inflection: the forms of a lemma, the lemmas of a form, and a new word in the form of an old one.

The dictionary is that of lemminflect, without its statistical model for unknown words.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache, lru_cache
from typing import Any

from litotes.core.errors import missing_package
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.syntax.tags import COMPARISON_TAGS
from litotes.languages.tree import Token
from litotes.speedups.spacy_import import import_spacy

_USUAL_FORMS = {
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
"""Usual forms that are not the first ones in the dictionary."""
_COMPARED_WITH_MORE = frozenset({"dead", "fun", "ill", "just", "real", "right", "wrong"})
"""Short adjectives without -er and -est; the dictionary contains “righter”, and “worse” for “wrong”."""
_PLURAL_INSIDE = re.compile(r"(\w+)(-in-law|(?<=er)-(?:by|up|on))")
_BE = {"VB": "be", "VBP": "are", "VBZ": "is", "VBD": "was", "VBN": "been", "VBG": "being"}


@lru_cache(maxsize=16_384)
def inflect(lemma: str, tag: str) -> str | None:
    """Return the form of a lemma for a Penn tag, or None if there is none.

    Of several words, the first is inflected if it is a verb, and otherwise the last.

    >>> inflect("sleep", "VBD"), inflect("give up", "VBG"), inflect("unfriend", "VBD"), inflect("beautiful", "JJR")
    ('slept', 'giving up', 'unfriended', None)
    """
    if lemma == "be":
        return _BE.get(tag)
    if tag in {"VB", "VBP", "NN", "NNP", "JJ", "RB"}:
        return lemma
    if " " in lemma:
        return _inflect_phrase(lemma, tag)
    if (lemma, tag) in _USUAL_FORMS:
        return _USUAL_FORMS[lemma, tag]
    known = known_forms(lemma, tag)
    if known:
        # The dictionary contains "freeer" and "trueer".
        has_double_e = lemma.endswith("e") and known[0] in {f"{lemma}er", f"{lemma}est"}
        return lemma[:-1] + known[0][len(lemma) :] if has_double_e else known[0]
    return None if tag in COMPARISON_TAGS else _regular(lemma, tag)


@lru_cache(maxsize=16_384)
def compared(lemma: str, degree: str) -> str:
    """Return the comparative (`R`) or superlative (`S`) of an adjective or adverb.

    >>> compared("happy", "R"), compared("awake", "R"), compared("bad", "S"), compared("ill-bred", "S")
    ('happier', 'more awake', 'worst', 'most ill-bred')
    """
    short = inflect(lemma, f"JJ{degree}") if _takes_endings(lemma) else None
    return short or f"{'more' if degree == 'R' else 'most'} {lemma}"


def inflect_like(token: Token, lemma: str, pos: str) -> str | None:
    """Return a lemma in the form and case of a token that it replaces, or None if it has no such form.

    `pos` is n, v, a or r. A comparative may become two words: “more awake” for “sleepier”.
    """
    tag = _tag(token)
    if tag in COMPARISON_TAGS:
        new: str | None = compared(lemma, tag[-1])
    elif pos == "v" and lemma == "be":
        return None  # its forms depend on the person
    elif pos == "n" and tag in {"NNS", "NNPS"}:
        new = inflect(lemma, "NNS")
    elif pos == "v" and tag == "MD":
        return None
    else:
        new = inflect(lemma, tag) if tag.startswith("VB") and pos == "v" else lemma
    return None if new is None else cased_like(token.text, new)


def _tag(token: Token) -> str:
    """Return the tag of a token, corrected if the tagger confused the past tense and the participle."""
    tag = token.tag_
    if tag not in {"VBD", "VBN"}:
        return tag
    has_auxiliary = subject = False
    for child in token.lefts:
        if child.dep_ in {"aux", "auxpass"}:
            if tag == "VBD" and child.tag_ != "MD" and child.lemma_ in {"have", "be"}:
                return "VBN"  # "has walked"
            has_auxiliary = True
        subject |= child.dep_ == "nsubj"
    return "VBD" if tag == "VBN" and subject and not has_auxiliary and token.dep_ == "ROOT" else tag


@lru_cache(maxsize=16_384)
def lemmas(word: str, pos: str) -> tuple[str, ...]:
    """Return the possible lemmas of a form, the likeliest first; the form itself if it is not in the dictionary.

    >>> lemmas("slept", "v"), lemmas("better", "a"), lemmas("Grommets", "n")
    (('sleep',), ('good', 'well'), ('grommet',))
    """
    lower = word.lower()
    return known_lemmas(lower, pos) or (lower,)


@lru_cache(maxsize=16_384)
def has_form(word: str, tag: str) -> bool:
    """Return whether a verb can have a Penn tag: "cut" can be VBD and VBN, "sang" cannot be VBN."""
    return any(word.lower() in known_forms(lemma, tag) for lemma in lemmas(word, "v"))


@lru_cache(maxsize=16_384)
def forms(lemma: str, pos: str) -> frozenset[str]:
    """Return all forms of a lemma, including the lemma itself."""
    return all_forms(lemma, pos) | {lemma}


def be(*, past: bool, person: int = 3, plural: bool = False) -> str:
    """Return a finite form of “be”.

    >>> be(past=False, person=1), be(past=True, plural=True), be(past=False)
    ('am', 'were', 'is')
    """
    if past:
        return "were" if plural or person == 2 else "was"
    if plural or person == 2:
        return "are"
    return "am" if person == 1 else "is"


def syllables(word: str) -> int:
    """Return the approximate number of syllables of a word."""
    groups = len(re.findall(r"[aeiouy]+", word.lower()))
    silent = re.search(r"[^aeiouyl]e$", word.lower()) is not None and groups > 1
    return max(1, groups - silent)


def _takes_endings(lemma: str) -> bool:
    if not lemma.isalpha() or lemma in _COMPARED_WITH_MORE:
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
    """Return the regular form of a lemma that is not in the dictionary.

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
    # A final consonant after a single vowel is doubled: "vlogged".
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


# The dictionary

_UPOS = {"v": "VERB", "n": "NOUN", "a": "ADJ", "r": "ADV"}


@lru_cache(maxsize=16_384)
def known_lemmas(form: str, pos: str) -> tuple[str, ...]:
    """Return the lemmas that a lower-case form may have as a part of speech (n, v, a or r), the likeliest first.

    >>> known_lemmas("better", "a"), known_lemmas("sleept", "v")
    (('good', 'well'), ())
    """
    lemmas: tuple[str, ...] = _lemminflect().getAllLemmas(form, upos=_UPOS[pos]).get(_UPOS[pos], ())
    return lemmas


def has_lemma(form: str) -> bool:
    """Return whether a lower-case text is a form of any word."""
    return bool(_lemminflect().getAllLemmas(form))


@lru_cache(maxsize=16_384)
def known_forms(lemma: str, tag: str) -> tuple[str, ...]:
    """Return the forms of a word for a Penn tag, the usual one first.

    >>> known_forms("sleep", "VBD"), known_forms("unfriend", "VBD")
    (('slept',), ())
    """
    # Without the model for unknown words, which is a pickle.
    forms: tuple[str, ...] = _lemminflect().getInflection(lemma, tag, inflect_oov=False)
    return forms


@lru_cache(maxsize=16_384)
def all_forms(lemma: str, pos: str) -> frozenset[str]:
    """Return all forms of a word as a part of speech; none if the dictionary does not have it.

    >>> sorted(all_forms("sleep", "v"))
    ['sleep', 'sleeping', 'sleeps', 'slept']
    """
    forms_by_tag = _lemminflect().getAllInflections(lemma, upos=_UPOS[pos])
    return frozenset(form for forms in forms_by_tag.values() for form in forms)


@cache
def _lemminflect() -> Any:
    if importlib.util.find_spec("lemminflect") is None:
        raise missing_package("lemminflect", "english")
    if importlib.util.find_spec("spacy") is not None:
        import_spacy()  # before lemminflect imports it itself
    import lemminflect

    return lemminflect
