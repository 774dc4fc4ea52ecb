"""Suites from raw text: filters, rewrites, candidates, choice."""
