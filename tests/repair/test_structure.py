"""Examples on word order, embedded clauses and two ways to negate."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from litotes.repair.examples.structure import EMBEDDED_CLAUSE, TWO_NEGATIONS, WORD_ORDER, structure_examples


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
