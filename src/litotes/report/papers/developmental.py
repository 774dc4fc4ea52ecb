"""Developmental negation (Laverghetta Jr. and Licato, 2022): NLI models by category, and Figures 1 to 3.

Runs of `litotes experiment` are recognised by their names and shown like the published experiments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import partial

from litotes.evaluation.result import RunResult
from litotes.languages.negation_categories import CATEGORIES, CODES
from litotes.report.formats import PERCENT
from litotes.report.label_tables import category_legend, label_metrics, label_tables, shared_categories
from litotes.report.papers.developmental_figures import draw_experiment
from litotes.report.papers.drawing import MAX_CATEGORY_MODELS, draw_categories
from litotes.report.papers.error_tables import error_tables
from litotes.report.papers.sections import PaperFigure, PaperOptions, PaperSection, PaperTable, published_table, slug
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import Column, Table
from litotes.suites.published_results import published_results
from litotes.training.experiments.metrics import BEFORE
from litotes.training.experiments.published import SETTINGS, Accuracies, published_accuracies

PAPER = "developmental"
KINDS = ("nli",)

_Row = tuple[str, str, str, Mapping[str, float]]
"""Model, origin, step, and accuracy by category."""

_STEP_HEADINGS = {1: "after", 2: "trained on", 3: "trained up to"}
_PUBLISHED_SETS = "paper: on the authors' test sets"
_EXPERIMENT_RUN = re.compile(
    r"(?P<model>.+)/seed-(?P<seed>\d+)/"
    r"(?:epoch-(?P<epoch>\d+)|on-(?P<on>[a-z]+)|sequence-(?P<position>\d+)-(?P<after>[a-z]+))"
)
"""The name of a run of `litotes experiment` on the split by premise."""


def published_section() -> PaperSection:
    """Return the sizes of the sets, and the accuracies of experiments 1 to 3 as tables and figures."""
    sizes = published_table(published_results(PAPER, table=1))
    tables, figures = [sizes], []
    for number in SETTINGS:
        models = published_accuracies(number)
        source = published_results(PAPER, figure=number)
        rows = [(model, "paper", step, row) for model, steps in models.items() for step, row in steps.items()]
        caption = f"{source.source}: {source.description} ({SETTINGS[number]}), %"
        tables.append(PaperTable(f"figure-{number}", _accuracy_table(caption, rows, _STEP_HEADINGS[number])))
        figures.append(PaperFigure(f"figure-{number}", caption, partial(draw_experiment, number, models)))
    return PaperSection("published", tables, figures)


def suite_section(suite: SuiteRuns, options: PaperOptions) -> PaperSection:
    """Return every table of labels and categories, the accuracy by category as a figure, and experiments."""
    stems: list[str] = []
    tables = []
    for table in label_tables(suite):
        title = table.caption.removeprefix(f"{suite.label}: ")
        stem = slug(title.partition(";")[0].partition(", %")[0].partition(" (")[0]) if stems else "models"
        while stem in stems:
            stem += "-2"
        stems.append(stem)
        tables.append(PaperTable(stem, table))
    categories = shared_categories(suite)
    models = f" of the {MAX_CATEGORY_MODELS} best models" if len(suite.runs) > MAX_CATEGORY_MODELS else ""
    caption = f"{suite.label}: accuracy{models} by category ({category_legend(categories)}), with 95 % intervals"
    figures = [PaperFigure("figure-categories", caption, partial(draw_categories, suite))] if categories else []
    for number, experiment in _experiments(suite).items():
        shown, figure = _experiment_parts(suite.label, number, experiment, with_published=options.with_published)
        tables.append(shown)
        figures.append(figure)
    if options.with_published and set(categories) == set(CATEGORIES):
        tables.append(_beside_published(suite))
    tables += error_tables(suite, best=options.best, missed_by=options.missed_by)
    return PaperSection(suite.label, tables, figures)


def _experiments(suite: SuiteRuns) -> dict[int, dict[str, Accuracies]]:
    """Return the accuracies of experiments among the runs, as means over seeds, by number and model."""
    values: dict[tuple[int, str], dict[str, list[RunResult]]] = {}
    for run in suite.runs:
        match = _EXPERIMENT_RUN.fullmatch(run.model)
        if match is None or not label_metrics(run).categories:
            continue
        epoch, trained_on, position = match["epoch"], match["on"], match["position"]
        number = 1 if epoch else 2 if trained_on else 3
        step = f"epoch {epoch}" if epoch else trained_on or f"{position} {match['after']}"
        values.setdefault((number, match["model"]), {}).setdefault(step, []).append(run)
    experiments: dict[int, dict[str, Accuracies]] = {}
    for (number, model), runs in sorted(values.items()):
        steps = sorted(runs, key=lambda step: _step_position(number, step))
        if number > 1 and (1, model) in values:  # the last epoch is where the other experiments start
            last = max(values[1, model], key=lambda step: _step_position(1, step))
            runs[BEFORE], steps = values[1, model][last], [BEFORE, *steps]
        experiments.setdefault(number, {})[model] = {step: _mean_accuracies(runs[step]) for step in steps}
    return experiments


def _step_position(number: int, step: str) -> int:
    return CATEGORIES.index(step) if number == 2 else int("".join(filter(str.isdecimal, step)))


def _mean_accuracies(runs: Sequence[RunResult]) -> dict[str, float]:
    names = label_metrics(runs[0]).categories
    return {
        name: math.fsum(label_metrics(run).categories[name].accuracy for run in runs) / len(runs)
        for name in names
        if all(name in label_metrics(run).categories for run in runs)
    }


def _experiment_parts(
    label: str, number: int, experiment: Mapping[str, Accuracies], *, with_published: bool
) -> tuple[PaperTable, PaperFigure]:
    """Return the table and the figure of an experiment, with the published models if requested."""
    rows = [(model, "run", step, row) for model, steps in experiment.items() for step, row in steps.items()]
    caption = f"{label}: experiment {number}, accuracy by category, means over seeds, %"
    panels = {f"{model} (run)" if with_published else model: steps for model, steps in experiment.items()}
    if with_published:
        published = published_accuracies(number)
        rows += [(model, "paper", step, row) for model, steps in published.items() for step, row in steps.items()]
        panels |= {f"{model} (paper)": steps for model, steps in published.items()}
        caption += f"; {_PUBLISHED_SETS}, {SETTINGS[number]}"
    table = _accuracy_table(caption, rows, _STEP_HEADINGS[number])
    return (
        PaperTable(f"experiment-{number}", table),
        PaperFigure(f"experiment-{number}", caption, partial(draw_experiment, number, panels)),
    )


def _beside_published(suite: SuiteRuns) -> PaperTable:
    """Return the runs by category next to the published models that were trained without negation."""
    rows: list[_Row] = [
        *((name, "run", "", _mean_accuracies([run])) for name, run in zip(suite.names, suite.runs, strict=True)),
        *((model, "paper", "", list(steps.values())[-1]) for model, steps in published_accuracies(1).items()),
    ]
    caption = f"{suite.label}: accuracy by category, %; {_PUBLISHED_SETS}, {SETTINGS[1]}"
    return PaperTable("beside-figure-1", _accuracy_table(caption, rows))


def _accuracy_table(caption: str, rows: Sequence[_Row], step_heading: str = "") -> Table:
    """Return a table with a row for each model and step and a column for each category."""
    models, origins, steps, accuracies = zip(*rows, strict=True)
    columns = [Column("model", "model", models), Column("from", "from", origins)]
    if step_heading:
        columns.append(Column(step_heading, "step", steps))
    columns += [
        Column(CODES[name], name, [row.get(name, math.nan) for row in accuracies], PERCENT) for name in CATEGORIES
    ]
    return Table(caption, columns)
