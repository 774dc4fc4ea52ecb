"""Sentence triplets (Zhu, Li and de Melo, 2018): five sets of an original and two changed sentences.

The paper calls the three S, S+ and S*. All three pairs are compared, so that its Tables 2 to 6 can be made again;
an item is passed when the pair that should be the closest is. Why each criterion is as it is stands in
docs/papers/sentence-triplets.md.
"""

from __future__ import annotations

from itertools import combinations

from litotes.suites.base import Highest, Pair, SuiteKind, closer, each_alone, pair_name


def _pairs(roles: tuple[str, str, str]) -> tuple[Pair, Pair, Pair]:
    """S~S+, S~S* and S+~S*, as the paper's tables order them."""
    one, two, three = combinations(roles, 2)
    return one, two, three


def _triplet(name: str, plus: str, star: str, also: dict[str, Highest] | None = None) -> SuiteKind:
    """A kind whose S+ must be closer to the original than its S*."""
    roles = ("original", plus, star)
    return SuiteKind(
        name=name,
        roles=roles,
        compare=_pairs(roles),
        passed=closer(("original", plus), than=("original", star)),
        also=also or {},
    )


NEGATION_DETECTION = _triplet("negation-detection", "synonym", "negated")
CLAUSE_RELATEDNESS = _triplet("clause-relatedness", "clause", "negated")
FIXED_POINT_REORDER = _triplet("fixed-point-reorder", "paraphrase", "inverted")
ARGUMENT_SENSITIVITY = _triplet(
    "argument-sensitivity",
    "passive",
    "swapped",
    # The paper's text asks for this one, the figures of its table are those of the other.
    also={"over passive~swapped": closer(("original", "passive"), than=("passive", "swapped"))},
)

_VARIANTS = ("original", "negated", "quantifier_negated")
_TWO_NEGATIONS = Highest({pair_name(pair): pair for pair in _pairs(_VARIANTS)}, "negated~quantifier_negated")

NEGATION_VARIANTS = SuiteKind(
    name="negation-variants",
    roles=_VARIANTS,
    compare=_pairs(_VARIANTS),
    passed=_TWO_NEGATIONS,
    also=each_alone(_TWO_NEGATIONS),
)

KINDS = (NEGATION_DETECTION, NEGATION_VARIANTS, CLAUSE_RELATEDNESS, ARGUMENT_SENSITIVITY, FIXED_POINT_REORDER)
"""In the order of the paper's tables."""
