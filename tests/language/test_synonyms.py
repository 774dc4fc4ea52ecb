"""Which words the lexicon relates, and how synonyms are ranked."""

from __future__ import annotations

import pytest

from litotes.language.synonyms import are_related


@pytest.mark.parametrize(
    ("word", "other", "pos"),
    [
        ("begin", "start", "v"),  # one synset
        ("big", "large", "a"),
        ("kid", "child", "n"),
        ("hot", "cold", "a"),  # antonyms
        ("sluggish", "fast", "a"),  # antonyms of similar words
        ("glad", "happy", "a"),  # similar
        ("quick", "speedy", "a"),
        ("happy", "happiness", "a"),  # derivations
        ("sleeper", "sleep", "n"),
        ("quickly", "quick", "r"),
        ("sleeps", "slept", "v"),  # forms of one word
        ("children", "kid", "n"),
        ("Happier", "glad", "a"),
    ],
)
def test_related_words_are_found_in_both_orders(word: str, other: str, pos: str) -> None:
    assert are_related(word, other, pos)
    assert are_related(other, word, pos)


@pytest.mark.parametrize(
    ("word", "other", "pos"),
    [("table", "cloud", "n"), ("swim", "bake", "v"), ("green", "polite", "a"), ("qwzx", "table", "n")],
)
def test_unrelated_words_are_not(word: str, other: str, pos: str) -> None:
    assert not are_related(word, other, pos)
    assert not are_related(other, word, pos)
