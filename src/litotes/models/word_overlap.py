"""`overlap:words`: the share of words that two sentences have in common, a baseline that understands nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from litotes.core.errors import UsageError
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores
from litotes.models.names import ModelName

_WORD = re.compile(r"[\w’']+")


class WordOverlap:
    """The Jaccard index of the sets of lower-cased words.

    >>> WordOverlap("overlap:words").score([("It is good.", "It is bad."), ("It is", "It's")]).tolist()
    [0.5, 0.0]
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.fingerprint = Fingerprint(backend="overlap/words")

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Return one score per pair."""
        return np.array([_jaccard_index(first, second) for first, second in pairs], dtype=np.float64)


def _jaccard_index(first: str, second: str) -> float:
    left, right = set(_WORD.findall(first.lower())), set(_WORD.findall(second.lower()))
    return len(left & right) / len(left | right) if left or right else 0.0


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> WordOverlap:
    """Load `overlap:words`, the only model of this scheme."""
    if name.rest != "words":
        raise UsageError("L102", f'"{name.text}": unknown; the only model of this scheme is overlap:words')
    if values:
        raise UsageError("L102", f'"{name.text}": the only option of overlap: is label')
    return WordOverlap(name.text)
