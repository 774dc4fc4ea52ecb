"""The review service: queues, gold, filters and hidden verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from litotes.review.service import ReviewService, annotator_order
from litotes.review.store import open_review
from litotes.review.verdicts import InvalidVerdictError


@pytest.fixture
def open_service(make_suite: Callable[..., Path]) -> Iterator[Callable[..., ReviewService]]:
    """Return a function that opens a service on a number of units."""
    with ExitStack() as stack:

        def open_service(units: int = 6, gold: dict[str, str] | None = None, **settings: Any) -> ReviewService:
            review = stack.enter_context(open_review(make_suite(units)))
            if gold:
                review.store.set_gold(gold)
            return ReviewService(review, **settings)

        yield open_service


def next_for(service: ReviewService, annotator: str, **more: object) -> str | None:
    answer = service.unit({"annotator": annotator, "move": "unreviewed", **more})
    assert answer["unit"] is not None
    return str(answer["unit"]["key"]) if answer["arrived"] else None


def judge(service: ReviewService, annotator: str, unit: str, verdict: str = "accept", **more: object) -> Any:
    reason = {"reason": "other"} if verdict == "reject" else {}
    return service.judge({"annotator": annotator, "unit": unit, "verdict": verdict, **reason, **more})


def all_for(service: ReviewService, annotator: str) -> list[str]:
    """Return the units that are offered to an annotator who accepts everything."""
    shown = []
    while (unit := next_for(service, annotator)) is not None:
        shown.append(unit)
        judge(service, annotator, unit)
    return shown


def rows(service: ReviewService, annotator: str = "Ana", **parameters: object) -> list[str]:
    return [row["unit"] for row in service.rows({"annotator": annotator, **parameters})["rows"]]


def test_units_come_in_the_order_of_the_suite(open_service: Callable[..., ReviewService]) -> None:
    assert all_for(open_service(), "Ana") == [f"u{number}" for number in range(6)]


def test_judged_units_are_not_offered_again(open_service: Callable[..., ReviewService]) -> None:
    service = open_service()
    for unit in ("u0", "u1", "u4"):
        judge(service, "Ana", unit)
    assert all_for(service, "Ben") == ["u2", "u3", "u5"]
    # It can still be judged by opening it directly.
    assert judge(service, "Ben", "u0")["progress"]["mine"] == 4


def test_with_two_per_item_a_unit_is_offered_twice(open_service: Callable[..., ReviewService]) -> None:
    service = open_service(per_item=2)
    everything = [f"u{number}" for number in range(6)]
    assert all_for(service, "Ana") == everything
    assert all_for(service, "Ben") == everything
    assert all_for(service, "Cem") == []


def test_concurrent_annotators_get_different_units(open_service: Callable[..., ReviewService]) -> None:
    service = open_service()
    assert next_for(service, "Ana") == "u0"
    assert next_for(service, "Ben") == "u1"
    assert judge(service, "Ana", "u0")["unit"]["key"] == "u2"
    for unit in ("u2", "u3", "u4", "u5"):
        judge(service, "Ana", unit)
    # Only the unit that Ben has open remains, so it is offered twice.
    assert next_for(service, "Ana") == "u1"


def test_with_two_per_item_two_annotators_may_share_a_unit(open_service: Callable[..., ReviewService]) -> None:
    service = open_service(per_item=2)
    assert [next_for(service, name) for name in ("Ana", "Ben", "Cem")] == ["u0", "u0", "u1"]


def test_the_queue_continues_after_the_current_unit_and_wraps_around(
    open_service: Callable[..., ReviewService],
) -> None:
    service = open_service()
    assert judge(service, "Ana", "u3")["unit"]["key"] == "u4"
    assert judge(service, "Ana", "u5")["unit"]["key"] == "u0"
    # After a changed verdict the next unit follows, judged or not.
    assert judge(service, "Ana", "u3", "reject")["unit"]["key"] == "u4"
    judge(service, "Ana", "u4")
    assert judge(service, "Ana", "u3")["unit"]["key"] == "u4"


def test_next_and_previous_stop_at_the_ends(open_service: Callable[..., ReviewService]) -> None:
    service = open_service()

    def moved(start: str, how: str) -> str:
        return str(service.unit({"annotator": "Ana", "unit": start, "move": how})["unit"]["key"])

    assert [moved("u0", "next"), moved("u5", "next"), moved("u0", "previous"), moved("u5", "previous")] == [
        "u1",
        "u5",
        "u0",
        "u4",
    ]
    assert moved("no such unit", "next") == "u0"


def test_undo_returns_to_the_unit(open_service: Callable[..., ReviewService]) -> None:
    service = open_service()
    judge(service, "Ana", "u0")
    judge(service, "Ana", "u1", "reject")
    answer = service.undo({"annotator": "Ana", "unit": "u2"})
    assert (answer["undone"], answer["unit"]["key"], answer["unit"]["mine"]) == ("u1", "u1", None)
    assert answer["progress"]["mine"] == 1
    service.undo({"annotator": "Ana"})
    answer = service.undo({"annotator": "Ana", "unit": "u2"})
    assert (answer["undone"], answer["unit"]["key"]) == (None, "u2")


# Hidden verdicts


def test_foreign_verdicts_are_hidden(open_service: Callable[..., ReviewService]) -> None:
    service = open_service(per_item=2)
    judge(service, "Ana", "u0", "reject", note="a secret")
    shown = service.unit({"annotator": "Ben", "unit": "u0"})
    assert (shown["unit"]["mine"], shown["unit"]["others"]) == (None, [])
    status = service.status({"annotator": "Ben"})
    assert status["annotators"] == [{"name": "Ana", "verdicts": 1}]
    everything = repr([shown, status, service.about(), service.rows({"annotator": "Ben"})])
    assert "secret" not in everything and "'reject'" not in everything
    assert "disputed" not in service.about()["states"]
    with pytest.raises(InvalidVerdictError):
        service.rows({"annotator": "Ben", "state": "disputed"})


def test_agreement_is_shown_after_all_verdicts(open_service: Callable[..., ReviewService]) -> None:
    service = open_service(per_item=2)
    all_for(service, "Ana")
    for unit in ("u0", "u1", "u2", "u3", "u4"):
        judge(service, "Ben", unit, "reject" if unit == "u0" else "accept")
        assert service.status({"annotator": "Ben"})["agreement"] is None
    judge(service, "Ben", "u5")
    [pair] = service.status({"annotator": "Ben"})["agreement"]["pairs"]
    assert (pair["units"], pair["agreed"], pair["kappa"]) == (6, 5, 0)


def test_open_reviews_show_foreign_verdicts(open_service: Callable[..., ReviewService]) -> None:
    service = open_service(per_item=2, open_verdicts=True)
    judge(service, "Ana", "u0", "reject", note="no secret")
    judge(service, "Ben", "u0")
    judge(service, "Ana", "u1")
    judge(service, "Ben", "u1")
    [other] = service.unit({"annotator": "Ben", "unit": "u0"})["unit"]["others"]
    assert (other["annotator"], other["verdict"], other["note"]) == ("Ana", "reject", "no secret")
    assert rows(service, state="disputed") == ["u0"]
    assert service.status({"annotator": "Ben"})["annotators"][0]["rejected"] == 1
    assert service.status({"annotator": "Ben"})["agreement"]["units"] == 2


# Gold


def test_gold_units_are_spread_differently_per_annotator() -> None:
    keys = [f"u{number}" for number in range(100)]
    gold = {f"u{number}": "accept" for number in range(90, 100)}
    orders = {name: annotator_order(keys, gold, name) for name in ("Ana", "Ben", "Cem")}
    positions = {name: [index for index, key in enumerate(order) if key in gold] for name, order in orders.items()}
    for name, order in orders.items():
        assert sorted(order) == sorted(keys)
        assert [key for key in order if key not in gold] == keys[:90]
        assert [index // 5 for index in positions[name]] == list(range(10))
        assert annotator_order(keys, gold, name) == order
    assert len({tuple(result) for result in positions.values()}) == 3


def test_gold_is_offered_to_everyone_and_scored_after_five(open_service: Callable[..., ReviewService]) -> None:
    gold = {f"u{number}": "reject" if number == 3 else "accept" for number in range(6)}
    service = open_service(12, gold)
    assert len(all_for(service, "Ana")) == 12
    judged = []
    while (unit := next_for(service, "Ben")) is not None:
        judged.append(judge(service, "Ben", unit)["progress"]["gold"])
    assert [is_correct is None for is_correct in judged] == [True, True, True, True, False, False]
    assert judged[-1] == [5, 6]
    status = service.status({"annotator": "Ben"})
    assert [one.get("gold") for one in status["annotators"]] == [None, [5, 6]]


# Filters


def test_units_are_filtered(open_service: Callable[..., ReviewService]) -> None:
    service = open_service()
    judge(service, "Ana", "u0")
    judge(service, "Ana", "u1", "reject")
    judge(service, "Ana", "u2", "edit", edited={"both": "The kettle isn't cold."})
    judge(service, "Ben", "u3")
    assert rows(service) == ["u0", "u1", "u2", "u3", "u4", "u5"]
    assert rows(service, state="unreviewed") == ["u4", "u5"]
    assert rows(service, state="accepted") == ["u0"]
    assert rows(service, state="rejected") == ["u1"]
    assert rows(service, state="edited") == ["u2"]
    assert rows(service, text="DIRTY") == ["u3"]
    assert rows(service, text="u4") == ["u4"]
    assert rows(service, text="nothing like it") == []
    assert rows(service, group="pair 0") == ["u0", "u5"]
    assert rows(service, tag="register", value="news") == ["u0", "u3"]
    assert rows(service, tag="register", value="news", state="unreviewed") == []
    assert service.about()["tags"] == {"register": ["news", "talk"]}


def test_navigation_stays_within_the_filter(open_service: Callable[..., ReviewService]) -> None:
    service = open_service()
    answer = service.unit({"annotator": "Ana", "unit": "u1", "move": "next", "tag": "register", "value": "news"})
    assert (answer["unit"]["key"], answer["place"], answer["total"]) == ("u3", 1, 2)
    answer = judge(service, "Ana", "u3", tag="register", value="news")
    assert answer["unit"]["key"] == "u0"
    nothing = service.unit({"annotator": "Ana", "text": "nothing like it"})
    assert (nothing["unit"], nothing["total"]) == (None, 0)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"annotator": "Ana", "state": "odd"},
        {"annotator": "Ana", "start": "-1"},
        {"annotator": "Ana", "start": "x"},
        {"annotator": "Ana", "count": "9" * 30},
    ],
)
def test_invalid_parameters_are_refused(open_service: Callable[..., ReviewService], parameters: dict[str, str]) -> None:
    with pytest.raises(InvalidVerdictError):
        open_service().rows(parameters)


def test_lists_are_paged(open_service: Callable[..., ReviewService]) -> None:
    service = open_service(500)
    assert len(rows(service, count="100000")) == 200
    assert rows(service, start="498") == ["u498", "u499"]
    assert rows(service, start="10000") == []
