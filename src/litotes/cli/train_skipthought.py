"""`litotes train skipthought`."""

from __future__ import annotations


def train_skipthought() -> None:
    """Being written."""
