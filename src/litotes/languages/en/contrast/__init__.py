"""Pairs of sentences that contradict each other in one word or one negation."""
