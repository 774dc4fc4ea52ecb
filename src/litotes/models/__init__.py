"""Anything that scores sentences: encoders, pair classifiers and prompted language models."""
