"""The build pipeline: filter, generate, select, write."""
