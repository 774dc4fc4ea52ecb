"""Selection of the candidates that become items."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from litotes.building.base import Candidate
from litotes.building.pipeline.select import Selection, SentencePairs
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.errors import UsageError


def candidate(text: str, group: str = "", set_: str = "", **tags: str) -> Candidate:
    return Candidate(set_, {"original": "It was.", "changed": text}, group, tags)


def by_length(pairs: SentencePairs) -> list[float]:
    """Score longer sentences as less natural."""
    return [(len(before) - len(after)) / 10 for before, after in pairs]


def select(records: list[tuple[str, list[Candidate]]], **settings: Any) -> tuple[Selection, list[tuple[str, str, str]]]:
    selection = Selection(BuildSettings(**settings), by_length)
    return selection, [entry for batch in selection.add(records) for entry in batch]


def grouped(sizes: dict[str, int]) -> list[tuple[str, list[Candidate]]]:
    return [
        (f"{group}:{number}", [candidate(f"{group} {number}", group)])
        for group, size in sizes.items()
        for number in range(size)
    ]


def selected_sources(selection: Selection, set_: str = "") -> list[str]:
    return [selected.source for selected in selection.selected(set_)]


def test_selects_the_most_natural_candidate_of_each_sentence() -> None:
    selection, left = select([("a", [candidate("a very long one indeed"), candidate("short")])])
    assert [selected.candidate.sentences["changed"] for selected in selection.selected("")] == ["short"]
    assert [selected.naturalness for selected in selection.selected("")] == [0.2]
    assert left == []


def test_selects_the_most_natural_of_each_group_of_alternatives() -> None:
    candidates = [
        replace(candidate(text), alternatives=name)
        for text, name in [("a very long one indeed", "x"), ("long too", "y"), ("one", "x"), ("1234567890123", "z")]
    ]
    selection, left = select([("a", candidates)], min_naturalness=-0.3)
    texts = [selected.candidate.sentences["changed"] for selected in selection.selected("")]
    assert (texts, left) == (["one", "long too"], [("a", "", "unnatural")])


def test_prefers_the_builders_order_if_naturalness_is_similar() -> None:
    selection, _ = select([("a", [candidate("12345678"), candidate("12345")])])
    assert [selected.candidate.sentences["changed"] for selected in selection.selected("")] == ["12345678"]


def test_leaves_out_unnatural_candidates() -> None:
    records = [("a", [candidate("1234567890")]), ("b", [candidate("123456")]), ("c", [candidate("1234567")])]
    selection, left = select(records, min_naturalness=0.0)
    assert selected_sources(selection) == ["b", "c"]
    assert left == [("a", "", "unnatural")]


def test_selects_a_natural_candidate_with_a_lower_rank() -> None:
    selection, left = select([("a", [candidate("12345678"), candidate("1234567")])], min_naturalness=0.0)
    assert [selected.candidate.sentences["changed"] for selected in selection.selected("")] == ["1234567"]
    assert left == []


def test_selects_for_each_set() -> None:
    selection, left = select([("a", [candidate("one", set_="x"), candidate("one", set_="y")])])
    assert selected_sources(selection, "x") == selected_sources(selection, "y") == ["a"]
    assert selected_sources(selection, "z") == left == []


def test_selects_the_same_items_once() -> None:
    selection, left = select([("a", [candidate("one")]), ("b", [candidate("one")]), ("c", [candidate("two")])])
    assert selected_sources(selection) == ["a", "c"]
    assert left == [("b", "", "same-items")]


def test_limits_the_size_of_groups() -> None:
    selection, _ = select(grouped({"hot": 9, "wet": 2, "dry": 3}), per_group=2)
    assert Counter(source.split(":")[0] for source in selected_sources(selection)) == {"hot": 2, "wet": 2, "dry": 2}
    assert Counter(why for _, why in selection.over_limits("")) == {"frequent": 8}


def test_candidates_without_a_group_are_not_limited() -> None:
    selection, _ = select([(f"n{number}", [candidate(f"text {number}")]) for number in range(7)], per_group=1)
    assert len(selected_sources(selection)) == 7


def test_the_limit_draws_by_seed_and_preserves_the_order() -> None:
    records = grouped({"hot": 200})
    drawn = {seed: selected_sources(select(records, limit=20, seed=seed)[0]) for seed in range(3)}
    order = [source for source, _ in records]
    for sources in drawn.values():
        assert len(sources) == 20
        assert sources == sorted(sources, key=order.index)
        assert sources != order[:20]
    assert drawn[0] != drawn[1] != drawn[2]
    assert selected_sources(select(records, limit=20, seed=1)[0]) == drawn[1]


def test_a_larger_limit_includes_the_selection_of_a_smaller_one() -> None:
    records = grouped({"hot": 100, "wet": 50})
    assert set(selected_sources(select(records, limit=20)[0])) < set(selected_sources(select(records, limit=60)[0]))


def test_balance_draws_evenly_from_groups() -> None:
    records = grouped({"hot": 100, "wet": 3, "dry": 40, "old": 1})
    selection, _ = select(records, limit=14, balance=True)
    assert Counter(source.split(":")[0] for source in selected_sources(selection)) == {
        "hot": 5,
        "dry": 5,
        "wet": 3,
        "old": 1,
    }
    without, _ = select(records, limit=14)
    assert Counter(source.split(":")[0] for source in selected_sources(without))["hot"] > 5


@pytest.mark.parametrize(
    "settings", [{}, {"limit": 5}, {"per_group": 3}, {"limit": 11, "per_group": 4, "balance": True}]
)
def test_every_candidate_is_selected_or_left_out(settings: dict[str, Any]) -> None:
    records = grouped({"hot": 20, "wet": 2, "dry": 9})
    selection, _ = select(records, **settings)
    left = [source for source, _ in selection.over_limits("")]
    assert sorted(selected_sources(selection) + left) == sorted(source for source, _ in records)
    assert len(selected_sources(selection)) == min(
        settings.get("limit", 99), sum(min(size, settings.get("per_group", 99)) for size in (20, 2, 9))
    )


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"per_group": -1}, {"min_naturalness": float("nan")}, {"name": " "}, {"name": "a\nb"}]
)
def test_rejects_invalid_settings(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="L102"):
        BuildSettings(**wrong)
