"""Tables that rank the models of a report among published ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from litotes.evaluation.published_ranking import ACCURACY, PublishedRank, published_ranks
from litotes.report.columns import model_column
from litotes.report.formats import MISSING
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import Column, Table

OTHER_SENTENCES = "other sentences; for orientation"
"""Accompanies every comparison of figures that were obtained on different sentences."""

Ranks = Sequence[PublishedRank | None]
"""The rank of every run of a suite by one figure; None for a run without that figure."""


def ranking_tables(suite: SuiteRuns) -> list[Table]:
    """Return the runs' figures next to the published ones; nothing for a suite without published figures."""
    ranks = ranks_by_figure(suite)
    if not ranks:
        return []
    return [_accuracy_table(suite, ranks[ACCURACY])] if ACCURACY in ranks else _similarity_tables(suite, ranks)


def ranks_by_figure(suite: SuiteRuns) -> dict[str, Ranks]:
    """Return the ranks of all runs by every figure that a paper has published."""
    by_run = [{rank.figure: rank for rank in published_ranks(run)} for run in suite.runs]
    figures = dict.fromkeys(figure for ranks in by_run for figure in ranks)
    return {figure: [ranks.get(figure) for ranks in by_run] for figure in figures}


def is_on_paper_sentences(suite: SuiteRuns) -> bool:
    """Return whether there are published figures, all on the same sentences as the runs."""
    ranks = [rank for run in suite.runs for rank in published_ranks(run)]
    return bool(ranks) and all(rank.same_sentences for rank in ranks)


def describe_rank(rank: PublishedRank) -> str:
    """Return how many published models are better or worse, whichever are more.

    >>> describe_rank(PublishedRank("accuracy", "1.9", 97, 2, 15, None, "a paper", True))
    'lower than 97 of 114, level with 2'
    >>> describe_rank(PublishedRank("accuracy", "95.0", 0, 0, 113, "93.6", "a paper", True))
    'higher than all 113 others'
    """
    models = rank.models
    others = "" if rank.published is None else " others"
    count, relation = max((rank.lower_than, "lower than"), (rank.higher_than, "higher than"), key=lambda side: side[0])
    if not count:
        return f"level with all {models}{others}"
    description = f"{relation} {f'all {models}' if count == models else f'{count} of {models}'}{others}"
    return f"{description}, level with {rank.level_with}" if rank.level_with else description


def _caption(suite: SuiteRuns, content: str, ranks: Ranks) -> str:
    first = next(rank for rank in ranks if rank)
    models = first.models + (first.published is not None)
    caution = "" if is_on_paper_sentences(suite) else f"; {OTHER_SENTENCES}"
    return f"{suite.label}: {content} the {models} models of {first.source}{caution}"


def _accuracy_table(suite: SuiteRuns, ranks: Ranks) -> Table:
    return Table(
        _caption(suite, "among", ranks),
        [
            model_column(suite),
            Column("right %", "", _texts(ranks, lambda rank: rank.shown)),
            Column("paper", "published_accuracy", _texts(ranks, lambda rank: rank.published)),
            Column("among the published", "", _texts(ranks, describe_rank)),
            *_count_columns("published", ranks),
            _sentences_column(suite),
        ],
    )


def _similarity_tables(suite: SuiteRuns, ranks_of: Mapping[str, Ranks]) -> list[Table]:
    """Return how many models find each pair less similar, and what is printed for models of the same name.

    Similarities depend on the sentences more than on the model, so on other sentences nothing is counted.
    """
    models, first = model_column(suite), next(iter(ranks_of.values()))
    tables = []
    if is_on_paper_sentences(suite):
        counts = [
            Column(_last_role(pair), "", _texts(ranks, lambda rank: str(rank.higher_than)))
            for pair, ranks in ranks_of.items()
        ]
        for_programs = [
            column for pair, ranks in ranks_of.items() for column in _count_columns(f"published_{pair}", ranks)
        ]
        content = "how many published models find each pair less similar, of"
        tables.append(Table(_caption(suite, content, first), [models, *counts, *for_programs]))
    if any(rank and rank.published for rank in first):
        published = [
            Column(_last_role(pair), f"published_{pair}", _texts(ranks, lambda rank: rank.published))
            for pair, ranks in ranks_of.items()
        ]
        content = "similarity above the baseline as published for models of the same name, of"
        tables.append(Table(_caption(suite, content, first), [models, *published, _sentences_column(suite)]))
    return tables


def _last_role(pair: str) -> str:
    return pair.rpartition("~")[2]


def _texts(ranks: Ranks, text: Callable[[PublishedRank], str | None]) -> list[str]:
    return [(rank and text(rank)) or MISSING for rank in ranks]


def _count_columns(key: str, ranks: Ranks) -> list[Column]:
    """Return the counts, for programs only."""
    return [
        Column("", f"{key}_{name}", [math.nan if rank is None else getattr(rank, name) for rank in ranks])
        for name in ("lower_than", "level_with", "higher_than")
    ]


def _sentences_column(suite: SuiteRuns) -> Column:
    sentences = "the same sentences" if is_on_paper_sentences(suite) else "other sentences"
    return Column("", "published_on", [sentences] * len(suite.runs))
