"""The reviewed suite: combined verdicts, accepted items and files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.review.adjudication import ADJUDICATIONS, apply_review, decide, write_reviewed_suite
from litotes.review.store import open_review
from litotes.review.verdicts import Verdict
from litotes.suites.folder import load_folder

NAMES = ("Ana", "Ben", "Cem")
SAID = {
    "a": {"verdict": "accept"},
    "r": {"verdict": "reject", "reason": "unnatural"},
    "R": {"verdict": "reject", "reason": "duplicate"},
    "e": {"verdict": "edit", "edited": {"both": "The kettle isn't shut."}},
    "E": {"verdict": "edit", "edited": {"both": "The kettle is hardly shut."}},
}


def reviewed_by(codes: str, unit: str = "u0") -> dict[str, Verdict]:
    return {
        name: Verdict(unit, name, **SAID[letter])  # type: ignore[arg-type]
        for name, letter in zip(NAMES, codes, strict=False)
        if letter != "."
    }


@pytest.mark.parametrize(
    ("codes", "majority", "any_reject", "unanimous"),
    [
        ("a", "accept", "accept", "accept"),
        ("e", "edit", "edit", "edit"),
        ("r", "reject", "reject", "reject"),
        ("aa", "accept", "accept", "accept"),
        ("ar", None, "reject", None),
        ("aar", "accept", "reject", None),
        ("arR", "reject", "reject", None),
        ("rR", "reject", "reject", "reject"),
        ("ae", None, None, None),
        ("aae", "accept", "accept", None),
        ("ee", "edit", "edit", "edit"),
        ("eE", None, None, None),
        ("eeE", "edit", "edit", None),
        ("eEr", None, "reject", None),
    ],
)
def test_verdicts_are_combined(codes: str, majority: str | None, any_reject: str | None, unanimous: str | None) -> None:
    results = [decide(reviewed_by(codes), how) for how in ADJUDICATIONS]
    assert [decision and decision.verdict for decision in results] == [majority, any_reject, unanimous]


def test_the_majority_decides_between_edits() -> None:
    decision = decide(reviewed_by("Eee"))
    assert decision is not None and decision.edited == SAID["e"]["edited"]


@pytest.fixture
def judged(suite: Path) -> Path:
    """u0 edited, u1 accepted, u2 rejected, u3 and u4 disputed, u5 unreviewed."""
    with open_review(suite) as review:
        for unit, codes in (("u0", "ee"), ("u1", "aar"), ("u2", "rR"), ("u3", "ar"), ("u4", "eE")):
            review.store.add_all(reviewed_by(codes, unit).values())
    return suite


def test_accepted_items_and_the_record_of_the_review(judged: Path) -> None:
    items, about = apply_review(judged)
    assert [item.id for item in items] == [f"u{unit}-{index}" for unit in (0, 1) for index in (1, 2, 3, 4)]
    assert "The kettle isn't shut." in items[0].sentences["both"]
    # The edited sentence replaces the original in all four items.
    assert sum("The kettle isn't shut." in item.sentences.values() for item in items) == 4
    assert not any("The kettle is not closed." in item.sentences.values() for item in items)
    assert about["units"] == {
        "all": 6,
        "accepted": 1,
        "edited": 1,
        "rejected": 1,
        "disputed": 2,
        "unreviewed": 1,
    }
    assert about["accepted_by"] == {"u1": "Ana; Ben"}
    assert about["edited_by"] == {"u0": "Ana; Ben"}
    assert about["rejected_by"] == {"u2": "Ana: unnatural; Ben: duplicate"}
    assert about["disputed"] == {"u3": "Ana: accept; Ben: reject (unnatural)", "u4": "Ana: edit; Ben: edit"}
    assert about["annotators"]["Ana"] == {"accept": 2, "reject": 1, "edit": 2}
    assert about["reasons"] == {"unnatural": 3, "duplicate": 1}
    assert about["agreement"]["units"] == 5
    assert about["of"]["sha256"] == load_folder(judged).sha256


def test_stricter_adjudication_accepts_fewer_items(judged: Path) -> None:
    assert {how: len(apply_review(judged, adjudicate=how)[0]) for how in ADJUDICATIONS} == {
        "majority": 8,
        "any-reject": 4,
        "unanimous": 4,
    }
    with pytest.raises(UsageError, match=r"\[L102\] .*choose one of majority, any-reject, unanimous"):
        apply_review(judged, adjudicate="coin")


def test_writes_the_suite_and_all_verdicts(judged: Path, tmp_path: Path) -> None:
    summary = write_reviewed_suite(judged, tmp_path / "out")
    assert summary == [
        f"wrote {tmp_path / 'out'}: 8 items; units: 1 accepted, 1 edited",
        "left out: 1 rejected, 2 disputed, 1 unreviewed",
    ]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["items.jsonl", "review.jsonl", "suite.json"]
    suite = load_folder(tmp_path / "out")
    assert (suite.name, suite.version, suite.source) == ("kettles-reviewed", "1", "written for the tests")
    meta = json.loads((tmp_path / "out" / "suite.json").read_text("utf-8"))
    assert meta["review"] == apply_review(judged)[1]
    lines = [json.loads(line) for line in (tmp_path / "out" / "review.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == 11
    rejected = [line for line in lines if line["unit"] == "u2"]
    assert [line["reason"] for line in rejected] == ["unnatural", "duplicate"]
    assert rejected[0]["sentences"]["input"] == "The kettle is hot."


def test_equal_verdicts_give_equal_bytes(judged: Path, make_suite: Callable[..., Path], tmp_path: Path) -> None:
    again = make_suite(name="again")
    with open_review(again) as review:  # in another order, at another time, with an undone verdict
        for unit, codes in (("u4", "eE"), ("u3", "ar"), ("u2", "rR"), ("u1", "aar"), ("u0", "ee")):
            review.store.add_all(reversed(reviewed_by(codes, unit).values()))
        review.store.add(Verdict("u5", "Dan", "accept"))
        review.store.undo("Dan")
    write_reviewed_suite(judged, tmp_path / "one")
    write_reviewed_suite(again, tmp_path / "two")
    for name in ("items.jsonl", "review.jsonl", "suite.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_additional_fields_of_suite_json_are_preserved(make_suite: Callable[..., Path], tmp_path: Path) -> None:
    folder = make_suite(recipe={"seed": 7})
    with open_review(folder) as review:
        review.store.add(Verdict("u0", "Ana", "accept"))
    write_reviewed_suite(folder, tmp_path / "out", name="kettles by hand")
    meta = json.loads((tmp_path / "out" / "suite.json").read_text("utf-8"))
    assert (meta["recipe"], meta["name"], meta["items"]) == ({"seed": 7}, "kettles by hand", 4)
    # A reviewed suite can be reviewed again; it records only the latest review.
    with open_review(tmp_path / "out") as review:
        review.store.add(Verdict("u0", "Ben", "accept"))
    write_reviewed_suite(tmp_path / "out", tmp_path / "twice")
    assert json.loads((tmp_path / "twice" / "suite.json").read_text("utf-8"))["review"]["accepted_by"] == {"u0": "Ben"}


def test_a_review_without_accepted_units_is_reported(suite: Path, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match="L201"):
        write_reviewed_suite(suite, tmp_path / "out")
    with open_review(suite) as review:
        review.store.add(Verdict("u0", "Ana", "reject", reason="other"))
    with pytest.raises(LitotesError, match=r"\[L204\] .*no unit was accepted"):
        write_reviewed_suite(suite, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_reviewed_suite_is_not_overwritten(judged: Path) -> None:
    before = (judged / "items.jsonl").read_bytes()
    with pytest.raises(UsageError, match="another folder"):
        write_reviewed_suite(judged, judged / ".." / judged.name)
    assert (judged / "items.jsonl").read_bytes() == before
