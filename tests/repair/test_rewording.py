"""Reported pairs come back with a synonym, in all four sentences alike."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from litotes.repair.examples.base import QUADRUPLE, TrainingExample
from litotes.repair.examples.rewording import REWORDED, reworded
from litotes.repair.holdout import pair_key

QUADRUPLE_EXAMPLE = TrainingExample(
    QUADRUPLE,
    anchor="It is an easy question.",
    positive="It is not a difficult question.",
    negative="It is a difficult question.",
    second_negative="It is not an easy question.",
    antonym_pair=pair_key("easy", "difficult"),
    is_quadruple=True,
)


def test_replaces_one_of_the_two_words() -> None:
    examples = [*reworded([QUADRUPLE_EXAMPLE], frozenset({QUADRUPLE_EXAMPLE.antonym_pair}))]
    assert examples
    for example in examples:
        assert (
            example.kind == REWORDED and example.is_quadruple and example.antonym_pair != QUADRUPLE_EXAMPLE.antonym_pair
        )
        changed = {(example.anchor, example.second_negative), (example.negative, example.positive)} - {
            (QUADRUPLE_EXAMPLE.anchor, QUADRUPLE_EXAMPLE.second_negative),
            (QUADRUPLE_EXAMPLE.negative, QUADRUPLE_EXAMPLE.positive),
        }
        assert len(changed) == 1
        # What is said and what is denied have the same new word, and the article that fits it.
        positive, negative = changed.pop()
        assert negative.replace("not ", "") == positive


def test_does_not_produce_held_out_pairs() -> None:
    examples = [*reworded([QUADRUPLE_EXAMPLE], frozenset({QUADRUPLE_EXAMPLE.antonym_pair}))]
    held = frozenset({QUADRUPLE_EXAMPLE.antonym_pair, *(example.antonym_pair for example in examples)})
    assert not [*reworded([QUADRUPLE_EXAMPLE], held)]
