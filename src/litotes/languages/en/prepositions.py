"""Prepositions and particles."""

from __future__ import annotations

CORE_DIRECTIONS = frozenset({"down", "in", "out", "up"})
"""Opposite directions that are also prepositions."""
DIRECTION_PARTICLES = frozenset({"away", "back", "down", "off", "out", "over", "up"})
"""Particles of phrasal verbs that say where something moves."""
PATH_PREPOSITIONS = frozenset({"across", "into", "onto", "through", "toward", "towards"})
"""Prepositions of movement along or to something."""
PLACE_PREPOSITIONS = frozenset({"at", "in", "near", "on", "outside"})
"""Prepositions of a place where something happens."""
