"""The dictionary of inflected forms: lemminflect, without its statistical model for unknown words."""

from __future__ import annotations

import importlib.util
from functools import cache, lru_cache
from typing import Any

from litotes.core.errors import missing_package
from litotes.speedups.spacy_import import import_spacy

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
