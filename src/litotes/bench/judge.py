"""From similarities to choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litotes.scorers.base import Scores
from litotes.suites.base import Highest, Pair

TIE_TOLERANCE = 1e-6
"""Similarities closer than this are the same: single precision cannot tell them apart."""


@dataclass(frozen=True)
class Judgement:
    """For each item: the option chosen (its place, -1 for a tie), the credit and the margin."""

    choice: NDArray[np.intp]
    credit: NDArray[np.float64]
    margin: NDArray[np.float64]


def judge(criterion: Highest, similarities: Mapping[Pair, Scores]) -> Judgement:
    """Which option each item's similarities choose.

    >>> options = Highest({"same": ("a", "b"), "opposite": ("a", "c")}, right="same")
    >>> found = judge(options, {("a", "b"): np.array([0.9, 0.5]), ("a", "c"): np.array([0.8, 0.5])})
    >>> found.choice.tolist(), found.credit.tolist()
    ([0, -1], [1.0, 0.5])
    """
    names = list(criterion.options)
    right = names.index(criterion.right)
    table = np.stack([similarities[criterion.options[name]] for name in names], axis=1)
    tied = table >= table.max(axis=1, keepdims=True) - TIE_TOLERANCE
    ties = tied.sum(axis=1)
    choice = np.where(ties == 1, table.argmax(axis=1), -1)
    credit = np.where(tied[:, right], 1.0 / ties, 0.0)
    margin = table[:, right] - np.delete(table, right, axis=1).max(axis=1)
    return Judgement(choice, credit, margin)
