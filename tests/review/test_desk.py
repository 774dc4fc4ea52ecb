"""What comes up for whom: queues, gold, filters, and what annotators do not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from litotes.review.desk import Desk
from litotes.review.opening import open_review
from litotes.review.queue import mixed
from litotes.review.verdicts import WrongVerdict


@pytest.fixture
def open_desk(make_suite: Callable[..., Path]) -> Iterator[Callable[..., Desk]]:
    """Opens a desk on so many units."""
    with ExitStack() as stack:

        def open_desk(units: int = 6, gold: dict[str, str] | None = None, **settings: Any) -> Desk:
            review = stack.enter_context(open_review(make_suite(units)))
            if gold:
                review.store.set_gold(gold)
            return Desk(review, **settings)

        yield open_desk


def next_for(desk: Desk, annotator: str, **more: object) -> str | None:
    answer = desk.unit({"annotator": annotator, "move": "unreviewed", **more})
    assert answer["unit"] is not None
    return str(answer["unit"]["key"]) if answer["arrived"] else None


def judge(desk: Desk, annotator: str, unit: str, verdict: str = "accept", **more: object) -> Any:
    reason = {"reason": "other"} if verdict == "reject" else {}
    return desk.judge({"annotator": annotator, "unit": unit, "verdict": verdict, **reason, **more})


def all_for(desk: Desk, annotator: str) -> list[str]:
    """The units that come up for an annotator who accepts everything."""
    seen = []
    while (unit := next_for(desk, annotator)) is not None:
        seen.append(unit)
        judge(desk, annotator, unit)
    return seen


def rows(desk: Desk, annotator: str = "Ana", **asked: object) -> list[str]:
    return [row["unit"] for row in desk.rows({"annotator": annotator, **asked})["rows"]]


def test_units_come_in_the_order_of_the_suite(open_desk: Callable[..., Desk]) -> None:
    assert all_for(open_desk(), "Ana") == [f"u{number}" for number in range(6)]


def test_what_one_has_judged_does_not_come_up_for_another(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    for unit in ("u0", "u1", "u4"):
        judge(desk, "Ana", unit)
    assert all_for(desk, "Ben") == ["u2", "u3", "u5"]
    # But it may still be judged by whoever goes there.
    assert judge(desk, "Ben", "u0")["progress"]["mine"] == 4


def test_with_two_wanted_it_comes_up_for_a_second_and_no_third(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(per_item=2)
    everything = [f"u{number}" for number in range(6)]
    assert all_for(desk, "Ana") == everything
    assert all_for(desk, "Ben") == everything
    assert all_for(desk, "Cem") == []


def test_two_at_once_are_not_given_the_same_unit(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    assert next_for(desk, "Ana") == "u0"
    assert next_for(desk, "Ben") == "u1"
    assert judge(desk, "Ana", "u0")["unit"]["key"] == "u2"
    for unit in ("u2", "u3", "u4", "u5"):
        judge(desk, "Ana", unit)
    # Only what Ben is looking at is left: better twice than never.
    assert next_for(desk, "Ana") == "u1"


def test_where_two_are_wanted_two_may_look_at_once(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(per_item=2)
    assert [next_for(desk, name) for name in ("Ana", "Ben", "Cem")] == ["u0", "u0", "u1"]


def test_the_queue_goes_on_from_where_one_is_and_comes_round(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    assert judge(desk, "Ana", "u3")["unit"]["key"] == "u4"
    assert judge(desk, "Ana", "u5")["unit"]["key"] == "u0"
    # Who changes their mind about a unit goes on to the next, judged or not.
    assert judge(desk, "Ana", "u3", "reject")["unit"]["key"] == "u4"
    judge(desk, "Ana", "u4")
    assert judge(desk, "Ana", "u3")["unit"]["key"] == "u4"


def test_next_and_previous_stop_at_the_ends(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()

    def moved(start: str, how: str) -> str:
        return str(desk.unit({"annotator": "Ana", "unit": start, "move": how})["unit"]["key"])

    assert [moved("u0", "next"), moved("u5", "next"), moved("u0", "previous"), moved("u5", "previous")] == [
        "u1",
        "u5",
        "u0",
        "u4",
    ]
    assert moved("no such unit", "next") == "u0"


def test_undo_leads_back(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    judge(desk, "Ana", "u0")
    judge(desk, "Ana", "u1", "reject")
    answer = desk.undo({"annotator": "Ana", "unit": "u2"})
    assert (answer["undone"], answer["unit"]["key"], answer["unit"]["mine"]) == ("u1", "u1", None)
    assert answer["progress"]["mine"] == 1
    desk.undo({"annotator": "Ana"})
    answer = desk.undo({"annotator": "Ana", "unit": "u2"})
    assert (answer["undone"], answer["unit"]["key"]) == (None, "u2")


# What is not seen.


def test_verdicts_of_others_are_not_shown(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(per_item=2)
    judge(desk, "Ana", "u0", "reject", note="a secret")
    shown = desk.unit({"annotator": "Ben", "unit": "u0"})
    assert (shown["unit"]["mine"], shown["unit"]["others"]) == (None, [])
    status = desk.status({"annotator": "Ben"})
    assert status["annotators"] == [{"name": "Ana", "verdicts": 1}]
    everything = repr([shown, status, desk.about(), desk.rows({"annotator": "Ben"})])
    assert "secret" not in everything and "'reject'" not in everything
    assert "disputed" not in desk.about()["states"]
    with pytest.raises(WrongVerdict):
        desk.rows({"annotator": "Ben", "state": "disputed"})


def test_agreement_is_told_when_nothing_more_can_be_given_away(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(per_item=2)
    all_for(desk, "Ana")
    for unit in ("u0", "u1", "u2", "u3", "u4"):
        judge(desk, "Ben", unit, "reject" if unit == "u0" else "accept")
        assert desk.status({"annotator": "Ben"})["agreement"] is None
    judge(desk, "Ben", "u5")
    [pair] = desk.status({"annotator": "Ben"})["agreement"]["pairs"]
    assert (pair["units"], pair["agreed"], pair["kappa"]) == (6, 5, 0)


def test_verdicts_are_shown_where_that_is_wanted(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(per_item=2, open_verdicts=True)
    judge(desk, "Ana", "u0", "reject", note="no secret")
    judge(desk, "Ben", "u0")
    judge(desk, "Ana", "u1")
    judge(desk, "Ben", "u1")
    [other] = desk.unit({"annotator": "Ben", "unit": "u0"})["unit"]["others"]
    assert (other["annotator"], other["verdict"], other["note"]) == ("Ana", "reject", "no secret")
    assert rows(desk, state="disputed") == ["u0"]
    assert desk.status({"annotator": "Ben"})["annotators"][0]["rejected"] == 1
    assert desk.status({"annotator": "Ben"})["agreement"]["units"] == 2


# Gold.


def test_gold_is_strewn_in_for_everybody_elsewhere() -> None:
    keys = [f"u{number}" for number in range(100)]
    gold = {f"u{number}": "accept" for number in range(90, 100)}
    orders = {name: mixed(keys, gold, name) for name in ("Ana", "Ben", "Cem")}
    places = {name: [place for place, key in enumerate(order) if key in gold] for name, order in orders.items()}
    for name, order in orders.items():
        assert sorted(order) == sorted(keys)
        assert [key for key in order if key not in gold] == keys[:90]
        assert [place // 5 for place in places[name]] == list(range(10))
        assert mixed(keys, gold, name) == order
    assert len({tuple(found) for found in places.values()}) == 3


def test_gold_comes_up_for_everybody_and_is_told_after_five(open_desk: Callable[..., Desk]) -> None:
    gold = {f"u{number}": "reject" if number == 3 else "accept" for number in range(6)}
    desk = open_desk(12, gold)
    assert len(all_for(desk, "Ana")) == 12
    judged = []
    while (unit := next_for(desk, "Ben")) is not None:
        judged.append(judge(desk, "Ben", unit)["progress"]["gold"])
    assert [told is None for told in judged] == [True, True, True, True, False, False]
    assert judged[-1] == [5, 6]
    status = desk.status({"annotator": "Ben"})
    assert [one.get("gold") for one in status["annotators"]] == [None, [5, 6]]


# Filters.


def test_filters(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    judge(desk, "Ana", "u0")
    judge(desk, "Ana", "u1", "reject")
    judge(desk, "Ana", "u2", "edit", edited={"both": "The kettle isn't cold."})
    judge(desk, "Ben", "u3")
    assert rows(desk) == ["u0", "u1", "u2", "u3", "u4", "u5"]
    assert rows(desk, state="unreviewed") == ["u4", "u5"]
    assert rows(desk, state="accepted") == ["u0"]
    assert rows(desk, state="rejected") == ["u1"]
    assert rows(desk, state="edited") == ["u2"]
    assert rows(desk, text="DIRTY") == ["u3"]
    assert rows(desk, text="u4") == ["u4"]
    assert rows(desk, text="nothing like it") == []
    assert rows(desk, group="pair 0") == ["u0", "u5"]
    assert rows(desk, tag="register", value="news") == ["u0", "u3"]
    assert rows(desk, tag="register", value="news", state="unreviewed") == []
    assert desk.about()["tags"] == {"register": ["news", "talk"]}


def test_moves_stay_within_the_filter(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    answer = desk.unit({"annotator": "Ana", "unit": "u1", "move": "next", "tag": "register", "value": "news"})
    assert (answer["unit"]["key"], answer["place"], answer["total"]) == ("u3", 1, 2)
    answer = judge(desk, "Ana", "u3", tag="register", value="news")
    assert answer["unit"]["key"] == "u0"
    nothing = desk.unit({"annotator": "Ana", "text": "nothing like it"})
    assert (nothing["unit"], nothing["total"]) == (None, 0)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"annotator": "Ana", "state": "odd"},
        {"annotator": "Ana", "start": "-1"},
        {"annotator": "Ana", "start": "x"},
        {"annotator": "Ana", "count": "9" * 30},
    ],
)
def test_what_makes_no_sense_is_refused(open_desk: Callable[..., Desk], asked: dict[str, str]) -> None:
    with pytest.raises(WrongVerdict):
        open_desk().rows(asked)


def test_a_list_is_given_in_parts(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(500)
    assert len(rows(desk, count="100000")) == 200
    assert rows(desk, start="498") == ["u498", "u499"]
    assert rows(desk, start="10000") == []
