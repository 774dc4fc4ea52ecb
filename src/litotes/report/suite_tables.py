"""The tables of a suite: accuracy, additional criteria, similarities, comparisons and groups."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from litotes.core.errors import single_line
from litotes.evaluation.result import CriterionAccuracy, StsMetrics
from litotes.evaluation.statistics import Comparison
from litotes.report.columns import choice_columns, count_column, model_accuracy_columns, model_column, tie_column
from litotes.report.formats import (
    BARE_PERCENT,
    COUNT,
    MISSING,
    NO_INTERVAL,
    PERCENT,
    PERCENT_2,
    POINTS,
    SIMILARITY,
    NumberFormat,
    capitalised,
    display_name,
    format_p_value,
)
from litotes.report.label_tables import brief_label_tables, label_tables
from litotes.report.ranking_tables import is_on_paper_sentences, ranking_tables
from litotes.report.suite_runs import SuiteRuns, describe_suite, layer_variants, prompt_variants
from litotes.report.table import Cell, Column, Table, Value, view_href

_NO_ACCURACY = CriterionAccuracy(math.nan, NO_INTERVAL, math.nan, 0)


def suite_tables(suite: SuiteRuns) -> list[Table]:
    """Return every table that the suite has numbers for."""
    if suite.is_labelled:
        return label_tables(suite)
    tables = [
        accuracy_table(suite),
        criteria_table(suite),
        similarity_table(suite),
        form_table(suite),
        normalised_table(suite),
    ]
    return [*(table for table in tables if table is not None), *variant_tables(suite), *ranking_tables(suite)]


def variant_tables(suite: SuiteRuns) -> list[Table]:
    """Return the accuracy by layer and by prompt of each model that ran with several."""
    layers = [layer_table(model, by_layer) for model, by_layer in layer_variants(suite).items()]
    prompts = [prompt_table(model, by_prompt) for model, by_prompt in prompt_variants(suite).items()]
    return [*layers, *prompts]


def layer_table(model: str, by_layer: SuiteRuns) -> Table:
    """Return the accuracy and the choices of a model by layer."""
    return Table(
        f"{by_layer.label}: {model} by layer",
        [Column("layer", "", by_layer.names), *_unkeyed([*_accuracy_columns(by_layer), *choice_columns(by_layer)])],
    )


def prompt_table(model: str, by_prompt: SuiteRuns) -> Table:
    """Return the accuracy of a model by prompt, with the mean over prompts and their sample standard deviation."""
    accuracies = [run.metrics.accuracy for run in by_prompt.runs]
    columns = [Column("prompt", "", by_prompt.names), *_unkeyed(_accuracy_columns(by_prompt))]
    table = Table(f"{by_prompt.label}: {model} by prompt, with mean and standard deviation", columns)
    for name, value in (("mean", statistics.fmean(accuracies)), ("deviation", statistics.stdev(accuracies))):
        blanks = [math.nan] * (len(columns) - 2)
        table = table.with_row(len(table.columns[0].values), [name, Cell(value, NO_INTERVAL), *blanks], {})
    return table


def _accuracy_columns(suite: SuiteRuns) -> list[Column]:
    return model_accuracy_columns(suite, "by pair" if "pair" in suite.info.group_word else "by group")


def _unkeyed(columns: Sequence[Column]) -> list[Column]:
    """Return columns that CSV files leave out, which have one row per model."""
    return [replace(column, key="") for column in columns]


def brief_tables(suite: SuiteRuns, *, has_overview: bool) -> list[Table]:
    """Return the tables for a terminal; if it shows an overview of many suites, only those that add to it."""
    if suite.is_labelled:
        return brief_label_tables(suite, has_overview=has_overview)
    if has_overview:
        return ranking_tables(suite) if is_on_paper_sentences(suite) else []
    return suite_tables(suite)


def accuracy_table(suite: SuiteRuns) -> Table:
    """Return accuracy with its interval, the mean over groups, and how often each option was chosen."""
    metrics = suite.runs[0].metrics
    groups = f", {metrics.groups:,} {suite.info.group_word}s" if suite.is_grouped else ""
    return Table(
        f"{suite.label}: {metrics.items:,} items{groups}; guessing gives {PERCENT(suite.chance)} %",
        [model_column(suite), *_accuracy_columns(suite), *choice_columns(suite), tie_column(suite)],
    )


def models_page_table(suite: SuiteRuns) -> Table:
    """Return accuracy, choices and similarities of all models, with guessing at its rank, for a page."""
    layout, options, chance = suite.layout, suite.info.options, suite.chance
    over = "Mean similarity"
    if layout.anchor is not None:
        over += f" to {display_name(suite.info.roles[layout.anchor])}"
    similarities = [
        replace(column, title=layout.pair_name(pair), over=over)
        for pair, column in zip(layout.pairs, _similarity_columns(suite, SIMILARITY), strict=True)
    ]
    table = Table(
        f"Models on {suite.label}, best first",
        [
            model_column(suite),
            *model_accuracy_columns(suite, "by group"),
            *choice_columns(suite),
            tie_column(suite),
            *similarities,
        ],
    )
    guessing: list[Value | Cell] = [
        "guessing",
        *[Cell(chance, chance=chance)] * 2,
        *[1 / len(options)] * len(options),
        *[MISSING] * (1 + len(layout.pairs)),
    ]
    return table.with_row(rank_of_chance(suite), guessing, {"class": "guessing"})


def rank_of_chance(suite: SuiteRuns) -> int:
    """Return how many runs are at least as accurate as guessing."""
    if not math.isfinite(suite.chance):
        return len(suite.runs)
    return sum(run.metrics.accuracy >= suite.chance for run in suite.runs)


def criteria_table(suite: SuiteRuns) -> Table | None:
    """Return the accuracy by every additional criterion, with its interval."""
    if not suite.criteria:
        return None
    columns = [model_column(suite)]
    for name in suite.criteria:
        accuracies = [run.metrics.also.get(name, _NO_ACCURACY) for run in suite.runs]
        columns.append(
            Column(
                name,
                name.replace(" ", "_"),
                [Cell(accuracy.accuracy, accuracy.accuracy_ci, accuracy.chance) for accuracy in accuracies],
                PERCENT,
                title=display_name(name),
                style="bar",
                interval_heading="95 %",
                interval_key=True,
            )
        )
    chances = sorted({accuracy.chance for run in suite.runs for accuracy in run.metrics.also.values()})
    guessing = " or ".join(map(PERCENT, chances))
    right = suite.info.right
    return Table(f"{suite.label}: {right} over one other alone, right %; guessing gives {guessing} %", columns)


def _similarity_columns(suite: SuiteRuns, number_format: NumberFormat) -> list[Column]:
    return [
        Column(
            pair,
            f"similarity_{pair}",
            [run.metrics.similarities.get(pair, math.nan) for run in suite.runs],
            number_format,
        )
        for pair in suite.layout.pairs
    ]


def similarity_table(suite: SuiteRuns) -> Table:
    """Return the mean similarity of each role pair.

    If the pairs have no role in common, it is in per cent and followed by the accuracy, as in the paper on triplets.
    """
    if suite.layout.anchor is not None:
        return Table(f"{suite.label}: mean similarity", [model_column(suite), *_similarity_columns(suite, SIMILARITY)])
    paper_table = describe_suite(suite.info).paper_table
    return Table(
        f"{suite.label}: mean similarity and accuracy, %" + (f" ({paper_table})" if paper_table else ""),
        [
            model_column(suite),
            *_similarity_columns(suite, PERCENT_2),
            Column("accuracy", "accuracy", [run.metrics.accuracy for run in suite.runs], PERCENT_2),
        ],
    )


FORM_TAG = "form"
"""The tag of the items of some suites that says how a sentence is built, such as reported speech or a quotation."""


def form_table(suite: SuiteRuns) -> Table | None:
    """Return mean similarities and accuracy of every model by the form of the sentence, if items have a form.

    CSV files, which have one row per model, leave its columns out.
    """
    forms = sorted({item.tags[FORM_TAG] for item in suite.items if FORM_TAG in item.tags}, reverse=True)
    if not forms:
        return None
    rows = [
        (name, form, [item for item in run.items if item.tags.get(FORM_TAG) == form])
        for name, run in zip(suite.names, suite.runs, strict=True)
        for form in forms
    ]
    items = [members for _, _, members in rows]
    return Table(
        f"{suite.label}: mean similarity and accuracy by form, %",
        [
            Column("model", "", [name for name, _, _ in rows], style="name"),
            Column(FORM_TAG, "", [form for _, form, _ in rows]),
            count_column("items", [len(members) for members in items]),
            *(
                Column(
                    pair,
                    "",
                    [statistics.fmean(item.similarities.get(pair, math.nan) for item in members) for members in items],
                    PERCENT_2,
                    title=suite.layout.pair_name(pair),
                )
                for pair in suite.layout.pairs
            ),
            Column("accuracy", "", [statistics.fmean(item.credit for item in members) for members in items], PERCENT_2),
        ],
    )


def normalised_table(suite: SuiteRuns) -> Table | None:
    """Return the mean similarity of each role pair above the baseline, and the baseline itself."""
    if not suite.normalised_pairs:
        return None
    metrics = [run.metrics for run in suite.runs]
    pairs = [
        Column(
            pair.rpartition("~")[2] if suite.layout.anchor is not None else pair,
            f"normalised_{pair}",
            [Cell(m.normalised.get(pair, math.nan), m.normalised_ci.get(pair, NO_INTERVAL)) for m in metrics],
            SIMILARITY,
            title=suite.layout.pair_name(pair),
            interval_key=True,
        )
        for pair in suite.normalised_pairs
    ]
    baselines = [math.nan if m.baseline is None else m.baseline for m in metrics]
    return Table(
        f"{suite.label}: mean similarity above the baseline, which is 0, up to 1",
        [model_column(suite), *pairs, Column("base", "baseline", baselines, SIMILARITY, title="baseline")],
    )


def sts_table(suites: Sequence[SuiteRuns]) -> Table | None:
    """Return Spearman's correlation of every model with the human scores of each file; None if none was measured."""
    measured = {name: run.sts for suite in suites for name, run in zip(suite.names, suite.runs, strict=True) if run.sts}
    files = list(dict.fromkeys(file for metrics in measured.values() for file in metrics))
    if not files:
        return None
    columns = []
    for file in files:
        metrics = [by_file.get(file) for by_file in measured.values()]
        cells = [Cell(math.nan) if m is None else Cell(m.spearman, m.spearman_ci) for m in metrics]
        columns.append(
            Column(
                file,
                f"sts_{file}",
                cells,
                BARE_PERCENT,
                title=file,
                interval_heading="95 %" if len(files) == 1 else "",
                interval_key=True,
            )
        )
    sizes = ", ".join(f"{file} ({COUNT(n_pairs)} pairs)" for file, n_pairs in _pair_counts(measured.values()).items())
    caption = f"STS: Spearman's correlation with human scores, × 100: {sizes}"
    return Table(caption, [Column("model", "model", list(measured), style="name"), *columns])


def _pair_counts(measured: Iterable[Mapping[str, StsMetrics]]) -> dict[str, int]:
    return {file: metrics.pairs for by_file in measured for file, metrics in by_file.items()}


def overview_table(suites: Sequence[SuiteRuns]) -> Table:
    """Return the accuracy of every model on every suite; that of a single model with its interval."""
    models = list(dict.fromkeys(name for suite in suites for name in suite.names))
    return Table(
        "right %, all suites",
        [
            Column(
                "suite",
                "suite",
                [Cell(suite.label, href=f"#suite-{index}") for index, suite in enumerate(suites)],
                style="name",
            ),
            count_column("items", [suite.runs[0].metrics.items for suite in suites], "items"),
            Column("guessing", "chance", [suite.chance for suite in suites], PERCENT),
            *(
                Column(
                    model,
                    model,
                    [accuracy_cell(suite, model) for suite in suites],
                    PERCENT,
                    title=model,
                    style="bar",
                    interval_heading="95 %" if len(models) == 1 else "",
                )
                for model in models
            ),
        ],
    )


def accuracy_cell(suite: SuiteRuns, model: str) -> Cell:
    """Return the accuracy of a model on a suite; without a bar if it has none."""
    run = suite.run_of(model)
    if run is None:
        return Cell(math.nan)
    return Cell(run.metrics.accuracy, run.metrics.accuracy_ci, run.metrics.chance)


def comparison_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """Return one sentence per comparison of two models."""
    return [_comparison_line(comparison) for comparison in comparisons]


def _comparison_line(comparison: Comparison) -> str:
    p = "< 0.001" if comparison.p_adjusted < 0.001 else f"= {comparison.p_adjusted:.3f}"
    low, high = (100 * end for end in comparison.ci)
    numbers = f"{100 * comparison.difference:+.1f} points, 95 % {low:.1f} to {high:.1f}; p {p}"
    verdict = "is better than" if comparison.differ else "does not differ significantly from"
    return single_line(f"{comparison.suite}: {comparison.a} {verdict} {comparison.b} ({numbers})")


def comparisons_table(suite: SuiteRuns) -> Table:
    """Return the comparisons of two models, the better one first, in the order of the models."""
    rank = {run.model: index for index, run in reversed(list(enumerate(suite.runs)))}
    comparisons = sorted(
        map(_better_first, suite.comparisons), key=lambda comparison: (rank[comparison.a], rank[comparison.b])
    )
    return Table(
        "Comparisons of two models",
        [
            Column("result", "", [_comparison_words(comparison) for comparison in comparisons], style="words"),
            Column("difference", "", [comparison.difference for comparison in comparisons], POINTS),
            Column("95\u00a0% interval", "", [POINTS.page_interval(comparison.ci) for comparison in comparisons]),
            Column(
                "p, corrected",
                "",
                [format_p_value(comparison.p_adjusted) for comparison in comparisons],
                title="p, corrected",
            ),
        ],
    )


def _better_first(comparison: Comparison) -> Comparison:
    if not comparison.difference < 0:
        return comparison
    low, high = comparison.ci
    return replace(comparison, a=comparison.b, b=comparison.a, difference=-comparison.difference, ci=(-high, -low))


def _comparison_words(comparison: Comparison) -> str:
    words = "{} is better than {}" if comparison.differ else "no difference shown between {} and {}"
    return Markup(words).format(*(Markup("<b>{}</b>").format(name) for name in (comparison.a, comparison.b)))  # noqa: S704


def groups_table(suite: SuiteRuns, max_models: int) -> Table:
    """Return the number of items of each group and the share that each of the best models got right."""
    credits = [[item.credit for item in run.items] for run in suite.runs[:max_models]]
    members: dict[str, list[int]] = {}
    for index, item in enumerate(suite.items):
        members.setdefault(item.group, []).append(index)
    groups = sorted(members.items(), key=lambda group: (-len(group[1]), group[0]))
    word = suite.info.group_word
    return Table(
        f"Results by {word}",
        [
            Column(
                capitalised(word),
                "",
                [Cell(name, href=view_href({"suite": suite.label, "group": name})) for name, _ in groups],
                style="name",
            ),
            count_column("Items", [len(indexes) for _, indexes in groups]),
            *(
                Column(
                    model,
                    "",
                    [sum(credit[index] for index in indexes) / len(indexes) for _, indexes in groups],
                    BARE_PERCENT,
                    title=model,
                    style="shade",
                    over="Right, % of the items",
                )
                for model, credit in zip(suite.names, credits, strict=False)
            ),
        ],
    )
