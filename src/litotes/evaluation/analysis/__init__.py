"""Analyses of the errors that models make."""
