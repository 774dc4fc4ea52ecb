"""The published results of experiments 1 to 3 in the form of those of runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from litotes.languages.negation_categories import CATEGORIES
from litotes.suites.published_results import PublishedTable, published_results

Accuracies = Mapping[str, Mapping[str, float]]
"""Step → category → accuracy, in chronological order."""

LAST_EPOCH = "24"
"""The last of the 25 epochs of experiment 2, which are counted from 0."""

SETTINGS = {
    1: "two of the paper's models after 42,000 steps, the end of the first of ten epochs",
    2: "after 25 epochs on the category",
    3: "after 10 epochs on each category",
}
"""How the published models of each experiment were trained when their accuracies were taken."""


@cache
def published_accuracies(number: int) -> dict[str, Accuracies]:
    """Return the accuracies of an experiment by model.

    The steps of experiment 1 are training steps, those of experiment 2 the category of the training at its last epoch,
    and those of experiment 3 the positions and categories of the sequence.

    >>> list(published_accuracies(3)["roberta-base"])[:2]
    ['1 epistemic', '2 existence']
    """
    accuracies: dict[str, dict[str, dict[str, float]]] = {}
    for row in _table(number).rows:
        if row.get("epoch", LAST_EPOCH) == LAST_EPOCH:
            step = {1: "{step}", 2: "{trained_on}", 3: "{order} {after_training_on}"}[number].format(**row)
            accuracies.setdefault(row["model"], {}).setdefault(step, {})[row["category"]] = float(row["accuracy"])
    return {model: _in_order(number, steps) for model, steps in accuracies.items()}


def _table(number: int) -> PublishedTable:
    return published_results("developmental", figure=number)


def _in_order(number: int, steps: Mapping[str, Mapping[str, float]]) -> Accuracies:
    order = list(CATEGORIES) if number == 2 else sorted(steps, key=lambda step: int(step.partition(" ")[0]))
    return {step: {category: steps[step][category] for category in CATEGORIES} for step in order}


def ranked_accuracies(number: int, accuracies: Accuracies) -> dict[str, float]:
    """Return the accuracies by which the categories of an experiment are ranked; see `results.RANKED`.

    >>> round(ranked_accuracies(2, published_accuracies(2)["roberta-base"])["labeling"], 2)
    0.99
    """
    *_, last = accuracies.values()
    return {name: (accuracies[name] if number == 2 else last)[name] for name in last}
