"""The words in which a language model is asked which option means the same."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.models.base import Question

LETTERS = "ABCDEFGH"
"""What the options are called."""
WORDING = "choice-1"
"""Goes into fingerprints: another wording gives other answers."""


def same_as(sentence: str, options: Sequence[str]) -> Question:
    """Which option means the same as the sentence?

    >>> same_as("It is not far.", ("It is near.", "It is far.")).text
    'Which of these sentences means the same as “It is not far.”?'
    """
    return Question(f"Which of these sentences means the same as “{sentence}”?", tuple(options))


def same_pair(pairs: Sequence[tuple[str, str]]) -> Question:
    """Which of the pairs says the same thing twice?"""
    options = tuple(f"“{one}” and “{other}”" for one, other in pairs)
    return Question("Which of these pairs is of two sentences that mean the same?", options)


def same_or_not(one: str, other: str) -> Question:
    """Do the two mean the same? The first option is yes."""
    return Question(f"Do “{one}” and “{other}” mean the same?", ("yes", "no"))


def prompt_text(question: Question) -> str:
    """The question with its options behind letters, as the model reads it.

    >>> print(prompt_text(same_or_not("It rains.", "It is raining.")))
    Do “It rains.” and “It is raining.” mean the same?
    A. yes
    B. no
    Answer with one letter.
    """
    lines = [f"{letter}. {option}" for letter, option in zip(LETTERS, question.options, strict=False)]
    return "\n".join([question.text, *lines, "Answer with one letter."])
