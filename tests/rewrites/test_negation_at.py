"""`negation_at`: at a chosen word, or at each adjective and verb in turn."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("That is why it is illegal.", "illegal", "That is why it is not illegal."),
        ("I know you're asleep.", "asleep", "I know you're not asleep."),
        ("I know you're asleep.", "know", "I don't know you're asleep."),
        ("She told me how much it helped her.", "helped", "She told me how much it did not help her."),
        ("I want to go home.", "go", "I want not to go home."),
        ("He asked that she be there.", "be", "He asked that she not be there."),
        ("This is a good idea.", "good", "This is not a good idea."),
        ("There's something wrong.", "wrong", "There's nothing wrong."),
        ("You think he's not guilty.", "guilty", "You think he's guilty."),
        ("Guilty or innocent?", "innocent", "Guilty or not innocent?"),
        ("Happy people live longer.", "happy", "Not happy people live longer."),
    ],
)
def test_toggles_the_clause_of_the_word(text: str, word: str, expected: str) -> None:
    assert rewrite("negation_at", text, word=word)[0].text == expected


def test_adjectives_precede_verbs() -> None:
    texts = [edit.text for edit in rewrite("negation_at", "I think that's a bad idea.")]
    assert texts.index("I think that's not a bad idea.") < texts.index("I don't think that's a bad idea.")


def test_other_styles_and_local_negation_come_last() -> None:
    texts = [edit.text for edit in rewrite("negation_at", "She left.")]
    assert texts == ["She did not leave.", "She didn't leave."]
    texts = [edit.text for edit in rewrite("negation_at", "There's something wrong about him.")]
    assert texts[-1] == "There's something not wrong about him."


def test_skips_a_missing_word() -> None:
    edits = rewrite("negation_at", "She left.", word="happy")
    assert not edits and [skip.code for skip in edits.skips] == ["no-word"]


def test_reason_names_the_word() -> None:
    assert "illegal" in rewrite("negation_at", "It is illegal.")[0].reason
