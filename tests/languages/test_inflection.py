"""Inflection and lemmatisation."""

from __future__ import annotations

import itertools

import pytest

from litotes.languages.en.morphology.inflection import (
    all_forms,
    be,
    compared,
    forms,
    has_form,
    has_lemma,
    inflect,
    inflect_like,
    known_forms,
    known_lemmas,
    lemmas,
    syllables,
)
from litotes.languages.en.parser import parse


@pytest.mark.parametrize(
    ("lemma", "tag", "expected"),
    [
        ("sleep", "VBD", "slept"),
        ("go", "VBD", "went"),
        ("go", "VBN", "gone"),
        ("go", "VBZ", "goes"),
        ("have", "VBZ", "has"),
        ("try", "VBZ", "tries"),
        ("try", "VBD", "tried"),
        ("try", "VBG", "trying"),
        ("die", "VBG", "dying"),
        ("run", "VBG", "running"),
        ("stop", "VBD", "stopped"),
        ("panic", "VBG", "panicking"),
        ("cut", "VBN", "cut"),
        ("hang", "VBD", "hung"),
        ("program", "VBG", "programming"),
        ("see", "VBG", "seeing"),
        ("be", "VBN", "been"),
        ("be", "VBG", "being"),
        ("sleep", "VB", "sleep"),
        ("sleep", "VBP", "sleep"),
        ("child", "NNS", "children"),
        ("person", "NNS", "people"),
        ("city", "NNS", "cities"),
        ("box", "NNS", "boxes"),
        ("knife", "NNS", "knives"),
        ("sheep", "NNS", "sheep"),
        ("fish", "NNS", "fish"),
        ("ox", "NNS", "oxen"),
        ("analysis", "NNS", "analyses"),
        ("mother-in-law", "NNS", "mothers-in-law"),
        ("passer-by", "NNS", "passers-by"),
        ("good", "JJR", "better"),
        ("happy", "JJS", "happiest"),
        ("free", "JJR", "freer"),
        ("true", "JJR", "truer"),
        ("blue", "JJS", "bluest"),
        ("early", "RBR", "earlier"),
    ],
)
def test_known_words_are_inflected(lemma: str, tag: str, expected: str) -> None:
    assert inflect(lemma, tag) == expected


@pytest.mark.parametrize(
    ("lemma", "tag", "expected"),
    [
        ("give up", "VBG", "giving up"),
        ("take care of", "VBD", "took care of"),
        ("ice cream", "NNS", "ice creams"),
        ("police officer", "NNS", "police officers"),
    ],
)
def test_compounds_are_inflected(lemma: str, tag: str, expected: str) -> None:
    assert inflect(lemma, tag) == expected


@pytest.mark.parametrize(
    ("lemma", "tag", "expected"),
    [
        ("blorch", "VBZ", "blorches"),
        ("blify", "VBD", "blified"),
        ("blify", "NNS", "blifies"),
        ("blay", "VBZ", "blays"),
        ("frombulate", "VBG", "frombulating"),
        ("frombulate", "VBN", "frombulated"),
        ("blee", "VBG", "bleeing"),
        ("blie", "VBG", "blying"),
        ("blop", "VBD", "blopped"),
        ("blop", "VBG", "blopping"),
        ("bloop", "VBG", "blooping"),
        ("un-blop", "NNS", "un-blops"),
        ("b2b", "VBD", None),
        ("blop", "JJR", None),
    ],
)
def test_unknown_words_are_inflected_regularly(lemma: str, tag: str, expected: str | None) -> None:
    assert inflect(lemma, tag) == expected


@pytest.mark.parametrize(
    ("lemma", "more", "most"),
    [
        ("happy", "happier", "happiest"),
        ("big", "bigger", "biggest"),
        ("good", "better", "best"),
        ("bad", "worse", "worst"),
        ("many", "more", "most"),
        ("simple", "simpler", "simplest"),
        ("narrow", "narrower", "narrowest"),
        ("unhappy", "unhappier", "unhappiest"),
        ("free", "freer", "freest"),
        ("awake", "more awake", "most awake"),
        ("tired", "more tired", "most tired"),
        ("careful", "more careful", "most careful"),
        ("interesting", "more interesting", "most interesting"),
        ("ill-bred", "more ill-bred", "most ill-bred"),
        ("wrong", "more wrong", "most wrong"),
        ("real", "more real", "most real"),
        ("fun", "more fun", "most fun"),
    ],
)
def test_adjectives_are_compared(lemma: str, more: str, most: str) -> None:
    assert (compared(lemma, "R"), compared(lemma, "S")) == (more, most)


@pytest.mark.parametrize(
    ("text", "word", "lemma", "pos", "expected"),
    [
        ("She walked home.", "walked", "run", "v", "ran"),
        ("She walks home.", "walks", "try", "v", "tries"),
        ("She is walking home.", "walking", "lie", "v", "lying"),
        ("She has walked home.", "walked", "go", "v", "gone"),
        ("I walk home.", "walk", "go", "v", "go"),
        ("The dogs slept.", "dogs", "mouse", "n", "mice"),
        ("The dog slept.", "dog", "mouse", "n", "mouse"),
        ("He is happier than me.", "happier", "sad", "a", "sadder"),
        ("He is happier than me.", "happier", "tired", "a", "more tired"),
        ("She is the nicest of all.", "nicest", "bad", "a", "worst"),
        ("Happy people sing.", "Happy", "sad", "a", "Sad"),
        ("HAPPY people sing.", "HAPPY", "sad", "a", "SAD"),
        ("Dogs sleep.", "Dogs", "child", "n", "Children"),
        ("She walked home.", "walked", "be", "v", None),
        ("She can swim.", "can", "try", "v", None),
    ],
)
def test_word_takes_the_form_of_another(text: str, word: str, lemma: str, pos: str, expected: str | None) -> None:
    token = next(token for token in parse(text) if token.text == word)
    assert inflect_like(token, lemma, pos) == expected


@pytest.mark.parametrize(
    ("word", "pos", "expected"),
    [
        ("slept", "v", ("sleep",)),
        ("Went", "v", ("go",)),
        ("children", "n", ("child",)),
        ("happier", "a", ("happy",)),
        ("better", "a", ("good", "well")),
        ("blorfs", "n", ("blorfs",)),
    ],
)
def test_forms_are_lemmatised(word: str, pos: str, expected: tuple[str, ...]) -> None:
    assert lemmas(word, pos) == expected


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("cut", "VBD", True),
        ("cut", "VBN", True),
        ("sang", "VBD", True),
        ("sang", "VBN", False),
        ("gone", "VBD", False),
        ("braid", "VBD", False),
        ("Walked", "VBD", True),
    ],
)
def test_form_of_a_word_is_recognised(word: str, tag: str, *, expected: bool) -> None:
    assert has_form(word, tag) is expected


def test_all_forms_are_listed() -> None:
    assert forms("sing", "v") == {"sing", "sings", "sang", "sung", "singing"}
    assert forms("blorf", "n") >= {"blorf"}


@pytest.mark.parametrize(
    ("past", "person", "plural", "expected"),
    [
        (False, 1, False, "am"),
        (False, 2, False, "are"),
        (False, 3, False, "is"),
        (False, 1, True, "are"),
        (False, 3, True, "are"),
        (True, 1, False, "was"),
        (True, 2, False, "were"),
        (True, 3, False, "was"),
        (True, 3, True, "were"),
    ],
)
def test_be_has_all_its_forms(*, past: bool, person: int, plural: bool, expected: str) -> None:
    assert be(past=past, person=person, plural=plural) == expected


@pytest.mark.parametrize(("word", "expected"), [("cat", 1), ("time", 1), ("happy", 2), ("table", 2), ("beautiful", 3)])
def test_syllables_are_counted(word: str, expected: int) -> None:
    assert syllables(word) == expected


UPOS = {"v": "VERB", "n": "NOUN", "a": "ADJ", "r": "ADV"}
TAGS = "VB VBP VBZ VBD VBN VBG NN NNS NNP NNPS JJ JJR JJS RB RBR RBS MD RP".split()
ODD = ["", "I", "i", "TV", "French", "ok", "'s", "ß", "grommetlike", "ǅ"]


@pytest.fixture(scope="module")
def dictionary():
    return pytest.importorskip("lemminflect")


def some(table: dict[str, object], step: int) -> list[str]:
    return [*itertools.islice(table, 0, None, step), *ODD]


def test_lemmas_match_the_dictionary(dictionary) -> None:
    lemmatizer = dictionary.Lemmatizer()
    for form in [*some(lemmatizer._getLemmaDict(), 20), *lemmatizer._getOverridesDict()]:
        lower = form.lower()
        for pos, upos in UPOS.items():
            assert known_lemmas(lower, pos) == dictionary.getAllLemmas(lower, upos=upos).get(upos, ()), (lower, pos)
        assert has_lemma(lower) == bool(dictionary.getAllLemmas(lower)), lower


def test_forms_match_the_dictionary(dictionary) -> None:
    inflections = dictionary.Inflections()
    for lemma in [*some(inflections._getInflDict(), 20), *inflections._getOverridesDict()]:
        for tag in TAGS:
            assert known_forms(lemma, tag) == dictionary.getInflection(lemma, tag, inflect_oov=False), (lemma, tag)
        for pos, upos in UPOS.items():
            theirs = dictionary.getAllInflections(lemma, upos=upos).values()
            assert all_forms(lemma, pos) == {form for forms in theirs for form in forms}, (lemma, pos)
