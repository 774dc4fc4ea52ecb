"""Related words of the lexicon, and ranking of synonyms."""

from __future__ import annotations

from random import Random

import pytest

from litotes.languages.en.lexicon.synonyms import (
    are_related,
    base_forms,
    exceptions,
    lexicon_synonyms,
    related_words,
    sure_synonyms,
)
from litotes.languages.en.lexicon.wordnet import default_lexicon


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
def test_related_words_are_symmetric(word: str, other: str, pos: str) -> None:
    assert are_related(word, other, pos)
    assert are_related(other, word, pos)


@pytest.mark.parametrize(
    ("word", "other", "pos"),
    [("table", "cloud", "n"), ("swim", "bake", "v"), ("green", "polite", "a"), ("qwzx", "table", "n")],
)
def test_unrelated_words_are_not_related(word: str, other: str, pos: str) -> None:
    assert not are_related(word, other, pos)
    assert not are_related(other, word, pos)


def test_the_lexicon_offers_words_of_the_usual_sense_only() -> None:
    assert [near.new for near in lexicon_synonyms("standpoint", "n")] == ["viewpoint", "point of view"]
    # "run" has many senses, but no usual one; "bank" has one, which is not the usual sense of another word.
    assert lexicon_synonyms("run", "v") == ()
    assert lexicon_synonyms("bank", "n") == ()


def test_better_grades_come_first_with_reasons() -> None:
    for word, pos in [("standpoint", "n"), ("cooperate", "v"), ("afterwards", "r")]:
        results = lexicon_synonyms(word, pos)
        assert [near.grade for near in results] == sorted(near.grade for near in results)
        assert all(word in near.reason and near.new in near.reason for near in results)
        assert sure_synonyms(word, pos) == tuple(near for near in results if near.grade == 3)


@pytest.mark.parametrize(("word", "pos"), [("2nd", "a"), ("d", "n"), ("qwzx", "n"), ("chase away", "v")])
def test_numbers_letters_and_unknown_words_have_no_synonyms(word: str, pos: str) -> None:
    assert lexicon_synonyms(word, pos) == ()


def test_lexicon_is_not_used_for_excluded_words() -> None:
    assert ("year", "n") in exceptions()
    assert all(lexicon_synonyms(word, pos) == () for word, pos in exceptions())


def test_abbreviations_and_names_are_not_offered() -> None:
    offered = [near.new for word in ("hour", "ounce", "devil", "kilogram") for near in lexicon_synonyms(word, "n")]
    assert all(new == new.lower() and any(vowel in new for vowel in "aeiouy") for new in offered)


@pytest.mark.parametrize("pos", ["n", "v", "a", "r"])
def test_related_words_match_the_relation(pos: str) -> None:
    words = [word for word in default_lexicon().words(pos) if word.isalpha()]
    drawn = Random(pos)
    for word in drawn.sample(words, 25):
        kin = related_words(word, pos)
        for other in (*drawn.sample(words, 40), *sorted(kin)[:40]):
            assert are_related(word, other, pos) == (not kin.isdisjoint(base_forms(other, pos))), (word, other)
