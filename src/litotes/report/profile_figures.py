"""What a model's profile is made of: its accuracy on all items, by other readings and by category."""

from __future__ import annotations

import math
from dataclasses import dataclass

from litotes.evaluation.result import RunResult
from litotes.report.html_words import display_name
from litotes.report.label_figures import by_category, categories_of
from litotes.report.suite_runs import SuiteRuns

Figure = tuple[float, float, float]
"""A share and the ends of its interval."""

ALL = "all items"
_NONE = (math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Phenomenon:
    """Something that every model of a suite has a figure of."""

    name: str
    chance: float
    of_model: tuple[Figure, ...]
    """In the order of the suite's runs."""


def phenomena(suite: SuiteRuns) -> list[Phenomenon]:
    """The rows of a profile, all items first."""
    whole = tuple((run.metrics.accuracy, *run.metrics.accuracy_ci) for run in suite.runs)
    found = [Phenomenon(ALL, suite.chance, whole)]
    for reading in suite.readings:
        chances = [run.metrics.also[reading].chance for run in suite.runs if reading in run.metrics.also]
        figures = tuple(_reading(run, reading) for run in suite.runs)
        found.append(Phenomenon(display_name(reading), chances[0], figures))
    if suite.labelled:
        tables = [by_category(suite, run) for run in suite.runs]
        for category in categories_of(suite):
            of_model = tuple((table[category].accuracy, *table[category].accuracy_ci) for table in tables)
            found.append(Phenomenon(display_name(category), suite.chance, of_model))
    return found


def _reading(run: RunResult, name: str) -> Figure:
    one = run.metrics.also.get(name)
    return _NONE if one is None else (one.accuracy, *one.accuracy_ci)
