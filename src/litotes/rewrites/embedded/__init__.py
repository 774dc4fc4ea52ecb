"""Embedded clauses: what was said or thought, and whether it can stand alone."""
