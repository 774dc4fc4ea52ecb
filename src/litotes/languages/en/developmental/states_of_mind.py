"""Nouns for what is in a mind: "no idea" is not known, "no desire" is not wanted, and neither is a thing one has."""

from __future__ import annotations

NOT_KNOWN = frozenset({"idea", "clue", "inkling", "notion", "memory", "recollection", "knowledge", "conception"})
NOT_WANTED = frozenset({"desire", "wish", "interest", "inclination", "appetite"})
STATES_OF_MIND = NOT_KNOWN | NOT_WANTED | {"doubt", "regret", "illusion", "fear", "respect", "regard", "patience"}
