"""Conjunctions."""

from __future__ import annotations

COORDINATORS = frozenset({"and", "but", "or"})
CONTRAST_WORDS = frozenset({"but", "so", "yet"})
"""They begin a clause that answers or corrects the one before."""
CONDITIONAL_CONJUNCTIONS = frozenset({"if", "unless", "whether"})
CONCESSIVE_CONJUNCTIONS = frozenset({"although", "though"})
CAUSAL_CONJUNCTIONS = frozenset({"because", "since"})
UNTIL_CONJUNCTIONS = frozenset({"till", "until"})
WHILE_CONJUNCTIONS = frozenset({"when", "while"})
SUBORDINATORS = (
    CONDITIONAL_CONJUNCTIONS | CONCESSIVE_CONJUNCTIONS | CAUSAL_CONJUNCTIONS | UNTIL_CONJUNCTIONS | WHILE_CONJUNCTIONS
)
"""Conjunctions of clauses that are not asserted, or not on their own."""
