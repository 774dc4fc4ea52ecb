"""Agreement coefficients compared with published examples, another implementation, and by hand."""

from __future__ import annotations

import random

import pytest

from litotes.review.summary import cohens_kappa, compute_agreement, gold_score, krippendorffs_alpha
from litotes.review.verdicts import Verdict


def test_kappa_of_a_worked_example() -> None:
    # 50 proposals, two readers: both yes 20, both no 15; chance agreement 0.5, observed 0.7.
    pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    assert cohens_kappa(pairs) == pytest.approx(0.4)


def test_kappa_at_the_extremes() -> None:
    assert cohens_kappa([(1, 1), (0, 0)]) == 1
    assert cohens_kappa([(1, 0), (0, 1)]) == -1
    assert cohens_kappa([(1, 1), (1, 1)]) is None  # only one category was used
    assert cohens_kappa([(1, 0)]) == 0
    assert cohens_kappa([]) is None


def test_kappa_equals_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    draw = random.Random(5)
    for size in (2, 10, 57, 300):
        left = [draw.choice("abc") for _ in range(size)]
        right = [one if draw.random() < 0.6 else draw.choice("abc") for one in left]
        expected = metrics.cohen_kappa_score(left, right)
        assert cohens_kappa(list(zip(left, right, strict=True))) == pytest.approx(expected)


def test_alpha_of_krippendorffs_examples() -> None:
    # Krippendorff (2011), “Computing Krippendorff's alpha-reliability”: B, two observers and binary values, 0.095;
    # C, four observers with gaps and nominal values, 0.743.
    first, second = "0100000010", "1110010000"
    assert krippendorffs_alpha(list(zip(first, second, strict=True))) == pytest.approx(0.095, abs=5e-4)
    observers = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    units = [[value for value in values if value != "."] for values in zip(*observers, strict=True)]
    assert krippendorffs_alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_alpha_by_hand() -> None:
    # Values a a | a b | b b, and a single value: 3 of 6 values are a; 2 of 6 pairs differ, 18 of 30 expected.
    assert krippendorffs_alpha([("a", "a"), ("a", "b"), ("b", "b"), ("b",)]) == pytest.approx(1 - (2 / 6) / (18 / 30))


def test_alpha_at_the_extremes() -> None:
    assert krippendorffs_alpha([(1, 1), (0, 0, 0)]) == 1
    assert krippendorffs_alpha([(1, 1), (1, 1)]) is None
    assert krippendorffs_alpha([(1,), (0,)]) is None
    assert krippendorffs_alpha([]) is None


def current(*rows: str) -> dict[str, dict[str, Verdict]]:
    """Return verdicts from rows with a letter per annotator: a(ccept), r(eject), e(dit), . for none."""
    names, verdicts = ("Ana", "Ben", "Cem"), {"a": "accept", "r": "reject", "e": "edit"}
    return {
        f"u{number}": {
            name: Verdict(f"u{number}", name, verdicts[letter])
            for name, letter in zip(names, row, strict=True)
            if letter != "."
        }
        for number, row in enumerate(rows)
    }


def test_an_edit_counts_as_not_accepted() -> None:
    result = compute_agreement(current("er.", "aa.", "re.", "ee."))
    assert result.alpha == 1
    assert [(pair.one, pair.other, pair.units, pair.agreed, pair.kappa) for pair in result.pairs] == [
        ("Ana", "Ben", 4, 4, 1)
    ]


def test_pairs_are_compared_on_common_units() -> None:
    result = compute_agreement(current("aa.", "ar.", "rr.", "ra.", "a.a", ".ra", "a..", "r.r"))
    assert result.units == 7
    assert [(pair.one, pair.other, pair.units, pair.agreed) for pair in result.pairs] == [
        ("Ana", "Ben", 4, 2),
        ("Ana", "Cem", 2, 2),
        ("Ben", "Cem", 1, 0),
    ]
    assert [pair.kappa for pair in result.pairs] == [0, 1, 0]


def test_a_single_annotator_has_no_agreement() -> None:
    result = compute_agreement(current("a..", ".r."))
    assert (result.units, result.alpha, result.pairs) == (0, None, ())
    assert result.to_dict() == {"units": 0, "alpha": None, "pairs": []}


def test_gold_score_counts_right_verdicts() -> None:
    verdicts = current("aa.", "re.", "aa.", "e..")
    gold = {"u0": "accept", "u1": "reject", "u2": "reject", "u3": "edit", "u9": "accept"}
    assert gold_score(verdicts, gold, "Ana") == (3, 4)
    assert gold_score(verdicts, gold, "Ben") == (2, 3)
    assert gold_score(verdicts, gold, "Cem") == (0, 0)
