"""`litotes train sent2vec`."""

from __future__ import annotations


def train_sent2vec() -> None:
    """Being written."""
