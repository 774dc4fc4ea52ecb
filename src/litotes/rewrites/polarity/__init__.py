"""Polarity: adding a negation to a clause and taking it away, with all that goes along."""
