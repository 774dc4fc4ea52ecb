"""Matthews' correlation of several classes (Gorodkin, 2004), from counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def matthews(confusion: Floats) -> Floats:
    """The correlation of gold labels (rows) and chosen ones (columns), for one table or for many at once.

    0 where one side has a single label: such a table shows no correlation.

    >>> float(matthews(np.array([[2.0, 0.0], [0.0, 2.0]]))), float(matthews(np.array([[2.0, 0.0], [2.0, 0.0]])))
    (1.0, 0.0)
    """
    gold, chosen = confusion.sum(axis=-1), confusion.sum(axis=-2)
    right, total = np.trace(confusion, axis1=-2, axis2=-1), confusion.sum(axis=(-2, -1))
    covariance = right * total - (gold * chosen).sum(axis=-1)
    spread = np.sqrt((total**2 - (gold**2).sum(axis=-1)) * (total**2 - (chosen**2).sum(axis=-1)))
    return np.asarray(np.divide(covariance, spread, out=np.zeros_like(spread), where=spread > 0), dtype=np.float64)
