"""Classes of adjectives by meaning."""

from __future__ import annotations

from litotes.languages.base import word_set

CERTAINTY_ADJECTIVES = word_set(
    "sure certain positive convinced confident aware afraid clear obvious true evident apparent plain"
)
"""Adjectives whose clause is presented as true: “I am sure that …”, “It is clear that …”."""

UNCERTAINTY_ADJECTIVES = word_set(
    """
    possible likely unlikely impossible improbable probable false untrue doubtful unsure uncertain essential
    important necessary vital imperative crucial unaware
    """
)
"""Adjectives whose clause is not presented as true: “It is likely that …”."""

SYMMETRIC_ADJECTIVES = word_set(
    """
    similar equal related married engaged identical close next near same different friendly alike equivalent parallel
    adjacent unlike comparable familiar connected attached
    """
)
"""Adjectives that hold in both directions: if A is similar to B, B is similar to A."""
