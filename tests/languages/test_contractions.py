"""Contractions and question tags."""

from __future__ import annotations

import pytest

from litotes.languages.en.morphology.contractions import full_form, uses_contractions, with_not, without_not
from litotes.languages.en.parser import parse
from litotes.languages.en.syntax.question_tags import question_tag
from litotes.languages.en.syntax.verb_groups import root, verb_group


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("He's tired.", "is"),
        ("He's been tired.", "has"),
        ("He's got a dog.", "has"),
        ("He’s late.", "is"),
        ("I'd go.", "would"),
        ("I'd gone.", "had"),
        ("They'll come.", "will"),
        ("They've come.", "have"),
        ("You're late.", "are"),
        ("I'm late.", "am"),
        ("She won't come.", "will"),
        ("She can't come.", "can"),
    ],
)
def test_short_forms_are_expanded(text: str, full: str) -> None:
    group = verb_group(root(parse(text)))
    assert full_form(group.first, group.verb) == full


def test_apostrophe_of_the_text_is_preserved() -> None:
    assert with_not("is", parse("It’s late.")) == "isn’t"
    assert with_not("is", parse("It's late.")) == "isn't"
    assert with_not("may", parse("It may be late.")) is None


def test_negation_is_removed_from_contractions() -> None:
    assert [without_not(parse(text)[1]) for text in ("I can't.", "I won't go.", "I shan't go.", "I didn't go.")] == [
        "can",
        "will",
        "shall",
        "did",
    ]


def test_possessive_is_not_a_contraction() -> None:
    assert not uses_contractions(parse("Tom's dog is big."))
    assert uses_contractions(parse("Tom's dog isn't big."))


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("It works, doesn't it?", "does"),
        ("It does not work, does it?", "doesn't"),
        ("You can, can't you?", "can"),
        ("You will, won't you?", "will"),
        ("You will not, will you?", "won't"),
        ("I'm late, aren't I?", "am"),
        ("I'm not late, am I?", "aren't"),
        ("He is, is he not?", "is"),
        ("They’re here, aren’t they?", "are"),
    ],
)
def test_question_tags_are_reversed(text: str, turned: str) -> None:
    tag = question_tag(text)
    assert tag is not None and tag.turned == turned


@pytest.mark.parametrize("text", ["Where is he?", "Is it late?", "It works, right?", "He said, do it?"])
def test_ordinary_questions_have_no_tag(text: str) -> None:
    assert question_tag(text) is None
