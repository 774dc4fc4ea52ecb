"""HEROS, section 3.2: whether a model rates Negation (Main) as less similar than Negation (Antonym)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from litotes.evaluation.metrics import normalised
from litotes.evaluation.result import ItemResult, RunResult
from litotes.evaluation.statistics import Floats, holm, paired_difference
from litotes.report.formats import COUNT, SIMILARITY, NumberFormat, format_p_value
from litotes.report.suite_runs import SuiteRuns
from litotes.report.table import Cell, Column, Table
from litotes.suites.lexical_overlap import levenshtein, tokens

MAIN, ANTONYM = "negation_main", "negation_antonym"
_DIFFERENCE = NumberFormat(3, to=" to ", is_signed=True)


def negations_table(suite: SuiteRuns) -> Table | None:
    """Compare the two negations of each run: over all items, and where both change the same number of words.

    The negation of a main verb often needs an auxiliary too ("did not speak" for "spoke"), which the second comparison
    excludes, together with equal negations.
    """
    of_items = {"all": list(suite.items), "as many changed words": list(_with_equal_edits(suite.items))}
    rows = [
        (name, run, label, items)
        for name, run in zip(suite.names, suite.runs, strict=True)
        for label, items in of_items.items()
        if items and f"original~{MAIN}" in run.metrics.normalised
    ]
    if not rows:
        return None
    columns = [(_similarities(run, items, MAIN), _similarities(run, items, ANTONYM)) for _, run, _, items in rows]
    differences = [
        paired_difference(main, antonym, [item.group for item in items])
        for (main, antonym), (*_, items) in zip(columns, rows, strict=True)
    ]
    ps = holm([difference.p for difference in differences])
    return Table(
        f"{suite.label}: the two negations, mean similarity above the baseline (p by permutation, corrected by Holm)",
        [
            Column("model", "model", [name for name, *_ in rows]),
            Column("items", "items", [label for *_, label, _ in rows]),
            Column("number", "number", [len(items) for *_, items in rows], COUNT),
            Column("main", MAIN, [float(main.mean()) for main, _ in columns], SIMILARITY),
            Column("antonym", ANTONYM, [float(antonym.mean()) for _, antonym in columns], SIMILARITY),
            Column(
                "difference",
                "difference",
                [Cell(difference.difference, difference.ci) for difference in differences],
                _DIFFERENCE,
                interval_heading="95 %",
                interval_key=True,
            ),
            Column("p, corrected", "p_adjusted", [format_p_value(p) for p in ps]),
        ],
    )


def _with_equal_edits(items: Sequence[ItemResult]) -> Iterator[ItemResult]:
    """Yield the items with two different negations at the same distance in words from the original."""
    for item in items:
        original, main, antonym = (tokens(item.sentences[role]) for role in ("original", MAIN, ANTONYM))
        if main != antonym and levenshtein(original, main) == levenshtein(original, antonym):
            yield item


def _similarities(run: RunResult, items: Sequence[ItemResult], role: str) -> Floats:
    """Return the similarity of a variant to the original above the baseline, by the items' ids."""
    ids = {item.id for item in items}
    by_id = {item.id: float(item.similarities[f"original~{role}"]) for item in run.items if item.id in ids}
    above = normalised(by_id, run.metrics.baseline)
    return np.array([above[item.id] for item in items])
