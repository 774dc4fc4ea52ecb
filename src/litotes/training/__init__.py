"""Training NLI models, and the experiments on developmental negation."""
