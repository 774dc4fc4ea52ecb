"""What the lexicon says of words, as far as voice needs it: persons, things, places, adverbs, phrasal verbs."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.wordnet import default_lexicon

if TYPE_CHECKING:
    from litotes.languages.tree import Token

ANIMAL, ARTIFACT, ATTRIBUTE, BODY, GROUP, LOCATION, OBJECT, PERSON, PLANT = 5, 6, 7, 8, 14, 15, 17, 18, 20
"""Lexicographer files of nouns."""


@lru_cache(maxsize=16_384)
def noun_files(lemma: str) -> tuple[int, ...]:
    """The lexicographer files of a noun's senses, the most frequent first."""
    return tuple(sense.synset.lexfile for sense in default_lexicon().senses(lemma, "n"))


def noun_file(token: Token) -> int | None:
    """The lexicographer file of a noun's first sense; None where the lexicon does not know it."""
    files = noun_files(token.lemma_.lower())
    return files[0] if files else None


@lru_cache(maxsize=16_384)
def is_adverb(word: str) -> bool:
    """Whether the lexicon knows it as an adverb."""
    return default_lexicon().knows(word, "r")


@lru_cache(maxsize=16_384)
def is_adjective(word: str) -> bool:
    """Whether the lexicon knows it as an adjective."""
    return default_lexicon().knows(word, "a")


@lru_cache(maxsize=16_384)
def is_verb(lemma: str) -> bool:
    """Whether the lexicon knows it as a verb."""
    return default_lexicon().knows(lemma, "v")


@lru_cache(maxsize=16_384)
def is_phrasal(verb: str, particle: str) -> bool:
    """Whether verb and particle are one word of the lexicon: "turn off"."""
    return default_lexicon().knows(f"{verb} {particle}", "v")
