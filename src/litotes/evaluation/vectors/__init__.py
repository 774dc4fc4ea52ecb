"""Vectors of corpora: encoded on an engine and stored in folders."""
