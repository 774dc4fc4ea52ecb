"""`litotes train infersent`."""

from __future__ import annotations


def train_infersent() -> None:
    """Being written."""
