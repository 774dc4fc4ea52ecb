"""Where the models of a report stand among the published ones, as tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from litotes.evaluation.published_ranking import ACCURACY, PublishedRank, published_ranks
from litotes.report.suite_runs import SuiteRuns
from litotes.report.tables import Column, Table

OTHER_SENTENCES = "other sentences; for orientation"
"""Stands beside every comparison of figures that were not got on the same sentences."""
_NOTHING = "–"

Placed = Sequence[PublishedRank | None]
"""One figure of every run of a suite; None for a run that does not have it."""


def placing_tables(suite: SuiteRuns) -> list[Table]:
    """The runs' figures beside the published ones; nothing for a suite that no paper has figures for."""
    figures = placed_by_figure(suite)
    if not figures:
        return []
    return [_accuracy_table(suite, figures[ACCURACY])] if ACCURACY in figures else _similarity_tables(suite, figures)


def placed_by_figure(suite: SuiteRuns) -> dict[str, Placed]:
    """Of each figure that a paper has, where every run of the suite stands."""
    by_run = [{one.figure: one for one in published_ranks(run)} for run in suite.runs]
    names = dict.fromkeys(name for found in by_run for name in found)
    return {name: [found.get(name) for found in by_run] for name in names}


def on_the_papers_sentences(suite: SuiteRuns) -> bool:
    """Whether there are figures beside published ones, all got on the sentences of the paper."""
    placed = [standing for run in suite.runs for standing in published_ranks(run)]
    return bool(placed) and all(standing.same_sentences for standing in placed)


def in_words(standing: PublishedRank) -> str:
    """How many published models are above or below, whichever are more.

    >>> in_words(PublishedRank("accuracy", "1.9", 97, 2, 15, None, "a paper", True))
    'lower than 97 of 114, level with 2'
    >>> in_words(PublishedRank("accuracy", "95.0", 0, 0, 113, "93.6", "a paper", True))
    'higher than all 113 others'
    """
    lower, higher, models = standing.lower_than, standing.higher_than, standing.models
    others = "" if standing.published is None else " others"
    most, word = (lower, "lower than") if lower >= higher else (higher, "higher than")
    if not most:
        return f"level with all {models}{others}"
    told = f"{word} {f'all {models}' if most == models else f'{most} of {models}'}{others}"
    return f"{told}, level with {standing.level_with}" if standing.level_with else told


def caption(suite: SuiteRuns, what: str, placed: Placed) -> str:
    """What a table shows, whose figures it has, and how to take them."""
    one = next(standing for standing in placed if standing)
    models = one.models + (one.published is not None)
    caution = "" if on_the_papers_sentences(suite) else f"; {OTHER_SENTENCES}"
    return f"{suite.label}: {what} the {models} models of {one.source}{caution}"


def _accuracy_table(suite: SuiteRuns, placed: Placed) -> Table:
    return Table(
        caption(suite, "among", placed),
        [
            Column("model", "model", suite.names),
            Column("right %", "", _texts(placed, lambda one: one.shown)),
            Column("paper", "published_accuracy", _texts(placed, lambda one: one.published)),
            Column("among the published", "", _texts(placed, in_words)),
            *_counts("published", placed),
            _sentences(suite),
        ],
    )


def _similarity_tables(suite: SuiteRuns, figures: dict[str, Placed]) -> list[Table]:
    """How many models find each pair less alike; and what is printed for the models that are published themselves.

    How alike sentences are found depends on the sentences more than on the model, so that on others nothing is counted.
    """
    models, first = Column("model", "model", suite.names), next(iter(figures.values()))
    tables = []
    if on_the_papers_sentences(suite):
        less = [
            Column(_short(name), "", _texts(row, lambda one: str(one.higher_than))) for name, row in figures.items()
        ]
        counts = [column for name, row in figures.items() for column in _counts(f"published_{name}", row)]
        what = "how many published models find each pair less alike, of"
        tables.append(Table(caption(suite, what, first), [models, *less, *counts]))
    if any(one and one.published for one in first):
        own = [
            Column(_short(name), f"published_{name}", _texts(row, lambda one: one.published))
            for name, row in figures.items()
        ]
        what = "similarity above the baseline as published for models of the same name, of"
        tables.append(Table(caption(suite, what, first), [models, *own, _sentences(suite)]))
    return tables


def _short(pair: str) -> str:
    return pair.rpartition("~")[2]


def _texts(placed: Placed, shown: Callable[[PublishedRank], str | None]) -> list[str]:
    return [(one and shown(one)) or _NOTHING for one in placed]


def _counts(key: str, placed: Placed) -> list[Column]:
    """The bare numbers, for programs."""
    return [
        Column("", f"{key}_{name}", [math.nan if one is None else getattr(one, name) for one in placed])
        for name in ("lower_than", "level_with", "higher_than")
    ]


def _sentences(suite: SuiteRuns) -> Column:
    told = "the same sentences" if on_the_papers_sentences(suite) else "other sentences"
    return Column("", "published_on", [told] * len(suite.runs))
