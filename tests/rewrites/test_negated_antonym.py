"""Negated antonyms: antonym and negation together preserve the meaning."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite


def first(text: str, **options: str) -> str | None:
    edits = rewrite("negated_antonym", text, **options)
    return edits[0].text if edits else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("That's not bad.", "That's good."),
        ("That's good.", "That's not bad."),
        ("I'm innocent.", "I'm not guilty."),
        ("I know you're not asleep.", "I know you're awake."),
        ("This is a bad idea.", "This is not a good idea."),
        ("It isn't possible.", "It is impossible."),
        ("We're safe, aren't we?", "We're not in danger, are we?"),
        ("It's going to be hard.", "It's not going to be easy."),
        ("It's not going to be hard.", "It's going to be easy."),
        ("I don't think that's a good plan.", "I think that's a bad plan."),
        ("I like this tea.", "I do not dislike this tea."),
        ("She didn't remember my name.", "She forgot my name."),
        ("He failed the exam.", "He did not pass the exam."),
        ("They agree with us.", "They do not disagree with us."),
        ("There's something wrong about him.", "There's something not right about him."),
        ("He is in a good mood.", "He is not in a bad mood."),
        ("We are different.", "We are not the same."),
        ("It is my friend.", "It is not my enemy."),
        ("Their soup is really good.", "Their soup is not bad at all."),
        ("It's rather easy.", "It's not that difficult."),
        ("I think the hall is dark.", "I do not think the hall is light."),
        ("She thought it was a bad film.", "She did not think it was a good film."),
    ],
)
def test_the_first_edit_has_the_same_meaning(text: str, expected: str) -> None:
    edits = rewrite("negated_antonym", text)
    assert edits[0].text == expected
    assert edits[0].effect == "same"


@pytest.mark.parametrize(
    "text",
    [
        "He bought a good car.",  # people who do not buy a bad car need not buy a good one
        "She sold her house.",  # people who do not buy a house need not sell it
        "This is the best book.",  # something that is not the worst need not be the best
        "Her hair is long and red.",  # “not” would apply to “red” too
        "A boy is sitting on a chair.",
        "The evening was so cold.",  # “not so hot” is less
        "He is a bit taller than me.",  # “a bit not shorter” is not English
        "I love this song.",  # there is much between love and hate
        "Today is my first day.",  # there are days that are neither the first nor the last
    ],
)
def test_sentences_whose_meaning_would_change_are_skipped(text: str) -> None:
    edits = rewrite("negated_antonym", text)
    assert not edits and "not-the-same" in {skip.code for skip in edits.skips}


def test_sentences_without_antonyms_are_skipped() -> None:
    edits = rewrite("negated_antonym", "The man eats rice.")
    assert not edits and [skip.code for skip in edits.skips] == ["no-antonym"]


def test_the_reason_distinguishes_contradictory_from_contrary() -> None:
    assert "contradictory" in rewrite("negated_antonym", "It is possible.")[0].reason
    assert "contrary" in rewrite("negated_antonym", "It is hot.")[0].reason


def test_the_style_of_contractions_can_be_chosen() -> None:
    assert first("It is hot.", contractions="contract") == "It isn't cold."
    assert first("It's hot.", contractions="expand") == "It is not cold."


def test_the_word_can_be_chosen() -> None:
    assert first("The old man is happy.", word="happy") == "The old man is not unhappy."


def test_further_antonyms_follow_in_order() -> None:
    texts = [edit.text for edit in rewrite("negated_antonym", "It's not a good idea.")]
    assert texts[:2] == ["It's a bad idea.", "It's an evil idea."]


@pytest.mark.parametrize(
    "text", ["Remember what I told you.", "Gotta love this town.", "There are real doubts about it."]
)
def test_the_negation_never_appears_without_the_antonym(text: str) -> None:
    texts = {edit.text for edit in rewrite("negated_antonym", text)}
    assert not texts & {"Do not remember what I told you.", "Don't remember what I told you."}
    assert not any("Gotnot" in text or "no fake doubts" in text for text in texts)


def test_universal_statements_are_skipped() -> None:
    assert first("All these rooms are clean.") is None
    assert first("He is too shy to sing.") is None
    assert first("She locked the door.") is None
