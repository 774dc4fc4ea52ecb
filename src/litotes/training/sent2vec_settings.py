"""How a sent2vec model is trained; the defaults are those of the original tool where a small corpus allows them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from litotes.core.errors import UsageError


@dataclass(frozen=True)
class Sent2VecSettings:
    """The settings of a training."""

    dim: int = 100
    epochs: int = 5
    word_ngrams: int = 2
    """The words of the longest n-gram; 1 for words alone."""
    bucket: int = 200_000
    """Rows that all n-grams share by their hashes; the original tool has 2,000,000."""
    min_count: int = 5
    """Words that are rarer have no vector."""
    min_target_count: int = 0
    """Words that are rarer are not told from the others of their sentence."""
    negatives: int = 10
    learning_rate: float = 0.2
    """At the beginning; it falls to 0 evenly."""
    dropout_k: int = 4
    """In how many words of a sentence no n-gram may begin or go on, drawn anew for each word that is told."""
    subsample: float = 1e-4
    """Words that are a larger share of all are told less often."""
    batch_size: int = 64
    """Words told at once."""
    seed: int = 0

    def __post_init__(self) -> None:
        least = {"dim": 1, "epochs": 1, "word_ngrams": 1, "min_count": 1, "negatives": 1, "batch_size": 1}
        for name, low in {**least, "bucket": 0, "min_target_count": 0, "dropout_k": 0}.items():
            if getattr(self, name) < low:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least {low} is needed")
        if self.word_ngrams > 1 and self.bucket < 1:
            raise UsageError("L102", "bucket=0: n-grams need rows", hint="or word_ngrams=1 goes without them")
        if self.bucket >= 2**31 or self.dim > 100_000 or self.word_ngrams > 100:
            raise UsageError("L102", "dim, bucket or word_ngrams: is too large for the file's format")
        for name in ("learning_rate", "subsample"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise UsageError("L102", f"{name}={value}: must be above 0")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")

    @property
    def rows_of_ngrams(self) -> int:
        """Words alone need no rows for n-grams."""
        return self.bucket if self.word_ngrams > 1 else 0

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)
