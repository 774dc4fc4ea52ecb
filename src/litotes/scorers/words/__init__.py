"""Vectors of words: the formats in which they are published, one store in which they are kept, how texts are split."""
