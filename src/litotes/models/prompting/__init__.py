"""Prompted language models."""
