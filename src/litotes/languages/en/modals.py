"""Modal verbs."""

from __future__ import annotations

MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})
MODAL_STEMS = frozenset({"ca", "wo", "sha"})
"""What is left of "can't", "won't" and "shan't" without "n't"."""
SEMI_MODALS = frozenset({"dare", "need", "ought"})
CONTRACTED_WOULD = frozenset({"'d", "’d"})
"""Also short for "had"."""
PAST_MODALS = frozenset({"could", "might", "would"}) | CONTRACTED_WOULD
"""They go with a main clause in the past tense."""
ABILITY_MODALS = frozenset({"can", "could"})
POSSIBILITY_MODALS = frozenset({"may", "might"})
