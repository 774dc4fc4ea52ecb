"""The registry of rewrites: the rules of this package and those that other packages register."""

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
    """Return the names of all rewrites, including those registered by other packages."""
    return RULES.names()


def load_rewrite(name: str) -> Rule:
    """Return the rewrite with that name."""
    loaded = RULES.get(name)
    if not isinstance(loaded, Rule):
        raise LitotesError("L103", f'rewrite "{name}" is registered by another package but is not a Rule')
    return loaded
