"""The error analysis as tables: what the best models miss, how much they agree, and what is hard.

It follows section 6 of SemAntoNeg, for suites of any kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from litotes.core.errors import UsageError
from litotes.evaluation.error_analysis import (
    MissedItems,
    best_runs,
    credit_matrix,
    difficulty_bins,
    missed_items,
    model_agreements,
    overlap_preference,
)
from litotes.evaluation.result import RunResult
from litotes.report.columns import accuracy_column
from litotes.report.errors import kappa_matrix
from litotes.report.formats import CORRELATION, PERCENT
from litotes.report.papers.sections import PaperTable
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import Cell, Column, Table


def error_tables(suite: SuiteRuns, *, best: int, missed_by: int | None) -> list[PaperTable]:
    """Return every table of the error analysis; those on agreement need two models."""
    if best < 1:
        raise UsageError("L102", f"{best} best models: at least 1 is needed")
    runs = best_runs(suite.runs, best)
    if missed_by is not None and not 1 <= missed_by <= len(runs):
        raise UsageError("L102", f"{suite.label}: items missed by {missed_by} of the {len(runs)} best models")
    names_by_id = {id(run): name for name, run in zip(suite.names, suite.runs, strict=True)}
    names = [names_by_id[id(run)] for run in runs]
    missed = missed_items(runs, missed_by)
    tables = {
        "errors-how-many-miss": _counts_table(suite, runs),
        "errors-missed-groups": _groups_table(suite, runs, missed),
        "errors-missed-items": _items_table(suite, runs, missed),
    }
    if len(runs) > 1:
        tables["errors-agreement"] = _agreement_table(suite, runs, names)
        tables["errors-agreement-pairs"] = _agreement_pairs_table(suite, runs, names)
    if not suite.is_labelled:
        tables["errors-overlap"] = _overlap_table(suite)
    tables["errors-difficulty"] = _difficulty_table(suite, runs)
    return [PaperTable(stem, table) for stem, table in tables.items() if table.columns[0].values]


def who_misses(count: int, n_models: int) -> str:
    """Return the subject and verb of a caption.

    >>> who_misses(12, 12), who_misses(3, 12), who_misses(1, 1)
    ('all of the 12 best models miss', 'at least 3 of the 12 best models miss', 'the best model misses')
    """
    if n_models == 1:
        return "the best model misses"
    quantifier = "all" if count == n_models else f"at least {count}"
    return f"{quantifier} of the {n_models} best models miss"


def _counts_table(suite: SuiteRuns, runs: Sequence[RunResult]) -> Table:
    n_missing = (credit_matrix(runs) < 1).sum(axis=0)
    levels = range(len(runs), -1, -1)
    counts = [int((n_missing == level).sum()) for level in levels]
    return Table(
        f"{suite.label}: how many of the {len(runs)} best models miss an item",
        [
            Column("models that miss it", "missed_by", list(levels)),
            Column("items", "items", counts),
            Column("share %", "share", [count / len(suite.items) for count in counts], PERCENT),
            Column("this many or more", "items_or_more", [int((n_missing >= level).sum()) for level in levels]),
        ],
    )


def _groups_table(suite: SuiteRuns, runs: Sequence[RunResult], missed: MissedItems) -> Table:
    total, word = len(missed.items), suite.info.group_word
    return Table(
        f"{suite.label}: the {total:,} items that {who_misses(missed.at_least, len(runs))}, by {word}",
        [
            Column(word, "group", [group.group for group in missed.groups]),
            Column("missed", "missed", [group.missed for group in missed.groups]),
            Column("of its items", "items", [group.items for group in missed.groups]),
            Column("share of all missed %", "share", [group.missed / total for group in missed.groups], PERCENT),
        ],
    )


def _items_table(suite: SuiteRuns, runs: Sequence[RunResult], missed: MissedItems) -> Table:
    ids = set(missed.items)
    n_missing = (credit_matrix(runs) < 1).sum(axis=0)
    rows = [(item, int(count)) for item, count in zip(suite.items, n_missing, strict=True) if item.id in ids]
    # Readers see the first sentence and the right answer, CSV has all sentences.
    right = suite.info.right.split("~") if suite.info.right else suite.info.roles
    shown = {suite.info.roles[0], *right}
    return Table(
        f"{suite.label}: the items that {who_misses(missed.at_least, len(runs))}",
        [
            Column("item", "id", [item.id for item, _ in rows]),
            Column(suite.info.group_word, "group", [item.group for item, _ in rows]),
            Column("missed by", "missed_by", [count for _, count in rows]),
            *(
                Column(role if role in shown else "", role, [item.sentences.get(role, "") for item, _ in rows])
                for role in suite.info.roles
            ),
        ],
    )


def _agreement_table(suite: SuiteRuns, runs: Sequence[RunResult], names: Sequence[str]) -> Table:
    matrix = kappa_matrix(runs)
    return Table(
        f"{suite.label}: agreement of the {len(runs)} best models, Cohen's kappa (1 always the same choice, 0 as by "
        "chance)",
        [
            Column("model", "model", [f"{number} {name}" for number, name in enumerate(names, 1)]),
            *(
                Column(
                    str(b + 1),
                    f"kappa_{b + 1}",
                    [math.nan if a == b else matrix[a][b] for a in range(len(names))],
                    CORRELATION,
                )
                for b in range(len(names))
            ),
        ],
    )


def _agreement_pairs_table(suite: SuiteRuns, runs: Sequence[RunResult], names: Sequence[str]) -> Table:
    agreements = model_agreements(runs)
    pairs = [(first, second) for index, first in enumerate(names) for second in names[index + 1 :]]
    return Table(
        f"{suite.label}: agreement of the {len(runs)} best models, pair by pair",
        [
            Column("model", "a", [first for first, _ in pairs]),
            Column("and", "b", [second for _, second in pairs]),
            Column("same choice %", "same", [agreement.same for agreement in agreements], PERCENT),
            Column("kappa", "kappa", [agreement.kappa for agreement in agreements], CORRELATION),
        ],
    )


def _overlap_table(suite: SuiteRuns) -> Table:
    preferences = [overlap_preference(run) for run in suite.runs]
    right = preferences[0].right
    accuracy = f"which is right in {PERCENT(right)} %" if math.isfinite(right) else "which never exists"
    correlations = [
        math.nan if preference.correlation is None else preference.correlation for preference in preferences
    ]
    return Table(
        f"{suite.label}: how often a model chooses the option with the most words in common, {accuracy}; and the "
        "correlation of its similarities with that overlap (Spearman)",
        [
            Column("model", "model", suite.names),
            Column("right %", "accuracy", [run.metrics.accuracy for run in suite.runs], PERCENT),
            Column("items with such an option", "overlap_items", [preference.items for preference in preferences]),
            Column("chosen %", "overlap_chosen", [preference.chosen for preference in preferences], PERCENT),
            Column("", "overlap_right", [preference.right for preference in preferences]),
            Column("correlation", "overlap_correlation", correlations, CORRELATION),
        ],
    )


def _difficulty_table(suite: SuiteRuns, runs: Sequence[RunResult]) -> Table:
    bins = difficulty_bins(runs)
    columns = [
        Column("property", "property", [row.property for row in bins]),
        Column("value", "value", [row.value for row in bins]),
        Column("items", "items", [row.items for row in bins]),
        Column(f"{suite.info.group_word}s", "groups", [row.groups for row in bins]),
        accuracy_column([Cell(row.accuracy, row.ci) for row in bins], "accuracy"),
    ]
    if len(runs) < len(suite.runs):
        accuracies = [row.accuracy for row in difficulty_bins(suite.runs)]
        columns.append(Column("all models, right %", "accuracy_all", accuracies, PERCENT))
    return Table(f"{suite.label}: difficulty; right % of the {len(runs)} best models together", columns)
