"""Where a review stands: progress, annotators, gold, agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from litotes.review.agreement import Agreement, agreement_of, gold_score
from litotes.review.store import Verdicts


@dataclass(frozen=True)
class AnnotatorSummary:
    """What one annotator did."""

    name: str
    accepted: int
    rejected: int
    edited: int
    gold_right: int
    gold_judged: int

    @property
    def verdicts(self) -> int:
        """How many units they judged."""
        return self.accepted + self.rejected + self.edited


@dataclass(frozen=True)
class Summary:
    """Where a review stands."""

    units: int
    judged: int
    by_count: Mapping[int, int]
    """How many units have so many verdicts."""
    reasons: Mapping[str, int]
    annotators: tuple[AnnotatorSummary, ...]
    agreement: Agreement

    def done(self, per_item: int) -> int:
        """How many of the verdicts that are wanted, so many a unit, are there."""
        return sum(min(count, per_item) * units for count, units in self.by_count.items())


def summarise(units: int, current: Verdicts, gold: Mapping[str, str]) -> Summary:
    """The state of a review of so many units."""
    verdicts = [verdict for by in current.values() for verdict in by.values()]
    said = Counter((verdict.annotator, verdict.verdict) for verdict in verdicts)
    by_count = Counter(len(by) for by in current.values())
    reasons = Counter(verdict.reason for verdict in verdicts if verdict.reason)
    names = sorted({verdict.annotator for verdict in verdicts})
    return Summary(
        units=units,
        judged=len(current),
        by_count=dict(sorted(by_count.items())),
        reasons=dict(sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))),
        annotators=tuple(
            AnnotatorSummary(
                name, said[name, "accept"], said[name, "reject"], said[name, "edit"], *gold_score(current, gold, name)
            )
            for name in names
        ),
        agreement=agreement_of(current),
    )


def summary_lines(name: str, summary: Summary, per_item: int) -> list[str]:
    """The state of a review as lines for a terminal."""
    wanted = summary.units * per_item
    lines = [
        f"{name}: {summary.judged:,} of {summary.units:,} units judged, "
        f"{summary.done(per_item):,} of {wanted:,} verdicts ({per_item} a unit)"
    ]
    if summary.annotators:
        wide = max(len("annotator"), *(len(one.name) for one in summary.annotators))
        lines += ["", f"{'annotator':<{wide}}  verdicts  accepted  rejected  edited  gold"]
        lines += [
            f"{one.name:<{wide}}  {one.verdicts:>8,}  {one.accepted:>8,}  {one.rejected:>8,}  {one.edited:>6,}"
            f"  {_gold(one)}"
            for one in summary.annotators
        ]
    if summary.reasons:
        lines += ["", "rejected for: " + ", ".join(f"{reason} {count:,}" for reason, count in summary.reasons.items())]
    agreement = summary.agreement
    if agreement.units:
        lines += [
            "",
            f"agreement, accepted as it is or not; units that two or more judged: {agreement.units:,}",
            f"  Krippendorff's alpha {number(agreement.alpha)}",
        ]
        lines += [
            f"  Cohen's kappa {number(pair.kappa)} of {pair.one} and {pair.other}, "
            f"{pair.agreed:,} of {pair.units:,} alike"
            for pair in agreement.pairs
        ]
    return lines


def number(value: float | None) -> str:
    """A coefficient; a dash where nothing could have differed.

    >>> number(0.5), number(None)
    ('0.500', '–')
    """
    return "–" if value is None else f"{value:.3f}"


def _gold(one: AnnotatorSummary) -> str:
    return f"{one.gold_right} of {one.gold_judged}" if one.gold_judged else "–"
