"""Four sentences from any of them."""

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
def test_any_of_the_four_gives_the_other_three(
    input_: str, antonym: str, polarity: str, both: str, words: tuple[str, str]
) -> None:
    old, new = words
    four = {
        input_: (antonym, polarity, both, (old, new)),
        antonym: (input_, both, polarity, (new, old)),
        polarity: (both, input_, antonym, (old, new)),
        both: (polarity, antonym, input_, (new, old)),
    }
    for text, wanted in four.items():
        made = quadruples(text)
        assert any((one.antonym, one.polarity, one.both, tuple(one.words)) == wanted for one in made), (text, made)
        assert all(one.input == text for one in made)


def test_the_pair_of_words_has_no_article() -> None:
    made = quadruples("It was an easy task.")[0]
    assert made == Quadruple(
        "It was an easy task.",
        "It was a difficult task.",
        "It was not an easy task.",
        "It was not a difficult task.",
        made.words,
    )
    assert tuple(made.words) == ("easy", "difficult")


def test_the_rule_gives_three_drafts_with_their_effects() -> None:
    edits = rewrite("quadruple", "I'm not happy.")
    assert [(edit.text, edit.reason, edit.effect) for edit in edits] == [
        ("I'm not unhappy.", "antonym", "opposite"),
        ("I'm happy.", "polarity", "opposite"),
        ("I'm unhappy.", "both", "same"),
    ]


def test_question_tags_turn_with_the_clause() -> None:
    made = quadruples("You're sure, aren't you?")[0]
    assert made.polarity == "You're not sure, are you?"
    assert made.both == "You're not unsure, are you?"


@pytest.mark.parametrize("text", ["", "The man eats rice.", "He bought a good car.", "!!!"])
def test_a_sentence_without_a_quadruple_gives_none(text: str) -> None:
    assert quadruples(text) == []
    assert not rewrite("quadruple", text)


def test_there_may_be_several_and_all_four_always_differ() -> None:
    made = quadruples("It's not a good idea.")
    assert len(made) > 1
    for one in made:
        assert len({one.input, one.antonym, one.polarity, one.both}) == 4


def test_the_word_can_be_chosen() -> None:
    assert tuple(quadruples("The old man is happy.", word="happy")[0].words) == ("happy", "unhappy")
