"""Filters for source sentences."""

from __future__ import annotations

import pytest

from litotes.building.pipeline.text_quality import count_words, has_cursing, is_clean, is_grammatical, is_used_as_name
from litotes.languages.en.parser import parse
from litotes.rewrites.base import Sentence


def parsed(text: str) -> Sentence:
    return Sentence(parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "The soup was cold when it came to our table.",
        "The soup was cold when it came to our table",
        "We moved here in the 1990s and never left!",
        "My neighbour's dog (a poodle) barks all night.",
        "It is okay to ask the man at the desk, and, to be fair, he helps.",
    ],
)
def test_accepts_clean_texts(text: str) -> None:
    assert is_clean(text)


@pytest.mark.parametrize(
    "text",
    [
        "the soup was cold when it came.",
        "The soup was cold lol.",
        "The soup was cold... really.",
        "The soup was cold:",
        "The soup was cold , sadly.",
        "The soup was cold/lukewarm when it came.",
        "The soup was SO COLD, TERRIBLE even.",
        "The soup was the the first dish.",
        "The soup I ordered and i ate was cold.",
        "We met on tuesday at the old mill.",
        "He said the soup was “cold and grey” again.",
        'The ""soup"" was cold when it came.',
        "You should of tried the soup at the inn.",
        "Its a pity that the soup was cold.",
        "The soup was cold but, we ate it.",
        "Read more at https://example.org about soup.",
        "We walked all the way to Mt.",
        "The soup was good The bread was not.",
        "(The soup was cold.",
        "Thank you for coming, I love the bread.",
        "How about we all hate the soup today.",
        "The soup was cold - we ate it.",
    ],
)
def test_rejects_unclean_texts(text: str) -> None:
    assert not is_clean(text)


def test_profanity_matches_words_and_prefixes() -> None:
    assert has_cursing("That was a damn good pie.")
    assert has_cursing("What an idiotic plan.")
    assert has_cursing("The killer was never found.")
    assert not has_cursing("She has great skill and assesses the class.")
    assert not has_cursing("Hello from the shell of a peacock.")


@pytest.mark.parametrize(
    "text",
    [
        "The baker closed the shop before noon.",
        "Close the shop before the storm comes.",
        "Don't close the shop before the storm comes.",
        "Well, the baker closed the shop before noon.",
        "How the baker does it is a mystery to me.",
        "The offseason was long, and the podcasts were dull.",
        "We met Brzezinsky at the harbour.",
    ],
)
def test_accepts_grammatical_texts(text: str) -> None:
    assert is_grammatical(parsed(text))


@pytest.mark.parametrize(
    "text",
    [
        "Because the baker closed the shop before noon.",
        "A very long day at the shop.",
        "Closed the shop before noon and went home.",
        "Can't say much about the shop.",
        "Love the new shop at the harbour.",
        "Who would buy bread on a Sunday.",
        "The baker clsoed the shop before noon.",
        "The baker left, he closed the shop.",
        "The baker closed the shop. He went home.",
        "The baker closed the shop, didn't he?",
    ],
)
def test_rejects_ungrammatical_texts(text: str) -> None:
    assert not is_grammatical(parsed(text))


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Jackie is a kind neighbour.", True),
        ("We saw Jackie and Tom at the mill.", True),
        ("We like Jackie's garden a lot.", True),
        ("Jackie are a great team this year.", False),
        ("We saw the Jackie at the mill.", False),
        ("Nobody here is named so.", True),
    ],
)
def test_recognises_words_used_as_names(text: str, fits: bool) -> None:
    assert is_used_as_name(parsed(text), "Jackie") is fits


def test_apostrophes_do_not_split_words() -> None:
    assert count_words("It isn’t bad, is it?") == 5
    assert count_words("") == 0
