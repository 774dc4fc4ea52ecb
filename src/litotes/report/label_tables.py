"""The metrics and tables of suites whose items have labels: all items, categories and labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from litotes.evaluation.result import CategoryMetrics, ItemResult, LabelMetrics, NliMetrics, RunResult
from litotes.languages.negation_categories import CODES
from litotes.report.columns import (
    INTERVAL_UNIT,
    accuracy_column,
    choice_columns,
    count_column,
    model_accuracy_columns,
    model_column,
    tie_column,
)
from litotes.report.formats import CORRELATION, MISSING, PERCENT, NumberFormat, display_name
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import Cell, Column, Table, Value, view_href

ALL_ITEMS = "all items"
"""The name of the row for all items below those of the categories."""


def label_metrics(run: RunResult) -> NliMetrics:
    """Return the label metrics of a run on a suite for which `SuiteRuns.is_labelled` holds."""
    if run.metrics.nli is None:
        raise ValueError(f"{run.model} on {run.suite.name} has no labels")
    return run.metrics.nli


def metrics_of_all_items(run: RunResult) -> CategoryMetrics:
    """Return the metrics of all items in the form of those of a category."""
    metrics, labels = run.metrics, label_metrics(run)
    return CategoryMetrics(
        items=metrics.items,
        groups=metrics.groups,
        accuracy=metrics.accuracy,
        accuracy_ci=metrics.accuracy_ci,
        mcc=labels.mcc,
        mcc_ci=labels.mcc_ci,
        labels=labels.labels,
    )


def shared_categories(suite: SuiteRuns) -> list[str]:
    """Return the categories for which every run has metrics."""
    first, *others = (label_metrics(run).categories for run in suite.runs)
    return [name for name in first if all(name in categories for categories in others)]


def metrics_by_category(suite: SuiteRuns, run: RunResult) -> dict[str, CategoryMetrics]:
    """Return a run's metrics of every category, and of all items last."""
    categories = label_metrics(run).categories
    return {**{name: categories[name] for name in shared_categories(suite)}, ALL_ITEMS: metrics_of_all_items(run)}


def largest_label(labels: Mapping[str, LabelMetrics]) -> tuple[str, float]:
    """Return the most frequent label and its share, which is the accuracy of always choosing it.

    >>> zeros = {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    >>> largest_label({"neutral": LabelMetrics(1, **zeros), "entailment": LabelMetrics(3, **zeros)})
    ('entailment', 0.75)
    """
    items = sum(metrics.items for metrics in labels.values())
    label = max(labels, key=lambda name: labels[name].items)
    return label, labels[label].items / items if items else 0.0


def has_single_largest(labels: Mapping[str, LabelMetrics]) -> bool:
    """Return whether one label has more items than every other."""
    counts = sorted(metrics.items for metrics in labels.values())
    return len(counts) < 2 or counts[-1] > counts[-2]


def gold_label(item: ItemResult) -> str:
    """Return the right label of an item."""
    return item.tags.get("label", "")


def item_categories(item: ItemResult) -> list[str]:
    """Return the categories of an item."""
    return list(dict.fromkeys(item.tags.get("categories", "").split()))


def category_legend(names: Sequence[str]) -> str:
    """Return the abbreviations of the categories with their names."""
    return ", ".join(f"{CODES[name]} {name}" for name in names if name in CODES)


def label_tables(suite: SuiteRuns) -> list[Table]:
    """Return every table: the models side by side, then the categories and labels of each model."""
    tables = [models_table(suite)]
    if len(suite.runs) > 1:
        tables += _side_by_side(suite)
    for index in range(len(suite.runs)):
        tables += [*_category_tables(suite, index), label_table(suite, index)]
    return tables


def brief_label_tables(suite: SuiteRuns, *, has_overview: bool) -> list[Table]:
    """Return the tables for a terminal: models side by side, or all of a single model unless it has an overview."""
    if len(suite.runs) > 1:
        return [models_table(suite), *_side_by_side(suite)]
    categories = _category_tables(suite, 0)
    return categories if has_overview else [models_table(suite), label_table(suite, 0), *categories]


def _accuracy_column(metrics: Sequence[CategoryMetrics], chance: float, key: str = "") -> Column:
    return accuracy_column([Cell(m.accuracy, m.accuracy_ci, chance) for m in metrics], key)


def _mcc_column(metrics: Sequence[CategoryMetrics], key: str = "") -> Column:
    return Column(
        "MCC", key, [Cell(m.mcc, m.mcc_ci) for m in metrics], CORRELATION, interval_heading="95 %", interval_key=True
    )


def models_table(suite: SuiteRuns) -> Table:
    """Return accuracy and Matthews' correlation with their intervals; in CSV with all numbers by label and category."""
    metrics, of_all = [run.metrics for run in suite.runs], [metrics_of_all_items(run) for run in suite.runs]
    groups = f", {metrics[0].groups:,} {suite.info.group_word}s" if suite.is_grouped else ""
    label, share = largest_label(of_all[0].labels)
    return Table(
        f"{suite.label}: {metrics[0].items:,} items{groups}; guessing gives {PERCENT(suite.chance)} %, always "
        f"{label} {PERCENT(share)} %, both an MCC of 0",
        [
            Column("model", "model", suite.names),
            Column("", "items", [m.items for m in metrics]),
            *model_accuracy_columns(suite, f"by {suite.info.group_word}"),
            _mcc_column(of_all, "mcc"),
            tie_column(suite),
            Column("", "largest_label", [largest_label(m.labels)[1] for m in of_all]),
            *_csv_label_columns(suite),
            *_csv_category_columns(suite),
        ],
    )


def _csv_label_columns(suite: SuiteRuns) -> list[Column]:
    """Return the numbers of each label as columns of CSV, which has one row per model."""
    by_run = [label_metrics(run) for run in suite.runs]
    columns = []
    for label in by_run[0].labels:
        metrics = [of_run.labels[label] for of_run in by_run]
        columns += [
            Column("", f"chosen_{label}", [run.choices[label] / run.metrics.items for run in suite.runs]),
            Column("", f"{label}_items", [m.items for m in metrics]),
            Column("", f"{label}_precision", [m.precision for m in metrics]),
            Column("", f"{label}_recall", [m.recall for m in metrics]),
            Column("", f"{label}_f1", [m.f1 for m in metrics]),
            *(
                Column("", f"{label}_as_{chosen}", [of_run.confusion[label][chosen] for of_run in by_run])
                for chosen in by_run[0].labels
            ),
        ]
    return columns


def _csv_category_columns(suite: SuiteRuns) -> list[Column]:
    """Return the numbers of each category as columns of CSV."""
    columns = []
    for name in shared_categories(suite):
        metrics = [label_metrics(run).categories[name] for run in suite.runs]
        columns += [
            Column("", f"{name}_items", [m.items for m in metrics]),
            Column("", f"{name}_groups", [m.groups for m in metrics]),
            replace(_accuracy_column(metrics, suite.chance, f"{name}_accuracy"), heading="", interval_heading=""),
            replace(_mcc_column(metrics, f"{name}_mcc"), heading="", interval_heading=""),
            Column("", f"{name}_largest_label", [largest_label(m.labels)[1] for m in metrics]),
        ]
    return columns


def _side_by_side(suite: SuiteRuns) -> list[Table]:
    """Return the accuracies, then the correlations, with one row per model and one column per category."""
    names = shared_categories(suite)
    if not names:
        return []
    legend = category_legend(names)
    numbers: list[tuple[str, NumberFormat, Callable[[CategoryMetrics], float]]] = [
        ("right %", PERCENT, lambda metrics: metrics.accuracy),
        ("MCC", CORRELATION, lambda metrics: metrics.mcc),
    ]
    return [
        Table(
            f"{suite.label}: {heading} by category" + (f" ({legend})" if legend else ""),
            [
                Column("model", "model", suite.names),
                *(
                    Column(
                        CODES.get(name, name),
                        "",
                        [number(label_metrics(run).categories[name]) for run in suite.runs],
                        number_format,
                    )
                    for name in names
                ),
            ],
        )
        for heading, number_format, number in numbers
    ]


def _category_tables(suite: SuiteRuns, index: int) -> list[Table]:
    """Return the table of one model with one row per category, if there are categories."""
    if not shared_categories(suite):
        return []
    by_category = metrics_by_category(suite, suite.runs[index])
    metrics = list(by_category.values())
    return [
        Table(
            f"{suite.label}: {suite.names[index]} by category; guessing gives {PERCENT(suite.chance)} %, always the "
            "same answer at most the share under largest label",
            [
                Column("category", "", list(by_category)),
                count_column("items", [m.items for m in metrics]),
                count_column(f"{suite.info.group_word}s", [m.groups for m in metrics]),
                Column("largest label", "", [largest_label(m.labels)[1] for m in metrics], PERCENT),
                _accuracy_column(metrics, suite.chance),
                _mcc_column(metrics),
            ],
        )
    ]


def label_table(suite: SuiteRuns, index: int) -> Table:
    """Return the table of one model with one row per label: how well it is found, and what its items were taken for."""
    metrics = label_metrics(suite.runs[index])
    labels = list(metrics.labels)
    return Table(
        f"{suite.label}: {suite.names[index]} by label, %, and the labels that its items were given",
        [
            Column("label", "", labels),
            count_column("items", [m.items for m in metrics.labels.values()]),
            *_quality_columns(metrics),
            *(
                count_column(f"as {label[:3]}.", [metrics.confusion[gold][label] for gold in labels])
                for label in labels
            ),
        ],
    )


def _quality_columns(metrics: NliMetrics) -> list[Column]:
    labels = metrics.labels.values()
    return [
        Column("precision", "", [m.precision for m in labels], PERCENT),
        Column("recall", "", [m.recall for m in labels], PERCENT),
        Column("F1", "", [m.f1 for m in labels], PERCENT),
    ]


def models_page_table(suite: SuiteRuns) -> Table:
    """Return accuracy, correlation and choices of all models for a page, with guessing and the largest label ranked."""
    of_all = [metrics_of_all_items(run) for run in suite.runs]
    options, chance = suite.info.options, suite.chance
    label, share = largest_label(of_all[0].labels)
    table = Table(
        f"Models on {suite.label}, best first",
        [
            model_column(suite),
            *model_accuracy_columns(suite, "by group"),
            replace(_mcc_column(of_all), unit=INTERVAL_UNIT),
            *choice_columns(suite),
            tie_column(suite),
        ],
    )
    baselines: list[tuple[str, float, float, list[float]]] = [
        (f"always {display_name(label)}", share, math.nan, [float(option == label) for option in options]),
        ("guessing", chance, chance, [1 / len(options)] * len(options)),
    ]
    accuracies = [run.metrics.accuracy for run in suite.runs]
    for name, accuracy, group_accuracy, chosen in baselines:
        # A model with the same accuracy as a baseline is listed above it.
        index = sum(above >= accuracy for above in accuracies)
        cells: list[Value | Cell] = [name, Cell(accuracy, chance=chance), Cell(group_accuracy, chance=chance), 0.0]
        table = table.with_row(index, [*cells, *chosen, MISSING], {"class": "guessing"})
        accuracies.insert(index, accuracy)
    return table


def categories_page_table(suite: SuiteRuns) -> Table:
    """Return accuracy and correlation of every model in every category, for a page."""
    by_run = [metrics_by_category(suite, run) for run in suite.runs]
    names, first = list(by_run[0]), list(by_run[0].values())
    links = [
        Cell(display_name(name), href="" if name == ALL_ITEMS else view_href({"suite": suite.label, "category": name}))
        for name in names
    ]
    largest = []
    for metrics in first:
        label, share = largest_label(metrics.labels)
        largest.append(Cell(share, note=display_name(label) if has_single_largest(metrics.labels) else "shared"))
    columns = [
        Column("category", "", links, style="name"),
        count_column("items", [m.items for m in first]),
        count_column(f"{suite.info.group_word}s", [m.groups for m in first]),
        Column("largest label", "", largest, PERCENT),
    ]
    for model, by_category in zip(suite.names, by_run, strict=True):
        metrics_of_model = list(by_category.values())
        columns += [
            replace(_accuracy_column(metrics_of_model, suite.chance), over=model),
            replace(_mcc_column(metrics_of_model), over=model),
        ]
    attributes = [{"class": "whole"} if name == ALL_ITEMS else {} for name in names]
    return Table(f"Categories of {suite.label}", columns, attributes)


def confusion_table(name: str, run: RunResult) -> Table:
    """Return which labels the items of each label were given, for a page."""
    metrics, labels = label_metrics(run), run.suite.options
    items = [metrics.labels[gold].items for gold in labels]
    given = [
        Column(
            display_name(label),
            "",
            [
                Cell(count / total if total else math.nan, text=f"{count:,}", is_right=gold == label)
                for gold, total in zip(labels, items, strict=True)
                for count in [metrics.confusion[gold][label]]
            ],
            title=display_name(label),
            style="shade",
            over="Taken as",
        )
        for label in labels
    ]
    ties = [total - sum(metrics.confusion[gold].values()) for gold, total in zip(labels, items, strict=True)]
    by_option = replace(metrics, labels={gold: metrics.labels[gold] for gold in labels})
    return Table(
        f"Labels as {name} takes them",
        [
            Column("label", "", [display_name(gold) for gold in labels], style="label"),
            count_column("items", items),
            *given,
            *([count_column("tie", ties)] if run.metrics.ties else []),
            *_quality_columns(by_option),
        ],
    )
