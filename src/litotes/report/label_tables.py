"""The tables of a suite whose items have labels: all items, the categories, the labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from litotes.evaluation.result import CategoryMetrics, Interval, LabelMetrics
from litotes.languages.negation_categories import CODES
from litotes.report.label_figures import all_items, by_category, categories_of, figures_of, largest_label
from litotes.report.suite_runs import SuiteRuns
from litotes.report.tables import Column, Table, percent

_Value = Callable[[CategoryMetrics], float]


def label_tables(suite: SuiteRuns) -> list[Table]:
    """Every table: the models side by side, then each model's categories and labels."""
    tables = [models_table(suite)]
    if len(suite.runs) > 1:
        tables += _side_by_side(suite)
    for place in range(len(suite.runs)):
        tables += [*_category_table(suite, place), label_table(suite, place)]
    return tables


def brief_label_tables(suite: SuiteRuns, *, of_many: bool) -> list[Table]:
    """What a terminal shows: several models side by side, a single one in full unless the suite is one of many."""
    if len(suite.runs) > 1:
        return [models_table(suite), *_side_by_side(suite)]
    categories = _category_table(suite, 0)
    return categories if of_many else [models_table(suite), label_table(suite, 0), *categories]


def models_table(suite: SuiteRuns) -> Table:
    """Accuracy and Matthews' correlation with their intervals; in CSV with every figure of labels and categories."""
    metrics, found = [run.metrics for run in suite.runs], [all_items(run) for run in suite.runs]
    groups = f", {metrics[0].groups:,} {suite.info.group_word}s" if suite.grouped else ""
    label, share = largest_label(found[0].labels)
    by_group = f"by {suite.info.group_word}" if suite.grouped else ""
    return Table(
        f"{suite.label}: {metrics[0].items:,} items{groups}; guessing gives {percent(suite.chance)} %, always "
        f"{label} {percent(share)} %, both an MCC of 0",
        [
            Column("model", "model", suite.names),
            Column("", "items", [one.items for one in metrics]),
            Column("right %", "accuracy", [one.accuracy for one in metrics], percent),
            Column("95 %", "", [_share_ends(one.accuracy_ci) for one in metrics]),
            Column("", "accuracy_low", [one.accuracy_ci[0] for one in metrics]),
            Column("", "accuracy_high", [one.accuracy_ci[1] for one in metrics]),
            Column(by_group, "group_accuracy", [one.group_accuracy for one in metrics], percent),
            Column("MCC", "mcc", [one.mcc for one in found], _two),
            Column("95 %", "", [_ends(one.mcc_ci) for one in found]),
            Column("", "mcc_low", [one.mcc_ci[0] for one in found]),
            Column("", "mcc_high", [one.mcc_ci[1] for one in found]),
            Column("ties", "ties", [one.ties for one in metrics], lambda count: f"{count:,.0f}"),
            Column("", "largest_label", [largest_label(one.labels)[1] for one in found]),
            *_csv_labels(suite),
            *_csv_categories(suite),
        ],
    )


def _csv_labels(suite: SuiteRuns) -> list[Column]:
    """The figures of each label as columns that stand only in CSV, where a row is a model."""
    found = [figures_of(run) for run in suite.runs]
    columns = []
    for label in found[0].labels:
        own = [one.labels[label] for one in found]
        columns += [
            Column("", f"chosen_{label}", [run.choices[label] / run.metrics.items for run in suite.runs]),
            Column("", f"{label}_items", [one.items for one in own]),
            Column("", f"{label}_precision", [one.precision for one in own]),
            Column("", f"{label}_recall", [one.recall for one in own]),
            Column("", f"{label}_f1", [one.f1 for one in own]),
            *(
                Column("", f"{label}_as_{chosen}", [one.confusion[label][chosen] for one in found])
                for chosen in found[0].labels
            ),
        ]
    return columns


def _csv_categories(suite: SuiteRuns) -> list[Column]:
    """The figures of each category as columns that stand only in CSV, where a row is a model."""
    figures: dict[str, _Value] = {
        "items": lambda one: one.items,
        "groups": lambda one: one.groups,
        "accuracy": lambda one: one.accuracy,
        "accuracy_low": lambda one: one.accuracy_ci[0],
        "accuracy_high": lambda one: one.accuracy_ci[1],
        "mcc": lambda one: one.mcc,
        "mcc_low": lambda one: one.mcc_ci[0],
        "mcc_high": lambda one: one.mcc_ci[1],
        "largest_label": lambda one: largest_label(one.labels)[1],
    }
    return [
        Column("", f"{name}_{figure}", [value(figures_of(run).categories[name]) for run in suite.runs])
        for name in categories_of(suite)
        for figure, value in figures.items()
    ]


def _side_by_side(suite: SuiteRuns) -> list[Table]:
    """A row a model, a column a category: the accuracies, then the correlations."""
    names = categories_of(suite)
    if not names:
        return []
    told = ", ".join(f"{CODES[name]} {name}" for name in names if name in CODES)
    kinds: list[tuple[str, _Value, Callable[[float], str]]] = [
        ("right %", lambda one: one.accuracy, percent),
        ("MCC", lambda one: one.mcc, _two),
    ]
    return [
        Table(
            f"{suite.label}: {heading} by category" + (f" ({told})" if told else ""),
            [
                Column("model", "model", suite.names),
                *(
                    Column(
                        CODES.get(name, name),
                        "",
                        [value(figures_of(run).categories[name]) for run in suite.runs],
                        show,
                    )
                    for name in names
                ),
            ],
        )
        for heading, value, show in kinds
    ]


def _category_table(suite: SuiteRuns, place: int) -> list[Table]:
    """A row a category of one model, if there are categories."""
    if not categories_of(suite):
        return []
    rows = by_category(suite, suite.runs[place])
    found = list(rows.values())
    return [
        Table(
            f"{suite.label}: {suite.names[place]} by category; guessing gives {percent(suite.chance)} %, always the "
            "same answer at most what stands under largest label",
            [
                Column("category", "", list(rows)),
                Column("items", "", _counts([one.items for one in found])),
                Column(f"{suite.info.group_word}s", "", _counts([one.groups for one in found])),
                Column("largest label", "", [largest_label(one.labels)[1] for one in found], percent),
                Column("right %", "", [one.accuracy for one in found], percent),
                Column("95 %", "", [_share_ends(one.accuracy_ci) for one in found]),
                Column("MCC", "", [one.mcc for one in found], _two),
                Column("95 %", "", [_ends(one.mcc_ci) for one in found]),
            ],
        )
    ]


def label_table(suite: SuiteRuns, place: int) -> Table:
    """A row a label of one model: how well it is found, and as what its items were taken."""
    figures = figures_of(suite.runs[place])
    labels, found = list(figures.labels), list(figures.labels.values())
    return Table(
        f"{suite.label}: {suite.names[place]} by label, %, and as what the items of each were taken",
        [
            Column("label", "", labels),
            Column("items", "", _counts([one.items for one in found])),
            *(Column(heading, "", values, percent) for heading, values in _found(found)),
            *(
                Column(f"as {label[:3]}.", "", _counts([figures.confusion[gold][label] for gold in labels]))
                for label in labels
            ),
        ],
    )


def _found(labels: Sequence[LabelMetrics]) -> list[tuple[str, list[float]]]:
    return [
        ("precision", [one.precision for one in labels]),
        ("recall", [one.recall for one in labels]),
        ("F1", [one.f1 for one in labels]),
    ]


def _counts(numbers: Sequence[int]) -> list[str]:
    return [f"{number:,}" for number in numbers]


def _share_ends(ends: Interval) -> str:
    return f"{percent(ends[0])}–{percent(ends[1])}"


def _ends(ends: Interval) -> str:
    return f"{_two(ends[0])} to {_two(ends[1])}"


def _two(value: float) -> str:
    """To two places; what is rounded to nothing has no sign.

    >>> _two(-0.001), _two(-0.25)
    ('0.00', '-0.25')
    """
    text = f"{value:.2f}"
    return text.removeprefix("-") if float(text) == 0 else text
