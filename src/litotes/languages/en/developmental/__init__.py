"""Developmental categories of negation (Laverghetta and Licato, 2022)."""
