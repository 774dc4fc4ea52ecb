"""The words of a sentence that can be replaced."""

from __future__ import annotations

import pytest

from litotes.languages.en.parser import parse
from litotes.languages.tree import Token
from litotes.rewrites.base import Sentence
from litotes.rewrites.en.words.content_words import content_words, lexicon_lemma, part_of_speech


def token(text: str, word: str) -> Token:
    return next(token for token in parse(text) if token.text == word)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("I am tired.", "tired", "a"),
        ("She was married.", "married", "a"),
        ("She was married by a priest.", "married", "v"),
        ("It is a boring book.", "boring", "a"),
        ("It has been closed.", "closed", "v"),
        ("He has left.", "has", None),
        ("He never came.", "never", "r"),
        ("He did not come.", "not", None),
        ("It's indecent.", "indecent", "a"),
        ("I am not well.", "well", "a"),
    ],
)
def test_part_of_speech_is_that_of_the_use(text: str, word: str, expected: str | None) -> None:
    assert part_of_speech(token(text, word)) == expected


def test_a_particle_belongs_to_its_verb() -> None:
    assert lexicon_lemma(token("They gave the plan up.", "gave"), "v") == "give up"
    assert lexicon_lemma(token("We looked for the key.", "looked"), "v") == "look for"
    assert lexicon_lemma(token("Nobody was happier.", "happier"), "a") == "happy"


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("Good morning, my friend.", {"Good", "morning"}),
        ("The high school is closed.", {"high", "school"}),
        ("I need it right now.", {"right", "now"}),
        ("At least he came.", {"least"}),
        ("It is a well-known fact.", {"well", "known"}),
        ("The White House is large.", {"White", "House"}),
        ("He has to make a cake.", {"has", "make"}),
        ("They are falling apart.", {"falling", "apart"}),
        ("He drank hot chocolate.", {"hot", "chocolate"}),
        ("Throw it into the trash can.", {"trash", "can"}),
        ("We saw New York.", {"New", "York"}),
        ("He lost his mind.", {"lost", "mind"}),
    ],
)
def test_fixed_expressions_and_names_are_not_content_words(text: str, excluded: set[str]) -> None:
    doc = parse(text)
    assert excluded <= {token.text for token in doc}
    assert not excluded & {word.token.text for word in content_words(Sentence(doc))}


def test_words_around_a_fixed_expression_are_content_words() -> None:
    lemmas = [word.lemma for word in content_words(Sentence(parse("The old man sells good hot dogs at a high price.")))]
    assert lemmas == ["old", "man", "sell", "good", "high", "price"]
