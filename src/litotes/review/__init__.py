"""Human review of a suite: a web page, verdicts in SQLite, inter-annotator agreement and the reviewed suite."""
