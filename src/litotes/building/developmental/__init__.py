"""The developmental negation corpus."""
