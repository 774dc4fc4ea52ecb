"""The lexicon's antonyms and synonyms as quadruples."""

from __future__ import annotations

from collections import Counter

import pytest

from litotes.repair.examples.base import Lesson
from litotes.repair.examples.lexicon import LEXICON, lexicon_lessons
from litotes.repair.holdout import differing_words, pair_key


@pytest.fixture(scope="module")
def found() -> list[Lesson]:
    return [*lexicon_lessons()]


def words_of(lesson: Lesson, one: str, other: str) -> str:
    words = differing_words(one, other)
    assert words is not None
    return pair_key(*(word.removeprefix("the ") for word in words))


def test_many_pairs_and_the_common_ones_more_than_once(found: list[Lesson]) -> None:
    pairs = Counter(lesson.pair for lesson in found)
    assert len(pairs) > 5_000 and set(pairs.values()) == {1, 2, 4}
    assert pairs[pair_key("strong", "weak")] == 4
    assert {pair_key("gigantic", "little"), pair_key("huge", "immense")} <= set(pairs)
    assert len(found) == len(set(found))
    assert found == [*lexicon_lessons()]


def test_opposites_of_our_own_table_are_among_them(found: list[Lesson]) -> None:
    pairs = {lesson.pair for lesson in found}
    assert {pair_key("cloudy", "sunny"), pair_key("awful", "great"), pair_key("cautious", "reckless")} <= pairs
    assert pair_key("free", "busy") not in pairs  # of people alone


def test_a_rare_word_comes_in_where_the_text_has_it(found: list[Lesson]) -> None:
    rare = pair_key("blameless", "guilty")
    assert rare not in {lesson.pair for lesson in found}
    assert rare in {lesson.pair for lesson in lexicon_lessons({"blameless"})}


def test_four_sentences_that_belong_together(found: list[Lesson]) -> None:
    for lesson in found:
        assert lesson.kind == LEXICON and lesson.mates and len(set(lesson.texts)) == 4
        said = [text.partition(", are")[0].lower() for text in lesson.texts]  # without “, aren't you?”
        denied = [" not " in f" {text}" or "n't " in text for text in said]
        if denied[1]:  # an antonym, whose denial says what the word says
            assert denied == [False, True, False, True]
            assert words_of(lesson, lesson.anchor, lesson.opposite) == lesson.pair
            assert words_of(lesson, lesson.other, lesson.same) == lesson.pair
        else:
            assert denied == [False, False, True, True]
            assert words_of(lesson, lesson.anchor, lesson.same) == lesson.pair
            assert words_of(lesson, lesson.opposite, lesson.other) == lesson.pair


def test_the_same_has_its_article(found: list[Lesson]) -> None:
    texts = [text for lesson in found for text in lesson.texts if " same" in text]
    assert texts and all(" the same" in text for text in texts)
