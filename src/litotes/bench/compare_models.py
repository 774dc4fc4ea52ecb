"""Two models on the same items: do they differ?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litotes.bench.result import Interval, RunResult


@dataclass(frozen=True)
class Comparison:
    """Model a against model b on one suite; a positive difference means that a is better."""

    suite: str
    a: str
    b: str
    difference: float
    ci: Interval
    p: float
    p_holm: float
    """Corrected for the number of comparisons made together."""

    @property
    def differ(self) -> bool:
        """Whether the corrected p-value is below 0.05."""
        return self.p_holm < 0.05


def compare_models(results: Sequence[RunResult], *, resamples: int = 10_000, seed: int = 0) -> list[Comparison]:
    """Every two models that ran the same items."""
    raise NotImplementedError
