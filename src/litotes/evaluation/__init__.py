"""Run models on suites and compute metrics, intervals and comparisons."""
