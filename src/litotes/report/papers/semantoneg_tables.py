"""SemAntoNeg's Tables 1 and 3 to 8: accuracy by model and group, guessing as a line among the models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from litotes.evaluation.comparison import compare_models
from litotes.evaluation.statistics import compact_letter_display
from litotes.report.papers.accuracies import (
    CHANCE,
    GROUP_TABLES,
    Accuracy,
    Spread,
    grouped_runs,
    most_exact,
    printed_accuracies,
    rows,
    source,
)
from litotes.report.papers.pieces import PaperTable, slug
from litotes.report.placing_tables import OTHER_SENTENCES, on_the_papers_sentences
from litotes.report.suite_runs import SuiteRuns
from litotes.report.tables import Column, Table, percent

GUESSING = "guessing"
_NOTHING = "–"


def accuracy_tables(suite: SuiteRuns | None, *, published: bool, best: int) -> list[PaperTable]:
    """Every accuracy table; of a suite those that have a run in them."""
    names = list(suite.names) if suite is not None else []
    tables = [_most_downloaded(suite, published=published)]
    groups = grouped_runs(suite)
    for group, number in GROUP_TABLES.items():
        printed = printed_accuracies(number) if published else {}
        found = rows(printed, suite, groups.get(group, ()))
        tables.append(_table(f"table-{number}-{slug(group)}", source(number).what, found, suite, number))
    for group in groups:
        if group not in GROUP_TABLES:
            found = rows({}, suite, groups[group])
            tables.append(_table(f"table-8-{slug(group)}", f"models of the group “{group}”", found, suite, 8))
    everything = rows(most_exact() if published else {}, suite, names)
    # Alone, the paper's own twelve: several models stand in Table 8 under two names, of which Table 7 has one.
    ranked = rows(printed_accuracies(7)) if suite is None and published else everything[:best]
    tables.append(_table("table-7-best", "the best models", ranked, suite, 7))
    tables.append(_table("table-8-all", "all models", everything, suite, 8, letters=_letters(suite)))
    return [table for table in tables if table is not None]


def _most_downloaded(suite: SuiteRuns | None, *, published: bool) -> PaperTable | None:
    """Table 1 in the paper's order, with the runs of these models."""
    order = list(printed_accuracies(1))
    found = {row.model: row for row in rows(printed_accuracies(1), suite)}
    kept = [found[model] for model in order if published or found[model].run is not None]
    if not published:
        kept = [Accuracy(row.model, row.group, None, row.run) for row in kept]
    return _table("table-1-most-downloaded", "most downloaded models", kept, suite, 1, line=False)


def _letters(suite: SuiteRuns | None) -> dict[str, str]:
    """Letters of models that were compared; none where two runs go by one name, which comparisons cannot tell apart."""
    if suite is None or len(suite.runs) < 2 or len({run.model for run in suite.runs}) < len(suite.runs):
        return {}
    differing = [(one.a, one.b) for one in compare_models(suite.runs) if one.differ]
    return compact_letter_display([run.model for run in suite.runs], differing)


def _table(
    stem: str,
    what: str,
    found: Sequence[Accuracy],
    suite: SuiteRuns | None,
    number: int,
    *,
    line: bool = True,
    letters: Mapping[str, str] | None = None,
) -> PaperTable | None:
    if not found or (suite is not None and not any(row.run for row in found)):
        return None  # what the paper has alone stands among the published
    chance = CHANCE if suite is None else suite.chance
    below = [place for place, row in enumerate(found) if row.percent < 100 * chance]
    place = (below[0] if below else len(found)) if line else None
    own, printed = any(row.run for row in found), any(row.printed for row in found)
    columns = [
        Column("model", "model", _with(place, [row.model for row in found], GUESSING)),
        Column("group", "group", _with(place, [row.group for row in found], _NOTHING)),
    ]
    if printed:
        heading = "paper %" if own else "right %"
        texts = [row.printed or _NOTHING for row in found]
        columns.append(Column(heading, "published_accuracy", _with(place, texts, percent(chance))))
    if own:
        columns += _own_columns(found, place, chance)
    if letters:
        shared = [letters.get(row.run.model, _NOTHING) if row.run else _NOTHING for row in found]
        columns.append(Column("letters", "letters", _with(place, shared, _NOTHING)))
    told = _caption(what, suite, number, chance, beside=own and printed)
    return PaperTable(stem, Table(told + ("; models that share a letter do not differ" if letters else ""), columns))


def _own_columns(found: Sequence[Accuracy], place: int | None, chance: float) -> list[Column]:
    metrics = [row.run.metrics if row.run else None for row in found]
    right = [math.nan if one is None else one.accuracy for one in metrics]
    ends = [(math.nan, math.nan) if one is None else one.accuracy_ci for one in metrics]
    shown = [f"{percent(low)}–{percent(high)}" if math.isfinite(low) else _NOTHING for low, high in ends]
    return [
        Column("right %", "accuracy", _with(place, right, chance), percent),
        Column("95 %", "", _with(place, shown, _NOTHING)),
        Column("", "accuracy_low", _with(place, [low for low, _ in ends], math.nan)),
        Column("", "accuracy_high", _with(place, [high for _, high in ends], math.nan)),
    ]


def _with(place: int | None, values: Sequence[str | float], line: str | float) -> list[str | float]:
    return list(values) if place is None else [*values[:place], line, *values[place:]]


def _caption(what: str, suite: SuiteRuns | None, number: int, chance: float, *, beside: bool) -> str:
    guessing = f"guessing gives {percent(chance)} %"
    if suite is None:
        return f"{source(number).source}: {what}; {guessing}"
    paper = f"; paper: {source(number).source}" if beside else f" (the form of {source(number).source})"
    caution = f"; {OTHER_SENTENCES}" if beside and not on_the_papers_sentences(suite) else ""
    return f"{suite.label}: {what}; {guessing}{paper}{caution}"


def spread_table(stem: str, caption: str, found: Sequence[Spread]) -> PaperTable:
    """The numbers of the figure of groups: medians, quartiles, means and ends, in per cent."""
    ends = [(min(one.values), max(one.values)) for one in found]
    both = any(one.printed for one in found) and any(one.own for one in found)
    own = [
        Column("runs", "runs", [len(one.own) for one in found]),
        Column("their median", "runs_median", [_median(one.own) for one in found], _one),
    ]
    return PaperTable(
        stem,
        Table(
            caption,
            [
                Column("group", "group", [one.group for one in found]),
                Column("models", "models", [len(one.values) for one in found]),
                Column("median", "median", [round(one.median, 4) for one in found], _one),
                Column("mean", "mean", [round(sum(one.values) / len(one.values), 4) for one in found], _one),
                Column("1st quartile", "quartile_1", [round(one.quartiles[0], 4) for one in found], _one),
                Column("3rd quartile", "quartile_3", [round(one.quartiles[1], 4) for one in found], _one),
                Column("lowest", "lowest", [round(low, 4) for low, _ in ends], _one),
                Column("highest", "highest", [round(high, 4) for _, high in ends], _one),
                *(own if both else []),
            ],
        ),
    )


def _median(values: Sequence[float]) -> float:
    return round(Spread("", (), values).median, 4) if values else math.nan


def _one(value: float) -> str:
    return f"{value:.1f}" if math.isfinite(value) else _NOTHING
