"""Quadruples from the antonyms and synonyms of the lexicon."""

from __future__ import annotations

from collections import Counter

import pytest

from litotes.repair.examples.base import TrainingExample
from litotes.repair.examples.lexicon import LEXICON, lexicon_examples
from litotes.repair.holdout import differing_words, pair_key


@pytest.fixture(scope="module")
def examples() -> list[TrainingExample]:
    return [*lexicon_examples()]


def contrasted_pair(example: TrainingExample, left: str, right: str) -> str:
    words = differing_words(left, right)
    assert words is not None
    return pair_key(*(word.removeprefix("the ") for word in words))


def test_common_pairs_occur_in_several_frames(examples: list[TrainingExample]) -> None:
    pairs = Counter(example.antonym_pair for example in examples)
    assert len(pairs) > 5_000 and set(pairs.values()) == {1, 2, 4}
    assert pairs[pair_key("strong", "weak")] == 4
    assert {pair_key("gigantic", "little"), pair_key("huge", "immense")} <= set(pairs)
    assert len(examples) == len(set(examples))
    assert examples == [*lexicon_examples()]


def test_includes_the_curated_antonyms(examples: list[TrainingExample]) -> None:
    pairs = {example.antonym_pair for example in examples}
    assert {pair_key("cloudy", "sunny"), pair_key("awful", "great"), pair_key("cautious", "reckless")} <= pairs
    assert pair_key("free", "busy") not in pairs  # describes only people


def test_rare_words_are_used_if_the_text_has_them(examples: list[TrainingExample]) -> None:
    rare = pair_key("blameless", "guilty")
    assert rare not in {example.antonym_pair for example in examples}
    assert rare in {example.antonym_pair for example in lexicon_examples({"blameless"})}


def test_quadruples_are_consistent(examples: list[TrainingExample]) -> None:
    for example in examples:
        assert example.kind == LEXICON and example.is_quadruple and len(set(example.texts)) == 4
        clauses = [text.partition(", are")[0].lower() for text in example.texts]  # without “, aren't you?”
        is_negated = [" not " in f" {text}" or "n't " in text for text in clauses]
        if is_negated[1]:  # an antonym, whose negation has the meaning of the word
            assert is_negated == [False, True, False, True]
            assert contrasted_pair(example, example.anchor, example.negative) == example.antonym_pair
            assert contrasted_pair(example, example.second_negative, example.positive) == example.antonym_pair
        else:
            assert is_negated == [False, False, True, True]
            assert contrasted_pair(example, example.anchor, example.positive) == example.antonym_pair
            assert contrasted_pair(example, example.negative, example.second_negative) == example.antonym_pair


def test_same_has_its_article(examples: list[TrainingExample]) -> None:
    texts = [text for example in examples for text in example.texts if " same" in text]
    assert texts and all(" the same" in text for text in texts)
