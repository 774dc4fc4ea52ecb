"""The registries of rewrites and gates: those of this package and those that other packages register."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from litotes.core.errors import LitotesError
from litotes.core.registry import Registry
from litotes.rewrites.base import Rule, Sentence

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
GATES = Registry("gate", {"reparse": "litotes.rewrites.en.gates:ReparseGate"}, group="litotes.gates")
"""The gates that are selected by name; a LanguageTool server is selected by its address."""
_TEXT_CHECKS = Registry("text check", {"en": "litotes.rewrites.en.gates:edit_fault"}, group="litotes.text_checks")


def list_rewrites() -> list[str]:
    """Return the names of all rewrites, including those registered by other packages."""
    return RULES.names()


def load_rewrite(name: str) -> Rule:
    """Return the rewrite with that name."""
    rule = RULES.get(name)
    if not isinstance(rule, Rule):
        raise LitotesError("L103", f'rewrite "{name}" is registered by another package but is not a Rule')
    return rule


@cache
def load_text_check(language: str = "en") -> Callable[[Sentence, str], str | None]:
    """Return the function that finds the fault in the text of an edit; every edit has to pass it."""
    check: Callable[[Sentence, str], str | None] = _TEXT_CHECKS.get(language)
    return check
