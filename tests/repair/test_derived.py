"""Examples on word order, embedded clauses and two ways to negate; quadruples with a synonym."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from litotes.repair.examples.base import QUADRUPLE, TrainingExample
from litotes.repair.examples.derived import (
    EMBEDDED_CLAUSE,
    REWORDED,
    TWO_NEGATIONS,
    WORD_ORDER,
    reworded,
    structure_examples,
)
from litotes.repair.holdout import pair_key


def test_contrasts_a_paraphrase_with_reordered_words() -> None:
    cases = [
        ("The gardener sent a letter to the mayor.", {"passive": "A letter was sent to the mayor by the gardener."})
    ]
    (example,) = structure_examples(cases)
    assert (example.kind, example.anchor, example.positive) == (WORD_ORDER, cases[0][0], cases[0][1]["passive"])
    words = [sorted(text.lower().strip(".").split()) for text in (example.negative, example.anchor)]
    assert words[0] == words[1] and example.negative != example.anchor


def test_contrasts_an_embedded_clause_with_the_negation() -> None:
    cases = [("I think that the ferry is late.", {"negation": "I do not think that the ferry is late."})]
    (example,) = structure_examples(cases)
    assert (example.kind, example.positive, example.negative) == (
        EMBEDDED_CLAUSE,
        "The ferry is late.",
        cases[0][1]["negation"],
    )


def test_contrasts_two_negations_with_the_sentence() -> None:
    negation = "A girl is not slicing butter in the kitchen."
    (example,) = structure_examples([("A girl is slicing butter in the kitchen.", {"negation": negation})])
    assert (example.kind, example.anchor, example.negative) == (
        TWO_NEGATIONS,
        negation,
        "A girl is slicing butter in the kitchen.",
    )
    assert example.positive == "There is no girl slicing butter in the kitchen."


def test_identical_negations_give_no_example() -> None:
    cases = [("There is a spider in the bath.", {"negation": "There is no spider in the bath."})]
    assert not [*structure_examples(cases)]


def test_other_variants_give_no_example() -> None:
    assert not [*structure_examples([("The ferry is late.", {"typo": "The fery is late."}), ("Hm.", {"negation": ""})])]


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
        # Sentence and negation contain the same new word and its article.
        positive, negative = changed.pop()
        assert negative.replace("not ", "") == positive


def test_does_not_produce_held_out_pairs() -> None:
    examples = [*reworded([QUADRUPLE_EXAMPLE], frozenset({QUADRUPLE_EXAMPLE.antonym_pair}))]
    held = frozenset({QUADRUPLE_EXAMPLE.antonym_pair, *(example.antonym_pair for example in examples)})
    assert not [*reworded([QUADRUPLE_EXAMPLE], held)]
