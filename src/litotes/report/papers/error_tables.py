"""The errors behind the figures, as tables: what the best models miss, how alike they choose, what is hard.

After section 6 of SemAntoNeg, for a suite of any kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from litotes.core.errors import UsageError
from litotes.evaluation.analysis.agreement import best_runs, credit_matrix, missed_items, model_agreements
from litotes.evaluation.analysis.difficulty import difficulty_bins
from litotes.evaluation.analysis.overlap import overlap_preference
from litotes.evaluation.result import RunResult
from litotes.report.papers.pieces import PaperTable
from litotes.report.suite_runs import SuiteRuns
from litotes.report.tables import Column, Table, percent

_NOTHING = "–"


def error_tables(suite: SuiteRuns, *, best: int, missed_by: int | None) -> list[PaperTable]:
    """Every table of the error analysis; those about models together need two."""
    if best < 1:
        raise UsageError("L102", f"{best} best models: at least 1 is needed")
    chosen = best_runs(suite.runs, best)
    if missed_by is not None and not 1 <= missed_by <= len(chosen):
        raise UsageError("L102", f"{suite.label}: items missed by {missed_by} of the {len(chosen)} best models")
    names = {id(run): name for name, run in zip(suite.names, suite.runs, strict=True)}
    chosen_names = [names[id(run)] for run in chosen]
    tables = [
        _counts_table(suite, chosen),
        _groups_table(suite, chosen, missed_by),
        _items_table(suite, chosen, missed_by),
        *(_agreement_tables(suite, chosen, chosen_names) if len(chosen) > 1 else []),
        *([] if suite.labelled else [_overlap_table(suite)]),
        _difficulty_table(suite, chosen),
    ]
    return [table for table in tables if table.table.columns[0].values]


def _who(count: int, of: int) -> str:
    """The models in words.

    >>> _who(12, 12), _who(3, 12), _who(1, 1)
    ('all of the 12 best models miss', 'at least 3 of the 12 best models miss', 'the best model misses')
    """
    if of == 1:
        return "the best model misses"
    return f"all of the {of} best models miss" if count == of else f"at least {count} of the {of} best models miss"


def _counts_table(suite: SuiteRuns, chosen: Sequence[RunResult]) -> PaperTable:
    wrong = (credit_matrix(chosen) < 1).sum(axis=0)
    levels = range(len(chosen), -1, -1)
    items = len(suite.items)
    return PaperTable(
        "errors-how-many-miss",
        Table(
            f"{suite.label}: how many of the {len(chosen)} best models miss an item",
            [
                Column("models that miss it", "missed_by", list(levels)),
                Column("items", "items", [int((wrong == level).sum()) for level in levels]),
                Column("share %", "share", [float((wrong == level).sum()) / items for level in levels], percent),
                Column("so many or more", "items_or_more", [int((wrong >= level).sum()) for level in levels]),
            ],
        ),
    )


def _groups_table(suite: SuiteRuns, chosen: Sequence[RunResult], missed_by: int | None) -> PaperTable:
    found = missed_items(chosen, missed_by)
    total = len(found.items)
    word = suite.info.group_word
    return PaperTable(
        "errors-missed-groups",
        Table(
            f"{suite.label}: the {total:,} items that {_who(found.at_least, len(chosen))}, by {word}",
            [
                Column(word, "group", [one.group for one in found.groups]),
                Column("missed", "missed", [one.missed for one in found.groups]),
                Column("of its items", "items", [one.items for one in found.groups]),
                Column("share of all missed %", "share", [one.missed / total for one in found.groups], percent),
            ],
        ),
    )


def _items_table(suite: SuiteRuns, chosen: Sequence[RunResult], missed_by: int | None) -> PaperTable:
    found = missed_items(chosen, missed_by)
    wanted = set(found.items)
    wrong = (credit_matrix(chosen) < 1).sum(axis=0)
    # People read the sentence and the right answer, programs all of them.
    right = suite.info.right.split("~") if suite.info.right else suite.info.roles
    shown = {suite.info.roles[0], *right}
    kept = [(item, int(by)) for item, by in zip(suite.items, wrong, strict=True) if item.id in wanted]
    return PaperTable(
        "errors-missed-items",
        Table(
            f"{suite.label}: the items that {_who(found.at_least, len(chosen))}",
            [
                Column("item", "id", [item.id for item, _ in kept]),
                Column(suite.info.group_word, "group", [item.group for item, _ in kept]),
                Column("missed by", "missed_by", [by for _, by in kept]),
                *(
                    Column(role if role in shown else "", role, [item.sentences.get(role, "") for item, _ in kept])
                    for role in suite.info.roles
                ),
            ],
        ),
    )


def _agreement_tables(suite: SuiteRuns, chosen: Sequence[RunResult], names: Sequence[str]) -> list[PaperTable]:
    pairs = model_agreements(chosen)
    places = [(a, b) for a in range(len(chosen)) for b in range(a + 1, len(chosen))]
    kappas = {place: one.kappa for place, one in zip(places, pairs, strict=True)}
    told = f"{suite.label}: how alike the {len(chosen)} best models choose"
    square = Table(
        f"{told}, Cohen's kappa (1 always alike, 0 as by chance)",
        [
            Column("model", "model", [f"{place + 1} {name}" for place, name in enumerate(names)]),
            *(
                Column(
                    str(column + 1),
                    f"kappa_{column + 1}",
                    [kappas.get((min(row, column), max(row, column)), math.nan) for row in range(len(names))],
                    _two,
                )
                for column in range(len(names))
            ),
        ],
    )
    listed = Table(
        f"{told}, two by two",
        [
            Column("model", "a", [names[a] for a, _ in places]),
            Column("and", "b", [names[b] for _, b in places]),
            Column("same choice %", "same", [one.same for one in pairs], percent),
            Column("kappa", "kappa", [one.kappa for one in pairs], _two),
        ],
    )
    return [PaperTable("errors-agreement", square), PaperTable("errors-agreement-pairs", listed)]


def _overlap_table(suite: SuiteRuns) -> PaperTable:
    found = [overlap_preference(run) for run in suite.runs]
    right = found[0].right
    scores = f"which is right in {percent(right)} %" if math.isfinite(right) else "of which there is none"
    return PaperTable(
        "errors-overlap",
        Table(
            f"{suite.label}: how often a model takes the option with the most words in common, {scores}; and how its "
            "similarities go with that overlap (Spearman)",
            [
                Column("model", "model", suite.names),
                Column("right %", "accuracy", [run.metrics.accuracy for run in suite.runs], percent),
                Column("items with one such option", "overlap_items", [one.items for one in found]),
                Column("takes it %", "overlap_chosen", [one.chosen for one in found], percent),
                Column("", "overlap_right", [one.right for one in found]),
                Column(
                    "correlation",
                    "overlap_correlation",
                    [math.nan if one.correlation is None else one.correlation for one in found],
                    _two,
                ),
            ],
        ),
    )


def _difficulty_table(suite: SuiteRuns, chosen: Sequence[RunResult]) -> PaperTable:
    of_best = difficulty_bins(chosen)
    of_all = of_best if len(chosen) == len(suite.runs) else difficulty_bins(suite.runs)
    several = len(chosen) < len(suite.runs)
    everyone = [Column("all models, right %", "accuracy_all", [one.accuracy for one in of_all], percent)]
    return PaperTable(
        "errors-difficulty",
        Table(
            f"{suite.label}: what is hard; right % of the {len(chosen)} best models together",
            [
                Column("property", "property", [one.property for one in of_best]),
                Column("value", "value", [one.value for one in of_best]),
                Column("items", "items", [one.items for one in of_best]),
                Column(f"{suite.info.group_word}s", "groups", [one.groups for one in of_best]),
                Column("right %", "accuracy", [one.accuracy for one in of_best], percent),
                Column("95 %", "", [f"{percent(one.ci[0])}–{percent(one.ci[1])}" for one in of_best]),
                Column("", "accuracy_low", [one.ci[0] for one in of_best]),
                Column("", "accuracy_high", [one.ci[1] for one in of_best]),
                *(everyone if several else []),
            ],
        ),
    )


def _two(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) else _NOTHING
