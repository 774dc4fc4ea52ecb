"""The HTML report of runs."""
