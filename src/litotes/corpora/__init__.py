"""Corpora: readers that stream sentences or pairs of sentences from files, datasets and standard input."""
