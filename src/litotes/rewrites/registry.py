"""The names of the rules and the files behind them."""

from __future__ import annotations

from litotes.core.errors import LitotesError
from litotes.core.registry import Registry
from litotes.rewrites.base import Rule

RULES = Registry(
    "rewrite",
    {
        name: f"litotes.rewrites.en.{name}:{name}"
        for name in (
            "negation",
            "negation_at",
            "quantifier_negation",
            "antonym",
            "synonym",
            "negated_antonym",
            "quadruple",
            "embedded_clause",
            "passive",
            "active",
            "contraction",
            "argument_swap",
            "inversion",
            "typo",
            "infill",
        )
    },
    group="litotes.rewrites",
)


def list_rewrites() -> list[str]:
    """The names of the rewrites that can be used, ours and those of other packages."""
    return RULES.names()


def load_rewrite(name: str) -> Rule:
    """The rewrite of that name."""
    found = RULES.get(name)
    if not isinstance(found, Rule):
        raise LitotesError("L103", f'rewrite "{name}" comes from another package and is no rule')
    return found
