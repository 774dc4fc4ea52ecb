"""The columns that several tables of a suite share."""

from __future__ import annotations

import math
from collections.abc import Sequence

from litotes.report.formats import COUNT, PERCENT, display_name
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import Cell, Column

INTERVAL_UNIT = "95 % interval"


def model_column(suite: SuiteRuns) -> Column:
    """Return the column with the model names."""
    return Column("model", "model", suite.names, style="name")


def accuracy_column(cells: Sequence[Cell], key: str = "", *, unit: str = "") -> Column:
    """Return a column of accuracies with their intervals."""
    return Column(
        "right %",
        key,
        cells,
        PERCENT,
        title="Accuracy",
        style="bar",
        unit=unit,
        interval_heading="95 %",
        interval_key=True,
    )


def model_accuracy_columns(suite: SuiteRuns, group_heading: str) -> list[Column]:
    """Return the accuracy of each model and, if groups have several items, the mean over groups."""
    metrics = [run.metrics for run in suite.runs]
    cells = [Cell(m.accuracy, m.accuracy_ci, m.chance) for m in metrics]
    group_cells = [Cell(m.group_accuracy, m.group_accuracy_ci, m.chance) for m in metrics]
    by_group = Column(
        group_heading if suite.is_grouped else "",
        "group_accuracy",
        group_cells,
        PERCENT,
        title=f"Mean over {suite.info.group_word}s" if suite.is_grouped else "",
        style="bar",
        unit=INTERVAL_UNIT,
    )
    return [accuracy_column(cells, "accuracy", unit=INTERVAL_UNIT), by_group]


def choice_columns(suite: SuiteRuns) -> list[Column]:
    """Return how often each option was chosen; names of pairs are too long for plain text."""
    return [
        Column(
            "" if "~" in option else option,
            f"chosen_{option}",
            [run.choices.get(option, 0) / run.metrics.items if run.metrics.items else math.nan for run in suite.runs],
            PERCENT,
            title=display_name(option),
            over="How often chosen",
            marks_right=option == suite.info.right,
        )
        for option in suite.info.options
    ]


def count_column(heading: str, numbers: Sequence[int], key: str = "") -> Column:
    """Return a column of counts."""
    return Column(heading, key, numbers, COUNT)


def tie_column(suite: SuiteRuns) -> Column:
    """Return the number of ties of each model."""
    return count_column("ties", [run.metrics.ties for run in suite.runs], "ties")
