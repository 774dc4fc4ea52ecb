"""Error analysis of runs with known choices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score

from litotes.core.errors import UsageError
from litotes.evaluation.api import evaluate
from litotes.evaluation.error_analysis import (
    PROPERTIES,
    best_runs,
    difficulty_bins,
    missed_items,
    model_agreements,
    option_pairs,
    overlap_preference,
)
from litotes.evaluation.result import ItemResult, RunResult
from litotes.suites.lexical_overlap import normalised_levenshtein, tokens


@pytest.fixture(scope="module")
def base() -> RunResult:
    return evaluate("overlap:words", "semantoneg-mini", cache=None)


def answering(base: RunResult, name: str, choices: list[str]) -> RunResult:
    """Return a run with these choices."""
    right = base.suite.right
    items = [
        item._replace(choice=choice, credit=float(choice == right))
        for item, choice in zip(base.items, choices, strict=True)
    ]
    accuracy = float(np.mean([item.credit for item in items]))
    return replace(base, model=name, items=items, metrics=replace(base.metrics, accuracy=accuracy))


@pytest.fixture(scope="module")
def three(base: RunResult) -> list[RunResult]:
    rng = np.random.default_rng(4)
    options = list(base.suite.options)
    return [
        answering(base, f"m{number}", list(rng.choice(options, len(base.items), p=weights)))
        for number, weights in enumerate([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.1, 0.8, 0.1]])
    ]


def test_counts_items_missed_by_all_and_by_most_models(three: list[RunResult]) -> None:
    wrong = np.array([[item.choice != run.suite.right for item in run.items] for run in three])
    ids = [item.id for item in three[0].items]
    assert missed_items(three).items == tuple(one for one, bad in zip(ids, wrong.all(axis=0), strict=True) if bad)
    two = missed_items(three, at_least=2)
    assert len(two.items) == (wrong.sum(axis=0) >= 2).sum()
    assert sum(group.missed for group in two.groups) == len(two.items)
    assert all(group.missed <= group.items for group in two.groups)
    assert [group.missed for group in two.groups] == sorted((group.missed for group in two.groups), reverse=True)
    assert [run.model for run in best_runs(three, 2)] == ["m0", "m1"]


def test_different_items_and_invalid_counts_are_refused(three: list[RunResult]) -> None:
    other = replace(three[0], items=list(three[0].items)[::-1])
    with pytest.raises(UsageError, match="same items"):
        missed_items([three[1], other])
    with pytest.raises(UsageError, match="there are 3 models"):
        missed_items(three, at_least=4)


def test_kappa_equals_that_of_scikit_learn(three: list[RunResult]) -> None:
    for agreement in model_agreements(three):
        first, second = (
            [item.choice for item in run.items] for run in three if run.model in (agreement.a, agreement.b)
        )
        assert agreement.kappa == pytest.approx(cohen_kappa_score(first, second))
        assert agreement.same == pytest.approx(np.mean([a == b for a, b in zip(first, second, strict=True)]))


def test_a_model_that_follows_overlap_is_detected(base: RunResult) -> None:
    result = overlap_preference(base)
    pairs = option_pairs(base)
    assert pairs == [("input", option) for option in base.suite.options]
    overlaps = [
        1 - normalised_levenshtein(tokens(item.sentences[first]), tokens(item.sentences[second]))
        for item in base.items
        for first, second in pairs
    ]
    table = np.array(overlaps).reshape(len(base.items), 3)
    chosen = [
        item.choice == base.suite.options[int(row.argmax())]
        for item, row in zip(base.items, table, strict=True)
        if (row > row.max() - 1e-9).sum() == 1
    ]
    assert (result.items, result.chosen) == (len(chosen), pytest.approx(np.mean(chosen)))
    assert result.chosen > 0.8 and result.right < 0.1
    similarities = [item.similarities[f"{first}~{second}"] for item in base.items for first, second in pairs]
    assert result.correlation == pytest.approx(spearmanr(overlaps, similarities).statistic)


def test_a_run_without_variation_has_no_correlation(base: RunResult) -> None:
    flat = replace(
        base, items=[item._replace(similarities=dict.fromkeys(item.similarities, 0.5)) for item in base.items]
    )
    assert overlap_preference(flat).correlation is None


def test_difficult_items_are_detected(base: RunResult) -> None:
    affixal = [item.tags["affixal"] == "yes" for item in base.items]
    run = answering(base, "knows affixes", ["both" if one else "polarity" for one in affixal])
    bins = {(one.property, one.value): one for one in difficulty_bins([run])}
    assert bins["opposites", "affixal"].accuracy > 0.9 > 0.1 > bins["opposites", "lexical"].accuracy
    for name in {one.property for one in difficulty_bins([run])}:
        assert sum(one.items for one in difficulty_bins([run]) if one.property == name) == len(base.items)
    without = bins["negation in the first sentence", "without"]
    assert without.ci[0] <= without.accuracy <= without.ci[1]


@pytest.mark.parametrize(
    ("sentences", "position"),
    [
        (
            {"original": "The gate is open.", "synonym": "The gate is ajar.", "negated": "The gate is not open."},
            "middle",
        ),
        ({"original": "Never open the gate.", "synonym": "Never undo the gate.", "negated": "Open the gate."}, "first"),
        ({"original": "The old man came.", "negation_main": "The old man came not."}, "last"),
        # The negation in both sentences is not the tested one.
        ({"original": "Call if they aren't up.", "negation_main": "Don't call if they aren't up."}, "first"),
        ({"input": "The shop is open.", "antonym": "The shop is shut.", "polarity": "The shop isn't open."}, "middle"),
        ({"premise": "A dog sleeps.", "hypothesis": "No dog sleeps."}, "first"),
        ({"original": "A dog sleeps.", "passive": "A dog is at rest.", "swapped": "A cat sleeps."}, None),
    ],
)
def test_detects_the_position_of_the_tested_negation(sentences: dict[str, str], position: str | None) -> None:
    read = PROPERTIES["place of the negation"][1]
    result = read(ItemResult("1", "g", sentences, {}, None, 0, 0, {}))
    assert result == (position and f"{position} third")
