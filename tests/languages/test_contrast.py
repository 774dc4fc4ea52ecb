"""Detection of opposite pairs and of their difference."""

from __future__ import annotations

import pytest

from litotes.languages.en.contrast.comparison import find_contrast

POLARITY = [
    ("The ferry is late.", "The ferry is not late.", ("", "not")),
    ("The ferry is late.", "The ferry isn't late!", ("is", "isn't")),
    ("The ferry is late .", "The ferry is n't late .", None),
    ("We're moving to Leeds.", "We are not moving to Leeds.", ("", "not")),
    ("Ruth sings.", "Ruth doesn't sing.", ("sings", "doesn't sing")),
    ("Ruth sang in the choir.", "Ruth didn't sing in the choir.", ("sang", "didn't sing")),
    ("They cut the grass.", "They didn't cut the grass.", ("", "didn't")),
    ("I really like this tune.", "I don't really like this tune.", ("", "don't")),
    ("Lock the shed.", "Please don't lock the shed.", None),
    ("I can open this tin.", "I cannot open this tin.", ("can", "cannot")),
    ("I'll wait for the others.", "I won't wait for the others.", None),
    ("We have some flour.", "We don't have any flour.", ("some", "don't … any")),
    ("We have some flour.", "We have no flour.", ("some", "no")),
    ("There is a key in the drawer.", "There are no keys in the drawer.", None),
    ("Somebody called.", "Nobody called.", ("Somebody", "Nobody")),
    ("I saw something.", "I didn't see anything.", None),
    ("He has already paid.", "He hasn't paid yet.", None),
    ("She still works here.", "She no longer works here.", ("still", "no longer")),
    ("She still works here.", "She doesn't work here any more.", None),
    ("I have been to Norway.", "I've never been to Norway.", ("", "never")),
    ("I think that he knows.", "I don't think he knows.", None),
    ("If it rains, we'll play.", "If it rains, we won't play.", None),
    ("Yes, the shop is open.", "No, the shop isn't open.", ("is", "isn't")),
    ("I know why he isn't here.", "I don't know why he isn't here.", ("", "don't")),
]
ANTONYMS = [
    ("The tea is hot.", "The tea is cold.", ("hot", "cold")),
    ("It's an easy question.", "It is a difficult question.", ("easy", "difficult")),
    ("The lake is deeper than the pond.", "The lake is shallower than the pond.", ("deeper", "shallower")),
    ("He opened the gate.", "He closed the gate.", ("opened", "closed")),
    ("Turn on the lamp.", "Turn off the lamp, please.", ("on", "off")),
    ("She always knocks.", "She never knocks.", ("always", "never")),
    ("Everyone laughed.", "Nobody laughed.", ("Everyone", "Nobody")),
    ("I take my coffee with milk.", "I take my coffee without milk.", ("with", "without")),
]
NOT_OPPOSITE = [
    ("The tea is not good.", "The tea is bad."),  # the same
    ("I don't think he knows.", "I think he doesn't know."),  # the same
    ("Isn't the tea good?", "The tea is good."),  # asks the same
    ("The tea is good, isn't it?", "The tea is good, is it?"),
    ("Isn't this lovely!", "This is lovely!"),
    ("I like this tune.", "You don't like this tune."),  # others
    ("Ruth sings.", "Anna doesn't sing."),
    ("We have three hens.", "We don't have four hens."),
    ("Ruth helps Anna.", "Anna doesn't help Ruth."),
    ("I sing.", "I didn't sing."),  # another time
    ("Ruth sings.", "Ruth didn't sing."),
    ("He is not only rich.", "He is only rich."),
    ("He is not only rich.", "He is rich."),
    ("If it rains, we'll play.", "If it doesn't rain, we'll play."),  # both may be true
    ("I know who came.", "I know who didn't come."),
    ("The man who sings is here.", "The man who doesn't sing is here."),
    ("I didn't see anything.", "I didn't see nothing."),
    ("I didn't say that he came.", "I didn't say that he didn't come."),
    ("She likes old songs.", "She likes new songs."),
    ("I couldn't care less.", "I could care less."),
    ("He will say no.", "He will say."),
    ("You can't say.", "You can say that."),
    ("He might come.", "He might not come."),
    ("Perhaps it is true.", "Perhaps it isn't true."),
    ("Some people like it.", "Some people don't like it."),
    ("The tea isn't hot.", "The tea isn't cold."),
    ("The old man sings.", "The young man sings."),
    ("Some dogs are big.", "Some dogs are small."),
    ("The boy sings.", "The girl sings."),
    ("He can open it.", "He can close it."),
    ("When the water is cold, we swim.", "When the water is warm, we swim."),
    ("I couldn't help laughing.", "I could help laughing."),
    ("The tea is hot.", "The tea was cold."),  # more differs
    ("The tea is hot.", "The tea is hot."),
    ("“I know,” he said.", "“I don't know,” he said."),
]


@pytest.mark.parametrize(("first", "second", "differs"), POLARITY)
def test_recognises_a_negated_and_an_affirmative_text(first: str, second: str, differs: tuple[str, str] | None) -> None:
    check("polarity", first, second, differs)


@pytest.mark.parametrize(("first", "second", "differs"), ANTONYMS)
def test_recognises_a_word_and_its_antonym(first: str, second: str, differs: tuple[str, str]) -> None:
    check("antonym", first, second, differs)


def check(kind: str, first: str, second: str, differs: tuple[str, str] | None) -> None:
    result, mirrored = find_contrast(first, second), find_contrast(second, first)
    assert result is not None and mirrored is not None
    assert result.kind == mirrored.kind == kind
    assert result.differs == mirrored.differs[::-1]
    assert differs is None or result.differs == differs


@pytest.mark.parametrize(("first", "second"), NOT_OPPOSITE)
def test_similar_texts_are_not_opposites(first: str, second: str) -> None:
    assert find_contrast(first, second) is None
    assert find_contrast(second, first) is None


@pytest.mark.parametrize("strange", ["", "  ", "…", "👍", "not", "No.", "n't", "word " * 10_000, "\ud800", "O'Neill's"])
def test_unusual_texts_are_not_opposites(strange: str) -> None:
    for other in ("", "It is.", "not not", "word " * 9_999):
        assert find_contrast(strange, other) is None
        assert find_contrast(other, strange) is None
