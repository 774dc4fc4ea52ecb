"""The registry of suite kinds."""

from __future__ import annotations

from litotes.core.errors import LitotesError
from litotes.core.registry import Registry
from litotes.suites.base import SuiteKind

KINDS = Registry(
    "suite kind",
    {
        "semantoneg": "litotes.suites.semantoneg:KIND",
        "heros": "litotes.suites.heros:KIND",
        "negation-detection": "litotes.suites.triplets:NEGATION_DETECTION",
        "negation-variants": "litotes.suites.triplets:NEGATION_VARIANTS",
        "clause-relatedness": "litotes.suites.triplets:CLAUSE_RELATEDNESS",
        "argument-sensitivity": "litotes.suites.triplets:ARGUMENT_SENSITIVITY",
        "fixed-point-reorder": "litotes.suites.triplets:FIXED_POINT_REORDER",
        "nli": "litotes.suites.nli:KIND",
    },
    group="litotes.suite_kinds",
)


def suite_kind(name: str) -> SuiteKind:
    """Return the suite kind with this name."""
    kind = KINDS.get(name)
    if not isinstance(kind, SuiteKind):  # from an entry point of another package
        raise LitotesError("L203", f'suite kind "{name}": is a {type(kind).__name__}, not a SuiteKind')
    return kind
