"""Checks that every edit has to pass."""
