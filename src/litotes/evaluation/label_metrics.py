"""The figures of a suite whose items have labels: correlation, confusion, and the same for each category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.evaluation.result import CategoryMetrics, Interval, LabelMetrics, NliMetrics
from litotes.evaluation.scoring import ItemOutcomes
from litotes.evaluation.statistics import (
    GroupBootstrap,
    matthews_correlation,
    percentile_interval,
    sum_by_group,
    wilson_interval,
)
from litotes.languages.negation_categories import CATEGORIES
from litotes.suites.base import Suite
from litotes.suites.nli import categories_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Answers:
    """Some items: the place of each one's gold label, what was chosen, and the group."""

    labels: Sequence[str]
    gold: NDArray[np.intp]
    shares: Floats
    """How much of the item each label has; all of it but for ties."""
    credit: Floats
    groups: Sequence[str]

    def of(self, places: NDArray[np.intp]) -> _Answers:
        """The items in those places."""
        groups = [self.groups[place] for place in places]
        return _Answers(self.labels, self.gold[places], self.shares[places], self.credit[places], groups)


def nli_metrics(suite: Suite, found: ItemOutcomes, gold: NDArray[np.intp], bootstrap: GroupBootstrap) -> NliMetrics:
    """The figures of judged items; `bootstrap` draws from all groups of the suite."""
    labels = tuple(suite.kind.passed.options)
    answers = _Answers(labels, gold, found.shares, found.credit, [item.group for item in suite.items])
    mcc, mcc_ci = _correlation(answers, bootstrap)
    members = _members(suite)
    return NliMetrics(
        mcc=mcc,
        mcc_ci=mcc_ci,
        confusion={
            label: {
                chosen: int(np.count_nonzero((gold == place) & (found.choice == other)))
                for other, chosen in enumerate(labels)
            }
            for place, label in enumerate(labels)
        },
        labels=_label_figures(answers),
        categories={name: _category(answers.of(places)) for name, places in members.items()},
    )


def _members(suite: Suite) -> dict[str, NDArray[np.intp]]:
    """The places of each category's items; the known categories first, in the paper's order."""
    places: dict[str, list[int]] = {name: [] for name in CATEGORIES}
    for place, item in enumerate(suite.items):
        for name in categories_of(item):
            places.setdefault(name, []).append(place)
    return {name: np.array(found, dtype=np.intp) for name, found in places.items() if found}


def _category(answers: _Answers) -> CategoryMetrics:
    sums = sum_by_group(answers.credit, answers.groups)
    bootstrap = GroupBootstrap(len(sums.items))
    mcc, mcc_ci = _correlation(answers, bootstrap)
    return CategoryMetrics(
        items=len(answers.groups),
        groups=len(sums.items),
        accuracy=sums.mean,
        accuracy_ci=bootstrap.share_intervals(sums)[0],
        mcc=mcc,
        mcc_ci=mcc_ci,
        labels=_label_figures(answers),
    )


def _correlation(answers: _Answers, bootstrap: GroupBootstrap) -> tuple[float, Interval]:
    """Matthews' correlation and its interval, whole groups drawn again."""
    size = len(answers.labels)
    by_group = _confusion_by_group(answers)
    mcc = float(matthews_correlation(by_group.sum(axis=0).reshape(size, size)))
    drawn = matthews_correlation(bootstrap.sums(by_group).reshape(-1, size, size))
    if mcc == 1.0 and np.ptp(answers.credit) == 0:
        # All right: drawing again shows no spread. Wilson's worst case, its errors spread evenly over the labels.
        low, _ = wilson_interval(1.0, len(by_group))
        return mcc, (max(0.0, 1 - (1 - low) * size / (size - 1)), 1.0)
    return mcc, percentile_interval(drawn)


def _confusion_by_group(answers: _Answers) -> Floats:
    """What each group adds to the table of gold and chosen labels, a row a group."""
    number = {group: place for place, group in enumerate(dict.fromkeys(answers.groups))}
    size = len(answers.labels)
    table = np.zeros((len(number), size, size))
    groups = np.fromiter((number[group] for group in answers.groups), dtype=np.intp, count=len(answers.groups))
    np.add.at(table, (groups, answers.gold), answers.shares)
    return table.reshape(len(number), size * size)


def _label_figures(answers: _Answers) -> dict[str, LabelMetrics]:
    size = len(answers.labels)
    table = np.zeros((size, size))
    np.add.at(table, answers.gold, answers.shares)
    items = np.bincount(answers.gold, minlength=size)
    return {label: _label_figure(table, place, int(items[place])) for place, label in enumerate(answers.labels)}


def _label_figure(table: Floats, place: int, items: int) -> LabelMetrics:
    right, chosen = float(table[place, place]), float(table[:, place].sum())
    # A label that nothing has, or that is never chosen, has 0: there is nothing that was found.
    return LabelMetrics(
        items=items,
        precision=right / chosen if chosen else 0.0,
        recall=right / items if items else 0.0,
        f1=2 * right / (chosen + items) if chosen + items else 0.0,
    )
