"""Noun phrases that move: where they end, their case and capitals, what a verb agrees with, what points back."""

from __future__ import annotations

import pytest

from litotes.languages.en.parser import parse
from litotes.languages.tree import Token
from litotes.rewrites.en.grammar.noun_phrases import (
    NounPhrase,
    VerbAgreement,
    agreement,
    as_object,
    as_subject,
    conjunction,
    conjuncts,
    inside_text,
    is_pronoun,
    is_reflexive_or_reciprocal,
    lowered,
    may_be_bound,
    noun_phrase,
)


def word(text: str, wanted: str) -> Token:
    return next(token for token in parse(text) if token.text == wanted)


def phrase(text: str, head: str) -> NounPhrase:
    found = noun_phrase(word(text, head))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "head", "wanted"),
    [
        ("The man who sold the world, left.", "man", "The man who sold the world"),
        ("We met the old king of Spain.", "king", "the old king of Spain"),
        ("My sister Ann, a good cook, sings well.", "sister", "My sister Ann, a good cook"),
        ("I saw [NAME] there.", "NAME", "[NAME]"),
        ("She called it “art”.", "it", "it"),
    ],
)
def test_extent(text: str, head: str, wanted: str) -> None:
    assert phrase(text, head).text == wanted


def test_modifiers_can_be_left() -> None:
    doc = parse("He put the book on the table.")
    book = next(token for token in doc if token.text == "book")
    on = next(token for token in doc if token.text == "on")
    found = noun_phrase(book, leave=[on])
    assert found is not None
    assert found.text == "the book"


def test_place_in_the_text() -> None:
    found = phrase("We met the old king.", "king")
    assert (found.start, found.end, len(found)) == (7, 19, 3)
    assert word("We met the old king.", "old").text == "old"
    assert found.head in found
    assert found.head.doc[0] not in found


@pytest.mark.parametrize(
    ("text", "head", "subject", "object_"),
    [
        ("They saw her.", "her", "she", "her"),
        ("He saw them.", "He", "he", "him"),
        ("Ann saw him and me.", "him", "he and I", "him and me"),
        ("He and I slept.", "He", "he and I", "him and me"),
        ("The cook saw it.", "cook", "the cook", "the cook"),
        ("Ann saw her mother.", "mother", "her mother", "her mother"),
        ("You slept.", "You", "you", "you"),
        ("I slept.", "I", "I", "me"),
        ("They both slept.", "They", "they both", "them both"),
    ],
)
def test_case(text: str, head: str, subject: str, object_: str) -> None:
    found = phrase(text, head)
    assert (as_subject(found), as_object(found)) == (subject, object_)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The cook sang.", "the"),
        ("Tom sang.", "Tom"),
        ("NASA launched it.", "NASA"),
        ("Germanic tribes built it.", "Germanic"),
        ("Most people left.", "most"),
        ("Tambourines are being played.", "tambourines"),
        ("Guitar is being played by a man", "guitar"),
        ("John was seen.", "John"),
        ("I slept.", "I"),
    ],
)
def test_capitals(text: str, wanted: str) -> None:
    assert lowered(parse(text)[0]) == wanted


def test_inside_text_changes_only_the_first_word_of_a_sentence() -> None:
    assert inside_text(phrase("The Dutch cook sang.", "cook")) == "the Dutch cook"
    assert inside_text(phrase("We met The Who.", "Who")) == "The Who"


SINGULAR, PLURAL = VerbAgreement(3, plural=False), VerbAgreement(3, plural=True)


@pytest.mark.parametrize(
    ("text", "head", "wanted"),
    [
        ("The cook sang.", "cook", SINGULAR),
        ("The cooks sang.", "cooks", PLURAL),
        ("People sang.", "People", PLURAL),
        ("The police came.", "police", PLURAL),
        ("The news was bad.", "news", SINGULAR),
        ("A lot of people sang.", "lot", PLURAL),
        ("A lot of water was lost.", "lot", SINGULAR),
        ("A number of boys sang.", "number", PLURAL),
        ("The number of boys fell.", "number", SINGULAR),
        ("Half of the cake was gone.", "Half", SINGULAR),
        ("Most of the boys sang.", "Most", PLURAL),
        ("Each of the boys sang.", "Each", SINGULAR),
        ("One of the boys sang.", "One", SINGULAR),
        ("Two of the boys sang.", "Two", PLURAL),
        ("Tom and Ann sang.", "Tom", PLURAL),
        ("Tom or Ann sang.", "Tom", SINGULAR),
        ("Every man and woman sang.", "man", SINGULAR),
        ("Two sheep ran.", "sheep", PLURAL),
        ("A sheep ran.", "sheep", SINGULAR),
        ("We sell broccoli.", "broccoli", SINGULAR),
        ("The boys who sing left.", "boys", PLURAL),
        ("Somebody sang.", "Somebody", SINGULAR),
        ("These are mine.", "These", PLURAL),
        ("They saw me.", "me", VerbAgreement(1, plural=False)),
        ("They saw us.", "us", VerbAgreement(1, plural=True)),
        ("They saw you.", "you", VerbAgreement(2, plural=False)),
        ("They saw Tom and me.", "Tom", VerbAgreement(1, plural=True)),
        ("They saw Tom and you.", "Tom", VerbAgreement(2, plural=True)),
    ],
)
def test_agreement(text: str, head: str, wanted: VerbAgreement) -> None:
    assert agreement(phrase(text, head)) == wanted


@pytest.mark.parametrize(("text", "head"), [("The sheep ran.", "sheep"), ("She saw the fish.", "fish")])
def test_agreement_that_cannot_be_told(text: str, head: str) -> None:
    assert agreement(phrase(text, head)) is None


def test_coordination() -> None:
    tom = word("We saw Tom, Ann and Ben.", "Tom")
    assert [noun.text for noun in conjuncts(tom)] == ["Tom", "Ann", "Ben"]
    assert conjunction(tom) == "and"
    assert conjunction(word("Tom sang.", "Tom")) is None


@pytest.mark.parametrize(
    ("text", "subject", "object_", "wanted"),
    [
        ("Tom lost his keys.", "Tom", "keys", True),
        ("I lost his keys.", "I", "keys", False),
        ("I lost my keys.", "I", "keys", True),
        ("She lost my keys.", "She", "keys", False),
        ("The woman lost his keys.", "woman", "keys", False),
        ("The boys lost their keys.", "boys", "keys", True),
        ("The boys lost his keys.", "boys", "keys", False),
        ("Tom hurt himself.", "Tom", "himself", True),
        ("Tom told a story about himself.", "Tom", "story", True),
        ("They read each other's letters.", "They", "letters", True),
        ("Tom has his own boat.", "Tom", "boat", True),
    ],
)
def test_what_points_back(text: str, subject: str, object_: str, wanted: bool) -> None:
    assert may_be_bound(phrase(text, object_), phrase(text, subject)) is wanted


def test_kinds_of_pronouns() -> None:
    assert is_pronoun(phrase("They saw her.", "her"))
    assert not is_pronoun(phrase("They saw him and me.", "him"))
    assert is_reflexive_or_reciprocal(phrase("They saw themselves.", "themselves"))
    assert is_reflexive_or_reciprocal(phrase("They saw each other.", "other"))
    assert not is_reflexive_or_reciprocal(phrase("They saw the other.", "other"))
