"""Models that run in PyTorch."""
