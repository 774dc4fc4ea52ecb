"""The lexicon's antonyms as quadruples."""

from __future__ import annotations

from litotes.training.repair.held_out import differing_words, pair_key
from litotes.training.repair.lexicon_lessons import LEXICON, lexicon_lessons


def test_many_pairs_each_once() -> None:
    found = [*lexicon_lessons()]
    pairs = [lesson.pair for lesson in found]
    assert len(pairs) == len(set(pairs)) > 2_000
    assert {pair_key("strong", "weak"), pair_key("gigantic", "little")} <= set(pairs)
    assert found == [*lexicon_lessons()]


def test_four_sentences_that_belong_together() -> None:
    for lesson in lexicon_lessons():
        assert lesson.kind == LEXICON and lesson.mates and len(set(lesson.texts)) == 4
        words = differing_words(lesson.anchor, lesson.opposite)
        assert words is not None and pair_key(*words) == lesson.pair
        # What is denied has the same two words, the other way round.
        assert differing_words(lesson.other, lesson.same) == words
