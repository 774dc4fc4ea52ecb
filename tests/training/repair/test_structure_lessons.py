"""Word order and embedded clauses as lessons."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from litotes.training.repair.structure_lessons import EMBEDDED, WORD_ORDER, structure_lessons


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


def test_nothing_of_sentences_without_such_variants() -> None:
    assert not [*structure_lessons([("The ferry is late.", {"typo": "The fery is late."}), ("Hm.", {"negation": ""})])]
