"""Kendall's tau and means over seeds compared with scipy; reproducible figures."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from scipy import stats

from litotes.languages.negation_categories import CATEGORIES
from litotes.training.experiments import ExperimentModel, ExperimentPlan, ExperimentResults
from litotes.training.experiments.figures import draw_figures
from litotes.training.experiments.metrics import BEFORE, DEV, OVER_SEEDS, ResultRow, RunMetrics, aggregate, estimate
from litotes.training.experiments.plan import ORDERS
from litotes.training.experiments.summary import (
    against_order,
    compare_rankings,
    kendall,
    ranking,
    write_summary,
)


@pytest.mark.parametrize("seed", range(20))
def test_tau_matches_scipy_with_and_without_ties(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.randrange(3, 8)
    first, second = ([draw.randrange(5 if seed % 2 else 10**6) for _ in range(size)] for _ in range(2))
    expected = stats.kendalltau(first, second, variant="b")
    result = kendall(first, second)
    if result.tau is None:
        assert len(set(first)) == 1 or len(set(second)) == 1
        return
    assert result.tau == pytest.approx(expected.statistic)
    if len(set(first)) == len(set(second)) == size:
        assert result.p == pytest.approx(stats.kendalltau(first, second, method="exact").pvalue)


def test_p_is_exact_with_ties() -> None:
    first, second = [1, 1, 2, 3], [5, 6, 6, 7]
    difference = abs(kendall(first, second).same - kendall(first, second).opposite)
    as_far = [
        result
        for order in itertools.permutations(second)
        if (result := abs(kendall(first, order).same - kendall(first, order).opposite)) >= difference
    ]
    assert kendall(first, second).p == len(as_far) / 24


def test_rounding_errors_do_not_break_ties() -> None:
    values = {"a": 0.1 + 0.2, "b": 0.3, "c": 0.5}
    assert [rank for rank, _, _ in ranking(values)] == [1, 2, 2]
    assert kendall([*values.values()], [1, 2, 3]).same == 2


def test_an_order_of_few_categories_has_a_large_p() -> None:
    perfect = {"rejection": 0.9, "labeling": 0.8, "existence": 0.4, "prohibition": 0.3, "epistemic": 0.99}
    result = against_order(perfect, ORDERS["Liu and Jasbi (2021)"])
    assert result is not None and (result.same, result.opposite, result.decided) == (4, 0, 4)
    assert result.p == result.least_p == pytest.approx(1 / 3)
    other = against_order(perfect, ORDERS["Nordmeyer and Frank (2018)"])
    assert other is not None and (other.same, other.opposite) == (2, 1), "the two orders disagree on labeling"
    assert against_order({"epistemic": 1.0}, ORDERS["Liu and Jasbi (2021)"]) is None


def test_intervals_over_seeds_are_t_intervals() -> None:
    values = [0.61, 0.65, 0.58, 0.7]
    result = estimate(values, (0.0, 0.0))
    low, high = stats.t.interval(0.95, 3, loc=sum(values) / 4, scale=stats.sem(values))
    assert (result.low, result.high) == pytest.approx((low, high)) and result.interval == OVER_SEEDS
    assert estimate([0.99, 0.9], (0.0, 0.0)).high == 1.0


def made_up(
    number: int, steps: list[str], *, models: tuple[str, ...] = ("one", "two"), seeds: int = 2
) -> ExperimentResults:
    """Return results with random metrics."""
    draw = random.Random(number)
    rows = []
    for model, seed, step in itertools.product(models, range(seeds), steps):
        shares = {name: draw.uniform(0.3, 0.9) for name in (DEV, *CATEGORIES)}
        figures = {
            name: RunMetrics(100, 90, share, (share - 0.05, share + 0.05), share / 2, (0.1, 0.5))
            for name, share in shares.items()
        }
        rows.append(ResultRow(model, seed, step, f"{model}/{seed}/{step}", figures))
    plan = ExperimentPlan(
        tuple(ExperimentModel(name, name) for name in models), Path("data"), seeds=tuple(range(seeds))
    )
    sizes = {"train": 90, "undersampled": 60, "test": 45, "largest_label": 0.5}
    data = {"nli_train": {"pairs": 999}, "categories": dict.fromkeys(CATEGORIES, sizes)}
    mixtures = {step: dict.fromkeys(CATEGORIES, 60) for step in steps[1:]} if number == 4 else {}
    return ExperimentResults(number, plan, data, rows, aggregate(rows, Path()), mixtures)


STEPS = {
    1: ["epoch 1", "epoch 2", "epoch 3"],
    2: [BEFORE, *CATEGORIES],
    3: [BEFORE, *(f"{step} {name}" for step, name in enumerate(CATEGORIES, 1))],
    4: [BEFORE, "equal", "natural"],
}


@pytest.mark.parametrize("number", [2, 3])
def test_figures_are_reproducible(number: int, tmp_path: Path) -> None:
    results = made_up(number, STEPS[number])
    once, again = draw_figures(results, tmp_path / "a"), draw_figures(results, tmp_path / "b")
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]
    svg = next(path for path in once if path.suffix == ".svg").read_text("utf-8")
    assert "<dc:date>" not in svg and "prohibition" not in str(once)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_summary_contains_the_metrics(number: int) -> None:
    results = made_up(number, STEPS[number])
    agreements = compare_rankings(results)
    text = write_summary(results, agreements)
    for model in ("one", "two"):
        best = max(results.ranked(model).values(), key=lambda cell: cell.accuracy.mean)
        assert f"- {model}: 1 {best.category} {100 * best.accuracy.mean:.1f}" in text
    assert list(agreements["between_models"]) == ["one ~ two"]
    assert f"tau {agreements['between_models']['one ~ two']['tau']:.2f}" in text
    if number == 2:
        own = [results.cell("one", name, name).change for name in CATEGORIES]
        mean = sum(one.mean for one in own if one is not None) / len(CATEGORIES)
        assert f"changes by {100 * mean:+.1f} points on average" in text
