"""Splitting of running text into sentences."""

from __future__ import annotations

import time

import pytest

from litotes.languages.en.sentences import split_sentences

CASES = [
    "He lives in the U.S. and likes it. | She doesn't.",
    "We flew to the U.K. | The flight was late.",
    "“Stop!” Ann said. | “Why?” he asked. | No answer came.",
    '"Go." | She left.',
    "I met J. R. Okafor. | Mrs. St. John came, too. | So did I. | Then we left.",
    "It cost 3.50 euros... or so. | Really?! | Yes (it did). | (Nobody knew.) | Fine.",
    "See fig. 3 and p. 12. | No. | It is item no. 5. | No!",
    "Bread, milk, etc. | The shop was shut. | Apples etc. were there.",
    "We met at 5 p.m. | It was dark. | We met at 5 p.m. Tuesday.",
    "Visit example.org. | It is down.",
    "Some birds, e.g. Gulls, stay. | Wait a sec. | One more rep. | Then rest.",
    "Nobody won… | 2 of them cried.",
]


@pytest.mark.parametrize("case", CASES)
def test_text_is_split_into_sentences(case: str) -> None:
    expected = case.split(" | ")
    assert [sentence for _, sentence in split_sentences(" ".join(expected))] == expected


def test_offsets_refer_to_the_text() -> None:
    text = "  One came.\n Two\nwent.  "
    result = list(split_sentences(text))
    assert result == [(2, "One came."), (13, "Two went.")]
    assert text[13:].startswith("Two")


@pytest.mark.parametrize("piece", [".", ". ", "A. ", "(", '."', "A. ("])
def test_splitting_is_fast_for_any_text(piece: str) -> None:
    start = time.process_time()
    for _ in split_sentences(piece * (1_000_000 // len(piece))):
        pass
    assert time.process_time() - start < 20
