"""Repairing a sentence encoder: negation and antonymy count, the rest stays."""
