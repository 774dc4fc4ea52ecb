"""Compared pairs and pass criteria of the triplets, as in sections 2.2 and 3.3 of the paper."""

from __future__ import annotations

import numpy as np
import pytest

from litotes.evaluation.scoring import apply_criterion
from litotes.suites.base import SuiteKind, pair_name
from litotes.suites.kinds import KINDS, suite_kind
from litotes.suites.triplets import KINDS as TRIPLETS

ROLES = {
    "negation-detection": ("original", "synonym", "negated"),
    "negation-variants": ("original", "negated", "quantifier_negated"),
    "clause-relatedness": ("original", "clause", "negated"),
    "argument-sensitivity": ("original", "passive", "swapped"),
    "fixed-point-reorder": ("original", "paraphrase", "inverted"),
}


def credit(kind: SuiteKind, plus: float, star: float, between: float, reading: str = "") -> float:
    """Return the credit of an item with the similarities S~S+, S~S* and S+~S*."""
    values = dict(zip(kind.pairs, (np.array([plus]), np.array([star]), np.array([between])), strict=True))
    return float(apply_criterion(kind.extra_criteria[reading] if reading else kind.criterion, values).credit[0])


def test_five_kinds_are_registered() -> None:
    assert [kind.name for kind in TRIPLETS] == list(ROLES)
    for name, roles in ROLES.items():
        kind = suite_kind(name)
        assert kind.roles == roles and name in KINDS
        one, plus, star = roles
        assert kind.pairs == ((one, plus), (one, star), (plus, star))


@pytest.mark.parametrize("name", [name for name in ROLES if name != "negation-variants"])
def test_s_plus_must_be_more_similar_than_s_star(name: str) -> None:
    kind = suite_kind(name)
    assert kind.criterion.chance == 0.5
    assert credit(kind, 0.9, 0.8, 1.0) == 1.0
    assert credit(kind, 0.8, 0.9, 0.0) == 0.0
    assert credit(kind, 0.8, 0.8, 0.0) == 0.5


def test_two_negations_must_be_the_most_similar_pair() -> None:
    kind = suite_kind("negation-variants")
    assert kind.criterion.chance == pytest.approx(1 / 3)
    assert credit(kind, 0.8, 0.7, 0.9) == 1.0
    assert credit(kind, 0.8, 0.95, 0.9) == credit(kind, 0.95, 0.8, 0.9) == 0.0
    over_negated = f"over {pair_name(('original', 'negated'))}"
    assert kind.extra_criteria[over_negated].chance == 0.5
    assert credit(kind, 0.8, 0.95, 0.9, over_negated) == 1.0
    assert credit(kind, 0.95, 0.8, 0.9, over_negated) == 0.0


def test_argument_sensitivity_has_the_described_criterion_as_extra() -> None:
    kind = suite_kind("argument-sensitivity")
    [name] = kind.extra_criteria
    assert name == "over passive~swapped"
    assert credit(kind, 0.8, 0.9, 0.7) == 0.0
    assert credit(kind, 0.8, 0.9, 0.7, name) == 1.0
    assert credit(kind, 0.9, 0.8, 0.95, name) == 0.0
