"""Thresholds: the curve, and the recommended threshold for a budget."""

from __future__ import annotations

import numpy as np
import pytest

from litotes import LitotesError
from litotes.audit.result import ThresholdPoint
from litotes.audit.similarities import Similarities
from litotes.audit.thresholds import advise_threshold, point_at, threshold_curve
from tests.audit.fixed_variants import of_numbers

# numbers that are exact in single precision
SMALL = {
    "negation": {0: 0.9375, 1: 0.875, 2: 0.5},
    "antonym": {0: 0.75},
    "synonym": {0: 0.96875, 1: 0.875},
    "contraction": {2: 0.625},
    "argument_swap": {0: 0.984375, 2: 0.25},
}


def small() -> Similarities:
    return of_numbers(3, SMALL)[0]


def drawn(count: int, seed: int = 0) -> Similarities:
    generator = np.random.default_rng(seed)
    rules = ("negation", "antonym", "synonym", "passive", "typo")
    return of_numbers(count, {rule: dict(enumerate(generator.beta(8, 2, count))) for rule in rules})[0]


@pytest.mark.parametrize(
    "threshold, opposites, different, lost",
    [(0.875, 2, 1, 1), (0.876, 1, 1, 2), (0.2, 4, 2, 0), (1.0, 0, 0, 3), (0.625, 3, 1, 0)],
)
def test_curve_matches_manual_counts(threshold: float, opposites: int, different: int, lost: int) -> None:
    point = point_at(small(), threshold)
    assert point == ThresholdPoint(threshold, opposites / 4, different / 2, lost / 3, None)


def test_curve_spans_the_lowest_similarity_to_one() -> None:
    results = threshold_curve(small())
    assert [point.threshold for point in results] == [step / 100 for step in range(25, 101)]
    assert results[0] == ThresholdPoint(0.25, 1.0, 1.0, 0.0, None)
    assert results == tuple(point_at(small(), point.threshold) for point in results)


def test_curve_matches_a_plain_loop() -> None:
    result = drawn(300)
    opposites = np.concatenate([result.values["negation"], result.values["antonym"]]).astype(float)
    same = np.concatenate([result.values["synonym"], result.values["passive"]]).astype(float)
    for point in threshold_curve(result):
        assert point.opposites_pass == sum(opposites >= point.threshold) / 600
        assert point.paraphrases_lost == sum(same < point.threshold) / 600
        assert point.typos_lost == sum(result.values["typo"].astype(float) < point.threshold) / 300
        assert point.different_pass is None


def test_advice_matches_manual_counts() -> None:
    # One of four opposites may pass: the threshold lies above 0.875, and 0.88 is below the next, 0.9375.
    result = advise_threshold(small(), budget=0.25, max_lost=0.5)
    assert result.point == point_at(small(), 0.88)
    assert (result.point.opposites_pass, result.point.paraphrases_lost) == (0.25, 2 / 3)
    assert not result.holds
    assert advise_threshold(small(), budget=0.25, max_lost=2 / 3).holds
    # No opposite may pass: above 0.9375, and the next similarity is 0.96875.
    assert advise_threshold(small(), budget=0.0, max_lost=1).point == point_at(small(), 0.94)
    # A share just below one of four allows none.
    assert advise_threshold(small(), budget=0.2499, max_lost=1).point == point_at(small(), 0.94)
    # All opposites may pass, so every pair does.
    assert advise_threshold(small(), budget=1.0, max_lost=0).point == point_at(small(), 0.25)
    assert advise_threshold(small(), budget=1.0, max_lost=0).holds


def test_identical_opposites_leave_no_threshold() -> None:
    result, _ = of_numbers(2, {"negation": {0: 1.0, 1: 0.5}, "synonym": {0: 0.5, 1: 0.5}})
    none = advise_threshold(result, budget=0.4, max_lost=1.0)
    assert (none.point, none.holds) == (None, False)
    half = advise_threshold(result, budget=0.5, max_lost=1.0)
    assert half.point is not None
    assert (half.point.threshold, half.point.opposites_pass) == (0.51, 0.5)


def test_closest_opposite_leaves_a_threshold_below_one() -> None:
    result, _ = of_numbers(1, {"negation": {0: 0.96875}, "synonym": {0: 0.5}})
    point = advise_threshold(result, budget=0, max_lost=1).point
    assert point == ThresholdPoint(0.97, 0.0, None, 1.0, None)


@pytest.mark.parametrize("budget", [0.0, 0.01, 0.05, 0.29, 0.3, 0.5, 0.999, 1.0])
def test_advice_is_the_lowest_threshold_within_the_budget(budget: float) -> None:
    result = drawn(100, seed=3)
    advice = advise_threshold(result, budget=budget, max_lost=0.2)
    assert advice.point is not None
    assert advice.point.opposites_pass <= budget
    assert advice.holds == (advice.point.paraphrases_lost <= 0.2)
    similarities = np.unique(np.concatenate(list(result.values.values()))).astype(float)
    lowest = min(value for value in (*similarities, 1.0) if point_at(result, value).opposites_pass <= budget)
    assert advice.point.threshold <= lowest
    assert not any((similarities >= advice.point.threshold) & (similarities < lowest))  # so both accept the same pairs


def test_nearly_equal_similarities_are_distinguished() -> None:
    near = float(np.nextafter(np.float32(0.9), np.float32(1)))
    result, _ = of_numbers(1, {"negation": {0: 0.9}, "synonym": {0: near}})
    advice = advise_threshold(result, budget=0.0, max_lost=0.0)
    assert advice.holds
    assert float(np.float32(0.9)) < advice.point.threshold <= near


@pytest.mark.parametrize("budget, max_lost", [(-0.1, 0.1), (1.5, 0.1), (0.1, 2.0), (float("nan"), 0.1)])
def test_invalid_budgets_are_rejected(budget: float, max_lost: float) -> None:
    with pytest.raises(LitotesError, match=r"\[L102\].*from 0 to 1"):
        advise_threshold(small(), budget=budget, max_lost=max_lost)


@pytest.mark.parametrize("numbers", [{"negation": {0: 1.0}}, {"synonym": {0: 1.0}}])
def test_missing_negations_or_paraphrases_are_an_error(numbers: dict[str, dict[int, float]]) -> None:
    with pytest.raises(LitotesError, match=r"\[L204\]"):
        threshold_curve(of_numbers(1, numbers)[0])
