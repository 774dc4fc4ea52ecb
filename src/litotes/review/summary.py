"""Inter-annotator agreement and the summary of a review: progress, annotators, gold scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from litotes.review.store import VerdictsByUnit


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's (1960) kappa of two raters' values per unit; None if it is undefined.

    >>> round(cohens_kappa([("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15), 3)
    0.4
    """
    if not pairs:
        return None
    size = len(pairs)
    observed = sum(a == b for a, b in pairs)
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    # Integers as long as possible, so that perfect agreement is exactly 1.
    expected = sum(left[value] * right[value] for value in left)
    if expected == size * size:
        return None
    return (observed * size - expected) / (size * size - expected)


def krippendorffs_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Krippendorff's alpha for nominal values, any number per unit; None if it is undefined.

    >>> round(krippendorffs_alpha([("a", "a"), ("a", "b"), ("b", "b"), ("b",)]), 3)
    0.444
    """
    totals: Counter[Hashable] = Counter()
    disagreement = 0.0
    for values in units:
        if len(values) < 2:
            continue
        counts = Counter(values)
        totals.update(counts)
        disagreeing = len(values) ** 2 - sum(count**2 for count in counts.values())
        disagreement += disagreeing / (len(values) - 1)
    size = sum(totals.values())
    expected = size**2 - sum(count**2 for count in totals.values())
    if not expected:
        return None
    return 1 - disagreement * (size - 1) / expected


@dataclass(frozen=True)
class PairAgreement:
    """The agreement of two annotators on the units that both judged."""

    one: str
    other: str
    units: int
    agreed: int
    kappa: float | None


@dataclass(frozen=True)
class AnnotatorAgreement:
    """The agreement of all annotators on the units that at least two judged.

    The category is "accepted unchanged" or not: an edit counts like a rejection.
    """

    units: int
    alpha: float | None
    pairs: tuple[PairAgreement, ...]

    def to_dict(self) -> dict[str, object]:
        """Return a JSON-compatible form, rounded to six decimals."""
        pairs = [{**asdict(pair), "kappa": _rounded(pair.kappa)} for pair in self.pairs]
        return {**asdict(self), "alpha": _rounded(self.alpha), "pairs": pairs}


def compute_agreement(current: VerdictsByUnit) -> AnnotatorAgreement:
    """Compute the agreement of all annotators of a review."""
    judged = {unit: by for unit, by in current.items() if len(by) > 1}
    names = sorted({name for by in judged.values() for name in by})
    return AnnotatorAgreement(
        units=len(judged),
        alpha=krippendorffs_alpha([[verdict.is_accepted for verdict in by.values()] for by in judged.values()]),
        pairs=tuple(pair for a, b in combinations(names, 2) if (pair := _pair_agreement(judged, a, b)).units),
    )


def _pair_agreement(judged: VerdictsByUnit, a: str, b: str) -> PairAgreement:
    pairs = [(by[a].is_accepted, by[b].is_accepted) for by in judged.values() if a in by and b in by]
    return PairAgreement(a, b, len(pairs), sum(left == right for left, right in pairs), cohens_kappa(pairs))


def gold_score(current: VerdictsByUnit, gold: Mapping[str, str], annotator: str) -> tuple[int, int]:
    """Return how many gold units the annotator judged correctly (accepted or not), and how many they judged."""
    judged = [(current[unit][annotator], right) for unit, right in gold.items() if annotator in current.get(unit, {})]
    return sum(verdict.is_accepted == (right == "accept") for verdict, right in judged), len(judged)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


@dataclass(frozen=True)
class AnnotatorSummary:
    """The counts of one annotator."""

    name: str
    accepted: int
    rejected: int
    edited: int
    gold_right: int
    gold_judged: int

    @property
    def verdicts(self) -> int:
        """The number of units judged."""
        return self.accepted + self.rejected + self.edited


@dataclass(frozen=True)
class ReviewSummary:
    """The state of a review."""

    units: int
    judged: int
    by_count: Mapping[int, int]
    """The number of units by number of verdicts."""
    reasons: Mapping[str, int]
    annotators: tuple[AnnotatorSummary, ...]
    agreement: AnnotatorAgreement

    def done(self, per_item: int) -> int:
        """Return how many of the requested verdicts (`per_item` per unit) have been given."""
        return sum(min(count, per_item) * units for count, units in self.by_count.items())


def summarise(units: int, current: VerdictsByUnit, gold: Mapping[str, str]) -> ReviewSummary:
    """Summarise a review of `units` units."""
    verdicts = [verdict for by in current.values() for verdict in by.values()]
    counts = Counter((verdict.annotator, verdict.verdict) for verdict in verdicts)
    by_count = Counter(len(by) for by in current.values())
    reasons = Counter(verdict.reason for verdict in verdicts if verdict.reason)
    names = sorted({verdict.annotator for verdict in verdicts})
    return ReviewSummary(
        units=units,
        judged=len(current),
        by_count=dict(sorted(by_count.items())),
        reasons=dict(sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))),
        annotators=tuple(
            AnnotatorSummary(
                name,
                counts[name, "accept"],
                counts[name, "reject"],
                counts[name, "edit"],
                *gold_score(current, gold, name),
            )
            for name in names
        ),
        agreement=compute_agreement(current),
    )


def summary_lines(name: str, summary: ReviewSummary, per_item: int) -> list[str]:
    """Return the state of a review as lines for a terminal."""
    requested = summary.units * per_item
    lines = [
        f"{name}: {summary.judged:,} of {summary.units:,} units judged, "
        f"{summary.done(per_item):,} of {requested:,} verdicts ({per_item} per unit)"
    ]
    if summary.annotators:
        width = max(len("annotator"), *(len(annotator.name) for annotator in summary.annotators))
        lines += ["", f"{'annotator':<{width}}  verdicts  accepted  rejected  edited  gold"]
        lines += [
            f"{annotator.name:<{width}}  {annotator.verdicts:>8,}  {annotator.accepted:>8,}  {annotator.rejected:>8,}"
            f"  {annotator.edited:>6,}"
            f"  {_gold_score(annotator)}"
            for annotator in summary.annotators
        ]
    if summary.reasons:
        lines += ["", "rejected for: " + ", ".join(f"{reason} {count:,}" for reason, count in summary.reasons.items())]
    agreement = summary.agreement
    if agreement.units:
        lines += [
            "",
            f"agreement (accepted unchanged or not) on units with two or more verdicts: {agreement.units:,}",
            f"  Krippendorff's alpha {format_coefficient(agreement.alpha)}",
        ]
        lines += [
            f"  Cohen's kappa {format_coefficient(pair.kappa)} of {pair.one} and {pair.other}, "
            f"{pair.agreed:,} of {pair.units:,} equal"
            for pair in agreement.pairs
        ]
    return lines


def format_coefficient(value: float | None) -> str:
    """Return a coefficient with three decimals, or a dash if it is undefined.

    >>> format_coefficient(0.5), format_coefficient(None)
    ('0.500', '–')
    """
    return "–" if value is None else f"{value:.3f}"


def _gold_score(annotator: AnnotatorSummary) -> str:
    return f"{annotator.gold_right} of {annotator.gold_judged}" if annotator.gold_judged else "–"
