"""Word order, embedded clauses and two ways to deny as lessons."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from litotes.repair.examples.structure import EMBEDDED, TWO_DENIALS, WORD_ORDER, structure_lessons


def test_the_words_of_the_sentence_turned_round_against_what_says_the_same() -> None:
    made = [
        ("The gardener sent a letter to the mayor.", {"passive": "A letter was sent to the mayor by the gardener."})
    ]
    (found,) = structure_lessons(made)
    assert (found.kind, found.anchor, found.same) == (WORD_ORDER, made[0][0], made[0][1]["passive"])
    words = [sorted(text.lower().strip(".").split()) for text in (found.opposite, found.anchor)]
    assert words[0] == words[1] and found.opposite != found.anchor


def test_an_embedded_clause_against_the_denial() -> None:
    made = [("I think that the ferry is late.", {"negation": "I do not think that the ferry is late."})]
    (found,) = structure_lessons(made)
    assert (found.kind, found.same, found.opposite) == (EMBEDDED, "The ferry is late.", made[0][1]["negation"])


def test_two_denials_against_what_they_deny() -> None:
    denied = "A girl is not slicing butter in the kitchen."
    (found,) = structure_lessons([("A girl is slicing butter in the kitchen.", {"negation": denied})])
    assert (found.kind, found.anchor, found.opposite) == (
        TWO_DENIALS,
        denied,
        "A girl is slicing butter in the kitchen.",
    )
    assert found.same == "There is no girl slicing butter in the kitchen."


def test_one_denial_is_not_two() -> None:
    made = [("There is a spider in the bath.", {"negation": "There is no spider in the bath."})]
    assert not [*structure_lessons(made)]


def test_nothing_of_sentences_without_such_variants() -> None:
    assert not [*structure_lessons([("The ferry is late.", {"typo": "The fery is late."}), ("Hm.", {"negation": ""})])]
