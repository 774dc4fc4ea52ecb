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
    shares: NDArray[np.float64]
    """How much of the item each option has, a column an option: all of it, or in a tie an equal part."""


def judge(criterion: Highest, similarities: Mapping[Pair, Scores]) -> Judgement:
    """Which option each item's similarities choose.

    >>> options = Highest({"same": ("a", "b"), "opposite": ("a", "c")}, right="same")
    >>> found = judge(options, {("a", "b"): np.array([0.9, 0.5]), ("a", "c"): np.array([0.8, 0.5])})
    >>> found.choice.tolist(), found.credit.tolist()
    ([0, -1], [1.0, 0.5])
    """
    names = list(criterion.options)
    table = np.stack([similarities[criterion.options[name]] for name in names], axis=1)
    return judge_table(table, np.full(len(table), names.index(criterion.right), dtype=np.intp))


def judge_table(table: Scores, right: NDArray[np.intp]) -> Judgement:
    """Which option each row chooses, a column an option; `right` is the place of each row's right one.

    >>> found = judge_table(np.array([[0.7, 0.2, 0.1], [0.4, 0.2, 0.4]]), np.array([1, 2]))
    >>> found.choice.tolist(), found.credit.tolist()
    ([0, -1], [0.0, 0.5])
    """
    every = np.arange(len(table))
    tied = table >= table.max(axis=1, keepdims=True) - TIE_TOLERANCE
    ties = tied.sum(axis=1)
    choice = np.where(ties == 1, table.argmax(axis=1), -1)
    credit = np.where(tied[every, right], 1.0 / ties, 0.0)
    others = table.copy()
    others[every, right] = -np.inf
    margin = table[every, right] - others.max(axis=1)
    return Judgement(choice, credit, margin, np.where(tied, 1.0 / ties[:, None], 0.0))
