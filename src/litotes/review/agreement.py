"""How far annotators agree: Cohen's kappa for two, Krippendorff's alpha for any number and with gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from litotes.review.store import Verdicts


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's (1960) kappa of two raters' values unit by unit; None where nothing could have differed.

    >>> round(cohens_kappa([("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15), 3)
    0.4
    """
    if not pairs:
        return None
    size = len(pairs)
    observed = sum(one == other for one, other in pairs)
    left, right = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    # Whole numbers as long as possible: 1 is 1, whatever the rounding.
    expected = sum(left[value] * right[value] for value in left)
    if expected == size * size:
        return None
    return (observed * size - expected) / (size * size - expected)


def krippendorffs_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Krippendorff's alpha for nominal values, each unit with as many as it was given; None where it has no meaning.

    >>> round(krippendorffs_alpha([("a", "a"), ("a", "b"), ("b", "b"), ("b",)]), 3)
    0.444
    """
    totals: Counter[Hashable] = Counter()
    disagreement = 0.0
    for values in units:
        if len(values) < 2:  # nobody to agree with
            continue
        counts = Counter(values)
        totals.update(counts)
        unlike = len(values) ** 2 - sum(count**2 for count in counts.values())
        disagreement += unlike / (len(values) - 1)
    size = sum(totals.values())
    unlike_by_chance = size**2 - sum(count**2 for count in totals.values())
    if not unlike_by_chance:
        return None
    return 1 - disagreement * (size - 1) / unlike_by_chance


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators on the units that both have judged."""

    one: str
    other: str
    units: int
    agreed: int
    kappa: float | None


@dataclass(frozen=True)
class Agreement:
    """All annotators on the units that at least two have judged.

    Counted is accepted as it is or not: an edit says, as a rejection does, that the unit will not do as it stands.
    """

    units: int
    alpha: float | None
    pairs: tuple[PairAgreement, ...]

    def to_dict(self) -> dict[str, object]:
        """For files; six decimals are more than any review can bear."""
        found = asdict(self)
        found["alpha"] = _rounded(self.alpha)
        found["pairs"] = [{**asdict(pair), "kappa": _rounded(pair.kappa)} for pair in self.pairs]
        return found


def agreement_of(current: Verdicts) -> Agreement:
    """The agreement of everybody in a review."""
    judged = {unit: by for unit, by in current.items() if len(by) > 1}
    names = sorted({name for by in judged.values() for name in by})
    return Agreement(
        units=len(judged),
        alpha=krippendorffs_alpha([[verdict.as_it_is for verdict in by.values()] for by in judged.values()]),
        pairs=tuple(pair for one, other in combinations(names, 2) if (pair := _pair(judged, one, other)).units),
    )


def _pair(judged: Verdicts, one: str, other: str) -> PairAgreement:
    pairs = [(by[one].as_it_is, by[other].as_it_is) for by in judged.values() if one in by and other in by]
    return PairAgreement(one, other, len(pairs), sum(left == right for left, right in pairs), cohens_kappa(pairs))


def gold_score(current: Verdicts, gold: Mapping[str, str], annotator: str) -> tuple[int, int]:
    """How many of the gold units the annotator got right, and how many they judged; accepted as it is or not."""
    judged = [(current[unit][annotator], wanted) for unit, wanted in gold.items() if annotator in current.get(unit, {})]
    return sum(verdict.as_it_is == (wanted == "accept") for verdict, wanted in judged), len(judged)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)
