"""Statistics: coverage, error rates, and comparison with plain computations and scipy."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.evaluation.statistics import (
    GroupBootstrap,
    GroupSums,
    average_ranks,
    compact_letter_display,
    compare_groups,
    paired_difference,
    paired_differences,
    spearman,
    spearman_p,
    sum_by_group,
    wilson_interval,
)


def mean_intervals(sums: GroupSums, resamples: int = 2_000):
    return GroupBootstrap(len(sums.items), resamples=resamples).share_intervals(sums)


def test_sums_values_by_group() -> None:
    sums = sum_by_group(np.array([1.0, 0.0, 1.0, 0.5]), ["b", "a", "b", "a"])
    assert sums.items.tolist() == [2, 2]
    assert sums.credit.tolist() == [2, 0.5]
    assert sums.mean == pytest.approx(0.625)
    assert sum_by_group(np.array([1.0, 0.0, 0.0]), ["a", "b", "b"]).group_mean == pytest.approx(0.5)


def grouped_world(generator: np.random.Generator, groups: int = 60, size: int = 8) -> tuple[np.ndarray, list[str]]:
    """Return items with correlated outcomes within groups; the true mean is 0.3."""
    shares = generator.beta(0.6, 1.4, size=groups)
    credit = (generator.random((groups, size)) < shares[:, None]).astype(float)
    return credit.ravel(), [f"g{number}" for number in range(groups) for _ in range(size)]


def test_group_intervals_cover_the_truth_unlike_item_intervals() -> None:
    by_groups = by_items = 0
    worlds = 200
    for seed in range(worlds):
        credit, groups = grouped_world(np.random.default_rng(seed))
        (low, high), (group_low, group_high) = mean_intervals(sum_by_group(credit, groups), resamples=600)
        by_groups += low <= 0.3 <= high
        assert group_low == pytest.approx(low, abs=0.03) and group_high == pytest.approx(high, abs=0.03)
        low, high = mean_intervals(sum_by_group(credit, [str(n) for n in range(len(credit))]), resamples=300)[0]
        by_items += low <= 0.3 <= high
    assert by_groups / worlds > 0.88
    assert by_items / worlds < 0.80


@pytest.mark.parametrize("groups", [5, 8, 12])
def test_intervals_over_few_groups_cover_the_truth(groups: int) -> None:
    """A plain bootstrap of few groups is too narrow: 7 to 13 % of its intervals would miss the true mean."""
    missed = 0
    for seed in range(400):
        shares = np.random.default_rng(seed).integers(0, 5, size=groups) / 4
        low, high = mean_intervals(GroupSums(items=np.ones(groups), credit=shares), resamples=600)[0]
        missed += not low <= 0.5 <= high
    assert missed / 400 <= 0.05


def test_intervals_are_reproducible() -> None:
    sums = sum_by_group(*grouped_world(np.random.default_rng(3)))
    assert mean_intervals(sums) == mean_intervals(sums)


@pytest.mark.parametrize(("credit", "inside"), [(0.0, (0.0, 0.1)), (1.0, (0.9, 1.0))])
def test_equal_shares_still_have_an_interval(credit: float, inside: tuple[float, float]) -> None:
    sums = GroupSums(items=np.full(50, 4.0), credit=np.full(50, 4.0 * credit))
    low, high = mean_intervals(sums)[0]
    assert inside[0] <= low <= credit <= high <= inside[1]
    assert high - low > 0.01


def test_the_interval_of_a_mean_equals_a_plain_bootstrap() -> None:
    draw = np.random.default_rng(5)
    values, groups = draw.normal(-3.0, 2.0, size=240), [f"g{number // 4}" for number in range(240)]
    low, high = GroupBootstrap(60).mean_interval(sum_by_group(values, groups))
    table = values.reshape(60, 4)
    plain = [table[draw.integers(0, 60, size=60)].mean() for _ in range(4_000)]
    assert (low, high) == pytest.approx(np.quantile(plain, [0.025, 0.975]), abs=0.05)
    same = sum_by_group(np.full(240, 0.7), groups)
    assert GroupBootstrap(60).mean_interval(same) == pytest.approx((0.7, 0.7))


def test_wilson_intervals_match_known_values() -> None:
    # Newcombe (1998), Table I: 81 of 263.
    assert wilson_interval(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_p_values_are_small_for_real_differences_and_uniform_for_none() -> None:
    p_values = []
    for seed in range(150):
        generator = np.random.default_rng(seed)
        first, groups = grouped_world(generator, groups=30)
        second, _ = grouped_world(generator, groups=30)
        p_values.append(paired_difference(first, second, groups, resamples=400).p)
    assert 0.01 <= np.mean(np.array(p_values) < 0.05) <= 0.10
    better = np.clip(first + 1, 0, 1)
    result = paired_difference(better, first, groups)
    assert result.p < 0.001
    assert result.ci[0] > 0
    assert result.difference == pytest.approx(float((better - first).mean()))


def test_difference_is_antisymmetric() -> None:
    generator = np.random.default_rng(5)
    first, groups = grouped_world(generator)
    second, _ = grouped_world(generator)
    there, back = paired_difference(first, second, groups), paired_difference(second, first, groups)
    assert there.difference == pytest.approx(-back.difference)
    assert there.p == back.p


def test_single_pair_has_no_correction() -> None:
    rng = np.random.default_rng(2)
    first, second = (rng.random((2, 120)) < [[0.7], [0.5]]).astype(float)
    result = paired_difference(first, second, [str(number // 2) for number in range(120)])
    assert result.p_adjusted == result.p < 1


def test_many_equal_models_rarely_differ_significantly() -> None:
    rng = np.random.default_rng(3)
    pairs = list(itertools.combinations(range(8), 2))
    groups = [str(number // 3) for number in range(150)]
    wrong = 0
    for _ in range(60):
        columns = list((rng.random((8, 150)) < 0.5).astype(float))
        wrong += any(
            difference.p_adjusted < 0.05 for difference in paired_differences(columns, pairs, groups, resamples=400)
        )
    assert wrong <= 8  # 3 of 60 are expected, more than 8 once in 200 cases


def test_clear_differences_stay_clear_among_a_hundred_models() -> None:
    rng = np.random.default_rng(4)
    rates = np.repeat([0.2, 0.5, 0.9], 34)
    columns = list((rng.random((102, 900)) < rates[:, None]).astype(float))
    pairs = list(itertools.combinations(range(102), 2))
    results = paired_differences(columns, pairs, [str(number // 3) for number in range(900)], resamples=2_000)
    apart = [one.p_adjusted < 0.05 for (a, b), one in zip(pairs, results, strict=True) if rates[a] != rates[b]]
    false_alarms = [one.p_adjusted < 0.05 for (a, b), one in zip(pairs, results, strict=True) if rates[a] == rates[b]]
    assert all(apart) and not any(false_alarms)
    assert all(one.p_adjusted >= one.p for one in results)


def test_spearman_matches_manual_calculation() -> None:
    # Ranks 1 2.5 2.5 4 against 1 3 2 4: covariance 4.5/4, spreads sqrt(4.5/4) and sqrt(5/4).
    correlation = spearman(np.array([0.0, 2.0, 2.0, 9.0]), np.array([0.1, 0.3, 0.2, 0.4]))
    assert correlation == pytest.approx(4.5 / np.sqrt(4.5 * 5))
    assert spearman(np.arange(5.0), -np.arange(5.0)) == pytest.approx(-1)
    assert spearman(np.arange(5.0), np.ones(5)) is None


def test_ranks_and_correlations_match_scipy() -> None:
    generator = np.random.default_rng(3)
    x, y = generator.integers(0, 6, 200).astype(float), generator.normal(size=200).round(1)
    assert np.array_equal(average_ranks(y), scipy.stats.rankdata(y))
    assert spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y).statistic)


MODELS = [f"m{number}" for number in range(7)]


def letters(text: str) -> set[str]:
    return set(re.findall("[a-z]′*", text))


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from(list(itertools.combinations(MODELS, 2)))))
def test_two_models_share_a_letter_if_and_only_if_they_do_not_differ(differing: set[tuple[str, str]]) -> None:
    display = compact_letter_display(MODELS, sorted(differing))
    for pair in itertools.combinations(MODELS, 2):
        shares = bool(letters(display[pair[0]]) & letters(display[pair[1]]))
        assert shares == (pair not in differing)


def test_letters_follow_the_order_of_the_models() -> None:
    every = list(itertools.combinations(MODELS, 2))
    assert list(compact_letter_display(MODELS, every).values()) == list("abcdefg")
    assert set(compact_letter_display(MODELS, []).values()) == {"a"}


def test_hundred_models_are_sorted() -> None:
    names = [f"m{number:03d}" for number in range(100)]
    differing = [(a, b) for a, b in itertools.combinations(names, 2) if int(b[1:]) - int(a[1:]) > 6]
    display = compact_letter_display(names, differing)
    assert letters(display["m000"]) & letters(display["m006"])
    assert not letters(display["m000"]) & letters(display["m007"])


def test_groups_are_compared_by_permutation() -> None:
    """All 70 ways to divide eight values into two groups of four are counted."""
    a, b = [9.0, 7.0, 8.0, 5.0], [1.0, 6.0, 3.0, 2.0]
    exact = sum(
        abs(sum(part) - (sum(a + b) - sum(part))) >= abs(sum(a) - sum(b)) for part in itertools.combinations(a + b, 4)
    )
    (pair,) = compare_groups({"a": a, "b": b}, resamples=40_000)
    assert pair.difference == pytest.approx(4.25)
    assert pair.p == pytest.approx(exact / 70, abs=0.005) and pair.p_adjusted == pair.p


def test_comparisons_of_groups_are_corrected_together() -> None:
    rng = np.random.default_rng(4)
    false_alarms = 0
    for seed in range(60):
        groups = {name: rng.normal(size=8).tolist() for name in "abcd"}
        false_alarms += any(pair.p_adjusted < 0.05 for pair in compare_groups(groups, resamples=500, seed=seed))
    assert false_alarms <= 8, "about 3 of 60 are expected at most"
    different = {"a": [1.0, 2.0, 3.0, 2.5, 1.5, 2.2], "b": [9.0, 8.0, 9.5, 8.5, 8.8, 9.1]}
    assert compare_groups(different)[0].p_adjusted < 0.01


def test_p_of_a_rank_correlation() -> None:
    x = np.arange(12.0)
    assert spearman_p(x, x**2) < 0.001
    assert spearman_p(x, np.ones(12)) == 1.0
    y = np.array([3.0, 9, 1, 7, 2, 11, 5, 0, 10, 4, 8, 6])
    assert 0.3 < spearman_p(x, y) <= 1
