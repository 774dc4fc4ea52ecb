"""Metrics of a run: accuracy and its intervals, normalised similarities, and the label metrics of NLI suites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.evaluation.result import (
    CategoryMetrics,
    CriterionAccuracy,
    Interval,
    LabelMetrics,
    Metrics,
    NliMetrics,
    StsMetrics,
)
from litotes.evaluation.scoring import ItemOutcomes, SuiteScores, apply_criterion
from litotes.evaluation.settings import EvaluationSettings
from litotes.evaluation.statistics import (
    Floats,
    GroupBootstrap,
    group_numbers,
    matthews_correlation,
    percentile_interval,
    spearman,
    spearman_resamples,
    sum_by_group,
    wilson_interval,
)
from litotes.languages.negation_categories import CATEGORIES
from litotes.models.base import Scores
from litotes.suites.base import HighestSimilarity, Suite, pair_name
from litotes.suites.nli import categories_of
from litotes.suites.sts import PAIR, human_scores

_MIN_RANGE = 1e-9
"""Similarities are not normalised if the baseline is closer to 1."""


def compute_metrics(
    suite: Suite,
    outcomes: ItemOutcomes,
    scores: SuiteScores,
    columns: Mapping[str, Scores],
    settings: EvaluationSettings,
) -> Metrics:
    """Return the metrics of a suite; `columns` are the similarities or probabilities by the names shown in results."""
    groups = [item.group for item in suite.items]
    sums = sum_by_group(outcomes.credit, groups)
    bootstrap = GroupBootstrap(len(sums.items), resamples=settings.resamples, seed=settings.seed)
    accuracy_ci, group_accuracy_ci = bootstrap.share_intervals(sums)
    means = {name: float(values.mean()) for name, values in columns.items()}
    normalised_means = normalised(means, scores.baseline)
    return Metrics(
        items=len(suite.items),
        groups=len(sums.items),
        accuracy=sums.mean,
        accuracy_ci=accuracy_ci,
        group_accuracy=sums.group_mean,
        group_accuracy_ci=group_accuracy_ci,
        chance=suite.kind.criterion.chance,
        ties=_count_ties(outcomes),
        similarities=means,
        also={
            name: _criterion_accuracy(criterion, scores, groups, bootstrap)
            for name, criterion in suite.kind.extra_criteria.items()
            if all(pair in scores.similarities for pair in criterion.options.values())
        },
        baseline=scores.baseline,
        normalised=normalised_means,
        normalised_ci=_normalised_intervals(scores, groups, bootstrap) if normalised_means else {},
        nli=None if scores.labels is None else nli_metrics(suite, outcomes, scores.labels.gold, bootstrap),
    )


def _count_ties(outcomes: ItemOutcomes) -> int:
    return int((outcomes.choice < 0).sum())


def _criterion_accuracy(
    criterion: HighestSimilarity, scores: SuiteScores, groups: Sequence[str], bootstrap: GroupBootstrap
) -> CriterionAccuracy:
    outcomes = apply_criterion(criterion, scores.similarities)
    sums = sum_by_group(outcomes.credit, groups)
    return CriterionAccuracy(sums.mean, bootstrap.share_intervals(sums)[0], criterion.chance, _count_ties(outcomes))


def normalised(means: Mapping[str, float], baseline: float | None) -> dict[str, float]:
    """Rescale similarities so that the baseline becomes 0 and 1 stays 1; empty if the baseline is missing or 1.

    >>> normalised({"original~typo": 0.9}, 0.5), normalised({"original~typo": 1.0}, 1.0)
    ({'original~typo': 0.8}, {})
    """
    if baseline is None or 1 - baseline < _MIN_RANGE:
        return {}
    return {pair: (mean - baseline) / (1 - baseline) for pair, mean in means.items()}


def _normalised_intervals(scores: SuiteScores, groups: Sequence[str], bootstrap: GroupBootstrap) -> dict[str, Interval]:
    intervals = {
        pair_name(pair): bootstrap.mean_interval(sum_by_group(values, groups))
        for pair, values in scores.similarities.items()
    }
    low, high = (normalised({pair: ends[side] for pair, ends in intervals.items()}, scores.baseline) for side in (0, 1))
    return {pair: (low[pair], high[pair]) for pair in intervals}


def sts_metrics(suite: Suite, scores: SuiteScores, settings: EvaluationSettings) -> StsMetrics:
    """Return the agreement of similarities with human scores."""
    gold, similarities = np.array(human_scores(suite)), scores.similarities[PAIR]
    resampled = spearman_resamples(gold, similarities, resamples=settings.resamples, seed=settings.seed)
    return StsMetrics(
        pairs=len(suite.items),
        spearman=spearman(gold, similarities) or 0.0,
        spearman_ci=percentile_interval(resampled[:, 0]),
        sha256=suite.sha256,
    )


# Suites whose items have labels


@dataclass(frozen=True)
class _Predictions:
    """Gold labels and predictions of some items."""

    labels: Sequence[str]
    gold: NDArray[np.intp]
    """The index of each item's gold label."""
    shares: Floats
    """The share of each item (row) that each label (column) gets; fractions only in ties."""
    credit: Floats
    groups: Sequence[str]

    def select(self, indices: NDArray[np.intp]) -> _Predictions:
        """Return the predictions of some of the items."""
        groups = [self.groups[index] for index in indices]
        return _Predictions(self.labels, self.gold[indices], self.shares[indices], self.credit[indices], groups)

    def confusion_by_group(self) -> Floats:
        """Return the flattened confusion matrix of each group, one row per group."""
        numbers = group_numbers(self.groups)
        size = len(self.labels)
        table = np.zeros((int(numbers.max()) + 1, size, size))
        np.add.at(table, (numbers, self.gold), self.shares)
        return table.reshape(len(table), size * size)


def nli_metrics(suite: Suite, outcomes: ItemOutcomes, gold: NDArray[np.intp], bootstrap: GroupBootstrap) -> NliMetrics:
    """Return the label metrics of a suite; `bootstrap` draws from all groups of the suite."""
    labels = tuple(suite.kind.criterion.options)
    groups = [item.group for item in suite.items]
    predictions = _Predictions(labels, gold, outcomes.shares, outcomes.credit, groups)
    mcc, mcc_ci = _correlation(predictions, bootstrap)
    return NliMetrics(
        mcc=mcc,
        mcc_ci=mcc_ci,
        confusion={
            label: {
                predicted: int(np.count_nonzero((gold == row) & (outcomes.choice == column)))
                for column, predicted in enumerate(labels)
            }
            for row, label in enumerate(labels)
        },
        labels=_label_metrics(predictions),
        categories={
            name: _category_metrics(predictions.select(indices), bootstrap)
            for name, indices in _items_by_category(suite).items()
        },
    )


def _items_by_category(suite: Suite) -> dict[str, NDArray[np.intp]]:
    """Return the indices of each category's items; the known categories come first, in the order of the paper."""
    indices: dict[str, list[int]] = {name: [] for name in CATEGORIES}
    for index, item in enumerate(suite.items):
        for name in categories_of(item):
            indices.setdefault(name, []).append(index)
    return {name: np.array(members, dtype=np.intp) for name, members in indices.items() if members}


def _category_metrics(predictions: _Predictions, of_suite: GroupBootstrap) -> CategoryMetrics:
    sums = sum_by_group(predictions.credit, predictions.groups)
    bootstrap = GroupBootstrap(len(sums.items), resamples=of_suite.resamples, seed=of_suite.seed)
    mcc, mcc_ci = _correlation(predictions, bootstrap)
    return CategoryMetrics(
        items=len(predictions.groups),
        groups=len(sums.items),
        accuracy=sums.mean,
        accuracy_ci=bootstrap.share_intervals(sums)[0],
        mcc=mcc,
        mcc_ci=mcc_ci,
        labels=_label_metrics(predictions),
    )


def _correlation(predictions: _Predictions, bootstrap: GroupBootstrap) -> tuple[float, Interval]:
    """Return the Matthews correlation and its bootstrap interval over groups."""
    size = len(predictions.labels)
    by_group = predictions.confusion_by_group()
    mcc = float(matthews_correlation(by_group.sum(axis=0).reshape(size, size)))
    resampled = matthews_correlation(bootstrap.resampled_sums(by_group).reshape(-1, size, size))
    if mcc == 1.0 and np.ptp(predictions.credit) == 0:
        # Everything is right, so resampling shows no spread: use Wilson's bound with errors spread over the labels.
        low, _ = wilson_interval(1.0, len(by_group))
        return mcc, (max(0.0, 1 - (1 - low) * size / (size - 1)), 1.0)
    return mcc, percentile_interval(resampled)


def _label_metrics(predictions: _Predictions) -> dict[str, LabelMetrics]:
    size = len(predictions.labels)
    table = np.zeros((size, size))
    np.add.at(table, predictions.gold, predictions.shares)
    counts = np.bincount(predictions.gold, minlength=size)
    metrics: dict[str, LabelMetrics] = {}
    for index, label in enumerate(predictions.labels):
        right, predicted, items = float(table[index, index]), float(table[:, index].sum()), int(counts[index])
        # Undefined values are 0: labels that no item has, or that are never predicted.
        metrics[label] = LabelMetrics(
            items=items,
            precision=right / predicted if predicted else 0.0,
            recall=right / items if items else 0.0,
            f1=2 * right / (predicted + items) if predicted + items else 0.0,
        )
    return metrics
