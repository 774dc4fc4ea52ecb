"""Existence: subjects of which it can be said that there is none."""
