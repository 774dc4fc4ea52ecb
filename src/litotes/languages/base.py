"""Types and helpers shared by all languages."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """A list of words, as people write it."""
    return frozenset(words.split())
