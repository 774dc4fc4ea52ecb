"""Confidence intervals, tests and correlations. Groups of items are the unit that is resampled.

Items of one group, such as those of one antonym pair, are not independent."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from litotes.evaluation.result import Interval, RunResult
from litotes.evaluation.settings import RESAMPLES, SEED

CONFIDENCE = 0.95
PERMUTATIONS = 10_000
_Z = 1.959963984540054  # quantile of the normal distribution for CONFIDENCE
_MIN_GROUPS = 20
"""With fewer groups, bootstrap intervals are too narrow and are widened to Wilson's."""
_CHUNK = 1 << 22
"""Random numbers that are drawn at a time (32 MB), so that memory does not grow with the number of groups."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GroupSums:
    """The number of items in each group, and the sum of their credits (or of another value)."""

    items: Floats
    credit: Floats

    @property
    def mean(self) -> float:
        """The mean over items."""
        return float(self.credit.sum() / self.items.sum())

    @property
    def group_mean(self) -> float:
        """The mean over groups."""
        return float((self.credit / self.items).mean())


def group_numbers(groups: Sequence[str]) -> NDArray[np.intp]:
    """Number the groups in order of appearance and return the number of each item's group.

    >>> group_numbers(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    return np.fromiter((numbers[group] for group in groups), dtype=np.intp, count=len(groups))


def sum_by_group(credit: Floats, groups: Sequence[str]) -> GroupSums:
    """Sum the items and the credit of each group, in order of appearance."""
    numbers = group_numbers(groups)
    return GroupSums(
        items=np.bincount(numbers).astype(np.float64), credit=np.bincount(numbers, weights=credit).astype(np.float64)
    )


class GroupBootstrap:
    """Confidence intervals of means, by drawing whole groups with replacement."""

    def __init__(self, n_groups: int, *, resamples: int = RESAMPLES, seed: int = SEED) -> None:
        self.resamples, self.seed = resamples, seed
        self._n_groups = n_groups

    def resampled_sums(self, columns: Floats) -> Floats:
        """Return the sum of each column over the groups of each resample, from one row per group."""
        small = self._n_groups * self.resamples <= _CHUNK
        draws = (_cached_draws if small else _draws)(self._n_groups, self.resamples, self.seed)
        return np.concatenate([counts @ columns for counts in draws])

    def share_intervals(self, sums: GroupSums) -> tuple[Interval, Interval]:
        """Return the intervals of a share: of its mean over items and of its mean over groups."""
        shares = sums.credit / sums.items
        credit, items, group_sums = self.resampled_sums(np.stack([sums.credit, sums.items, shares], axis=1)).T
        return (
            _share_interval(credit / items, sums.mean, shares),
            _share_interval(group_sums / len(shares), sums.group_mean, shares),
        )

    def mean_interval(self, sums: GroupSums) -> Interval:
        """Return the interval of the mean over items of any value."""
        values, items = self.resampled_sums(np.stack([sums.credit, sums.items], axis=1)).T
        return percentile_interval(values / items)


def _share_interval(means: Floats, mean: float, shares: Floats) -> Interval:
    if np.ptp(shares) == 0:
        # All groups have the same share, often 0 or 1: resampling shows no spread although there may be some.
        return wilson_interval(mean, len(shares))
    low, high = percentile_interval(means)
    if len(shares) < _MIN_GROUPS:
        # Resampling few groups underestimates the spread; Wilson's interval is an upper bound for independent groups.
        wilson_low, wilson_high = wilson_interval(mean, len(shares))
        low, high = min(low, wilson_low), max(high, wilson_high)
    return low, high


def percentile_interval(values: Floats) -> Interval:
    """Return the central interval that contains the share CONFIDENCE of the values."""
    low, high = np.quantile(values, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


@lru_cache(maxsize=2)
def _cached_draws(n_groups: int, resamples: int, seed: int) -> list[Floats]:
    """Return the draws of a suite, which all models of a sweep share."""
    return [*_draws(n_groups, resamples, seed)]


def _draws(n_groups: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield matrices with one row per resample that count how often each group is drawn."""
    for drawn in _random_integers(n_groups, n_groups, resamples, seed):
        rows = len(drawn)
        np.add(drawn, np.arange(rows)[:, None] * n_groups, out=drawn)
        yield np.bincount(drawn.ravel(), minlength=rows * n_groups).reshape(rows, n_groups).astype(np.float64)


def _random_integers(below: int, columns: int, rows: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield rows of random integers in chunks; the numbers do not depend on the size of the chunks."""
    generator = np.random.default_rng(seed)
    step = max(1, _CHUNK // columns)
    for start in range(0, rows, step):
        yield generator.integers(0, below, size=(min(step, rows - start), columns))


def wilson_interval(share: float, count: int) -> Interval:
    """Return Wilson's confidence interval of a share of `count` independent observations.

    >>> low, high = wilson_interval(0.0, 100)
    >>> low, round(high, 3)
    (0.0, 0.037)
    """
    square = _Z * _Z
    centre = (share + square / (2 * count)) / (1 + square / count)
    half = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    # The share itself is inside, whatever rounding does at 0 and 1.
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


@dataclass(frozen=True)
class PairedDifference:
    """The difference of two means over the same items."""

    difference: float
    ci: Interval
    p: float
    p_adjusted: float
    """Corrected for all differences that were tested together."""


def paired_difference(
    a: Floats, b: Floats, groups: Sequence[str], *, resamples: int = PERMUTATIONS, seed: int = SEED
) -> PairedDifference:
    """Return how much larger the mean of `a` is, with a bootstrap interval and the p-value of a sign-flip test.

    >>> same = paired_difference(np.ones(4), np.ones(4), ["a", "a", "b", "b"])
    >>> same.difference, same.p
    (0.0, 1.0)
    """
    return paired_differences([a, b], [(0, 1)], groups, resamples=resamples, seed=seed)[0]


def paired_differences(
    columns: Sequence[Floats],
    pairs: Sequence[tuple[int, int]],
    groups: Sequence[str],
    *,
    resamples: int = PERMUTATIONS,
    seed: int = SEED,
) -> list[PairedDifference]:
    """Return the differences of several pairs of columns, which share all random draws."""
    if not pairs:
        return []
    sums = [sum_by_group(column, groups) for column in columns]
    items = sums[0].items
    credit = np.stack([column.credit for column in sums], axis=1)
    n_groups = len(items)
    drawn = [(counts @ credit, counts @ items) for counts in _draws(n_groups, resamples, seed)]
    resampled, sizes = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    flips = _random_integers(2, n_groups, resamples, seed + 1)
    flipped = np.concatenate([(coins * 2.0 - 1.0) @ credit for coins in flips])
    totals = credit.sum(axis=0)
    left, right = np.array(pairs, dtype=np.intp).T
    observed = np.abs(totals[left] - totals[right])
    # The standard deviation of the difference under random signs; it makes pairs that differ in few items comparable.
    spread = np.sqrt(((credit[:, left] - credit[:, right]) ** 2).sum(axis=0))
    n_single, n_step_down = _exceedances(flipped, left, right, observed, spread)
    return [
        PairedDifference(
            float((totals[a] - totals[b]) / items.sum()),
            percentile_interval((resampled[:, a] - resampled[:, b]) / sizes),
            float(1 + n_single[index]) / (1 + resamples),
            float(1 + n_step_down[index]) / (1 + resamples),
        )
        for index, (a, b) in enumerate(pairs)
    ]


def _exceedances(
    flipped: Floats, left: NDArray[np.intp], right: NDArray[np.intp], observed: Floats, spread: Floats
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the permutations in which a difference is at least as large as the observed one.

    The first result counts for each pair alone, the second with the step-down correction of Westfall and Young (1993),
    which compares each pair with the maximum over itself and all less significant pairs.
    """
    scale = np.where(spread > 0, spread, 1.0)
    standardised = observed / scale
    order = np.argsort(-standardised, kind="stable")
    n_single, n_step_down = np.zeros(len(observed), dtype=np.int64), np.zeros(len(observed), dtype=np.int64)
    step = max(1, _CHUNK // len(observed))
    for start in range(0, len(flipped), step):
        part = flipped[start : start + step]
        differences = np.abs(part[:, left] - part[:, right])
        n_single += (differences >= observed - 1e-9).sum(axis=0)
        maxima = np.maximum.accumulate((differences / scale)[:, order[::-1]], axis=1)[:, ::-1]
        n_step_down[order] += (maxima >= standardised[order] - 1e-9).sum(axis=0)
    n_step_down[order] = np.maximum.accumulate(n_step_down[order])
    return n_single, n_step_down


@dataclass(frozen=True)
class GroupDifference:
    """The difference of the means of two groups of independent values."""

    a: str
    b: str
    difference: float
    p: float
    """Of a permutation test, in which the values of the two groups are distributed at random over both."""
    p_adjusted: float
    """Corrected for all pairs of groups (Holm)."""


def compare_groups(
    groups: Mapping[str, Sequence[float]], *, resamples: int = PERMUTATIONS, seed: int = SEED
) -> list[GroupDifference]:
    """Compare the means of every two groups.

    >>> same, other = compare_groups({"a": [1.0] * 9, "b": [1.0] * 9, "c": [2.0] * 9})[:2]
    >>> same.p_adjusted, other.difference, other.p_adjusted < 0.01
    (1.0, -1.0, True)
    """
    pairs = list(itertools.combinations(groups, 2))
    values = {group: np.array(members, dtype=np.float64) for group, members in groups.items()}
    ps = [_permutation_p(values[a], values[b], resamples, seed) for a, b in pairs]
    return [
        GroupDifference(a, b, float(values[a].mean() - values[b].mean()), p, p_adjusted)
        for (a, b), p, p_adjusted in zip(pairs, ps, holm(ps), strict=True)
    ]


def _permutation_p(a: Floats, b: Floats, resamples: int, seed: int) -> float:
    pooled = np.concatenate([a, b])
    permuted = np.random.default_rng(seed).permuted(np.tile(pooled, (resamples, 1)), axis=1)
    means_of_a = permuted[:, : len(a)].mean(axis=1)
    means_of_b = permuted[:, len(a) :].mean(axis=1)
    n_as_large = int((np.abs(means_of_a - means_of_b) >= abs(a.mean() - b.mean()) - 1e-9).sum())
    return (1 + n_as_large) / (1 + resamples)


def spearman_p(a: Floats, b: Floats, *, resamples: int = PERMUTATIONS, seed: int = SEED) -> float:
    """Return the p-value of Spearman's correlation by random permutations of one column; 1 if a column is constant."""
    left, right = average_ranks(a), average_ranks(b)
    left, right = left - left.mean(), right - right.mean()
    permuted = np.random.default_rng(seed).permuted(np.tile(left, (resamples, 1)), axis=1)
    return (1 + int((np.abs(permuted @ right) >= abs(left @ right) - 1e-9).sum())) / (1 + resamples)


def holm(ps: Sequence[float]) -> list[float]:
    """Return p-values corrected for all tests together by Holm's step-down method.

    >>> holm([0.5, 0.25, 0.03125])
    [0.5, 0.5, 0.09375]
    """
    order = sorted(range(len(ps)), key=lambda index: ps[index])
    adjusted, largest = [0.0] * len(ps), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[index]))
        adjusted[index] = largest
    return adjusted


def spearman(a: Floats, b: Floats) -> float | None:
    """Return Spearman's rank correlation, or None if one of the columns is constant.

    >>> round(spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 4.0, 3.0])), 10)
    0.6
    """
    left, right = average_ranks(a), average_ranks(b)
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    return float(np.corrcoef(left, right)[0, 1])


def average_ranks(values: Floats) -> Floats:
    """Return ranks from 1; equal values share the mean of their ranks.

    >>> average_ranks(np.array([0.3, 0.1, 0.3, 0.9])).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    _, numbers, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[numbers]
    return ranks


class RankedColumn:
    """A column that is sorted once and then ranked for many resamples."""

    def __init__(self, values: Floats) -> None:
        _, self._group = np.unique(values, return_inverse=True)
        self._n_groups = int(self._group.max()) + 1

    def standardised_ranks(self, counts: NDArray[np.intp]) -> Floats:
        """Return the ranks, with mean 0 and standard deviation 1, of a resample with these counts per value."""
        group_counts = np.bincount(self._group, weights=counts, minlength=self._n_groups)
        ranks = (np.cumsum(group_counts) - (group_counts - 1) / 2)[self._group]
        total = counts.sum()
        centred: Floats = ranks - (ranks * counts).sum() / total
        deviation = float(np.sqrt((centred**2 * counts).sum() / total))
        return centred / (deviation or 1.0)


def spearman_resamples(gold: Floats, *columns: Floats, resamples: int, seed: int) -> Floats:
    """Return Spearman's correlation of each column with the first one (columns) in each resample of pairs (rows)."""
    generator = np.random.default_rng(seed)
    ranked = [RankedColumn(column) for column in (gold, *columns)]
    correlations = np.empty((resamples, len(columns)))
    for row in correlations:
        counts = np.bincount(generator.integers(0, len(gold), size=len(gold)), minlength=len(gold))
        gold_ranks, *ranks = (column.standardised_ranks(counts) for column in ranked)
        row[:] = [(column * gold_ranks * counts).sum() / len(gold) for column in ranks]
    return correlations


def matthews_correlation(confusion: Floats) -> Floats:
    """Return the Matthews correlation of one or several tables of gold labels (rows) and predicted ones (columns).

    It is 0 if the table has a single gold or predicted label.

    >>> float(matthews_correlation(np.array([[2.0, 0.0], [0.0, 2.0]])))
    1.0
    """
    gold, predicted = confusion.sum(axis=-1), confusion.sum(axis=-2)
    correct, total = np.trace(confusion, axis1=-2, axis2=-1), confusion.sum(axis=(-2, -1))
    covariance = correct * total - (gold * predicted).sum(axis=-1)
    spread = np.sqrt((total**2 - (gold**2).sum(axis=-1)) * (total**2 - (predicted**2).sum(axis=-1)))
    return np.asarray(np.divide(covariance, spread, out=np.zeros_like(spread), where=spread > 0), dtype=np.float64)


def compact_letter_display(names: Sequence[str], differing: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return letters for each name such that two names share a letter unless they differ significantly.

    >>> compact_letter_display(["best", "middle", "worst"], [("best", "worst")])
    {'best': 'a', 'middle': 'ab', 'worst': 'b'}
    """
    columns = [frozenset(names)]
    for a, b in differing:
        split: list[frozenset[str]] = []
        for column in columns:
            split += [column - {a}, column - {b}] if a in column and b in column else [column]
        columns = _without_subsets(split)
    rank = {name: index for index, name in enumerate(names)}
    ordered = sorted(columns, key=lambda column: sorted(rank[name] for name in column))
    return {name: "".join(_letter(index) for index, column in enumerate(ordered) if name in column) for name in names}


def _without_subsets(columns: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Return the columns that are not contained in another one."""
    unique = sorted(set(columns), key=lambda column: (-len(column), sorted(column)))
    maximal: list[frozenset[str]] = []
    for column in unique:
        if column and not any(column <= larger for larger in maximal):
            maximal.append(column)
    return maximal


def _letter(index: int) -> str:
    """Return the letter of a column: a to z, then a′ to z′.

    >>> _letter(0), _letter(25), _letter(26)
    ('a', 'z', 'a′')
    """
    primes, index = divmod(index, 26)
    return chr(ord("a") + index) + "′" * primes


@dataclass(frozen=True)
class Comparison:
    """Model `a` compared with model `b` on one suite; a positive difference means that `a` is better."""

    suite: str
    a: str
    b: str
    difference: float
    ci: Interval
    p: float
    p_adjusted: float
    """Corrected for all comparisons on the suite (Westfall and Young, step-down)."""

    @property
    def differ(self) -> bool:
        """Whether the corrected p-value is below 0.05."""
        return self.p_adjusted < 0.05


def compare_models(results: Sequence[RunResult]) -> list[Comparison]:
    """Compare every two models that ran on the same suite, the better one first.

    P-values are corrected over all comparisons of a suite, so they depend on which models are compared together.
    """
    return [comparison for runs in group_by_suite(results).values() for comparison in _compare_on_suite(runs)]


def group_by_suite(results: Sequence[RunResult]) -> dict[tuple[str, str], list[RunResult]]:
    """Return the runs by name and sha256 of their suite."""
    by_suite: dict[tuple[str, str], list[RunResult]] = {}
    for result in results:
        by_suite.setdefault((result.suite.name, result.suite.sha256), []).append(result)
    return by_suite


def _compare_on_suite(runs: Sequence[RunResult]) -> list[Comparison]:
    ranked = sorted(runs, key=lambda run: (-run.metrics.accuracy, run.model))
    pairs = list(itertools.combinations(range(len(ranked)), 2))
    groups = [item.group for item in ranked[0].items]
    credits = [np.array([item.credit for item in run.items], dtype=np.float64) for run in ranked]
    return [
        Comparison(
            suite=ranked[0].suite.name,
            a=ranked[a].model,
            b=ranked[b].model,
            difference=tested.difference,
            ci=tested.ci,
            p=tested.p,
            p_adjusted=tested.p_adjusted,
        )
        for (a, b), tested in zip(pairs, paired_differences(credits, pairs, groups), strict=True)
    ]
