"""SemAntoNeg (Vahtola, Creutz and Tiedemann, 2022): Tables 1 and 3 to 8, Figures 1 and 2, and the error analysis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

from litotes.evaluation.error_analysis import best_runs, missed_items
from litotes.evaluation.result import RunResult
from litotes.evaluation.statistics import compact_letter_display, compare_models
from litotes.report.columns import accuracy_column
from litotes.report.formats import MISSING, NO_INTERVAL, PERCENT, NumberFormat, display_name
from litotes.report.papers.accuracies import (
    CHANCE,
    GROUP_TABLES,
    PAPER,
    GroupSpread,
    ModelAccuracy,
    all_published_accuracies,
    group_spreads,
    names_by_group,
    published_accuracies,
    rank_accuracies,
    spreads_of_all_models,
)
from litotes.report.papers.drawing import draw_choices, draw_layers, draw_spreads
from litotes.report.papers.error_tables import error_tables, who_misses
from litotes.report.papers.model_factors import factor_section
from litotes.report.papers.sections import PaperFigure, PaperOptions, PaperSection, PaperTable, published_table, slug
from litotes.report.ranking_tables import OTHER_SENTENCES, is_on_paper_sentences
from litotes.report.suite_runs import SuiteRuns, layer_variants, prompt_variants
from litotes.report.suite_tables import layer_table, prompt_table
from litotes.report.table import Cell, Column, Table
from litotes.suites.published_results import PublishedTable, published_results

KINDS = (PAPER,)
GUESSING = "guessing"
_N_WORST = 4
"""The number of worst models in Figure 2."""
_ONE_DECIMAL = NumberFormat(1)
_MARKS = "the line is the median, the cross is the mean with one standard deviation"


def published_section() -> PaperSection:
    """Return what the paper printed; the counts of its Figure 2 are not printed."""
    spreads = [
        _spread(
            "figure-1-spread",
            f"Vahtola et al. 2022, Figure 1: accuracy by group, the models of Tables 3 to 6; {_MARKS}",
            group_spreads(None, with_published=True),
            CHANCE,
        ),
        _spread(
            "figure-1-all-models",
            f"Vahtola et al. 2022, Table 8: accuracy of all models by group; {_MARKS}",
            spreads_of_all_models(),
            CHANCE,
        ),
    ]
    tables = accuracy_tables(None, with_published=True, best=12)
    tables += [*(table for table, _ in spreads), published_table(published_results(PAPER, section=6))]
    factors = factor_section()
    figures = [*(figure for _, figure in spreads), *factors.figures]
    return PaperSection("published", [*tables, *factors.tables], figures)


def suite_section(suite: SuiteRuns, options: PaperOptions) -> PaperSection:
    """Return the same for runs, and the error analysis."""
    caption = f"{suite.label}: accuracy by group; {_MARKS}"
    if options.with_published:
        caption += " of the models of Vahtola et al. 2022, Tables 3 to 6 (of the runs in groups without such a table)"
        caption += "" if is_on_paper_sentences(suite) else f"; {OTHER_SENTENCES}"
    spreads = group_spreads(suite, with_published=options.with_published)
    parts = [_spread("figure-1-spread", caption, spreads, suite.chance), *_choices(suite), *_layers(suite)]
    return PaperSection(
        suite.label,
        [
            *accuracy_tables(suite, with_published=options.with_published, best=options.best),
            *(table for table, _ in parts),
            *error_tables(suite, best=options.best, missed_by=options.missed_by),
            _shared_misses(suite, options),
            *(
                PaperTable(f"prompts-{slug(model)}", prompt_table(model, by_prompt))
                for model, by_prompt in prompt_variants(suite).items()
            ),
        ],
        [figure for _, figure in parts],
    )


def _published(number: int) -> PublishedTable:
    return published_results(PAPER, table=number)


# Accuracies --------------------------------------------------------------------------------------


def accuracy_tables(suite: SuiteRuns | None, *, with_published: bool, best: int) -> list[PaperTable]:
    """Return every accuracy table; for a suite only tables that contain a run."""
    names = list(suite.names) if suite is not None else []
    tables = [_most_downloaded(suite, with_published=with_published)]
    groups = names_by_group(suite)
    for group, number in GROUP_TABLES.items():
        published = published_accuracies(number) if with_published else {}
        rows = rank_accuracies(published, suite, groups.get(group, ()))
        tables.append(_table(f"table-{number}-{slug(group)}", _published(number).description, rows, suite, number))
    for group in groups:
        if group not in GROUP_TABLES:
            rows = rank_accuracies({}, suite, groups[group])
            tables.append(_table(f"table-8-{slug(group)}", f"models of the group “{group}”", rows, suite, 8))
    all_models = rank_accuracies(all_published_accuracies() if with_published else {}, suite, names)
    # Several models have two names in Table 8, of which the paper's Table 7 has one.
    best_models = rank_accuracies(published_accuracies(7)) if suite is None and with_published else all_models[:best]
    tables.append(_table("table-7-best", "the best models", best_models, suite, 7))
    tables.append(_table("table-8-all", "all models", all_models, suite, 8, letters=_letter_display(suite)))
    return [table for table in tables if table is not None]


def _most_downloaded(suite: SuiteRuns | None, *, with_published: bool) -> PaperTable | None:
    """Return Table 1 in the paper's order, with the runs of these models."""
    by_model = {row.model: row for row in rank_accuracies(published_accuracies(1), suite)}
    rows = [by_model[model] for model in published_accuracies(1)]
    if not with_published:
        rows = [ModelAccuracy(row.model, row.group, None, row.run) for row in rows if row.run is not None]
    return _table("table-1-most-downloaded", "most downloaded models", rows, suite, 1, with_guessing=False)


def _letter_display(suite: SuiteRuns | None) -> dict[str, str]:
    """Return the compact letter display; empty if two runs have one name, which comparisons cannot distinguish."""
    if suite is None or len(suite.runs) < 2 or len({run.model for run in suite.runs}) < len(suite.runs):
        return {}
    differing = [(comparison.a, comparison.b) for comparison in compare_models(suite.runs) if comparison.differ]
    return compact_letter_display([run.model for run in suite.runs], differing)


def _table(
    stem: str,
    content: str,
    rows: Sequence[ModelAccuracy],
    suite: SuiteRuns | None,
    number: int,
    *,
    with_guessing: bool = True,
    letters: Mapping[str, str] | None = None,
) -> PaperTable | None:
    if not rows or (suite is not None and not any(row.run for row in rows)):
        return None  # rows without runs belong to the published tables
    chance = CHANCE if suite is None else suite.chance
    has_runs, has_published = any(row.run for row in rows), any(row.published for row in rows)
    columns = [
        Column("model", "model", [row.model for row in rows]),
        Column("group", "group", [row.group for row in rows]),
    ]
    guessing: list[str | float] = [GUESSING, MISSING]
    if has_published:
        heading = "paper %" if has_runs else "right %"
        columns.append(Column(heading, "published_accuracy", [row.published or MISSING for row in rows]))
        guessing.append(PERCENT(chance))
    if has_runs:
        metrics = [row.run.metrics if row.run else None for row in rows]
        cells = [Cell(m.accuracy, m.accuracy_ci) if m else Cell(math.nan, NO_INTERVAL) for m in metrics]
        columns.append(accuracy_column(cells, "accuracy"))
        guessing.append(chance)
    if letters:
        shared = [letters.get(row.run.model, MISSING) if row.run else MISSING for row in rows]
        columns.append(Column("letters", "letters", shared))
        guessing.append(MISSING)
    caption = _caption(content, suite, number, chance, has_both=has_runs and has_published)
    table = Table(caption + ("; models that share a letter do not differ" if letters else ""), columns)
    if with_guessing:
        below = [index for index, row in enumerate(rows) if row.percent < 100 * chance]
        table = table.with_row(below[0] if below else len(rows), guessing, {})
    return PaperTable(stem, table)


def _caption(content: str, suite: SuiteRuns | None, number: int, chance: float, *, has_both: bool) -> str:
    guessing, source = f"guessing gives {PERCENT(chance)} %", _published(number).source
    if suite is None:
        return f"{source}: {content}; {guessing}"
    paper = f"; paper: {source}" if has_both else f" (the form of {source})"
    caution = f"; {OTHER_SENTENCES}" if has_both and not is_on_paper_sentences(suite) else ""
    return f"{suite.label}: {content}; {guessing}{paper}{caution}"


# Figure 1: the spread of accuracies by group ------------------------------------------------------


def _spread(stem: str, caption: str, spreads: Sequence[GroupSpread], chance: float) -> tuple[PaperTable, PaperFigure]:
    figure = PaperFigure(stem, caption, partial(draw_spreads, spreads, chance))
    return PaperTable(stem, spread_table(caption, spreads)), figure


def spread_table(caption: str, spreads: Sequence[GroupSpread]) -> Table:
    """Return the numbers of the figure of groups: averages, spread and extremes, in per cent."""

    def numbers(heading: str, key: str, values: Sequence[float]) -> Column:
        return Column(heading, key, [round(value, 4) for value in values], _ONE_DECIMAL)

    runs = [
        Column("runs", "runs", [len(spread.runs) for spread in spreads]),
        numbers(
            "their median",
            "runs_median",
            [GroupSpread("", (), spread.runs).median if spread.runs else math.nan for spread in spreads],
        ),
    ]
    has_both = any(spread.published for spread in spreads) and any(spread.runs for spread in spreads)
    columns = [
        Column("group", "group", [spread.group for spread in spreads]),
        Column("models", "models", [len(spread.values) for spread in spreads]),
        numbers("median", "median", [spread.median for spread in spreads]),
        numbers("mean", "mean", [spread.mean for spread in spreads]),
        numbers("variance", "variance", [spread.variance for spread in spreads]),
        numbers("standard deviation", "standard_deviation", [math.sqrt(spread.variance) for spread in spreads]),
        numbers("1st quartile", "quartile_1", [spread.quartiles[0] for spread in spreads]),
        numbers("3rd quartile", "quartile_3", [spread.quartiles[1] for spread in spreads]),
        numbers("lowest", "lowest", [min(spread.values) for spread in spreads]),
        numbers("highest", "highest", [max(spread.values) for spread in spreads]),
    ]
    return Table(caption, [*columns, *(runs if has_both else [])])


# Section 5.2: layers -------------------------------------------------------------------------------


def _layers(suite: SuiteRuns) -> list[tuple[PaperTable, PaperFigure]]:
    """Return the accuracy by layer of each model that ran with several layers."""
    parts = []
    for model, by_layer in layer_variants(suite).items():
        stem, table = f"layers-{slug(model)}", layer_table(model, by_layer)
        caption = f"{table.caption}; the bars are 95 % intervals"
        parts.append((PaperTable(stem, table), PaperFigure(stem, caption, partial(draw_layers, by_layer))))
    return parts


# Section 6: what all the best models miss ---------------------------------------------------------


def _shared_misses(suite: SuiteRuns, options: PaperOptions) -> PaperTable:
    """Return how many items the best models of the paper miss, next to the best of the runs."""
    published = published_results(PAPER, section=6)
    pairs, counts = published.column("antonym_pair"), published.column("missed")
    missed = missed_items(best_runs(suite.runs, options.best), options.missed_by)
    own = {"all": (len(missed.items), len(suite.items))}
    own |= {pair: (0, sum(item.group == pair for item in suite.items)) for pair in pairs if pair not in own}
    own |= {group.group: (group.missed, group.items) for group in missed.groups if group.group in pairs}
    own_models = who_misses(missed.at_least, len(missed.models))
    caption = (
        f"{suite.label}: the items that all models of Table 7 miss ({published.source}), and those that {own_models}"
    )
    return PaperTable(
        "errors-section-6",
        Table(
            caption if is_on_paper_sentences(suite) else f"{caption}; {OTHER_SENTENCES}",
            [
                Column(suite.info.group_word, "group", pairs),
                Column("paper", "published_missed", counts),
                Column("these runs", "missed", [own[pair][0] for pair in pairs]),
                Column("of its items", "items", [own[pair][1] for pair in pairs]),
            ],
        ),
    )


# Figure 2: what the best and the worst models choose ----------------------------------------------


def _choices(suite: SuiteRuns) -> list[tuple[PaperTable, PaperFigure]]:
    """Return Figure 2 for all runs and for each group with several; the paper's is about the paraphrase models."""
    runs = list(zip(suite.names, suite.runs, strict=True))
    groups = {group: set(names) for group, names in names_by_group(suite).items() if 1 < len(names) < len(runs)}
    parts = []
    for group, names in {"": set(suite.names), **groups}.items():
        members = [(name, run) for name, run in runs if name in names]
        shown = members[:1] + members[1:][-_N_WORST:]
        which = f"the best and the {min(_N_WORST, len(members) - 1)} worst" if len(members) > 2 else "the choices"
        models = f"the group “{group}”" if group else "all models"
        caption = f"{suite.label}: {which} of {models}, times each option is chosen"
        stem = "figure-2-choices" + (f"-{slug(group)}" if group else "")
        table = PaperTable(stem, _choices_table(caption, shown))
        parts.append((table, PaperFigure(stem, caption, partial(draw_choices, shown))))
    return parts


def _choices_table(caption: str, runs: Sequence[tuple[str, RunResult]]) -> Table:
    options = list(dict.fromkeys(option for _, run in runs for option in run.suite.options))
    return Table(
        caption,
        [
            Column("model", "model", [name for name, _ in runs]),
            Column("right %", "accuracy", [run.metrics.accuracy for _, run in runs], PERCENT),
            *(
                Column(display_name(option), f"chosen_{option}", [run.choices.get(option, 0) for _, run in runs])
                for option in options
            ),
            Column("ties", "ties", [run.metrics.ties for _, run in runs]),
        ],
    )
