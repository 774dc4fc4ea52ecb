"""The triplets: what each set compares and when an item is passed, by the paper's sections 2.2 and 3.3."""

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
    """What an item gets whose similarities are S~S+, S~S* and S+~S*."""
    values = dict(zip(kind.compare, (np.array([plus]), np.array([star]), np.array([between])), strict=True))
    return float(apply_criterion(kind.also[reading] if reading else kind.passed, values).credit[0])


def test_the_five_sets_are_known_by_name() -> None:
    assert [kind.name for kind in TRIPLETS] == list(ROLES)
    for name, roles in ROLES.items():
        kind = suite_kind(name)
        assert kind.roles == roles and name in KINDS
        one, plus, star = roles
        assert kind.compare == ((one, plus), (one, star), (plus, star))


@pytest.mark.parametrize("name", [name for name in ROLES if name != "negation-variants"])
def test_s_plus_must_be_closer_than_s_star(name: str) -> None:
    kind = suite_kind(name)
    assert kind.passed.chance == 0.5
    assert credit(kind, 0.9, 0.8, 1.0) == 1.0
    assert credit(kind, 0.8, 0.9, 0.0) == 0.0
    assert credit(kind, 0.8, 0.8, 0.0) == 0.5


def test_two_negations_must_be_closer_to_each_other_than_either_to_the_original() -> None:
    kind = suite_kind("negation-variants")
    assert kind.passed.chance == pytest.approx(1 / 3)
    assert credit(kind, 0.8, 0.7, 0.9) == 1.0
    assert credit(kind, 0.8, 0.95, 0.9) == credit(kind, 0.95, 0.8, 0.9) == 0.0
    over_negated = f"over {pair_name(('original', 'negated'))}"
    assert kind.also[over_negated].chance == 0.5
    assert credit(kind, 0.8, 0.95, 0.9, over_negated) == 1.0
    assert credit(kind, 0.95, 0.8, 0.9, over_negated) == 0.0


def test_the_wording_of_argument_sensitivity_is_another_reading() -> None:
    kind = suite_kind("argument-sensitivity")
    [name] = kind.also
    assert name == "over passive~swapped"
    assert credit(kind, 0.8, 0.9, 0.7) == 0.0
    assert credit(kind, 0.8, 0.9, 0.7, name) == 1.0
    assert credit(kind, 0.9, 0.8, 0.95, name) == 0.0
