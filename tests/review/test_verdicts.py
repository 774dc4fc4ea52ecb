"""The validation of verdicts."""

from __future__ import annotations

from typing import Any

import pytest

from litotes.review.units import Unit
from litotes.review.verdicts import REASONS, InvalidVerdictError, check_annotator, check_verdict
from litotes.suites.base import Item

UNIT = Unit("u", (Item("i", "g", {"original": "The lamp is lit.", "negated": "The lamp is not lit."}),))


def test_eight_reasons_for_eight_keys() -> None:
    assert len(REASONS) == 8


@pytest.mark.parametrize(
    ("given", "normalised"),
    [
        ({"verdict": "accept"}, {}),
        ({"verdict": "accept", "note": "  fine  "}, {"note": "fine"}),
        ({"verdict": "reject", "reason": "unnatural", "edited": {}}, {"reason": "unnatural"}),
        (
            {"verdict": "edit", "edited": {"negated": " The lamp is out. ", "original": "The lamp is lit."}},
            {"edited": {"negated": "The lamp is out."}},
        ),
    ],
)
def test_valid_verdicts_are_normalised(given: dict[str, Any], normalised: dict[str, Any]) -> None:
    verdict = check_verdict(UNIT, "Ana", given)
    assert (verdict.unit, verdict.annotator, verdict.verdict) == ("u", "Ana", given["verdict"])
    empty: dict[str, Any] = {"reason": "", "edited": {}, "note": ""}
    assert {key: getattr(verdict, key) for key in empty} == {**empty, **normalised}


@pytest.mark.parametrize(
    ("verdict", "why"),
    [
        ({}, "a verdict is accept, reject or edit"),
        ({"verdict": "undo"}, "a verdict is"),
        ({"verdict": ["accept"]}, "a verdict is"),
        ({"verdict": "reject"}, "needs a reason"),
        ({"verdict": "reject", "reason": "because"}, "needs a reason"),
        ({"verdict": "reject", "reason": ["other"]}, "needs a reason"),
        ({"verdict": "accept", "reason": "other"}, "only a rejection"),
        ({"verdict": "accept", "edited": {"negated": "No."}}, "only an edit"),
        ({"verdict": "accept", "note": "x" * 1001}, "the note is longer"),
        ({"verdict": "accept", "note": 7}, "the note must be a text"),
        ({"verdict": "accept", "note": "two\nlines"}, "one line"),
        ({"verdict": "accept", "note": "half \ud800"}, "must be a text"),
        ({"verdict": "edit"}, "no sentence was changed"),
        ({"verdict": "edit", "edited": ["x"]}, "roles as keys"),
        ({"verdict": "edit", "edited": {"other": "No."}}, "unknown role other"),
        ({"verdict": "edit", "edited": {"negated": "  "}}, 'the sentence "negated" is empty'),
        ({"verdict": "edit", "edited": {"negated": 3}}, "must be a text"),
        ({"verdict": "edit", "edited": {"negated": "x" * 2001}}, "longer than 2,000"),
        ({"verdict": "edit", "edited": {"negated": "a\x1b[2Jb"}}, "control characters"),
        ({"verdict": "edit", "edited": {"negated": "The lamp is not lit."}}, "accept the unit instead"),
        ({"verdict": "edit", "edited": {"negated": "The lamp is lit."}}, "would be the same"),
    ],
)
def test_invalid_verdicts_are_refused(verdict: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidVerdictError, match=why):
        check_verdict(UNIT, "Ana", verdict)


@pytest.mark.parametrize("name", ["Ana", "José María", "b.o'neil-2@here", "李雷", "a" * 40])
def test_valid_names_are_accepted(name: str) -> None:
    assert check_annotator(f"  {name} ") == name


@pytest.mark.parametrize("name", ["", "  ", None, 3, "a" * 41, "<b>", "a;b", "a,b", "-x", "a\u0000b", "\ud800"])
def test_invalid_names_are_refused(name: object) -> None:
    with pytest.raises(InvalidVerdictError):
        check_annotator(name)


def test_names_are_normalised() -> None:
    assert check_annotator("Jose\u0301") == check_annotator("Jos\u00e9")
