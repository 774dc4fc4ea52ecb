"""The tables of forms, compared with the original dictionary."""

from __future__ import annotations

import itertools

import pytest

from litotes.languages.en.morphology.inflection import all_forms, has_lemma, known_forms, known_lemmas

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
