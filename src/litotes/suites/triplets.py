"""Sentence triplets (Zhu, Li and de Melo, 2018): five suite kinds with an original and two changed sentences.

The paper calls the three sentences S, S+ and S*. All three pairs are compared, which reproduces its Tables 2 to 6.
docs/papers/sentence-triplets.md explains the pass criteria.
"""

from __future__ import annotations

from itertools import combinations

from litotes.suites.base import HighestSimilarity, Pair, SuiteKind, closer, pair_name, pairwise_criteria


def _pairs(roles: tuple[str, str, str]) -> tuple[Pair, Pair, Pair]:
    """Return S~S+, S~S* and S+~S*, in the order of the paper's tables."""
    plus, star, changed = combinations(roles, 2)
    return plus, star, changed


def _triplet(name: str, plus: str, star: str, extra_criteria: dict[str, HighestSimilarity] | None = None) -> SuiteKind:
    """Return a kind whose S+ must be more similar to the original than S*."""
    roles = ("original", plus, star)
    return SuiteKind(
        name=name,
        roles=roles,
        pairs=_pairs(roles),
        criterion=closer(("original", plus), than=("original", star)),
        extra_criteria=extra_criteria or {},
    )


NEGATION_DETECTION = _triplet("negation-detection", "synonym", "negated")
CLAUSE_RELATEDNESS = _triplet("clause-relatedness", "clause", "negated")
FIXED_POINT_REORDER = _triplet("fixed-point-reorder", "paraphrase", "inverted")
ARGUMENT_SENSITIVITY = _triplet(
    "argument-sensitivity",
    "passive",
    "swapped",
    # The paper describes this criterion, but the numbers in its table are those of the main one.
    extra_criteria={"over passive~swapped": closer(("original", "passive"), than=("passive", "swapped"))},
)

_VARIANTS = ("original", "negated", "quantifier_negated")
_TWO_NEGATIONS = HighestSimilarity({pair_name(pair): pair for pair in _pairs(_VARIANTS)}, "negated~quantifier_negated")

NEGATION_VARIANTS = SuiteKind(
    name="negation-variants",
    roles=_VARIANTS,
    pairs=_pairs(_VARIANTS),
    criterion=_TWO_NEGATIONS,
    extra_criteria=pairwise_criteria(_TWO_NEGATIONS),
)

KINDS = (NEGATION_DETECTION, NEGATION_VARIANTS, CLAUSE_RELATEDNESS, ARGUMENT_SENSITIVITY, FIXED_POINT_REORDER)
"""The kinds in the order of the paper's tables."""
