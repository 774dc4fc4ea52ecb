"""Changes of capital letters."""

from __future__ import annotations

import pytest

from litotes.languages.base import capitalised
from litotes.languages.en.morphology.casing import cased_like, uncapitalised
from litotes.languages.en.parser import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("well, no", "Well, no"),
        ("“well,” he said", "“Well,” he said"),
        ("(maybe)", "(Maybe)"),
        ("… and so", "… And so"),
        ("Already", "Already"),
        ("3 men", "3 men"),
        ("élan", "Élan"),
        ("", ""),
        ("!?", "!?"),
    ],
)
def test_capitalises_the_first_letter(text: str, expected: str) -> None:
    assert capitalised(text) == expected


@pytest.mark.parametrize(
    ("model", "word", "expected"),
    [
        ("good", "bad", "bad"),
        ("Good", "bad", "Bad"),
        ("GOOD", "bad", "BAD"),
        ("good", "French", "French"),
        ("A", "one", "One"),
        ("I", "we", "We"),
        ("Good", "well-known", "Well-known"),
        ("", "bad", "bad"),
    ],
)
def test_copies_the_case_of_a_word(model: str, word: str, expected: str) -> None:
    assert cased_like(model, word) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog barked.", "the"),
        ("Good food is cheap.", "good"),
        ("I slept.", "I"),
        ("Tom slept.", "Tom"),
        ("NASA slept.", "NASA"),
        ("They saw us.", "they"),
        ("French food is good.", "French"),
    ],
)
def test_lowers_the_first_letter_except_for_names(text: str, expected: str) -> None:
    assert uncapitalised(parse(text)[0]) == expected
