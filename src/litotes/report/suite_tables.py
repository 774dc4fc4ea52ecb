"""The tables of a suite: accuracy, other readings, similarities, and similarities above the baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence

from litotes.evaluation.comparison import Comparison
from litotes.evaluation.result import CriterionAccuracy, Interval
from litotes.report.kind_words import kind_words
from litotes.report.label_tables import brief_label_tables, label_tables
from litotes.report.placing_tables import on_the_papers_sentences, placing_tables
from litotes.report.suite_runs import SuiteRuns
from litotes.report.tables import Column, Table, percent

_NO_ACCURACY = CriterionAccuracy(math.nan, (math.nan, math.nan), math.nan, 0)


def suite_tables(suite: SuiteRuns) -> list[Table]:
    """Every table that the suite has figures for."""
    if suite.labelled:
        return label_tables(suite)
    tables = [accuracy_table(suite), readings_table(suite), similarity_table(suite), normalised_table(suite)]
    return [*(table for table in tables if table is not None), *placing_tables(suite)]


def brief_tables(suite: SuiteRuns, *, of_many: bool) -> list[Table]:
    """What a terminal shows of a suite; of one of many only what the overview cannot say."""
    if suite.labelled:
        return brief_label_tables(suite, of_many=of_many)
    if of_many:
        return placing_tables(suite) if on_the_papers_sentences(suite) else []
    return suite_tables(suite)


def accuracy_table(suite: SuiteRuns) -> Table:
    """Accuracy with its interval, the mean over groups, and what was chosen."""
    runs, metrics = suite.runs, [run.metrics for run in suite.runs]
    # An option that is a pair of roles has a name too long for a terminal; its share stands in CSV and on the page.
    shares = [
        Column(
            "" if "~" in option else option,
            f"chosen_{option}",
            [run.choices[option] / run.metrics.items for run in runs],
            percent,
        )
        for option in suite.info.options
    ]
    by_group = "by pair" if "pair" in suite.info.group_word else "by group"
    groups = f", {metrics[0].groups:,} {suite.info.group_word}s" if suite.grouped else ""
    return Table(
        f"{suite.label}: {metrics[0].items:,} items{groups}; guessing gives {percent(suite.chance)} %",
        [
            Column("model", "model", suite.names),
            Column("right %", "accuracy", [m.accuracy for m in metrics], percent),
            Column("95 %", "", [_interval(m.accuracy_ci) for m in metrics]),
            Column("", "accuracy_low", [m.accuracy_ci[0] for m in metrics]),
            Column("", "accuracy_high", [m.accuracy_ci[1] for m in metrics]),
            Column(by_group if suite.grouped else "", "group_accuracy", [m.group_accuracy for m in metrics], percent),
            *shares,
            Column("ties", "ties", [m.ties for m in metrics], lambda count: f"{count:,.0f}"),
        ],
    )


def readings_table(suite: SuiteRuns) -> Table | None:
    """The accuracy by every other reading, with its interval."""
    if not suite.readings:
        return None
    columns = [Column("model", "model", suite.names)]
    for name in suite.readings:
        found = [run.metrics.also.get(name, _NO_ACCURACY) for run in suite.runs]
        key = name.replace(" ", "_")
        columns += [
            Column(name, key, [one.accuracy for one in found], percent),
            Column("95 %", "", [_interval(one.accuracy_ci) for one in found]),
            Column("", f"{key}_low", [one.accuracy_ci[0] for one in found]),
            Column("", f"{key}_high", [one.accuracy_ci[1] for one in found]),
        ]
    chances = sorted({one.chance for run in suite.runs for one in run.metrics.also.values()})
    guessing = " or ".join(percent(chance) for chance in chances)
    right = suite.info.right
    return Table(f"{suite.label}: {right} over one other alone, right %; guessing gives {guessing} %", columns)


def similarity_table(suite: SuiteRuns) -> Table:
    """The mean similarity of each role pair; where no role stands in all of them in per cent, with the accuracy.

    That is the form of the tables of the triplets' paper.
    """
    layout = suite.layout()
    pairs = [(pair, [run.metrics.similarities.get(pair, math.nan) for run in suite.runs]) for pair in layout.pairs]
    models = Column("model", "model", suite.names)
    if layout.anchor is not None:
        named = [Column(pair, f"similarity_{pair}", values, _three) for pair, values in pairs]
        return Table(f"{suite.label}: mean similarity", [models, *named])
    table = kind_words(suite.info).paper_table
    return Table(
        f"{suite.label}: mean similarity and accuracy, %" + (f" ({table})" if table else ""),
        [
            models,
            *(Column(pair, f"similarity_{pair}", values, _hundredths) for pair, values in pairs),
            Column("accuracy", "accuracy", [run.metrics.accuracy for run in suite.runs], _hundredths),
        ],
    )


def normalised_table(suite: SuiteRuns) -> Table | None:
    """The mean similarity of each role pair above the baseline, and the baseline itself."""
    if not suite.normalised:
        return None
    metrics = [run.metrics for run in suite.runs]
    columns = [Column("model", "model", suite.names)]
    for pair in suite.normalised:
        ends = [m.normalised_ci.get(pair, (math.nan, math.nan)) for m in metrics]
        name = pair.split("~")[-1] if suite.layout().anchor is not None else pair
        columns += [
            Column(name, f"normalised_{pair}", [m.normalised.get(pair, math.nan) for m in metrics], _three),
            Column("", f"normalised_{pair}_low", [low for low, _ in ends]),
            Column("", f"normalised_{pair}_high", [high for _, high in ends]),
        ]
    baselines = [math.nan if m.baseline is None else m.baseline for m in metrics]
    columns.append(Column("base", "baseline", baselines, _three))
    return Table(f"{suite.label}: mean similarity above the baseline, which is 0, up to 1", columns)


def overview_table(suites: Sequence[SuiteRuns]) -> Table:
    """The accuracy of every model on every suite, beside guessing; that of a single model with its interval."""
    models = list(dict.fromkeys(name for suite in suites for name in suite.names))
    columns = [
        Column("suite", "suite", [suite.label for suite in suites]),
        Column("items", "items", [suite.runs[0].metrics.items for suite in suites], lambda count: f"{count:,.0f}"),
        Column("guessing", "chance", [suite.chance for suite in suites], percent),
        *(Column(model, model, [_accuracy(suite, model) for suite in suites], percent) for model in models),
    ]
    if len(models) == 1:
        columns.append(Column("95 %", "", [_interval(suite.runs[0].metrics.accuracy_ci) for suite in suites]))
    return Table("right %, all suites", columns)


def _accuracy(suite: SuiteRuns, model: str) -> float:
    found = dict(zip(suite.names, suite.runs, strict=True))
    return found[model].metrics.accuracy if model in found else math.nan


def _three(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "–"


def _hundredths(share: float) -> str:
    """In per cent, with two decimals."""
    return f"{100 * share:.2f}" if math.isfinite(share) else "–"


def _interval(ends: Interval) -> str:
    return f"{percent(ends[0])}–{percent(ends[1])}" if all(map(math.isfinite, ends)) else "–"


def comparison_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """Which models differ, in words."""
    return [_comparison_line(comparison) for comparison in comparisons]


def _comparison_line(found: Comparison) -> str:
    p = "< 0.001" if found.p_adjusted < 0.001 else f"= {found.p_adjusted:.3f}"
    figures = f"{100 * found.difference:+.1f} points, 95 % {100 * found.ci[0]:.1f} to {100 * found.ci[1]:.1f}; p {p}"
    verdict = "is better than" if found.differ else "does not differ significantly from"
    return f"{found.suite}: {found.a} {verdict} {found.b} ({figures})"
