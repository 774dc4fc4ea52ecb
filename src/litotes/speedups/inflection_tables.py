"""The tables of the dictionary of forms, read directly: each answer of lemminflect's own is a deep copy of a row."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from typing import Any, TypeAlias

from litotes.core.errors import missing_package
from litotes.speedups.spacy_import import import_spacy

_Row: TypeAlias = "dict[str, tuple[str, ...]]"

_ALTERNATIVES = {"VBD": "VBN", "VBN": "VBD"}
_ALTERNATIVES |= {"JJ": "RB", "JJR": "RBR", "JJS": "RBS", "RB": "JJ", "RBR": "JJR", "RBS": "JJS"}
"""Where the dictionary has no form under a tag: the tag whose forms mostly look the same."""
_TAGS = {"v": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"), "n": ("NN", "NNS", "NNP", "NNPS")}
_TAGS |= {"a": ("JJ", "JJR", "JJS"), "r": ("RB", "RBR", "RBS")}
_UPOS = {"v": "VERB", "n": "NOUN", "a": "ADJ", "r": "ADV"}


def known_lemmas(form: str, pos: str) -> tuple[str, ...]:
    """The words of a part of speech (n, v, a or r) that a form in small letters may belong to, likeliest first.

    >>> known_lemmas("better", "a"), known_lemmas("sleept", "v")
    (('good', 'well'), ())
    """
    own, instead = _lemma_tables()
    upos = _UPOS[pos]
    found = None
    if form in instead:
        found = instead[form].get(upos)
    if not found and form in own:
        found = own[form].get(upos)
    return _lowered(found)


def has_lemma(form: str) -> bool:
    """Whether a text in small letters is a form of any word."""
    own, instead = _lemma_tables()
    return bool(own.get(form) or instead.get(form))


def known_forms(lemma: str, tag: str) -> tuple[str, ...]:
    """The forms of a word that a Penn tag names, the usual one first.

    >>> known_forms("sleep", "VBD"), known_forms("unfriend", "VBD")
    (('slept',), ())
    """
    if not _is_small(lemma) or tag in {"NNP", "NNPS", "RP"}:
        # Without its guess for unknown words: that model is a pickle, and pickles are not read.
        found: tuple[str, ...] = _lemminflect().getInflection(lemma, tag, inflect_oov=False)
        return found
    row = _forms(lemma)
    return _lowered(row.get(tag) or row.get(_ALTERNATIVES.get(tag, "")))


def all_forms(lemma: str, pos: str) -> frozenset[str]:
    """All forms of a word as a part of speech; none where the dictionary does not know it.

    >>> sorted(all_forms("sleep", "v"))
    ['sleep', 'sleeping', 'sleeps', 'slept']
    """
    if not _is_small(lemma):
        found = _lemminflect().getAllInflections(lemma, upos=_UPOS[pos])
        return frozenset(form for some in found.values() for form in some)
    row = _forms(lemma)
    return frozenset(form for tag in _TAGS[pos] for form in _lowered(row.get(tag)))


def _forms(lemma: str) -> _Row:
    all_own, all_instead = _form_tables()
    own, instead = all_own.get(lemma, {}), all_instead.get(lemma)
    return {**own, **instead} if instead else own


def _lowered(words: Any) -> tuple[str, ...]:
    return tuple([word.lower() for word in words]) if words else ()


def _is_small(word: str) -> bool:
    """Whether a word has no capitals, which its forms would have to have too."""
    return word == word.lower() and not word[:1].isupper()


@lru_cache(maxsize=1)
def _lemma_tables() -> tuple[dict[str, _Row], dict[str, _Row]]:
    """Form → its words by part of speech: the dictionary's own, and those that stand instead of them."""
    lemmatizer = _lemminflect().Lemmatizer()
    return lemmatizer._getLemmaDict(), lemmatizer._getOverridesDict()


@lru_cache(maxsize=1)
def _form_tables() -> tuple[dict[str, _Row], dict[str, _Row]]:
    """Word → its forms by tag, likewise."""
    inflections = _lemminflect().Inflections()
    return inflections._getInflDict(), inflections._getOverridesDict()


@lru_cache(maxsize=1)
def _lemminflect() -> Any:
    if importlib.util.find_spec("lemminflect") is None:
        raise missing_package("lemminflect", "english")
    if importlib.util.find_spec("spacy") is not None:
        import_spacy()  # else it would do so itself, with all that comes along
    import lemminflect

    return lemminflect
