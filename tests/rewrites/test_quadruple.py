"""Quadruples: three sentences from any of the four."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite
from litotes.rewrites.en.quadruple import Quadruple, quadruples


@pytest.mark.parametrize(
    ("input_", "antonym", "polarity", "both", "words"),
    [
        ("I'm guilty.", "I'm innocent.", "I'm not guilty.", "I'm not innocent.", ("guilty", "innocent")),
        ("That is bad.", "That is good.", "That is not bad.", "That is not good.", ("bad", "good")),
        (
            "It is a useful tool.",
            "It is a useless tool.",
            "It is not a useful tool.",
            "It is not a useless tool.",
            ("useful", "useless"),
        ),
        ("He is early.", "He is late.", "He is not early.", "He is not late.", ("early", "late")),
    ],
)
def test_each_of_the_four_sentences_yields_the_remaining_three(
    input_: str, antonym: str, polarity: str, both: str, words: tuple[str, str]
) -> None:
    old, new = words
    four = {
        input_: (antonym, polarity, both, (old, new)),
        antonym: (input_, both, polarity, (new, old)),
        polarity: (both, input_, antonym, (old, new)),
        both: (polarity, antonym, input_, (new, old)),
    }
    for text, expected in four.items():
        results = quadruples(text)
        actual = [(result.antonym, result.polarity, result.both, tuple(result.words)) for result in results]
        assert expected in actual, (text, results)
        assert all(result.input == text for result in results)


def test_the_pair_of_words_has_no_article() -> None:
    result = quadruples("It was an easy task.")[0]
    assert result == Quadruple(
        "It was an easy task.",
        "It was a difficult task.",
        "It was not an easy task.",
        "It was not a difficult task.",
        result.words,
    )
    assert tuple(result.words) == ("easy", "difficult")


def test_the_rule_gives_three_drafts_with_their_effects() -> None:
    edits = rewrite("quadruple", "I'm not happy.")
    assert [(edit.text, edit.reason, edit.effect) for edit in edits] == [
        ("I'm not unhappy.", "antonym", "opposite"),
        ("I'm happy.", "polarity", "opposite"),
        ("I'm unhappy.", "both", "same"),
    ]


def test_question_tags_change_with_the_clause() -> None:
    result = quadruples("You're sure, aren't you?")[0]
    assert result.polarity == "You're not sure, are you?"
    assert result.both == "You're not unsure, are you?"


@pytest.mark.parametrize("text", ["", "The man eats rice.", "He bought a good car.", "!!!"])
def test_sentences_without_a_quadruple_yield_none(text: str) -> None:
    assert quadruples(text) == []
    assert not rewrite("quadruple", text)


def test_the_four_sentences_of_each_quadruple_differ() -> None:
    results = quadruples("It's not a good idea.")
    assert len(results) > 1
    for result in results:
        assert len({result.input, result.antonym, result.polarity, result.both}) == 4


def test_the_word_can_be_chosen() -> None:
    assert tuple(quadruples("The old man is happy.", word="happy")[0].words) == ("happy", "unhappy")
