"""Intervals and tests over groups: items that stem from one antonym pair are not independent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from litotes.evaluation.result import Interval

RESAMPLES = 2_000
CONFIDENCE = 0.95
SEED = 0
_Z = 1.959963984540054  # the normal quantile that belongs to CONFIDENCE
_FEW = 20
"""Groups, fewer than which drawing them again gives intervals that are too narrow."""
_AT_ONCE = 1 << 22
"""So many numbers are drawn at a time (32 MB): memory does not grow with the number of groups."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GroupSums:
    """What each group adds: how many items, how much credit (or of another number)."""

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


def sum_by_group(credit: Floats, groups: Sequence[str]) -> GroupSums:
    """Items and credit of each group, in order of appearance."""
    number = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    place = np.fromiter((number[group] for group in groups), dtype=np.intp, count=len(groups))
    return GroupSums(
        items=np.bincount(place).astype(np.float64),
        credit=np.bincount(place, weights=credit).astype(np.float64),
    )


class GroupBootstrap:
    """Intervals of means by drawing whole groups with replacement; few draws are kept, many are made anew each time."""

    def __init__(self, groups: int, *, resamples: int = RESAMPLES, seed: int = SEED) -> None:
        self._groups, self._resamples, self._seed = groups, resamples, seed
        self._kept = _kept_draws(groups, resamples, seed) if groups * resamples <= _AT_ONCE else None

    def sums(self, columns: Floats) -> Floats:
        """The sum of each column over the groups of each resample; a row a group in, a row a resample out."""
        kept = _draws(self._groups, self._resamples, self._seed) if self._kept is None else self._kept
        return np.concatenate([draws @ columns for draws in kept])

    def share_intervals(self, sums: GroupSums) -> tuple[Interval, Interval]:
        """The intervals of a share: of its mean over items and of its mean over groups."""
        shares = sums.credit / sums.items
        credit, items, group_sums = self.sums(np.stack([sums.credit, sums.items, shares], axis=1)).T
        return (
            _interval(credit / items, sums.mean, shares),
            _interval(group_sums / len(shares), sums.group_mean, shares),
        )

    def mean(self, sums: GroupSums) -> Interval:
        """The interval of the mean over items of any number."""
        values, items = self.sums(np.stack([sums.credit, sums.items], axis=1)).T
        return percentile_interval(values / items)


def _interval(means: Floats, mean: float, shares: Floats) -> Interval:
    if np.ptp(shares) == 0:
        # All groups alike, often all 0: drawing again shows no spread where there may well be some.
        return wilson_interval(mean, len(shares))
    low, high = percentile_interval(means)
    if len(shares) < _FEW:
        # Drawn from few, they spread too little; no share of as many independent things spreads more than Wilson's.
        low, high = min(low, wilson_interval(mean, len(shares))[0]), max(high, wilson_interval(mean, len(shares))[1])
    return low, high


def percentile_interval(values: Floats) -> Interval:
    """The ends between which CONFIDENCE of the values lie."""
    low, high = np.quantile(values, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


@lru_cache(maxsize=2)
def _kept_draws(groups: int, resamples: int, seed: int) -> list[Floats]:
    """The draws of a suite serve all models of a sweep."""
    return [*_draws(groups, resamples, seed)]


def _draws(groups: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each group is drawn, a row a resample, so many rows at a time as memory should hold."""
    for drawn in _integers(groups, groups, resamples, seed):
        rows = len(drawn)
        np.add(drawn, np.arange(rows)[:, None] * groups, out=drawn)
        yield np.bincount(drawn.ravel(), minlength=rows * groups).reshape(rows, groups).astype(np.float64)


def _integers(below: int, columns: int, rows: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Rows of whole numbers from 0 on; in pieces they are the same numbers as in one go."""
    generator = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // columns)
    for start in range(0, rows, step):
        yield generator.integers(0, below, size=(min(step, rows - start), columns))


def wilson_interval(share: float, count: int) -> Interval:
    """Wilson's interval of a share of `count` independent things.

    >>> low, high = wilson_interval(0.0, 100)
    >>> low, round(high, 3)
    (0.0, 0.037)
    """
    square = _Z * _Z
    centre = (share + square / (2 * count)) / (1 + square / count)
    half = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    # The share itself always lies inside, whatever rounding does at 0 and 1.
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


@dataclass(frozen=True)
class PairedDifference:
    """The difference of two means on the same items."""

    difference: float
    ci: Interval
    p: float
    p_adjusted: float
    """Corrected for all the differences that are looked at together."""


def paired_difference(
    one: Floats, other: Floats, groups: Sequence[str], *, resamples: int = 10_000, seed: int = SEED
) -> PairedDifference:
    """How much better the first is, with an interval (groups drawn again) and a p-value (groups' signs flipped).

    >>> same = paired_difference(np.ones(4), np.ones(4), ["a", "a", "b", "b"])
    >>> same.difference, same.p
    (0.0, 1.0)
    """
    return paired_differences([one, other], [(0, 1)], groups, resamples=resamples, seed=seed)[0]


def paired_differences(
    columns: Sequence[Floats],
    pairs: Sequence[tuple[int, int]],
    groups: Sequence[str],
    *,
    resamples: int = 10_000,
    seed: int = SEED,
) -> list[PairedDifference]:
    """The same for many pairs of columns at once: what is drawn is drawn once, whatever the number of pairs."""
    if not pairs:
        return []
    sums = [sum_by_group(column, groups) for column in columns]
    items = sums[0].items
    credit = np.stack([one.credit for one in sums], axis=1)
    count = len(items)
    drawn = [(draws @ credit, draws @ items) for draws in _draws(count, resamples, seed)]
    resampled, sizes = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    flipped = np.concatenate([(coins * 2.0 - 1.0) @ credit for coins in _integers(2, count, resamples, seed + 1)])
    totals = credit.sum(axis=0)
    left, right = np.array(pairs, dtype=np.intp).T
    seen = np.abs(totals[left] - totals[right])
    # Under flips of the groups' signs a sum has this spread, so that pairs which differ in few items count as much.
    spread = np.sqrt(((credit[:, left] - credit[:, right]) ** 2).sum(axis=0))
    as_far, farther = _flips_as_far(flipped, left, right, seen, spread)
    return [
        PairedDifference(
            float((totals[a] - totals[b]) / items.sum()),
            percentile_interval((resampled[:, a] - resampled[:, b]) / sizes),
            float(1 + as_far[place]) / (1 + resamples),
            float(1 + farther[place]) / (1 + resamples),
        )
        for place, (a, b) in enumerate(pairs)
    ]


def _flips_as_far(
    flipped: Floats, left: NDArray[np.intp], right: NDArray[np.intp], seen: Floats, spread: Floats
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """In how many flips each pair is as far apart as seen; and in how many that pair or any less clear one is.

    The second is the step-down correction of Westfall and Young (1993): what the clearest of many differences
    would be by chance alone is read from the same flips, so its p-values are as fine however many pairs there are.
    """
    scale = np.where(spread > 0, spread, 1.0)
    clear = seen / scale
    order = np.argsort(-clear, kind="stable")
    as_far, farther = np.zeros(len(seen), dtype=np.int64), np.zeros(len(seen), dtype=np.int64)
    step = max(1, _AT_ONCE // len(seen))
    for start in range(0, len(flipped), step):
        part = flipped[start : start + step]
        apart = np.abs(part[:, left] - part[:, right])
        as_far += (apart >= seen - 1e-9).sum(axis=0)
        clearest = np.maximum.accumulate((apart / scale)[:, order[::-1]], axis=1)[:, ::-1]
        farther[order] += (clearest >= clear[order] - 1e-9).sum(axis=0)
    farther[order] = np.maximum.accumulate(farther[order])
    return as_far, farther


def spearman(one: Floats, other: Floats) -> float | None:
    """Spearman's correlation, equal values sharing the mean of their ranks; None if all values of a column are equal.

    >>> round(spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 4.0, 3.0])), 10)
    0.6
    """
    left, right = average_ranks(one), average_ranks(other)
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    return float(np.corrcoef(left, right)[0, 1])


def average_ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of theirs.

    >>> average_ranks(np.array([0.3, 0.1, 0.3, 0.9])).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    _, number, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[number]
    return ranks


def matthews_correlation(confusion: Floats) -> Floats:
    """The correlation of gold labels (rows) and chosen ones (columns), for one table or for many at once.

    0 where one side has a single label: such a table shows no correlation.

    >>> float(matthews_correlation(np.array([[2.0, 0.0], [0.0, 2.0]])))
    1.0
    """
    gold, chosen = confusion.sum(axis=-1), confusion.sum(axis=-2)
    right, total = np.trace(confusion, axis1=-2, axis2=-1), confusion.sum(axis=(-2, -1))
    covariance = right * total - (gold * chosen).sum(axis=-1)
    spread = np.sqrt((total**2 - (gold**2).sum(axis=-1)) * (total**2 - (chosen**2).sum(axis=-1)))
    return np.asarray(np.divide(covariance, spread, out=np.zeros_like(spread), where=spread > 0), dtype=np.float64)


def compact_letter_display(names: Sequence[str], differing: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each name, the first names having the first ones; two names share one unless they differ.

    >>> compact_letter_display(["best", "middle", "worst"], [("best", "worst")])
    {'best': 'a', 'middle': 'ab', 'worst': 'b'}
    """
    columns = [frozenset(names)]
    for one, other in differing:
        split: list[frozenset[str]] = []
        for column in columns:
            split += [column - {one}, column - {other}] if one in column and other in column else [column]
        columns = _absorbed(split)
    rank = {name: place for place, name in enumerate(names)}
    ordered = sorted(columns, key=lambda column: sorted(rank[name] for name in column))
    return {name: "".join(letter(place) for place, column in enumerate(ordered) if name in column) for name in names}


def _absorbed(columns: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Without columns that are part of another: they say nothing that the other does not say."""
    unique = sorted(set(columns), key=lambda column: (-len(column), sorted(column)))
    kept: list[frozenset[str]] = []
    for column in unique:
        if column and not any(column <= other for other in kept):
            kept.append(column)
    return kept


def letter(place: int) -> str:
    """a to z, then with a stroke for each time round.

    >>> letter(0), letter(25), letter(26)
    ('a', 'z', 'a′')
    """
    rounds, place = divmod(place, 26)
    return chr(ord("a") + place) + "′" * rounds
