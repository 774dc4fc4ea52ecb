"""Reproduction of the papers' tables and figures, from their published numbers and from any runs."""
