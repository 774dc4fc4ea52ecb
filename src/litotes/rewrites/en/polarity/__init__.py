"""Add and remove the negation of a clause."""
