"""Correlation of ranks, by hand and as scipy has it."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from litotes.evaluation.statistics import average_ranks, spearman


def test_spearman_matches_manual_calculation() -> None:
    # Ranks 1 2.5 2.5 4 against 1 3 2 4: covariance 4.5/4, spreads sqrt(4.5/4) and sqrt(5/4).
    found = spearman(np.array([0.0, 2.0, 2.0, 9.0]), np.array([0.1, 0.3, 0.2, 0.4]))
    assert found == pytest.approx(4.5 / np.sqrt(4.5 * 5))
    assert spearman(np.arange(5.0), -np.arange(5.0)) == pytest.approx(-1)
    assert spearman(np.arange(5.0), np.ones(5)) is None


def test_ranks_and_correlations_match_scipy() -> None:
    generator = np.random.default_rng(3)
    one, other = generator.integers(0, 6, 200).astype(float), generator.normal(size=200).round(1)
    assert np.array_equal(average_ranks(other), scipy.stats.rankdata(other))
    assert spearman(one, other) == pytest.approx(scipy.stats.spearmanr(one, other).statistic)
