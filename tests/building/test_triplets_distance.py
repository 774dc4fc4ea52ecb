"""Distance and mutual paraphrase of two sentences."""

from __future__ import annotations

import pytest

from litotes.building.triplets import is_mutual, token_distance


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ("The mare jumped.", "the mare jumped.", 0.0),
        ("The mare jumped.", "The mare trotted.", 0.25),
        ("The mare jumped.", "The old mare jumped.", 0.2),
        ("Go.", "Come!", 1.0),
        ("", "", 0.0),
        ("", "Go.", 1.0),
    ],
)
def test_distance_is_a_share_of_the_longer_sentence(first: str, second: str, distance: float) -> None:
    assert token_distance(first, second) == pytest.approx(distance)
    assert token_distance(second, first) == pytest.approx(distance)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A potter is glazing a jug.", "The potter is glazing a jug."),
        ("A potter is glazing a jug.", "A jug is being glazed by a potter."),
        ("The clerk started the engine.", "The clerk began the engine."),
        ("A child is asleep in the tall grass.", "A kid is asleep in the grass, which is tall."),
        ("Rita paid 40 francs to Bruno.", "Bruno was paid 40 francs by Rita."),
    ],
)
def test_recognises_mutual_paraphrases(first: str, second: str) -> None:
    assert is_mutual(first, second)
    assert is_mutual(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A potter is glazing a jug.", "A potter is glazing a blue jug."),
        ("A potter is glazing a jug.", "A potter is glazing a jug in the yard behind the old chapel."),
        ("Rita paid 40 francs to Bruno.", "Rita paid 50 francs to Bruno."),
        ("Rita paid the bill to Bruno.", "Rita paid the bill to Otto."),
        ("The bus has come.", "The bus has not come."),
        ("A heron is wading through the pond.", "A bird is wading through the pond."),
    ],
)
def test_rejects_one_sided_and_different_sentences(first: str, second: str) -> None:
    assert not is_mutual(first, second)
    assert not is_mutual(second, first)


def test_certain_pairs_may_have_unknown_synonyms() -> None:
    pair = ("A woman is slicing a marrow.", "A lady is slicing a marrow.")
    assert not is_mutual(*pair)
    assert is_mutual(*pair, is_certain=True)


def test_hypernyms_are_one_sided_even_in_certain_pairs() -> None:
    assert not is_mutual("A heron is wading.", "An animal is wading.", is_certain=True)
