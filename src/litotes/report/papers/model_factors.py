"""SemAntoNeg's published accuracies by the size of the models and by the data of their fine-tuning."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from litotes.evaluation.statistics import compare_groups, holm, spearman, spearman_p
from litotes.report.formats import CORRELATION, COUNT, POINTS, NumberFormat, format_p_value
from litotes.report.papers.accuracies import CHANCE, GROUP_TABLES, PAPER, all_published_accuracies, listed_groups
from litotes.report.papers.drawing import draw_sizes
from litotes.report.papers.sections import PaperFigure, PaperSection, PaperTable
from litotes.report.table import Column, Table
from litotes.suites.published_results import PublishedModel, published_models, published_results

_OTHER = "other"
_MIN_MODELS = 3
"""Training data with fewer models are not compared."""
_PERCENT = NumberFormat(1)
_MILLIONS = NumberFormat(1)


@dataclass(frozen=True)
class ModelSize:
    """A published model with its accuracy in per cent."""

    facts: PublishedModel
    group: str
    """That of the paper's Figure 1, or `other`."""
    accuracy: float

    @property
    def millions(self) -> float:
        """The number of parameters in millions; NaN if unknown."""
        return math.nan if self.facts.parameters is None else self.facts.parameters / 1e6


def factor_section() -> PaperSection:
    """Return the tables and the figure; a model with two names in Table 8 counts once."""
    models = distinct_models()
    source = published_results(PAPER, table=8).source
    caption = f"{source}: accuracy by number of parameters, {len(models)} distinct models"
    tables = [
        PaperTable("model-sizes", _size_table(f"{caption}, largest first", models)),
        PaperTable("model-sizes-correlation", _correlation_table(source, models)),
        PaperTable("training-data", _training_table(source, models)),
        PaperTable("training-data-comparisons", _comparison_table(source, models)),
    ]
    return PaperSection(
        "", tables, [PaperFigure("model-sizes", caption, partial(draw_sizes, _by_group(models), CHANCE))]
    )


def distinct_models() -> list[ModelSize]:
    """Return the models with an accuracy, in the paper's order, without second names."""
    facts, groups = published_models(PAPER), listed_groups(PAPER)
    return [
        ModelSize(facts[model], groups[model] if groups.get(model) in GROUP_TABLES else _OTHER, float(accuracy))
        for model, accuracy in all_published_accuracies().items()
        if not facts[model].same_as
    ]


def by_training_data(models: Sequence[ModelSize]) -> dict[str, list[float]]:
    """Return the accuracies by training data, the highest mean first."""
    accuracies: dict[str, list[float]] = {}
    for model in models:
        if model.facts.training_data:
            accuracies.setdefault(model.facts.training_data, []).append(model.accuracy)
    return dict(sorted(accuracies.items(), key=lambda item: -statistics.fmean(item[1])))


def _by_group(models: Sequence[ModelSize]) -> dict[str, list[tuple[float, float]]]:
    """Return parameters in millions and accuracy by group."""
    points: dict[str, list[tuple[float, float]]] = {group: [] for group in (*GROUP_TABLES, _OTHER)}
    for model in models:
        if math.isfinite(model.millions):
            points[model.group].append((model.millions, model.accuracy))
    return points


def _size_table(caption: str, models: Sequence[ModelSize]) -> Table:
    ranked = sorted(models, key=lambda model: -(model.facts.parameters or 0))
    return Table(
        caption,
        [
            Column("model", "model", [model.facts.model for model in ranked]),
            Column("group", "group", [model.group for model in ranked]),
            Column("million parameters", "million_parameters", [model.millions for model in ranked], _MILLIONS),
            Column("right %", "accuracy", [model.accuracy for model in ranked], _PERCENT),
            Column("base model", "base_model", [model.facts.base_model for model in ranked]),
            Column("its source", "base_model_source", [model.facts.base_model_source for model in ranked]),
            Column("training data", "training_data", [model.facts.training_data for model in ranked]),
            Column("their source", "training_data_source", [model.facts.training_data_source for model in ranked]),
        ],
    )


def _correlation_table(source: str, models: Sequence[ModelSize]) -> Table:
    points = {"all": [point for members in _by_group(models).values() for point in members], **_by_group(models)}
    columns = {group: np.array(members, dtype=np.float64).T for group, members in points.items()}
    correlations = [spearman(sizes, accuracies) for sizes, accuracies in columns.values()]
    ps = holm([spearman_p(sizes, accuracies) for sizes, accuracies in columns.values()])
    return Table(
        f"{source}: correlation of accuracy and number of parameters (Spearman; p by permutation, corrected by Holm)",
        [
            Column("group", "group", list(points)),
            Column("models", "models", [len(members) for members in points.values()], COUNT),
            Column("correlation", "correlation", [math.nan if r is None else r for r in correlations], CORRELATION),
            Column("p, corrected", "p_adjusted", [format_p_value(p) for p in ps]),
        ],
    )


def _training_table(source: str, models: Sequence[ModelSize]) -> Table:
    groups = by_training_data(models)
    deviations = [statistics.stdev(values) if len(values) > 1 else math.nan for values in groups.values()]
    return Table(
        f"{source}: accuracy by the data of the fine-tuning, distinct models",
        [
            Column("training data", "training_data", list(groups)),
            Column("models", "models", [len(values) for values in groups.values()], COUNT),
            Column("mean", "mean", [statistics.fmean(values) for values in groups.values()], _PERCENT),
            Column("standard deviation", "standard_deviation", deviations, _PERCENT),
            Column("lowest", "lowest", [min(values) for values in groups.values()], _PERCENT),
            Column("highest", "highest", [max(values) for values in groups.values()], _PERCENT),
        ],
    )


def _comparison_table(source: str, models: Sequence[ModelSize]) -> Table:
    groups = {data: values for data, values in by_training_data(models).items() if len(values) >= _MIN_MODELS}
    compared = compare_groups(groups)
    return Table(
        f"{source}: training data with at least {_MIN_MODELS} models, pair by pair; p by permutation of their models, "
        f"corrected for all {len(compared)} pairs by Holm",
        [
            Column("training data", "a", [pair.a for pair in compared]),
            Column("and", "b", [pair.b for pair in compared]),
            Column("difference", "difference", [pair.difference / 100 for pair in compared], POINTS),
            Column("p", "p", [format_p_value(pair.p) for pair in compared]),
            Column("p, corrected", "p_adjusted", [format_p_value(pair.p_adjusted) for pair in compared]),
        ],
    )
