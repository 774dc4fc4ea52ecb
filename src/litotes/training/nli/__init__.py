"""Training of NLI models."""
