"""How alike two sentences are that have nothing to do with each other: what similarities are measured from.

The vectors of many encoders lie in a narrow cone, so that any two sentences have a high cosine. HEROS (Appendix D)
therefore takes the mean cosine of the first half of its originals with the second half as 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from litotes.models.base import Scores, Vectors
from litotes.suites.base import Suite

MOST_PAIRS = 10_000
"""A scorer that reads pairs is asked for no more than these; from vectors the mean over all pairs costs nothing."""
MOST_CLASSIFIED_PAIRS = 1_000
"""One that reads each pair both ways, which takes its time, is asked for these."""

_NARROWEST = 1e-9


def halves(suite: Suite) -> tuple[list[str], list[str]]:
    """The sentences of the baseline role, the first half and the second; the middle one of an odd number in neither.

    A suite whose kind asks for no baseline, or that has a single item, has no halves.
    """
    role = suite.kind.baseline
    texts = [item.sentences[role] for item in suite.items] if role is not None else []
    half = len(texts) // 2
    return texts[:half], texts[len(texts) - half :]


def mean_cosine(vectors: Vectors, left: NDArray[np.intp], right: NDArray[np.intp], lengths: Scores) -> float:
    """The mean cosine of all rows on the left with all on the right: the product of their mean directions.

    >>> rows = np.array([[2, 0], [0, 1], [1, 0]], dtype=np.float32)
    >>> float(mean_cosine(rows, np.array([0, 1]), np.array([2, 2]), np.array([2.0, 1.0, 1.0])))
    0.5
    """
    return float(_mean_direction(vectors, left, lengths) @ _mean_direction(vectors, right, lengths))


def _mean_direction(vectors: Vectors, places: NDArray[np.intp], lengths: Scores) -> Scores:
    sizes = lengths[places]
    weights = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes != 0)
    total: Scores = weights @ vectors[places].astype(np.float64)
    return total / len(places)


def crossed_pairs(left: Sequence[str], right: Sequence[str], most: int = MOST_PAIRS) -> list[tuple[str, str]]:
    """Pairs of one sentence of each half, every sentence equally often: all of them if there are not too many.

    >>> crossed_pairs(["a", "b"], ["c", "d"])
    [('a', 'c'), ('b', 'd'), ('a', 'd'), ('b', 'c')]
    """
    half = len(left)
    turns = min(half, max(1, most // half)) if half else 0
    return [(left[place], right[(place + turn) % half]) for turn in range(turns) for place in range(half)]


def normalised(means: Mapping[str, float], baseline: float | None) -> dict[str, float]:
    """The means with the baseline as 0 and 1 as 1; nothing where the baseline leaves no room.

    >>> normalised({"original~typo": 0.9}, 0.5), normalised({"original~typo": 1.0}, 1.0)
    ({'original~typo': 0.8}, {})
    """
    if baseline is None or 1 - baseline < _NARROWEST:
        return {}
    return {pair: (mean - baseline) / (1 - baseline) for pair, mean in means.items()}
