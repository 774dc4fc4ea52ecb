"""The choice between “a” and “an”."""

from __future__ import annotations

import pytest

from litotes.languages.en.morphology.articles import correct_article, indefinite_article

AN = """
apple ear eye oven open umbrella uncle ugly ultimate urban urgent urn usher utter umpire onion only oncoming onerous
unhappy unusual unlikely uneasy unopened unimportant uninteresting unintended unidentified unimpressed uninformed
unilluminated hour hourly honest honestly honor honourable heir heiress heirloom e-mail x-ray X-ray FBI MP MRI SUV FAQ
HTML RSVP LED NBA IQ F S-shaped R&B 8 80 800 8th 11 11th 18 18,000 11,000 1880s iPhone a.m. EU
""".split()
A = """
banana hotel house historic hypothesis herb year yellow yacht unit union unique uniform united university universal
unicycle unison unilateral unisex unidimensional unanimous useful user usual usually used-car usable utensil utility
utopia Utah Ukrainian ukulele Uganda uranium urine Uruguay uterus European euro eulogy euphoric eucalyptus ewe one
one-off one-way once oneness CIA NATO NASA UN UK UFO URL BBC VIP YMCA LAN U-turn T-shirt 1 1st 100 110 118 180 1,000
1,100 1980s
""".split()


@pytest.mark.parametrize("word", AN)
def test_vowel_sounds_take_an(word: str) -> None:
    assert indefinite_article(word) == "an"


@pytest.mark.parametrize("word", A)
def test_consonant_sounds_take_a(word: str) -> None:
    assert indefinite_article(word) == "a"


@pytest.mark.parametrize(
    ("following", "expected"),
    [("“evil” idea", "an"), ("(useful) idea", "a"), ("*amazing* idea", "an"), ("", "a"), ("…", "a"), ("— 8 men", "an")],
)
def test_punctuation_before_the_word_is_ignored(following: str, expected: str) -> None:
    assert indefinite_article(following) == expected


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("It is a evil idea.", "evil", "It is an evil idea."),
        ("It is an good idea.", "good", "It is a good idea."),
        ("An good idea.", "good", "A good idea."),
        ("A evil idea.", "evil", "An evil idea."),
        ("AN GOOD IDEA.", "GOOD", "A GOOD IDEA."),
        ("IT IS A OLD MAN.", "OLD", "IT IS AN OLD MAN."),
        ("IT IS AN MAN.", "MAN", "IT IS A MAN."),
        ("a\u00a0evil idea", "evil", "an\u00a0evil idea"),
        ("a  evil idea", "evil", "an  evil idea"),
        ("It is an evil idea.", "evil", "It is an evil idea."),
        ("Vitamin A is good.", "is", "Vitamin A is good."),
        ("The banana evil twin.", "evil", "The banana evil twin."),
        ("A cat's a odd one.", "odd", "A cat's an odd one."),
        ("evil idea", "evil", "evil idea"),
    ],
)
def test_article_before_the_position_is_adapted(text: str, word: str, expected: str) -> None:
    assert correct_article(text, text.index(word)) == expected


def test_article_at_the_end_is_unchanged() -> None:
    assert correct_article("I gave it an a ", 15) == "I gave it an a "
