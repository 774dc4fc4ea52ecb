"""Which candidates become items."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from litotes.building.base import Candidate
from litotes.building.pipeline.select import Choice, Pairs
from litotes.building.pipeline.settings import Plan
from litotes.core.errors import UsageError


def candidate(text: str, group: str = "", set_: str = "", **tags: str) -> Candidate:
    return Candidate(set_, {"original": "It was.", "changed": text}, group, tags)


def by_length(pairs: Pairs) -> list[float]:
    """The longer, the less natural."""
    return [(len(before) - len(after)) / 10 for before, after in pairs]


def choose(records: list[tuple[str, list[Candidate]]], **settings: Any) -> tuple[Choice, list[tuple[str, str, str]]]:
    choice = Choice(Plan("toy", ("notes.txt",), **settings), by_length)
    return choice, [entry for some in choice.add(records) for entry in some]


def grouped(sizes: dict[str, int]) -> list[tuple[str, list[Candidate]]]:
    return [
        (f"{group}:{number}", [candidate(f"{group} {number}", group)])
        for group, size in sizes.items()
        for number in range(size)
    ]


def kept(choice: Choice, set_: str = "") -> list[str]:
    return [chosen.source for chosen in choice.of(set_)]


def test_the_most_natural_of_each_sentence_is_taken() -> None:
    choice, left = choose([("a", [candidate("a very long one indeed"), candidate("short")])])
    assert [chosen.candidate.sentences["changed"] for chosen in choice.of("")] == ["short"]
    assert [chosen.naturalness for chosen in choice.of("")] == [0.2]
    assert left == []


def test_the_rules_own_order_counts_where_both_are_about_as_natural() -> None:
    choice, _ = choose([("a", [candidate("12345678"), candidate("12345")])])
    assert [chosen.candidate.sentences["changed"] for chosen in choice.of("")] == ["12345678"]


def test_what_is_not_natural_enough_is_left_out() -> None:
    records = [("a", [candidate("1234567890")]), ("b", [candidate("123456")]), ("c", [candidate("1234567")])]
    choice, left = choose(records, min_naturalness=0.0)
    assert kept(choice) == ["b", "c"]
    assert left == [("a", "", "unnatural")]


def test_of_a_sentence_that_has_a_natural_candidate_that_one_is_taken() -> None:
    """Though the rule likes another one better."""
    choice, left = choose([("a", [candidate("12345678"), candidate("1234567")])], min_naturalness=0.0)
    assert [chosen.candidate.sentences["changed"] for chosen in choice.of("")] == ["1234567"]
    assert left == []


def test_each_set_chooses_for_itself() -> None:
    choice, left = choose([("a", [candidate("one", set_="x"), candidate("one", set_="y")])])
    assert kept(choice, "x") == kept(choice, "y") == ["a"]
    assert kept(choice, "z") == left == []


def test_the_same_items_come_once() -> None:
    choice, left = choose([("a", [candidate("one")]), ("b", [candidate("one")]), ("c", [candidate("two")])])
    assert kept(choice) == ["a", "c"]
    assert left == [("b", "", "same-items")]


def test_no_group_more_often_than_wanted() -> None:
    choice, _ = choose(grouped({"hot": 9, "wet": 2, "dry": 3}), per_group=2)
    assert Counter(source.split(":")[0] for source in kept(choice)) == {"hot": 2, "wet": 2, "dry": 2}
    assert Counter(why for _, why in choice.left_out("")) == {"frequent": 8}


def test_what_has_no_group_is_a_group_by_itself() -> None:
    choice, _ = choose([(f"n{number}", [candidate(f"text {number}")]) for number in range(7)], per_group=1)
    assert len(kept(choice)) == 7


def test_the_limit_draws_by_the_seed_and_keeps_the_order() -> None:
    records = grouped({"hot": 200})
    drawn = {seed: kept(choose(records, limit=20, seed=seed)[0]) for seed in range(3)}
    order = [source for source, _ in records]
    for sources in drawn.values():
        assert len(sources) == 20
        assert sources == sorted(sources, key=order.index)
        assert sources != order[:20]
    assert drawn[0] != drawn[1] != drawn[2]
    assert kept(choose(records, limit=20, seed=1)[0]) == drawn[1]


def test_a_larger_limit_keeps_what_a_smaller_one_kept() -> None:
    records = grouped({"hot": 100, "wet": 50})
    assert set(kept(choose(records, limit=20)[0])) < set(kept(choose(records, limit=60)[0]))


def test_balance_takes_as_many_of_each_group_as_can_be() -> None:
    records = grouped({"hot": 100, "wet": 3, "dry": 40, "old": 1})
    choice, _ = choose(records, limit=14, balance=True)
    assert Counter(source.split(":")[0] for source in kept(choice)) == {"hot": 5, "dry": 5, "wet": 3, "old": 1}
    without, _ = choose(records, limit=14)
    assert Counter(source.split(":")[0] for source in kept(without))["hot"] > 5


@pytest.mark.parametrize(
    "settings", [{}, {"limit": 5}, {"per_group": 3}, {"limit": 11, "per_group": 4, "balance": True}]
)
def test_everything_is_kept_or_left_out_once(settings: dict[str, Any]) -> None:
    records = grouped({"hot": 20, "wet": 2, "dry": 9})
    choice, _ = choose(records, **settings)
    left = [source for source, _ in choice.left_out("")]
    assert sorted(kept(choice) + left) == sorted(source for source, _ in records)
    assert len(kept(choice)) == min(
        settings.get("limit", 99), sum(min(size, settings.get("per_group", 99)) for size in (20, 2, 9))
    )


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"per_group": -1}, {"min_naturalness": float("nan")}, {"name": " "}, {"name": "a\nb"}]
)
def test_a_plan_that_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="L102"):
        Plan("toy", ("notes.txt",), **wrong)
    with pytest.raises(UsageError, match="there is no corpus"):
        Plan("toy", ())
