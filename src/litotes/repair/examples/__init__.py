"""Training examples for a repair."""
