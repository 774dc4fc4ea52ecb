"""Litotes in other tools: sentence-transformers, MTEB, datasets, pytest."""
