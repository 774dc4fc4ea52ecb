"""The questions for prompted language models and their wording."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.models.base import Question

LETTERS = "ABCDEFGH"
"""The names of the options."""
WORDING = "choice-1"
"""The version of the wording, part of fingerprints."""


def paraphrase_question(sentence: str, options: Sequence[str]) -> Question:
    """Return the question which option means the same as the sentence.

    >>> paraphrase_question("It is not far.", ("It is near.", "It is far.")).text
    'Which of these sentences means the same as “It is not far.”?'
    """
    return Question(f"Which of these sentences means the same as “{sentence}”?", tuple(options))


def paraphrase_pair_question(pairs: Sequence[tuple[str, str]]) -> Question:
    """Return the question which of the pairs consists of two sentences with the same meaning."""
    options = tuple(f"“{first}” and “{second}”" for first, second in pairs)
    return Question("Which of these pairs is of two sentences that mean the same?", options)


def same_meaning_question(first: str, second: str) -> Question:
    """Return the question whether two sentences mean the same; the first option is yes."""
    return Question(f"Do “{first}” and “{second}” mean the same?", ("yes", "no"))


def prompt_text(question: Question) -> str:
    """Return the prompt for a question.

    >>> print(prompt_text(same_meaning_question("It rains.", "It is raining.")))
    Do “It rains.” and “It is raining.” mean the same?
    A. yes
    B. no
    Answer with one letter.
    """
    lines = [f"{letter}. {option}" for letter, option in zip(LETTERS, question.options, strict=False)]
    return "\n".join([question.text, *lines, "Answer with one letter."])
