"""Capital letters: a new word stands as the old one stood, a moved word as its new place asks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.base import capitalised
from litotes.languages.en.lexicon.wordnet import default_lexicon

if TYPE_CHECKING:
    from litotes.languages.tree import Token


def cased_like(model: str, word: str) -> str:
    """The word with the capitals of the word whose place it takes.

    >>> cased_like("Good", "bad"), cased_like("GOOD", "bad"), cased_like("good", "French"), cased_like("I", "we")
    ('Bad', 'BAD', 'French', 'We')
    """
    if model.isupper() and sum(sign.isalpha() for sign in model) > 1:
        return word.upper()
    return capitalised(word) if model[:1].isupper() else word


def uncapitalised(token: Token) -> str:
    """The token's text as it stands inside a sentence: “The” → “the”, but “I”, “Tom” and “NASA” as they are."""
    text = token.text
    if text == "I" or not text[:1].isupper() or text[1:] != text[1:].lower():
        return text
    if token.pos_ == "PROPN" or token.tag_ in {"NNP", "NNPS"}:
        return text
    if token.pos_ in {"ADJ", "NOUN"} and has_capital(token.lower_, "a" if token.pos_ == "ADJ" else "n"):
        return text
    return text[0].lower() + text[1:]


@lru_cache(maxsize=4_096)
def has_capital(word: str, pos: str) -> bool:
    """Return whether a word has a capital in its most frequent sense: French, American, Monday."""
    senses = default_lexicon().senses(word, pos)
    return bool(senses) and senses[0].word[:1].isupper()
