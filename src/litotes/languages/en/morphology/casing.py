"""Upper and lower case of words that replace others or move within a sentence."""

from __future__ import annotations

from functools import lru_cache

from litotes.languages.base import capitalised
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.syntax.tags import PROPER_NOUN_TAGS
from litotes.languages.tree import Token


def cased_like(template: str, word: str) -> str:
    """Return a word in the case of the word that it replaces.

    >>> cased_like("Good", "bad"), cased_like("GOOD", "bad"), cased_like("good", "French"), cased_like("I", "we")
    ('Bad', 'BAD', 'French', 'We')
    """
    if template.isupper() and sum(character.isalpha() for character in template) > 1:
        return word.upper()
    return capitalised(word) if template[:1].isupper() else word


def uncapitalised(token: Token) -> str:
    """Return the text of a token as it is inside a sentence: “the” for “The”, but “I”, “Tom” and “NASA”."""
    text = token.text
    if text == "I" or not text[:1].isupper() or text[1:] != text[1:].lower():
        return text
    if token.pos_ == "PROPN" or token.tag_ in PROPER_NOUN_TAGS:
        return text
    if token.pos_ in {"ADJ", "NOUN"} and has_capital(token.lower_, "a" if token.pos_ == "ADJ" else "n"):
        return text
    return text[0].lower() + text[1:]


@lru_cache(maxsize=4_096)
def has_capital(word: str, pos: str) -> bool:
    """Return whether a word has a capital in its most frequent sense: French, American, Monday."""
    senses = default_lexicon().senses(word, pos)
    return bool(senses) and senses[0].word[:1].isupper()
