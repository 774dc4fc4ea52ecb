"""Suites of test items: kinds, loading, official file formats, built-in data and published results."""
