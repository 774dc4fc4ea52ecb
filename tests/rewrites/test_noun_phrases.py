"""Noun phrases: extent, case, capitals, agreement and binding."""

from __future__ import annotations

import pytest

from litotes.languages.en.parser import parse
from litotes.languages.tree import Token
from litotes.rewrites.en.grammar.agreement import VerbAgreement, conjunction, conjuncts
from litotes.rewrites.en.grammar.noun_phrases import (
    NounPhrase,
    agreement,
    as_object,
    as_subject,
    is_pronoun,
    is_reflexive_or_reciprocal,
    may_be_bound,
    noun_phrase,
    without_sentence_capital,
)


def word(text: str, expected: str) -> Token:
    return next(token for token in parse(text) if token.text == expected)


def phrase(text: str, head: str) -> NounPhrase:
    result = noun_phrase(word(text, head))
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("text", "head", "expected"),
    [
        ("The man who sold the world, left.", "man", "The man who sold the world"),
        ("We met the old king of Spain.", "king", "the old king of Spain"),
        ("My sister Ann, a good cook, sings well.", "sister", "My sister Ann, a good cook"),
        ("I saw [NAME] there.", "NAME", "[NAME]"),
        ("She called it “art”.", "it", "it"),
    ],
)
def test_phrase_contains_all_modifiers_but_no_outer_punctuation(text: str, head: str, expected: str) -> None:
    assert phrase(text, head).text == expected


def test_modifiers_can_be_excluded() -> None:
    doc = parse("He put the book on the table.")
    book = next(token for token in doc if token.text == "book")
    on = next(token for token in doc if token.text == "on")
    result = noun_phrase(book, leave=[on])
    assert result is not None
    assert result.text == "the book"


def test_phrase_knows_its_offsets_and_tokens() -> None:
    result = phrase("We met the old king.", "king")
    assert (result.start, result.end, len(result)) == (7, 19, 3)
    assert word("We met the old king.", "old").text == "old"
    assert result.head in result
    assert result.head.doc[0] not in result


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
def test_pronouns_take_the_case_of_subject_or_object(text: str, head: str, subject: str, object_: str) -> None:
    result = phrase(text, head)
    assert (as_subject(result), as_object(result)) == (subject, object_)


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_first_word_loses_its_capital_unless_it_is_a_name(text: str, expected: str) -> None:
    assert without_sentence_capital(parse(text)[0]) == expected


SINGULAR, PLURAL = VerbAgreement(3, plural=False), VerbAgreement(3, plural=True)


@pytest.mark.parametrize(
    ("text", "head", "expected"),
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
def test_agreement_gives_person_and_number(text: str, head: str, expected: VerbAgreement) -> None:
    assert agreement(phrase(text, head)) == expected


@pytest.mark.parametrize(("text", "head"), [("The sheep ran.", "sheep"), ("She saw the fish.", "fish")])
def test_ambiguous_number_has_no_agreement(text: str, head: str) -> None:
    assert agreement(phrase(text, head)) is None


def test_conjuncts_and_conjunction_of_a_coordination() -> None:
    tom = word("We saw Tom, Ann and Ben.", "Tom")
    assert [noun.text for noun in conjuncts(tom)] == ["Tom", "Ann", "Ben"]
    assert conjunction(tom) == "and"
    assert conjunction(word("Tom sang.", "Tom")) is None


@pytest.mark.parametrize(
    ("text", "subject", "object_", "expected"),
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
def test_reflexives_and_possessives_may_be_bound_by_the_subject(
    text: str, subject: str, object_: str, expected: bool
) -> None:
    assert may_be_bound(phrase(text, object_), phrase(text, subject)) is expected


def test_classifies_personal_reflexive_and_reciprocal_pronouns() -> None:
    assert is_pronoun(phrase("They saw her.", "her"))
    assert not is_pronoun(phrase("They saw him and me.", "him"))
    assert is_reflexive_or_reciprocal(phrase("They saw themselves.", "themselves"))
    assert is_reflexive_or_reciprocal(phrase("They saw each other.", "other"))
    assert not is_reflexive_or_reciprocal(phrase("They saw the other.", "other"))
