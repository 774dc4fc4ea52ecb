"""What the report reads from suites whose items have labels: figures of all items and of each category."""

from __future__ import annotations

from collections.abc import Mapping

from litotes.evaluation.result import CategoryMetrics, ItemResult, LabelMetrics, NliMetrics, RunResult
from litotes.report.suite_runs import SuiteRuns

ALL_ITEMS = "all items"
"""The row below the categories."""


def figures_of(run: RunResult) -> NliMetrics:
    """The figures of a run that has them; ask `SuiteRuns.labelled` first."""
    found = run.metrics.nli
    if found is None:
        raise ValueError(f"{run.model} on {run.suite.name} has no labels")
    return found


def all_items(run: RunResult) -> CategoryMetrics:
    """The figures of all items, in the form of a category's."""
    metrics, found = run.metrics, figures_of(run)
    return CategoryMetrics(
        items=metrics.items,
        groups=metrics.groups,
        accuracy=metrics.accuracy,
        accuracy_ci=metrics.accuracy_ci,
        mcc=found.mcc,
        mcc_ci=found.mcc_ci,
        labels=found.labels,
    )


def categories_of(suite: SuiteRuns) -> list[str]:
    """The categories that every run has figures of."""
    first, *others = map(figures_of, suite.runs)
    return [name for name in first.categories if all(name in one.categories for one in others)]


def by_category(suite: SuiteRuns, run: RunResult) -> dict[str, CategoryMetrics]:
    """A run's figures of every category, and of all items last."""
    found = figures_of(run).categories
    return {**{name: found[name] for name in categories_of(suite)}, ALL_ITEMS: all_items(run)}


def largest_label(labels: Mapping[str, LabelMetrics]) -> tuple[str, float]:
    """The label that most items have, and what always answering with it gets.

    >>> nothing = {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    >>> largest_label({"neutral": LabelMetrics(1, **nothing), "entailment": LabelMetrics(3, **nothing)})
    ('entailment', 0.75)
    """
    items = sum(one.items for one in labels.values())
    label = max(labels, key=lambda name: labels[name].items)
    return label, labels[label].items / items if items else 0.0


def alone_largest(labels: Mapping[str, LabelMetrics]) -> bool:
    """Whether no other label has as many items as the largest."""
    counts = sorted(one.items for one in labels.values())
    return len(counts) < 2 or counts[-1] > counts[-2]


def gold_label(item: ItemResult) -> str:
    """The label that an item has."""
    return item.tags.get("label", "")


def item_categories(item: ItemResult) -> list[str]:
    """The categories that an item has."""
    return list(dict.fromkeys(item.tags.get("categories", "").split()))
