"""Summary of a review: progress, annotators, gold scores, agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from litotes.review.agreement import AnnotatorAgreement, compute_agreement, gold_score
from litotes.review.store import VerdictsByUnit


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
