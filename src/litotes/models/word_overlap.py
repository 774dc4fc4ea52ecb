"""`overlap:words` — the share of words that two sentences have in common; it understands nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from litotes.core.errors import UsageError
from litotes.models.access import Access
from litotes.models.base import Fingerprint, Scores
from litotes.models.names import ScorerName

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
        """One number a pair."""
        return np.array([_jaccard(one, other) for one, other in pairs], dtype=np.float64)


def _jaccard(one: str, other: str) -> float:
    left, right = set(_WORD.findall(one.lower())), set(_WORD.findall(other.lower()))
    return len(left & right) / len(left | right) if left or right else 0.0


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> WordOverlap:
    """The only measure there is, `overlap:words`."""
    if name.rest != "words":
        raise UsageError("L102", f'"{name.text}": the overlap that is known is overlap:words')
    if given:
        raise UsageError("L102", f'"{name.text}": overlap: takes no option but label')
    return WordOverlap(name.text)
