"""Nouns for states of mind: "no idea" is epistemic, "no desire" is rejection, and neither is possession."""

from __future__ import annotations

NOT_KNOWN = frozenset({"idea", "clue", "inkling", "notion", "memory", "recollection", "knowledge", "conception"})
NOT_WANTED = frozenset({"desire", "wish", "interest", "inclination", "appetite"})
STATES_OF_MIND = NOT_KNOWN | NOT_WANTED | {"doubt", "regret", "illusion", "fear", "respect", "regard", "patience"}
