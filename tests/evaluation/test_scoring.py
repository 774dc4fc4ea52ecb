from __future__ import annotations

import numpy as np
import pytest

from litotes.evaluation.scoring import TIE_TOLERANCE, apply_criterion
from litotes.suites.base import closer, closest

CRITERION = closest("input", options=("antonym", "polarity", "both"), right="both")


def judged(*rows: tuple[float, float, float]):
    table = np.array(rows)
    return apply_criterion(
        CRITERION, {("input", name): table[:, index] for index, name in enumerate(CRITERION.options)}
    )


def test_computes_choice_credit_and_margin() -> None:
    result = judged((0.1, 0.2, 0.9), (0.9, 0.2, 0.1), (0.1, 0.8, 0.5))
    assert result.choice.tolist() == [2, 0, 1]
    assert result.credit.tolist() == [1, 0, 0]
    assert result.margin.tolist() == pytest.approx([0.7, -0.8, -0.3])


def test_ties_count_as_fair_draws() -> None:
    result = judged((0.5, 0.5, 0.5), (0.2, 0.5, 0.5), (0.5, 0.5, 0.2))
    assert result.choice.tolist() == [-1, -1, -1]
    assert result.credit.tolist() == pytest.approx([1 / 3, 1 / 2, 0])


def test_differences_below_single_precision_are_ties() -> None:
    result = judged((0.1, 0.5, 0.5 - TIE_TOLERANCE / 2), (0.1, 0.5, 0.5 - TIE_TOLERANCE * 2))
    assert result.choice.tolist() == [-1, 1]


def test_options_may_be_pairs() -> None:
    criterion = closer(("original", "synonym"), than=("original", "negated"))
    result = apply_criterion(
        criterion,
        {("original", "synonym"): np.array([0.9, 0.1]), ("original", "negated"): np.array([0.5, 0.5])},
    )
    assert result.credit.tolist() == [1, 0]
    assert criterion.chance == 0.5
