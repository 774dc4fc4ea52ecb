"""Models that read two sentences at once."""
