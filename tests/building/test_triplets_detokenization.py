"""Detokenization of corpus sentences."""

from __future__ import annotations

import pytest

from litotes.building.triplets import detokenise, has_unusual_marks


@pytest.mark.parametrize(
    ("tokenised", "text"),
    [
        ("The barge sank , the crew said .", "The barge sank, the crew said."),
        ("The crew 's barge did n't sink .", "The crew's barge didn't sink."),
        ("The crew ’ s barge didn 't sink .", "The crew’s barge didn't sink."),
        ("They 'll say we 're late , I 'm sure .", "They'll say we're late, I'm sure."),
        ('" We sank , " they said .', '"We sank," they said.'),
        ("`` We sank , '' they said .", '"We sank," they said.'),
        ('He called it " a leak " .', 'He called it "a leak".'),
        ('He said : " It leaks . "', 'He said: "It leaks."'),
        ("“ We sank ” , they said .", "“We sank”, they said."),
        ("The fare is $ 3.50 , up 5 % ( or so ) .", "The fare is $3.50, up 5% (or so)."),
        ("The ferry -LRB- the old one -RRB- left at 7 : 30 .", "The ferry (the old one) left at 7:30."),
        ("Mrs O 'Dowd lost 2 1 / 2 inches .", "Mrs O'Dowd lost 2 1/2 inches."),
        ("The sailors ' wives waited .", "The sailors' wives waited."),
        ("The Acme Co. 's barge sank .", "The Acme Co.'s barge sank."),
    ],
)
def test_punctuation_is_attached_to_its_word(tokenised: str, text: str) -> None:
    assert detokenise(tokenised) == text
    assert detokenise(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "The sailors' wives waited.",
        'She said, "It leaks," and left.',
        "A heron is wading through the pond",
        "It costs $4, not £3 (or €5).",
        "Rock 'n' roll is here to stay.",
        "",
    ],
)
def test_untokenised_text_is_unchanged(text: str) -> None:
    assert detokenise(text) == text


@pytest.mark.parametrize(
    "text",
    [
        '"There were two barges.',
        "The barge (the old one sank.",
        "The barge “sank.",
        "It sank ... slowly.",
        "It sank; they swam.",
        "OSLO HARBOUR, Norway: The barge sank.",
        "The barge 'sank' at noon.",
    ],
)
def test_recognises_unusual_marks(text: str) -> None:
    assert has_unusual_marks(text)


@pytest.mark.parametrize(
    "text",
    ['"It sank," he said.', "It sank at 7:30.", 'He said: "It sank."', "The sailors' boat (the old one) sank."],
)
def test_plain_sentences_pass(text: str) -> None:
    assert not has_unusual_marks(text)
