"""Reported pairs come back with a synonym, in all four sentences alike."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from litotes.repair.examples.base import QUADRUPLE, Lesson
from litotes.repair.examples.rewording import REWORDED, reworded
from litotes.repair.holdout import pair_key

LESSON = Lesson(
    QUADRUPLE,
    anchor="It is an easy question.",
    same="It is not a difficult question.",
    opposite="It is a difficult question.",
    other="It is not an easy question.",
    pair=pair_key("easy", "difficult"),
    mates=True,
)


def test_one_of_the_two_words_changes_and_the_rest_stays() -> None:
    found = [*reworded([LESSON], frozenset({LESSON.pair}))]
    assert found
    for one in found:
        assert one.kind == REWORDED and one.mates and one.pair != LESSON.pair
        changed = {(one.anchor, one.other), (one.opposite, one.same)} - {
            (LESSON.anchor, LESSON.other),
            (LESSON.opposite, LESSON.same),
        }
        assert len(changed) == 1
        # What is said and what is denied have the same new word, and the article that fits it.
        positive, negative = changed.pop()
        assert negative.replace("not ", "") == positive


def test_no_held_out_pair_comes_back() -> None:
    found = [*reworded([LESSON], frozenset({LESSON.pair}))]
    held = frozenset({LESSON.pair, *(one.pair for one in found)})
    assert not [*reworded([LESSON], held)]
